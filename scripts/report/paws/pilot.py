# SPDX-License-Identifier: MIT
"""The number of perturbed runs of each measurement of speeds, from the variance of a pilot.

The pilot is the five perturbed runs of `scripts/study time`, whose cycles are committed. So the plan of the workflow is
known before a run of the measurement.
"""

import csv
import dataclasses
import functools

from lib.places import GENERATED
from report import repeats

FILE = GENERATED / "pilot.csv"
SETTINGS = ("kernel", "scheduler")  # columns of the file, before one for each seed
_COMPARED = (("gto", "rr"), ("paws", "rr"), ("paws", "gto"))  # policies of a ratio


@dataclasses.dataclass(frozen=True)
class Setup:
    """A measurement: the schedulers of a level run a kernel under the same perturbations."""
    kernel: str
    level: str


@functools.cache
def _cycles() -> dict[tuple[str, str], dict[int, int]]:
    """Of the pilot: by kernel and scheduler, by seed."""
    with FILE.open(newline="") as file:
        return {tuple(row.pop(name) for name in SETTINGS): {int(seed): int(cycles) for seed, cycles in row.items()}
                for row in csv.DictReader(file)}


def ratios(setup: Setup) -> dict[tuple[str, str], list[float]]:
    """The speeds of the pilot, seed by seed, by the policies that are compared."""
    def runs(policy: str) -> dict[int, int]:
        return _cycles()[setup.kernel, f"{setup.level}:{policy}"]
    return {(policy, over): [runs(over)[seed] / cycles for seed, cycles in runs(policy).items()] for policy, over in _COMPARED}


@functools.cache
def number(setup: Setup) -> int:
    """Perturbed runs of the measurement."""
    return repeats.number(ratios(setup).values())
