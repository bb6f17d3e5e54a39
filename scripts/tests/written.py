# SPDX-License-Identifier: MIT
"""The files that people wrote: documents, sources and commands. Tests of what these files name read them, and those of
studies load them."""
import importlib.machinery
import importlib.util
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("cmake", "docs", "engine", "model", "rtl", "scripts", "sim", "synth", "tb", "workloads")
NOT_WRITTEN = {".svg", ".png", ".json", ".csv", ".ptx", ".fst"}
# Tests whose cases name what does not exist.
INVENTED = {ROOT / "scripts/tests/test_commands.py", ROOT / "scripts/tests/test_documents.py"}


def sources():
    """Their paths, in order."""
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CMakeLists.txt", ".ci/run", ".github/workflows/ci.yml"):
        yield ROOT / name
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix not in NOT_WRITTEN and "__pycache__" not in path.parts \
                    and path not in INVENTED:
                yield path


def study(name):
    """scripts/study NAME as a module."""
    loader = importlib.machinery.SourceFileLoader(f"study_{name}", str(ROOT / "scripts/report/studies" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module  # where dataclasses look for their own
    loader.exec_module(module)
    return module
