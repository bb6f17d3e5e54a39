# SPDX-License-Identifier: MIT
"""What the speeds of a kernel with 1, 2, ... blocks per core say of it: its type (Section 3) and the best number."""

from collections.abc import Sequence

SAME = 0.02  # speeds that differ by less are taken for the same


def kind(speeds: Sequence[float]) -> str:
    """I rises with every block, II rises and then stays, III is best with one block, IV best in between. "flat" if the
    speeds are all the same."""
    best = max(speeds)
    if speeds[0] >= best * (1 - SAME):
        return "III" if speeds[-1] < best * (1 - SAME) else "flat"
    if speeds[-1] < best * (1 - SAME):
        return "IV"
    return "II" if len(speeds) > 2 and speeds[-2] >= speeds[-1] * (1 - SAME) else "I"


def opt(speeds: Sequence[float]) -> int:
    """The paper's OPT: the number of blocks with which the speed is the largest or does not rise any more (Section 5.1)."""
    return 1 + next(place for place, speed in enumerate(speeds) if speed >= max(speeds) * (1 - SAME))
