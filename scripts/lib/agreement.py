# SPDX-License-Identifier: MIT
"""The comparison with GPGPU-Sim: its recorded cycles, our record, and what says how near the two are.

Runs stand under (variant, scheduler, kernel) for ours and under (parameters, scheduler, kernel) for GPGPU-Sim's.
sim/tests/agreement/gpgpusim.toml says what these are.
"""

import csv
import dataclasses
import math
import pathlib
import statistics
import tomllib

from lib.places import GENERATED, ROOT

FOLDER = ROOT / "sim" / "tests" / "agreement"
RECORD = GENERATED / "agreement.csv"
RR, GTO = "single:rr", "single:gto"
GUARDED = (RR, GTO)  # the schedulers that are the same in both
REFERENCE = "4.2"  # the parameters that the error is about
AS_WRITTEN = "as written"  # the variant that executes what GPGPU-Sim executes
COLUMNS = ("kernel", "variant", "scheduler", "thread_instructions", "cycles")


class Problem(Exception):
    """What keeps the two from being compared."""


@dataclasses.dataclass(frozen=True)
class Run:
    """One kernel under one scheduler. Cycles of 1300 MHz; instructions count threads, not warps."""
    cycles: int
    thread_instructions: int

    @property
    def ipc(self) -> float:
        return self.thread_instructions / self.cycles


@dataclasses.dataclass(frozen=True)
class Facts:
    """What was recorded of GPGPU-Sim."""
    description: dict  # gpgpusim.toml
    runs: dict  # (parameters, scheduler, kernel) to Run

    @property
    def kernels(self) -> list[str]:
        return [kernel["name"] for kernel in self.description["kernel"]]

    @property
    def variants(self) -> list[str]:
        return list(self.description["variants"])


def read_runs(path: pathlib.Path, columns: tuple) -> dict:
    """(second column, third column, first column) to Run, of a table of this module."""
    runs = {}
    with path.open(newline="") as file:
        lines = [(number, line) for number, line in enumerate(file, 1) if not line.startswith("#")]
    rows = csv.reader(line for _, line in lines)
    for (number, _), row in zip(lines, rows):
        if number == lines[0][0]:
            if tuple(row) != columns:
                raise Problem(f"{path.name}:{number}: expected the columns {', '.join(columns)}")
            continue
        if len(row) != len(columns) or not (row[3].isdigit() and row[4].isdigit()) or int(row[4]) == 0:
            raise Problem(f"{path.name}:{number}: expected three names and two numbers")
        key = (row[1], row[2], row[0])
        if key in runs:
            raise Problem(f"{path.name}:{number}: {' '.join(key)} stands there twice")
        runs[key] = Run(cycles=int(row[4]), thread_instructions=int(row[3]))
    return runs


def read_facts(folder: pathlib.Path = FOLDER) -> Facts:
    try:
        description = tomllib.loads((folder / "gpgpusim.toml").read_text())
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"gpgpusim.toml: {error}") from None
    runs = read_runs(folder / "gpgpusim.csv",
                     ("kernel", "parameters", "scheduler", "thread_instructions", "cycles"))
    facts = Facts(description, runs)
    for kernel in facts.kernels:
        for parameters in description["parameters"]:
            for scheduler in description["schedulers"]:
                if (parameters, scheduler, kernel) not in runs:
                    raise Problem(f"gpgpusim.csv lacks {kernel}, {parameters}, {scheduler}")
    return facts


def read_record(path: pathlib.Path = RECORD) -> dict:
    """(variant, scheduler, kernel) to Run."""
    return read_runs(path, COLUMNS)


def write_record(path: pathlib.Path, runs: dict) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for (variant, scheduler, kernel), run in runs.items():
            writer.writerow([kernel, variant, scheduler, run.thread_instructions, run.cycles])


def ranks(values: list[float]) -> list[float]:
    """From 1 on; equal values share the mean of their ranks."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]


def correlation(first: list[float], second: list[float]) -> float:
    """Pearson's; not a number if one side is constant."""
    try:
        return statistics.correlation(first, second)
    except statistics.StatisticsError:
        return math.nan


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


class Comparison:
    """Ours in one variant beside GPGPU-Sim's under one set of parameters, over `kernels`."""

    def __init__(self, facts: Facts, ours: dict, variant: str, parameters: str, kernels: list[str]):
        self.kernels = kernels
        self.schedulers = list(facts.description["schedulers"])
        self._ours = {key[1:]: run for key, run in ours.items() if key[0] == variant}
        self._theirs = {key[1:]: run for key, run in facts.runs.items() if key[0] == parameters}

    def difference(self, scheduler: str, kernel: str) -> float:
        """Our cycles over theirs, minus 1."""
        return self._ours[scheduler, kernel].cycles / self._theirs[scheduler, kernel].cycles - 1

    def error(self, scheduler: str) -> float:
        """Mean of the absolute differences, in percent."""
        return 100 * statistics.mean(abs(self.difference(scheduler, kernel)) for kernel in self.kernels)

    def ipc_correlation(self, scheduler: str) -> float:
        """Pearson's r of the logarithms of the IPC."""
        def logarithms(runs: dict) -> list[float]:
            return [math.log(runs[scheduler, kernel].ipc) for kernel in self.kernels]
        return correlation(logarithms(self._ours), logarithms(self._theirs))

    def leads(self) -> list[tuple[float, float]]:
        """By how much GTO is faster than RR, minus 1: (ours, theirs) of each kernel."""
        return [tuple(runs[RR, kernel].cycles / runs[GTO, kernel].cycles - 1 for runs in (self._ours, self._theirs))
                for kernel in self.kernels]

    def same_sign(self) -> int:
        """Kernels on which GTO gains, or loses, in both."""
        return sum(sign(ours) == sign(theirs) for ours, theirs in self.leads())

    def lead_order(self) -> float:
        """Spearman's correlation of the leads of GTO."""
        ours, theirs = zip(*self.leads())
        return correlation(ranks(ours), ranks(theirs))

    def same_best(self) -> int:
        """Kernels on which the scheduler with the fewest cycles is the same."""
        def best(runs: dict, kernel: str) -> str:
            return min(self.schedulers, key=lambda scheduler: runs[scheduler, kernel].cycles)
        return sum(best(self._ours, kernel) == best(self._theirs, kernel) for kernel in self.kernels)


def errors(facts: Facts, ours: dict, kernels: list[str]) -> dict:
    """(variant, scheduler) to the mean absolute difference, in percent, from REFERENCE."""
    return {(variant, scheduler): Comparison(facts, ours, variant, REFERENCE, kernels).error(scheduler)
            for variant in facts.variants for scheduler in GUARDED}
