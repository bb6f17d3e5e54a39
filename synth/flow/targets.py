# SPDX-License-Identifier: MIT
"""The fixed sweep of mapping targets, from sweep.toml."""

import dataclasses
import pathlib
import tomllib

from flow.errors import FlowError
from flow.library import Library
from flow.paths import SYNTH

_FILE = SYNTH / "sweep.toml"


@dataclasses.dataclass(frozen=True)
class Target:
    """A recipe for ABC with its delay goal."""

    name: str
    script: str


def read(library: Library, file: pathlib.Path = _FILE) -> list[Target]:
    """All targets, in the file's order, for a library: goals are multiples of its gate delay."""
    text = tomllib.loads(file.read_text())
    targets = []
    for entry in text["target"]:
        if entry["recipe"] not in text["recipes"]:
            raise FlowError(f"{file}: there is no recipe '{entry['recipe']}'")
        ps = round(entry["goal"] * library.gate_delay_ps)
        script = text["recipes"][entry["recipe"]].format(target=ps)
        targets.append(Target(f"{entry['recipe']} {ps} ps", script.replace("; ", "\n") + "\n"))
    return targets


def digest(library: Library) -> str:
    """What a measurement with the whole sweep depends on."""
    return repr(read(library))
