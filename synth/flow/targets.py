# SPDX-License-Identifier: MIT
"""The fixed sweep of mapping targets, from sweep.toml."""

import dataclasses
import tomllib

from flow.errors import FlowError
from flow.paths import SYNTH

_FILE = SYNTH / "sweep.toml"


@dataclasses.dataclass(frozen=True)
class Target:
    """A recipe for ABC with its delay goal."""

    name: str
    script: str


def read() -> list[Target]:
    """All targets, in the file's order."""
    text = tomllib.loads(_FILE.read_text())
    targets = []
    for entry in text["target"]:
        if entry["recipe"] not in text["recipes"]:
            raise FlowError(f"{_FILE}: there is no recipe '{entry['recipe']}'")
        script = text["recipes"][entry["recipe"]].format(target=entry["ps"])
        targets.append(Target(f"{entry['recipe']} {entry['ps']} ps", script.replace("; ", "\n") + "\n"))
    return targets


def digest() -> str:
    """What a measurement with the whole sweep depends on."""
    return repr(read())
