# SPDX-License-Identifier: MIT
"""The results as its sections ask for them."""

import functools
import statistics
from collections.abc import Sequence

from report import store
from lib.estimate import Estimate, estimate, ratio
from report.lee2014 import paper, plan, setups, types

# What claims and figures compare, beside speed: the field of a row, over which one it is a share.
MEASURES = {
    "l1_misses": ("L1D_total_cache_miss_rate", None), "l2_misses": ("L2_total_cache_miss_rate", None),
    "latency": ("load_latency", None),
    "idle": ("scheduler_cycles_no_instruction", "scheduler_cycles"),
    "mem_stall": ("scheduler_cycles_operand", "scheduler_cycles"),
    "core_stall": ("scheduler_cycles_pipeline", "scheduler_cycles"),
    "active": ("scheduler_cycles_issued", "scheduler_cycles"),
    "warps": ("warp_cycles", None), "occupancy": ("warp_cycles", "active_core_cycles"),
    "dram": ("dram_reads", None), "requests": ("memory_requests", None)}


class Results:
    """Rows of statistics (docs/reference/statistics.md) by kernel, cell and scheduler. `kernels` and `pairs`: those that
    have all their results."""

    def __init__(self, size: str, seeds: int = plan.SEEDS, kernels: Sequence[str] = plan.KERNELS,
                 pairs: Sequence[str] = plan.PAIRS) -> None:
        self.size = size
        self.perturbed = seeds  # perturbed runs of each measurement
        self.seeds = plan.measured(seeds)
        self.kernels, self.pairs = tuple(kernels), tuple(pairs)
        self._runs = {run.name: run for run in plan.runs(seeds)}

    @functools.cache
    def _rows(self, name: str) -> dict[str, dict]:
        return {row["scheduler"]: row for row in store.read(self._runs[name], self.size)}

    def places(self) -> dict[str, list[int]]:
        """Fig. 3: by core, the blocks that it got (timelines.places)."""
        return self._rows(plan.PLACES.name)[setups.GTO]["places"]

    def counts(self) -> dict[str, list[int]]:
        """Fig. 8: by block, what it had issued over time (timelines.counts)."""
        return self._rows(plan.COUNTS.name)[setups.GTO]["counts"]

    def at(self, kernel: str, cell: str, scheduler: str, seed: int, gpu: str = plan.GPU) -> dict:
        """One run's statistics by cell."""
        return self._rows(plan.name_of(kernel, cell, seed, gpu))[scheduler]

    def row(self, kernel: str, setup: str, seed: int) -> dict:
        """One run's statistics by the name of a setup."""
        return self.at(kernel, *setups.find(setup, kernel), seed)

    def value(self, measure: str, kernel: str, setup: str, seed: int) -> float:
        """Of `speed` the reciprocal of the cycles, else of MEASURES."""
        row = self.row(kernel, setup, seed)
        if measure == "speed":
            return 1 / row["cycles"]
        field, over = MEASURES[measure]
        return row[field] / (row[over] if over else 1)

    def compare(self, kernels: Sequence[str], of: str, over: str, measure: str = "speed") -> Estimate:
        """Of one setup relative to another under the same perturbation: geometric mean over kernels. The interval is of the
        perturbations, not of the kernels. A measure that is 0 for both counts as the same."""
        def relation(kernel: str, seed: int) -> float:
            mine, its = (self.value(measure, kernel, name, seed) for name in (of, over))
            return 1.0 if mine == its else mine / its
        return ratio([statistics.geometric_mean([relation(kernel, seed) for kernel in kernels]) for seed in self.seeds])

    def statistic(self, measure: str, kernel: str, setup: str) -> Estimate:
        return estimate([self.value(measure, kernel, setup, seed) for seed in self.seeds])

    def field(self, name: str, kernel: str, setup: str) -> Estimate:
        """Of a statistic by its own name."""
        return estimate([self.row(kernel, setup, seed)[name] for seed in self.seeds])

    def t_max(self, kernel: str, gpu: str = plan.GPU) -> int:
        """Blocks that fit on a core. ValueError if it is not what the limits were run for."""
        row = self.at(kernel, "rr", setups.GTO, self.seeds[0], gpu)
        found = max(each["blocks_per_core"] for each in row["kernels"])
        if found != paper.KERNELS[kernel]["t_max"]:
            raise ValueError(f"paper.toml: {kernel} has t_max {paper.KERNELS[kernel]['t_max']}, but {found} blocks fit")
        return found

    def sweep(self, kernel: str, seed: int, gpu: str = plan.GPU) -> list[float]:
        """Speeds with 1, 2, ... T_max blocks per core under GTO, that with T_max being 1."""
        cycles = [self.at(kernel, *setups.with_limit(kernel, limit), seed, gpu)["cycles"]
                  for limit in range(1, self.t_max(kernel, gpu) + 1)]
        return [cycles[-1] / each for each in cycles]

    def sweep_estimates(self, kernel: str, gpu: str = plan.GPU) -> list[Estimate]:
        """The same with intervals."""
        return list(map(ratio, zip(*(self.sweep(kernel, seed, gpu) for seed in self.seeds))))

    def paired_sweep(self, kernel: str, seed: int) -> dict[int, float]:
        """Speeds with 2, 4, ... T_max blocks per core under BCS and SCA; 1 is GTO with as many blocks as fit."""
        limits = range(2, self.t_max(kernel) + 1, 2)
        base = self.row(kernel, "GTO", seed)["cycles"]
        cells = {limit: "bcs" if limit == self.t_max(kernel) else plan.paired(limit).name for limit in limits}
        return {limit: base / self.at(kernel, cell, setups.SCA, seed)["cycles"] for limit, cell in cells.items()}

    def kinds(self, kernel: str, gpu: str = plan.GPU) -> list[str]:
        """Its type by each perturbation."""
        return [types.kind(self.sweep(kernel, seed, gpu)) for seed in self.seeds]

    def opt(self, kernel: str) -> int:
        """The best number of blocks: of the mean speeds (types.opt)."""
        return types.opt([each.mean for each in self.sweep_estimates(kernel)])

    def best(self, kernel: str) -> tuple[int, Estimate]:
        """The limit with the largest mean speed, and that speed over T_max blocks."""
        speeds = self.sweep_estimates(kernel)
        number = max(range(len(speeds)), key=lambda place: speeds[place].mean)
        return number + 1, speeds[number]

    def best_speed(self, kernels: Sequence[str]) -> Estimate:
        """Mean over kernels of the speed with the best limit of each, over as many blocks as fit. The same runs choose
        the limits."""
        best = {kernel: self.best(kernel)[0] for kernel in kernels}
        return ratio([statistics.geometric_mean([self.sweep(kernel, seed)[best[kernel] - 1] for kernel in kernels])
                      for seed in self.seeds])

    def limits_of(self, kernel: str, setup: str, seed: int) -> list[int]:
        """The block limits that LCS found in the launches of a run; as many as fit if none of them was long enough."""
        launches = self.row(kernel, setup, seed)["per_launch"]
        return [limit["limit"] for launch in launches for limit in launch["block_limits"] or []] or [self.t_max(kernel)]

    def limits(self, kernel: str, setup: str) -> list[int]:
        """Those of all perturbations."""
        return [limit for seed in self.seeds for limit in self.limits_of(kernel, setup, seed)]

    def limit_of(self, kernel: str, setup: str, seed: int) -> float:
        """The mean limit of the launches."""
        return statistics.fmean(self.limits_of(kernel, setup, seed))

    def limit(self, kernel: str, setup: str) -> Estimate:
        """The same with its interval."""
        return estimate([self.limit_of(kernel, setup, seed) for seed in self.seeds])
