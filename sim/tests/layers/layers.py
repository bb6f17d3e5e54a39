# SPDX-License-Identifier: MIT
"""Checks the includes between the folders of sim/ against a table of those that are allowed (sim/layers.toml)."""
import pathlib
import re
import tomllib

# Folders of the project, not of sim/.
PROJECT = {"engine", "model", "tb", "workloads"}
# Folders of sim/ without libraries; the tests may use everything.
NO_LAYER = {"presets", "tests"}
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')


def read(table):
    """The allowed folders of every folder, in the order of the file. Raises ValueError for a name that stands nowhere
    above."""
    with open(table, "rb") as file:
        layers = tomllib.load(file)
    known = set(PROJECT)
    for folder, allowed in layers.items():
        for other in allowed:
            if other not in known:
                raise ValueError(f"{table}: '{folder}' may include '{other}', which does not stand above it")
        known.add(folder)
    return layers


def folder_of(include):
    """The folder that a path in an #include names, relative to the root of the project; None: not one of ours."""
    parts = pathlib.PurePosixPath(include).parts
    if len(parts) > 2 and parts[0] == "sim":
        return parts[1]
    return parts[0] if len(parts) > 1 and parts[0] in PROJECT else None


def includes(root, folder):
    """(file relative to `root`, line, included path) of every include in sim/<folder>."""
    for path in sorted((root / "sim" / folder).rglob("*")):
        if path.suffix not in {".h", ".cpp"}:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := INCLUDE.match(line):
                yield path.relative_to(root), number, match[1]


def problems(root, layers):
    """What contradicts the table, a line each: forbidden includes as "file:line: cause", permissions that no include
    uses, folders that the table does not have or that do not exist."""
    found = []
    folders = {path.name for path in (root / "sim").iterdir() if path.is_dir()} - NO_LAYER
    found += [f"sim/{folder} is not in the table of layers" for folder in sorted(folders - layers.keys())]
    found += [f"'{folder}' of the table is no folder of sim/" for folder in sorted(layers.keys() - folders)]
    for folder in layers:
        used = set()
        for file, line, include in includes(root, folder):
            other = folder_of(include)
            if other is None or other == folder:
                continue
            used.add(other)
            if other not in layers[folder]:
                found.append(f'{file}:{line}: sim/{folder} must not include "{include}"')
        if folder in folders:
            unused = [other for other in layers[folder] if other not in used]
            found += [f"sim/{folder} may include '{other}' and does not" for other in unused]
    return found
