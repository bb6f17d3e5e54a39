# SPDX-License-Identifier: MIT
"""The runs of scripts/study affinity: which there are, and how the rules compare."""

from statistics import fmean

from lib.kernel_study import KERNELS, mean
from report.estimate import Estimate, ratio

MACHINES = ("m2090", "c2050")
READY = (3, 6)
# By policy, the rules of scheduler.affinity.
RULES = {"paws": ("finish", "finish-at-entry", "group", "block-age", "finish-group"),
         "gto": ("finish", "group"),
         "rr": ("finish", "group")}
COLUMNS = ("cycles", "replaced_blocks", "block_tail_cycles", "lost_warp_cycles", "block_warp_cycles")


def points(seeds: range, sizes: list[int], policies: list[str]) -> dict[tuple, dict[str, object]]:
    """By (ready, rule, seed, scheduler), of one machine; `sizes` of the ready queue."""
    return {(ready, rule, seed, f"two-level:{policy}"):
            {"scheduler.ready": ready, "noise.seed": seed} | ({} if rule == "none" else {"scheduler.affinity": rule})
            for seed in seeds for ready in sizes for policy in policies for rule in ("none", *RULES[policy])}


def cell(estimate: Estimate) -> str:
    """A change in percent with half its interval; bold if the noise does not reach 0."""
    text = f"{100 * (estimate.mean - 1):+.2f} %"
    if estimate.low is not None:
        text += f" ±{50 * (estimate.high - estimate.low):.2f}"
    return f"**{text}**" if estimate.low is not None and estimate.side() else text


class Runs:
    """Rows by (machine, ready, rule, seed, scheduler, kernel). A place is (machine, ready, policy, rule)."""

    def __init__(self, rows: dict, seeds: range):
        self.rows, self.seeds = rows, seeds
        self.panels = list(dict.fromkeys((machine, ready) for machine, ready, *_ in rows))
        self.policies = [policy for policy in RULES if any(point[4] == f"two-level:{policy}" for point in rows)]
        self.groups = [(*panel, policy) for panel in self.panels for policy in self.policies]

    def _row(self, machine: str, ready: int, policy: str, rule: str, seed: int, kernel: str) -> dict[str, float]:
        return self.rows[machine, ready, rule, seed, f"two-level:{policy}", kernel]

    def _speed(self, machine: str, ready: int, policy: str, rule: str, seed: int, kernel: str) -> float:
        """Against the same policy without affinity and with the same perturbation."""
        return (self._row(machine, ready, policy, "none", seed, kernel)["cycles"]
                / self._row(machine, ready, policy, rule, seed, kernel)["cycles"])

    def speed(self, machine: str, ready: int, policy: str, rule: str, kernel: str) -> Estimate:
        return ratio([self._speed(machine, ready, policy, rule, seed, kernel) for seed in self.seeds])

    def mean_speed(self, machine: str, ready: int, policy: str, rule: str) -> Estimate:
        """The geometric mean over the kernels, each perturbation by itself."""
        return ratio([mean([self._speed(machine, ready, policy, rule, seed, kernel) for kernel in KERNELS])
                      for seed in self.seeds])

    def _sum(self, name: str, *place: object) -> float:
        *run, kernel = place
        return sum(self._row(*run, seed, kernel)[name] for seed in self.seeds)

    def replaced(self, *place: object) -> bool:
        """Whether blocks of the kernel, the last of the place, end while others wait."""
        return self._sum("replaced_blocks", *place) > 0

    def tail(self, *place: object) -> float:
        """Cycles from the first exit of a block's warp to its end, the mean of a kernel's replaced blocks."""
        return self._sum("block_tail_cycles", *place) / self._sum("replaced_blocks", *place)

    def lost(self, *place: object) -> float:
        """Share of the warp slots of these blocks whose warp has ended."""
        return self._sum("lost_warp_cycles", *place) / self._sum("block_warp_cycles", *place)

    def mean_tail(self, *place: object) -> float:
        """Over the kernels that have replaced blocks."""
        return fmean(self.tail(*place, kernel) for kernel in KERNELS if self.replaced(*place, kernel))

    def mean_lost(self, *place: object) -> float:
        return fmean(self.lost(*place, kernel) for kernel in KERNELS if self.replaced(*place, kernel))
