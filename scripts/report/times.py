"""Speed as time: each scheduler with its cores at the clock that it allows (clocks)."""

import math
from collections.abc import Callable

from report import clocks
from report.data import Estimate, Machine, Results, ratio


def _speed(results: Results, kernels: tuple[str, ...],
           took: Callable[[str, int], tuple[float, float]]) -> Estimate:
    """Geometric mean of the kernels, seed by seed. `took`: the reference and the scheduler, by kernel
    and seed."""
    samples = []
    for seed in results.seeds:
        ratios = [base / mine for base, mine in (took(kernel, seed) for kernel in kernels)]
        samples.append(math.prod(ratios) ** (1 / len(ratios)))
    return ratio(samples)


def in_time(results: Results, kernels: tuple[str, ...], scheduler: str, machine: Machine, notion: str,
            reference: str = clocks.OWN) -> Estimate:
    """Speed relative to the reference, mean of the kernels: microseconds of that ÷ its own."""
    def microseconds(name: str, kernel: str, seed: int) -> float:
        clock = clocks.core_clock(name, machine.ready, notion, reference)
        return results.at_clock(clock, kernel, name, machine, seed)["cycles"] / clock

    base = clocks.base_of(scheduler, reference)
    return _speed(results, kernels, lambda kernel, seed: (
        microseconds(base, kernel, seed), microseconds(scheduler, kernel, seed)))


def in_cycles(results: Results, kernels: tuple[str, ...], scheduler: str, machine: Machine,
              reference: str = clocks.OWN) -> Estimate:
    """The same in cycles, all at the nominal clock."""
    base = clocks.base_of(scheduler, reference)
    return _speed(results, kernels, lambda kernel, seed: (
        results.cycles(kernel, base, machine, seed), results.cycles(kernel, scheduler, machine, seed)))
