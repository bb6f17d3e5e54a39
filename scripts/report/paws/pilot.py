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
SETTINGS = ("kernel", "scheduler", "ready", "phases")  # columns of the file, before one for each seed
_COMPARED = {"order": (("gto", "rr"), ("paws", "rr"), ("paws", "gto")),  # by phase rule: policies of a ratio
             "blocks": (("paws", "rr"), ("paws", "gto"))}


@dataclasses.dataclass(frozen=True)
class Setup:
    """A measurement: the schedulers of a level with one ready queue (that of the single level has no meaning) run a kernel
    under the same perturbations."""
    kernel: str
    level: str
    ready: int
    rule: str  # the phase rule of PAWS


@functools.cache
def _cycles() -> dict[tuple[str, str, str, str], dict[int, int]]:
    """Of the pilot: by kernel, scheduler, ready queue and phase rule, by seed."""
    with FILE.open(newline="") as file:
        return {tuple(row.pop(name) for name in SETTINGS): {int(seed): int(cycles) for seed, cycles in row.items()}
                for row in csv.DictReader(file)}


def settings(setup: Setup, policy: str) -> tuple[str, str, str, str]:
    """Those of a row."""
    ready = str(setup.ready) if setup.level == "two-level" else ""
    return setup.kernel, f"{setup.level}:{policy}", ready, setup.rule if policy == "paws" else ""


def _runs(setup: Setup, policy: str) -> dict[int, int]:
    return _cycles()[settings(setup, policy)]


def ratios(setup: Setup) -> dict[tuple[str, str], list[float]]:
    """The speeds of the pilot, seed by seed, by the policies that are compared."""
    return {(policy, over): [_runs(setup, over)[seed] / cycles for seed, cycles in _runs(setup, policy).items()]
            for policy, over in _COMPARED[setup.rule]}


@functools.cache
def number(setup: Setup) -> int:
    """Perturbed runs of the measurement."""
    return repeats.number(ratios(setup).values())
