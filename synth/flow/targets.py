# SPDX-License-Identifier: MIT
"""The fixed sweep of mapping targets, from sweep.toml."""

import dataclasses
import pathlib
import tomllib

from flow.errors import FlowError
from flow.cell_library import Library
from flow.paths import SYNTH

_FILE = SYNTH / "sweep.toml"


@dataclasses.dataclass(frozen=True)
class Target:
    """A recipe for ABC with its delay goal."""

    name: str
    script: str


def _entries(kind: str, library: Library, file: pathlib.Path) -> list[Target]:
    text = tomllib.loads(file.read_text())
    targets = []
    for entry in text[kind]:
        if entry["recipe"] not in text["recipes"]:
            raise FlowError(f"{file}: there is no recipe '{entry['recipe']}'")
        ps = round(entry["goal"] * library.gate_delay_ps)
        script = text["recipes"][entry["recipe"]].format(target=ps)
        targets.append(Target(f"{entry['recipe']} {ps} ps", script.replace("; ", "\n") + "\n"))
    return targets


def read(library: Library, file: pathlib.Path = _FILE) -> list[Target]:
    """All targets of the sweep, in the file's order, for a library: goals are multiples of its gate delay."""
    return _entries("target", library, file)


def candidates(library: Library, file: pathlib.Path = _FILE) -> list[Target]:
    """The targets that were tried and left out."""
    return _entries("candidate", library, file)


def one_clock_ns(top: str, library: Library) -> float | None:
    """The period at which areas are compared, of a top that has one."""
    periods = tomllib.loads(_FILE.read_text())["one_clock"]
    return periods[top] * library.gate_delay_ps / 1000 if top in periods else None


def digest(library: Library) -> str:
    """What a measurement with the whole sweep depends on."""
    return repr(read(library))
