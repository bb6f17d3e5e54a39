"""Speed as time: each scheduler with its cores at the clock that it allows (clocks)."""

import math

from report import clocks
from report.data import Estimate, Machine, Results, ratio


def _speed(results: Results, kernels: tuple[str, ...], seeds, took) -> Estimate:
    """Mean of the kernels, seed by seed; took: of (kernel, seed), the reference and the scheduler."""
    samples = []
    for seed in results.seeds if seeds is None else seeds:
        ratios = [base / mine for base, mine in (took(kernel, seed) for kernel in kernels)]
        samples.append(math.prod(ratios) ** (1 / len(ratios)))
    return ratio(samples)


def in_time(results: Results, kernels: tuple[str, ...], scheduler: str, machine: Machine, notion: str,
            reference: str = clocks.OWN, seeds=None) -> Estimate:
    """Speed relative to the reference, of the microseconds; geometric mean of the kernels."""
    def microseconds(name: str, kernel: str, seed: int) -> float:
        clock = clocks.core_clock(name, machine.ready, notion, reference)
        return results.at_clock(clock, kernel, name, machine, seed)["cycles"] / clock

    base = clocks.base_of(scheduler, reference)
    return _speed(results, kernels, seeds, lambda kernel, seed: (
        microseconds(base, kernel, seed), microseconds(scheduler, kernel, seed)))


def in_cycles(results: Results, kernels: tuple[str, ...], scheduler: str, machine: Machine,
              reference: str = clocks.OWN, seeds=None) -> Estimate:
    """The same of the cycles, all at the nominal clock."""
    base = clocks.base_of(scheduler, reference)
    return _speed(results, kernels, seeds, lambda kernel, seed: (
        results.cycles(kernel, base, machine, seed), results.cycles(kernel, scheduler, machine, seed)))
