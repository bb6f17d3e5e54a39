# SPDX-License-Identifier: MIT
"""What the paper's rules give in closed form or cycle by cycle, reckoned apart from the simulator, which must agree exactly:
how full the pipeline gets, Fig. 8, and the sub-warps of random masks."""

from collections.abc import Iterable
from math import comb, sqrt

PIPELINE = 7  # stages; a warp that is selected in cycle t can be selected again in t + 7 (Table 1, Section 2.1)
DRAIN = 6     # of a large warp: in t + n + 6, after n sub-warps (Section 3.1.1)


def filled(warps: int, subwarps: int) -> float:
    """Sub-warps per cycle of so many large warps that compute only, each with so many sub-warps."""
    return min(1.0, warps * subwarps / (subwarps + DRAIN))


def figure_8(warps: int, group: int, compute: int, later: int) -> tuple[int, int]:
    """Cycles from the first selection to the last one, and those among them without a selection, of warps that have
    `compute` instructions, a load after which they are selectable `later` cycles later than usual, and `compute`
    more. `group`: warps of a fetch group; all of them: round robin (Sections 3.2 and 3.2.1)."""
    length = 2 * compute + 1
    done, ready = [0] * warps, [0] * warps
    last, cycle, idle = warps - 1, 0, 0  # the first one selected is warp 0
    while min(done) < length:
        own = last // group
        order = [own * group + (last + 1 + place) % group for place in range(group)]
        order += [warp % warps for warp in range((own + 1) * group, own * group + warps)]
        chosen = next((warp for warp in order if done[warp] < length and ready[warp] <= cycle), None)
        if chosen is None:
            idle += 1
        else:
            ready[chosen] = cycle + PIPELINE + (later if done[chosen] == compute else 0)
            done[chosen] += 1
            last = chosen
        cycle += 1
    return cycle, idle


def subwarps(rows: int, share: float, columns: int = 32) -> tuple[float, float]:
    """Of a packed large warp whose threads are each active with this probability: mean and standard deviation of the
    largest population of a column, each of which is binomial."""
    below, mean, square = 0.0, 0.0, 0.0
    for most in range(rows):
        below += comb(rows, most) * share ** most * (1 - share) ** (rows - most)
        above = 1 - below ** columns  # the largest population is above `most`
        mean += above
        square += (2 * most + 1) * above
    return mean, sqrt(max(0.0, square - mean ** 2))


def packed(threads: Iterable[int], columns: int = 32) -> int:
    """Sub-warps of a packed large warp with these threads active, by their numbers: the largest population of a column."""
    populations = [0] * columns
    for thread in threads:
        populations[thread % columns] += 1
    return max(populations)
