# SPDX-License-Identifier: MIT
"""The results as the figures ask for them."""

import csv
import functools
import math
import statistics
from collections.abc import Callable, Sequence

from report import clocks, store
from lib.estimate import Draw, Estimate, combined, estimate, ratio
from report.paws import grids, pilot, plan


class _Means:
    """Statistics by name, each the mean of runs: of cycles the geometric one, so that a ratio of means is the mean of ratios."""

    def __init__(self, values: Callable[[str], tuple[list[float], float]], left_out: int | None) -> None:
        self._values, self._left_out = values, left_out

    def __getitem__(self, name: str) -> float:
        values, total = self._values(name)
        mean = (total / len(values) if self._left_out is None
                else (total - values[self._left_out]) / (len(values) - 1))
        return math.exp(mean) if name == "cycles" else mean


class Results:
    """Rows of statistics (docs/reference/statistics.md) by kernel and scheduler."""

    def __init__(self, size: str, seeds: int = plan.SEEDS, repeated: bool = False) -> None:
        """`repeated`: speeds with static keys, and what the claims are about, are measured by as many runs as
        their variance asks for (plan.repeated); all else by `seeds` perturbed runs."""
        self.size = size
        self.repeated = repeated
        self.most = max(map(pilot.number, plan.setups())) if repeated else seeds  # runs of a measurement
        self.perturbed = seeds  # perturbed runs of each measurement
        self.seeds = plan.measured(seeds)
        self._runs = {run.name: run for runs in plan.SETS.values() for run in runs()}

    @functools.cache
    def _rows(self, name: str) -> dict[str, dict]:
        return {row["scheduler"]: row for row in store.read(self._runs[name], self.size)}

    def row(self, kernel: str, scheduler: str, seed: int | Draw = 0, keys: str = "static") -> dict | _Means:
        """One run's statistics, or the means of those that are drawn. `keys`: what PAWS gets for phase lengths
        (plan.KEYS)."""
        if isinstance(seed, Draw):
            return self._drawn(kernel, scheduler, seed)
        if not scheduler.endswith(":paws"):
            keys = "static"
        return self._rows(plan.name_of(kernel, seed, keys))[scheduler]

    def _drawn(self, kernel: str, scheduler: str, draw: Draw) -> _Means:
        """Of both policies of a comparison the same runs are drawn."""
        level, _, policy = scheduler.partition(":")
        setup = pilot.Setup(kernel, level)
        return _Means(functools.partial(self._repeats, setup, policy),
                      draw.left_out(setup, len(plan.repeat_seeds(setup))))

    @functools.cache
    def _repeats(self, setup: pilot.Setup, policy: str, name: str) -> tuple[list[float], float]:
        """A statistic of every run of a measurement, of cycles the logarithm, and their sum."""
        rows = [self._rows(plan.repeat_name(setup, seed))[f"{setup.level}:{policy}"] for seed in plan.repeat_seeds(setup)]
        values = [math.log(row[name]) if name == "cycles" else float(row[name]) for row in rows]
        return values, math.fsum(values)

    def samples(self, kernel: str, scheduler: str, seed: int = 0) -> list[dict[str, int]]:
        """Core 0 over time (docs/reference/statistics.md, "Samples"). Seeds: of plan.TAIL_KERNEL alone."""
        name = plan.samples_name(kernel, seed)
        text = self._rows(name)[scheduler]["samples"]
        return [{name: int(value) for name, value in row.items() if value.isdigit()}
                for row in csv.DictReader(text.splitlines())]

    def toy(self, name: str, scheduler: str, seed: int = 0) -> dict:
        """A toy kernel's row, with its issues (timelines.issues)."""
        return self._rows(plan.toy_name(name, seed))[scheduler]

    def at_clock(self, clock: float, kernel: str, scheduler: str, seed: int = 0) -> dict:
        """A run's statistics with the cores at another clock, in MHz (plan.times)."""
        if clock == clocks.nominal():
            return self.row(kernel, scheduler, seed)
        return self._rows(plan.time_name(kernel, scheduler, clock, seed))[scheduler]

    def on_grid(self, kernel: str, grid: grids.Grid, scheduler: str, seed: int) -> dict:
        """A row of the study of grids; the results are those of size full."""
        return self._rows(plan.grid_run(kernel, grid, seed).name)[scheduler]

    def cycles(self, *arguments, **named) -> int:
        return self.row(*arguments, **named)["cycles"]

    def compare(self, first: Callable[[int], float], second: Callable[[int], float],
                seeds: range | None = None) -> Estimate:
        """Of the first number relative to the second, each a function of the perturbation's seed.
        Every comparison of two policies is made here, under the same perturbation: what slows one
        down is likely to slow the other down too. `seeds`: if they are others than those of all measurements."""
        return ratio([first(seed) / second(seed) for seed in seeds or self.seeds])

    def compare_repeated(self, first: Callable[[int | Draw], float], second: Callable[[int | Draw], float]) -> Estimate:
        """The same of numbers that row() gives for a draw, too: from all their runs, if they are repeated."""
        if not self.repeated:
            return self.compare(first, second)
        return combined(lambda draw: first(draw) / second(draw))

    def faster(self, kernels: Sequence[str], mine: Callable[[str, int], float],
               its: Callable[[str, int], float], repeated: bool = False) -> Estimate:
        """Speed relative to another, geometric mean over kernels; both are given as the time that a
        kernel takes under a seed, or, if `repeated`, under a draw. The interval is of the perturbations, not of the kernels."""
        def mean(time: Callable[[str, int], float], seed: int) -> float:
            return statistics.geometric_mean([time(kernel, seed) for kernel in kernels])
        compare = self.compare_repeated if repeated else self.compare
        return compare(lambda seed: mean(its, seed), lambda seed: mean(mine, seed))

    def speed(self, kernel: str, scheduler: str, over: str, keys: str = "static") -> Estimate:
        """Of a scheduler relative to another policy of its level: cycles of that ÷ its own."""
        return self.mean_speed([kernel], scheduler, over, keys)

    def mean_speed(self, kernels: Sequence[str], scheduler: str, over: str, keys: str = "static") -> Estimate:
        """The same of several kernels. `keys` are the scheduler's; the other one has the static ones."""
        other = f"{scheduler.partition(':')[0]}:{over}"
        return self.faster(kernels,
                           lambda kernel, seed: self.cycles(kernel, scheduler, seed, keys),
                           lambda kernel, seed: self.cycles(kernel, other, seed),
                           repeated=keys == plan.KEYS[0])

    def variant_speed(self, variant: plan.Variant, kernels: Sequence[str], scheduler: str, over: str
                      ) -> Estimate:
        """The same on a machine of the sensitivity studies."""
        other = f"{scheduler.partition(':')[0]}:{over}"
        return self.faster(
            kernels, lambda kernel, seed: self.variant_row(variant, kernel, scheduler, seed)["cycles"],
            lambda kernel, seed: self.variant_row(variant, kernel, other, seed)["cycles"])

    def variant_row(self, variant: plan.Variant, kernel: str, scheduler: str, seed: int) -> dict:
        """A row of the sensitivity studies; the preset's where the variant changes nothing."""
        if scheduler not in variant.schedulers:
            return self.row(kernel, scheduler, seed)
        return self._rows(plan.variant_name(variant, kernel, seed))[scheduler]

    def found_type(self, kernel: str, level: str) -> str:
        """A: GTO is faster than RR beyond the noise, B: slower, "=": neither."""
        return {1: "A", -1: "B", 0: "="}[self.speed(kernel, f"{level}:gto", "rr").side()]

    def statistic(self, name: str, kernel: str, scheduler: str) -> Estimate:
        return estimate([self.row(kernel, scheduler, seed)[name] for seed in self.seeds])
