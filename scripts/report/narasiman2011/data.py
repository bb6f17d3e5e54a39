# SPDX-License-Identifier: MIT
"""The results as its sections ask for them."""

import functools
import statistics
from collections.abc import Sequence

from report import store
from lib.estimate import Estimate, estimate, ratio
from report.narasiman2011 import paper, plan, setups
from report.run import Run

# The paper's classes of active lanes (Fig. 1 and 10), which are not in the text: ours are eighths of the lanes by two.
BINS = {"0": range(1), "1 to 7": range(1, 8), "8 to 15": range(8, 16), "16 to 23": range(16, 24),
        "24 to 31": range(24, 32), "32": range(32, 33)}


def lanes(row: dict) -> list[int]:
    """Cycles by active lanes, 0 to 32: those of a sub-warp that enters the back end."""
    return [row[f"cycles_lanes_{number}"] for number in range(setups.LANES + 1)]


def idle(row: dict) -> float:
    """Share of the cycles in which no lane is active."""
    cycles = lanes(row)
    return cycles[0] / sum(cycles)


def active(row: dict) -> float:
    """Threads of a sub-warp that retires, mean; of the baseline those of a warp."""
    cycles = lanes(row)
    return sum(number * count for number, count in enumerate(cycles)) / sum(cycles[1:])


MEASURES = {"speed": lambda row: 1 / row["cycles"], "idle": idle, "active": active,
            "locality": lambda row: row["Row_Buffer_Locality"], "latency": lambda row: row["load_latency"],
            "ipc": lambda row: row["retired_ipc"],
            "frozen": lambda row: row["cycles_frozen"] / row["core_cycles"],
            "switches": lambda row: row["group_switches"] / row["selected_instructions"],
            "premature": lambda row: row["premature_group_switches"] / row["selected_instructions"]}


class Results:
    """Rows of statistics (docs/reference/statistics.md) by kernel and setup. `kernels`: those that have all their
    results."""

    def __init__(self, size: str, seeds: int = plan.SEEDS, kernels: Sequence[str] = plan.KERNELS) -> None:
        self.size = size
        self.perturbed = seeds  # perturbed runs of each measurement
        self.seeds = plan.measured(seeds)
        self.kernels = tuple(kernels)
        self._runs = {run.name: run for run in plan.runs(seeds)}

    @functools.cache
    def _rows(self, name: str) -> dict[str, dict]:
        return {row["scheduler"]: row for row in store.read(self._runs[name], self.size)}

    def toy(self, run: Run, scheduler: str = setups.RR) -> dict:
        """One run of toys.py or controls.py."""
        return self._rows(run.name)[scheduler]

    @functools.cache
    def find(self, name: str, kernel: str) -> tuple[str, str]:
        """Cell and scheduler that a name of setups.py means for a kernel."""
        name = setups.SHORT.get(name, name)
        if name in setups.BEST_OF_EACH:
            name = self._fastest(setups.BEST_OF_EACH[name], (kernel,))
        elif name in setups.BEST_OF_ALL:
            name = self._fastest(setups.BEST_OF_ALL[name], self.kernels)
        return setups.SETUPS[name]

    def _fastest(self, names: Sequence[str], kernels: Sequence[str]) -> str:
        return max(names, key=lambda name: self.compare(kernels, name, "baseline").mean)

    def chosen(self, name: str, kernel: str = "") -> str:
        """What a name that means the fastest of some stands for; the same runs choose it."""
        if name in setups.BEST_OF_EACH:
            return self._fastest(setups.BEST_OF_EACH[name], (kernel,))
        return self._fastest(setups.BEST_OF_ALL[name], self.kernels)

    def row(self, kernel: str, setup: str, seed: int) -> dict:
        """One run's statistics."""
        cell, scheduler = self.find(setup, kernel)
        return self._rows(plan.name_of(kernel, cell, seed))[scheduler]

    def _base(self, kernel: str, setup: str, seed: int) -> dict:
        cell, scheduler = setups.base_of(self.find(setup, kernel)[0])
        return self._rows(plan.name_of(kernel, cell, seed))[scheduler]

    def value(self, measure: str, kernel: str, setup: str, seed: int) -> float:
        """Of MEASURES. Speeds are relative to the baseline with blocks and memory of the same kind."""
        where = self.find(setup, kernel)
        if measure == "speed" and where == setups.base_of(where[0]):
            return 1.0
        found = MEASURES[measure](self.row(kernel, setup, seed))
        return found / MEASURES[measure](self._base(kernel, setup, seed)) if measure == "speed" else found

    def compare(self, kernels: Sequence[str], of: str, over: str, measure: str = "speed") -> Estimate:
        """Of one setup relative to another under the same perturbation: geometric mean over kernels. The interval is of the
        perturbations, not of the kernels. A measure that is 0 for both counts as the same."""
        def relation(kernel: str, seed: int) -> float:
            mine, its = (self.value(measure, kernel, name, seed) for name in (of, over))
            return 1.0 if mine == its else mine / its
        return ratio([statistics.geometric_mean([relation(kernel, seed) for kernel in kernels])
                      for seed in self._seeds_of(of)])

    def _seeds_of(self, setup: str) -> range:
        return plan.measured(self.perturbed * setups.times(setup))

    def arithmetic(self, kernels: Sequence[str], of: str, over: str) -> Estimate:
        """The same of speeds with the arithmetic mean over kernels."""
        return estimate([statistics.fmean(self.value("speed", kernel, of, seed) / self.value("speed", kernel, over, seed)
                                          for kernel in kernels) for seed in self.seeds])

    def statistic(self, measure: str, kernel: str, setup: str) -> Estimate:
        """Of MEASURES but speed."""
        return estimate([self.value(measure, kernel, setup, seed) for seed in self._seeds_of(setup)])

    def mean(self, measure: str, kernels: Sequence[str], setup: str) -> Estimate:
        """The same, arithmetic mean over kernels."""
        return estimate([statistics.fmean(self.value(measure, kernel, setup, seed) for kernel in kernels)
                         for seed in self.seeds])

    def field(self, name: str, kernel: str, setup: str) -> float:
        """Of a statistic by its own name, mean over the runs."""
        return statistics.fmean(self.row(kernel, setup, seed)[name] for seed in self.seeds)

    def same_cycles(self, kernel: str, of: str, over: str) -> bool:
        return all(self.row(kernel, of, seed)["cycles"] == self.row(kernel, over, seed)["cycles"] for seed in self.seeds)

    def bins(self, kernel: str, setup: str) -> dict[str, float]:
        """Shares of the cycles by active lanes, mean over the runs."""
        found = dict.fromkeys(BINS, 0.0)
        for seed in self.seeds:
            cycles = lanes(self.row(kernel, setup, seed))
            for name, numbers in BINS.items():
                found[name] += sum(cycles[number] for number in numbers) / sum(cycles) / len(self.seeds)
        return found

    def classes(self, kernel: str, kind: str) -> list[str]:
        """Of Table 2, on the baseline, by each perturbation; `kind`: branch or idle."""
        classify = {"branch": lambda row: paper.branch_class(active(row)), "idle": lambda row: paper.idle_class(idle(row))}
        return [classify[kind](self.row(kernel, "baseline", seed)) for seed in self.seeds]
