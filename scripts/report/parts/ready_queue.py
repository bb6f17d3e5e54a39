# SPDX-License-Identifier: MIT
"""How large a ready queue must be: the bound of dependent instructions, and what kernels need (scripts/study ready).

Cycles come as a dictionary by (ready queue, scheduler, kernel). The single level has no ready queue: None.
"""

import math

from lib.kernel_study import mean

SIZES = (2, 3, 4, 6, 8, 9, 12, 16, 24)  # of the ready queue, in warps; the last one holds all warps of a scheduler
USUAL = 6  # the PAWS paper's
LEVEL = ("two-level:rr", "two-level:gto", "two-level:paws")
ONE = "single:gto"  # what they are compared with
SINGLE_RR = "single:rr"  # what they come to when all warps are ready
NEAR = 1.01  # within 1 %

Cycles = dict[tuple[int | None, str, str], float]


def chain_cycles(gpu: dict, latency: int) -> int:
    """Cycles from an instruction of `latency` to one that needs its result, in a GPU configuration: a scheduler issues
    in one of core.issue_interval cycles."""
    interval = gpu["core"]["issue_interval"]
    return math.ceil((gpu["core"]["pipeline_latency"] + latency) / interval) * interval


def hidden_by(gpu: dict, cycles: int, chains: int = 1) -> int:
    """Ready warps with which a scheduler issues in every enabled cycle, each with so many independent chains of
    instructions that are `cycles` apart."""
    return math.ceil(cycles / (gpu["core"]["issue_interval"] * chains))


def issue_share(gpu: dict, cycles: int, ready: int) -> float:
    """The largest share of enabled cycles with an issue, one chain in each of `ready` warps."""
    return min(1.0, ready * gpu["core"]["issue_interval"] / cycles)


def need(cycles: Cycles, scheduler: str, kernel: str) -> int:
    """The first size that is within 1 % of the fewest cycles."""
    fewest = min(cycles[size, scheduler, kernel] for size in SIZES)
    return next(size for size in SIZES if cycles[size, scheduler, kernel] <= NEAR * fewest)


def against_one(cycles: Cycles, size: int, scheduler: str, kernels: tuple[str, ...]) -> float:
    """Cycles over those of the single level, geometric mean of the kernels."""
    return mean([cycles[size, scheduler, kernel] / cycles[None, ONE, kernel] for kernel in kernels])


def best_against_one(cycles: Cycles, scheduler: str, kernels: tuple[str, ...]) -> float:
    """The same, with the best size for each kernel."""
    return mean([min(cycles[size, scheduler, kernel] for size in SIZES) / cycles[None, ONE, kernel]
                 for kernel in kernels])


def best_for_all(cycles: Cycles, scheduler: str, kernels: tuple[str, ...]) -> int:
    """The first size whose mean is within 1 % of the best mean."""
    means = {size: against_one(cycles, size, scheduler, kernels) for size in SIZES}
    return next(size for size in SIZES if means[size] <= NEAR * min(means.values()))


def change(ratio: float) -> str:
    """Of a ratio of cycles, with a sign."""
    return f"{100 * (ratio - 1):+.1f} %".replace("-", "\u2212")


def more_or_fewer(ratio: float) -> str:
    """The same in words, for "takes … cycles"."""
    percent = round(100 * (ratio - 1), 1)
    if percent == 0:
        return "0.0 % more"
    return f"{abs(percent):.1f} % {'more' if percent > 0 else 'fewer'}"
