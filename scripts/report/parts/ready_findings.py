# SPDX-License-Identifier: MIT
"""What scripts/study ready finds, as tables and sentences of docs/evidence/two_level.md.

Sentences take their words from the numbers, so that they stay right when the numbers change.
"""

import dataclasses

from lib.kernel_study import markdown, mean
from report.parts.ready_queue import (LEVEL, NEAR, ONE, SINGLE_RR, SIZES, USUAL, Cycles, against_one, best_against_one,
                                      best_for_all, chain_cycles, change, hidden_by, issue_share, more_or_fewer, need)

SHOWN = "two-level:paws"
# What a reader calls instructions whose result the next one needs, and their key of latency.
_CHAINS = (("simple integer, single precision", "integer"), ("32-bit multiplication of integers", "integer_mul"),
           ("64-bit integer", "integer64"), ("double precision", "f64"), ("special functions", "special"),
           ("conversions", "conversion"))


def cycles_in_ready(row: dict[str, float], gpu: dict) -> float:
    """Core cycles for which an instruction keeps its warp in the ready queue, of a run with the queues' statistics."""
    return row["ready_occupancy"] * row["core_cycles"] * gpu["core"]["schedulers"] / row["warp_instructions"]


def outside_share(row: dict[str, float]) -> float:
    """Share of a scheduler's cycles in which only warps outside the ready queue could issue."""
    return row["scheduler_cycles_outside_ready"] / row["scheduler_cycles"]


@dataclasses.dataclass(frozen=True)
class Findings:
    """`gpu` is the preset; `in_ready` and `outside` are by kernel: cycles_in_ready() with a ready queue of one warp,
    and outside_share() with USUAL under SHOWN."""

    gpu: dict
    fourteen: tuple[str, ...]
    others: tuple[str, ...]
    cycles: Cycles
    in_ready: dict[str, float]
    outside: dict[str, float]

    @property
    def all(self) -> tuple[str, ...]:
        return self.fourteen + self.others

    def bound(self) -> str:
        """Chains of dependent instructions: cycles, and the ready warps that hide them."""
        rows = [(name, chain_cycles(self.gpu, self.gpu["latency"][key])) for name, key in _CHAINS]
        rows.append(("loads from shared memory", self.gpu["core"]["shared_latency"] + 2))
        return markdown(["each instruction needs the result of the one before", "cycles from one to the next",
                         "ready warps that hide them", "with two chains in a warp", "with four",
                         f"share of cycles with an issue, {USUAL} ready warps"],
                        [[name, str(cycles), *(str(hidden_by(self.gpu, cycles, chains)) for chains in (1, 2, 4)),
                          f"{100 * issue_share(self.gpu, cycles, USUAL):.0f} %"] for name, cycles in rows])

    def kernel_table(self) -> str:
        """A row per kernel: what it needs, and what the sizes cost."""
        rows = []
        for kernel in self.all:
            best = min(self.cycles[size, SHOWN, kernel] for size in SIZES)
            rows.append([kernel, f"{self.in_ready[kernel] / self.gpu['core']['issue_interval']:.1f}",
                         f"{100 * self.outside[kernel]:.1f} %", str(need(self.cycles, SHOWN, kernel)),
                         change(self.cycles[USUAL, SHOWN, kernel] / self.cycles[None, ONE, kernel]),
                         change(best / self.cycles[None, ONE, kernel])])
        return markdown(["kernel", "ready warps that issue always",
                         f"only others could issue, ready {USUAL}", "size",
                         f"PAWS with {USUAL}", "PAWS with its best size"], rows)

    def _slower(self) -> str:
        """With how many workloads the usual size loses and gains, and with which it loses most."""
        ratios = {kernel: self.cycles[USUAL, SHOWN, kernel] / self.cycles[None, ONE, kernel] for kernel in self.all}
        slower = [kernel for kernel in self.all if ratios[kernel] > NEAR]
        faster = [kernel for kernel in self.all if ratios[kernel] < 1 / NEAR]
        worst = max(self.all, key=ratios.get)
        return (f"It takes over 1 % more for {len(slower)} of {len(self.all)} workloads, most for {worst} "
                f"({change(ratios[worst])}), and over 1 % fewer for {len(faster)} of them.")

    def _over(self, size: int, scheduler: str, kernel: str) -> float:
        """Cycles with this size over those with the best size."""
        return self.cycles[size, scheduler, kernel] / min(self.cycles[other, scheduler, kernel] for other in SIZES)

    def _latency(self) -> str:
        """The bound, and the workloads that need more than the usual size."""
        cycles = chain_cycles(self.gpu, self.gpu["latency"]["integer"])
        hidden = hidden_by(self.gpu, cycles)
        needs = {kernel: need(self.cycles, SHOWN, kernel) for kernel in self.all}
        larger = [f"{kernel} {size}" for kernel, size in needs.items() if size > USUAL]
        named = f"{', '.join(larger)} warps" if larger else "none"
        return (f"the next instruction of a chain waits {cycles} cycles, and a scheduler issues every "
                f"{self.gpu['core']['issue_interval']} cycles. So {hidden} ready warps hide a chain, and {USUAL} fill "
                f"{100 * issue_share(self.gpu, cycles, USUAL):.0f} % of the cycles. Workloads that need more than "
                f"{USUAL} to be within 1 % of their best: {named}.")

    def _single(self, scheduler: str, size: int | None, over: str) -> float:
        """Cycles of a scheduler over those of one of the single level, mean of the fourteen kernels."""
        return mean([self.cycles[size, scheduler, kernel] / self.cycles[None, over, kernel]
                     for kernel in self.fourteen])

    def _order(self) -> str:
        """What is lost when all warps are in ready."""
        losing = [kernel for kernel in self.all if self._over(SIZES[-1], SHOWN, kernel) > NEAR]
        return (f"with a place in ready for each of {SIZES[-1]} warps, nothing is left but round robin. "
                f"`{LEVEL[0]}` then takes {more_or_fewer(self._single(LEVEL[0], SIZES[-1], ONE))} cycles than `{ONE}`, "
                f"and `{SINGLE_RR}` takes {more_or_fewer(self._single(SINGLE_RR, None, ONE))}. {len(losing)} of "
                f"{len(self.all)} workloads are over 1 % behind their best size there (`{SHOWN}`).")

    def _against_rr(self) -> str:
        """What the levels are worth under the one policy that both have in ready."""
        ratio = self._single(LEVEL[0], USUAL, SINGLE_RR)
        verdict = {(True, False): "improve on round robin, but not on GTO",
                   (True, True): "improve on round robin and on GTO",
                   (False, False): "improve neither on round robin nor on GTO",
                   (False, True): "improve on GTO, but not on round robin"}[ratio < 1, self._means()[0] < 1]
        return (f"`{LEVEL[0]}` with a ready queue of {USUAL} takes {more_or_fewer(ratio)} cycles than `{SINGLE_RR}`. "
                f"So two levels {verdict}, in the mean of the fourteen kernels.")

    def _means(self) -> tuple[float, float]:
        """Of the fourteen kernels, against the single level: the usual size, and the best size of each."""
        return (against_one(self.cycles, USUAL, SHOWN, self.fourteen),
                best_against_one(self.cycles, SHOWN, self.fourteen))

    def words(self) -> str:
        """The findings in cycles, as a list."""
        usual, own = self._means()
        others = (f", and {more_or_fewer(against_one(self.cycles, USUAL, SHOWN, self.others))} in the mean of the other "
                  "workloads" if self.others else "")
        best = {scheduler: best_for_all(self.cycles, scheduler, self.fourteen) for scheduler in LEVEL}
        sizes = (f"{best[SHOWN]} under every policy" if len(set(best.values())) == 1 else
                 ", ".join(f"{size} under `{scheduler}`" for scheduler, size in best.items()))
        return "\n".join([
            f"* **Cycles:** with a ready queue of {USUAL}, `{SHOWN}` takes {more_or_fewer(usual)} cycles than `{ONE}` "
            f"in the mean of the fourteen kernels{others}. {self._slower()}",
            f"* **A small queue does not hide latency:** {self._latency()}",
            f"* **A large queue is round robin:** {self._order()}",
            "* **Size:** the smallest size whose mean over the fourteen kernels is within 1 % of the best mean is "
            f"{sizes}. With the best size of each kernel, `{SHOWN}` takes {more_or_fewer(own)} cycles than `{ONE}`.",
            f"* **Against round robin:** {self._against_rr()}"])
