# SPDX-License-Identifier: MIT
"""Whether the FuseSoC core file and the Bender manifest have the files of the RTL's file lists, in a legal order.

    python3 scripts/lib/check_manifests.py [FOLDER]

FOLDER is the project (default: this one). The file lists rtl/*.f and rtl/example/*.f are the source. One line per
mistake, with the file that has it; exits with 1 if there is one. It finds:
  a source in rtl/ that no list names, a name that no file has, a name that stands twice
  a manifest that lacks a file, names one that no list has, or has two in the other order than a list
  a fileset or toplevel of the core file that does not exist
FuseSoC and Bender themselves are not in Debian. What they make of other keys is not checked here.
"""

import pathlib
import re
import sys

import yaml

PROJECT = pathlib.Path(__file__).resolve().parents[2]
# Examples that need no list of their own: one file beside those of the schedulers.
_SINGLE = ("example/m2090_schedulers.sv",)
_BENCHES = ("example/small_core_tb.sv",)


class _Mistakes(list):
    def expect(self, good, text):
        if not good:
            self.append(text)


def _lists(rtl):
    """The files of each list, as paths from rtl/."""
    return {path.relative_to(rtl).as_posix(): [(path.parent / line).relative_to(rtl).as_posix()
                                               for line in path.read_text(encoding="utf-8").split()]
            for path in sorted([*rtl.glob("*.f"), *rtl.glob("example/*.f")])}


def _read(path, mistakes):
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8").removeprefix("CAPI=2:"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        mistakes.append(f"{path.name}: {' '.join(str(error).split())}")
        return None
    if not isinstance(data, dict):
        mistakes.append(f"{path.name}: not a mapping")
        return None
    return data


def _compare(name, files, lists, mistakes):
    """The manifest NAME lists FILES; each once, all of LISTS and nothing else, in their order."""
    wanted = {file for of_list in lists.values() for file in of_list} | set(_SINGLE) | set(_BENCHES)
    for file in sorted(wanted - set(files)):
        mistakes.append(f"{name}: lacks rtl/{file}")
    for file in sorted(set(files) - wanted):
        mistakes.append(f"{name}: rtl/{file} is in no file list")
    for file in sorted({file for file in files if files.count(file) > 1}):
        mistakes.append(f"{name}: rtl/{file} stands there twice")
    for of, listed in lists.items():
        present = [file for file in files if file in listed]
        if set(present) == set(listed) and present != listed and len(present) == len(listed):
            mistakes.append(f"{name}: the files of rtl/{of} are in another order")


def mistakes_of(project):
    mistakes = _Mistakes()
    rtl = project / "rtl"
    lists = _lists(rtl)
    sources = {path.relative_to(rtl).as_posix() for path in [*rtl.glob("*.sv"), *rtl.glob("example/*.sv")]}
    listed = {file for files in lists.values() for file in files}
    for of, files in lists.items():
        for file in files:
            mistakes.expect(file in sources, f"rtl/{of}: rtl/{file} does not exist")
            mistakes.expect(files.count(file) == 1, f"rtl/{of}: rtl/{file} stands there twice")
    for file in sorted(sources - listed - set(_SINGLE) - set(_BENCHES)):
        mistakes.append(f"rtl/{file}: in no file list")

    core = _read(rtl / "paws.core", mistakes)
    if core is not None:
        text = (rtl / "paws.core").read_text(encoding="utf-8")
        mistakes.expect(text.startswith("CAPI=2:\n"), "paws.core: the first line is not CAPI=2:")
        filesets = {name: list(body.get("files", [])) for name, body in (core.get("filesets") or {}).items()}
        _compare("paws.core", [file for files in filesets.values() for file in files], lists, mistakes)
        for target, body in (core.get("targets") or {}).items():
            used = body.get("filesets", [])
            for fileset in used:
                mistakes.expect(fileset in filesets, f"paws.core: target {target}: no fileset {fileset}")
            top = body.get("toplevel")
            modules = [pathlib.Path(file).stem for fileset in used for file in filesets.get(fileset, [])]
            mistakes.expect(top is None or top in modules, f"paws.core: target {target}: no file of its has {top}")
            for parameter in body.get("parameters", []):
                mistakes.expect(parameter in (core.get("parameters") or {}),
                                f"paws.core: target {target}: no parameter {parameter}")
        # A list with the name of a module is that of a top level, and paws.f that of two.
        tops = {body.get("toplevel") for body in (core.get("targets") or {}).values()}
        for top in ["paws_two_level", "paws_single_level"] + [pathlib.Path(of).stem for of in lists if of != "paws.f"]:
            mistakes.expect(top in tops, f"paws.core: no target for {top}")

    bender = _read(project / "Bender.yml", mistakes)
    if bender is not None:
        mistakes.expect(re.fullmatch(r"\w+", str((bender.get("package") or {}).get("name", ""))),
                        "Bender.yml: no name of the package")
        paths = [str(file) for group in bender.get("sources") or [] for file in group.get("files", [])]
        for path in paths:
            mistakes.expect(path.startswith("rtl/"), f"Bender.yml: {path} is not in rtl/")
        _compare("Bender.yml", [path.removeprefix("rtl/") for path in paths], lists, mistakes)
    return mistakes


def main(arguments):
    mistakes = mistakes_of(pathlib.Path(arguments[0]) if arguments else PROJECT)
    for mistake in mistakes:
        print(f"check_manifests: {mistake}", file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
