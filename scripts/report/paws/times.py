# SPDX-License-Identifier: MIT
"""Speed as time: each scheduler with its cores at the clock that it allows (clocks)."""

from report import clocks
from lib.estimate import Estimate
from report.paws import plan
from report.paws.data import Results


def in_time(results: Results, kernels: tuple[str, ...], scheduler: str, notion: str, reference: str = clocks.OWN) -> Estimate:
    """Speed relative to the reference, mean of the kernels: microseconds of that ÷ its own."""
    def microseconds(name: str, kernel: str, seed: int) -> float:
        clock = clocks.core_clock(name, plan.READY, notion, reference)
        return results.at_clock(clock, kernel, name, seed)["cycles"] / clock

    base = clocks.base_of(scheduler, reference)
    return results.faster(kernels, lambda kernel, seed: microseconds(scheduler, kernel, seed),
                          lambda kernel, seed: microseconds(base, kernel, seed))


def in_cycles(results: Results, kernels: tuple[str, ...], scheduler: str, reference: str = clocks.OWN) -> Estimate:
    """The same in cycles, all at the nominal clock."""
    base = clocks.base_of(scheduler, reference)
    return results.faster(kernels, lambda kernel, seed: results.cycles(kernel, scheduler, seed),
                          lambda kernel, seed: results.cycles(kernel, base, seed))
