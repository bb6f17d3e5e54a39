# SPDX-License-Identifier: MIT
"""Ours, not the paper's: what the two levels cost in cycles against the single level under GTO."""

from lib.estimate import Estimate
from report.paws import paper, plan
from report.paws.data import Results
from report.section import Section, Table, percent_of

ONE = "single:gto"


def speed(results: Results, kernels: tuple[str, ...], scheduler: str) -> Estimate:
    """Of a two-level scheduler relative to single-level GTO: cycles of that ÷ its own."""
    return results.faster(kernels, lambda kernel, seed: results.cycles(kernel, scheduler, seed),
                          lambda kernel, seed: results.cycles(kernel, ONE, seed))


def _words(results: Results) -> str:
    every = {kernel: speed(results, (kernel,), "two-level:paws") for kernel in plan.KERNELS}
    noise = "beyond the noise" if results.perturbed else "in the one run, noise not measured"
    return (f"The speed of two-level PAWS relative to single-level GTO is "
            f"{percent_of(speed(results, plan.KERNELS, 'two-level:paws'))} in the mean of the kernels. It is slower "
            f"for {sum(value.below(1) for value in every.values())} of {len(every)} kernels and faster for "
            f"{sum(value.above(1) for value in every.values())} ({noise}).")


def section(results: Results) -> Section:
    rows = [[label, *(percent_of(speed(results, kernels, scheduler)) for scheduler in plan.TWO_LEVEL)]
            for label, kernels in [*((paper.label(kernel), (kernel,)) for kernel in plan.KERNELS),
                                   ("mean", plan.KERNELS)]]
    text = [_words(results),
            "The paper compares policies within a level, not the levels. A small ready queue does not hide the latency of "
            "dependent instructions, and a large one is round robin, which loses the order that GTO keeps. "
            "docs/evidence/two_level.md has the bound, the size that each kernel needs, and what the second level buys in "
            "hardware."]
    return Section("levels", "One level or two", text, [Table(
        ["kernel", *(policy.upper() for policy in plan.POLICIES)], rows,
        "Speed of the two-level schedulers relative to single-level GTO", committed=False)], main=True)
