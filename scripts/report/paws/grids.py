# SPDX-License-Identifier: MIT
"""The grids on which the speed of the policies is measured over the number of rounds of blocks, and in which part of a
run a gain is.

A round is as many blocks of the paper's kernel as the cores hold. All grids are the full size with fewer blocks: what a
block does stays the same, and the last grid is the paper's.
"""

import dataclasses
import math

from lib import presets
from report.paws import paper

# By kernel: how the launch description of size full gets so many blocks.
_DEFINITIONS = {
    "bp_k1": lambda blocks: {"blocks": blocks},
    "bp_k2": lambda blocks: {"blocks": blocks},
    "bt_k1": lambda blocks: {"queries": blocks},
    "bt_k2": lambda blocks: {"queries": blocks},
    "km": lambda blocks: {"side": math.isqrt(blocks), "points": 256 * blocks},
    "lud": lambda blocks: {"tiles": math.isqrt(blocks) + 1},  # of the first internal launch
    "srad": lambda blocks: _image(blocks),
    "cfd": lambda blocks: _box(blocks),
    "dwt": lambda blocks: {"blocks": blocks},
    "dxtc": lambda blocks: {"blocks": blocks},
    "fwt": lambda blocks: {"vectors": blocks},
    "hist256": lambda blocks: {"blocks": blocks, "words": 65536 * blocks},
    "mco": lambda blocks: {"options": blocks},
}
_SQUARE = ("km", "lud")  # their grids are
_NEAR = 1.25  # a grid is left out if the paper's is larger by less than this
MOST = 64     # rounds, but for the paper's grid


@dataclasses.dataclass(frozen=True)
class Grid:
    """`definitions` change the launch description of size full: name=integer. There are none of the paper's grid."""
    rounds: float
    blocks: int
    definitions: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return f"{self.rounds:.1f}".removesuffix(".0")


def _image(blocks: int) -> dict[str, int]:
    """16 x 16 pixels for each block. The image is as wide as in size full, or three quarters of that if its last row of
    blocks would not be full."""
    across = 128 if blocks % 128 == 0 else 96
    return {"width": 16 * across, "height": 16 * (blocks // across)}


def _box(blocks: int) -> dict[str, int]:
    """Cubes of a mesh with 32 of them for each block, as near to a cube as doubling its sides in turn allows."""
    sides, turn = [16, 16, 6], 0
    while math.prod(sides) < 32 * blocks:
        sides[2 - turn % 3] *= 2
        turn += 1
    return dict(zip(("width", "depth", "height"), sides))


def cores() -> int:
    return presets.values("m2090")["cores"]


def round_of(kernel: str) -> int:
    """Blocks of a round."""
    return cores() * paper.KERNELS[kernel]["per_core"]


def grids(kernel: str) -> list[Grid]:
    """1, 2, 4, ... rounds, or about as many, and the paper's grid as the last one."""
    wanted, found, rounds = paper.KERNELS[kernel]["blocks"], [], 1
    while kernel in _DEFINITIONS and rounds <= MOST and _NEAR * rounds * round_of(kernel) <= wanted:
        blocks = rounds * round_of(kernel)
        if kernel in _SQUARE:
            blocks = round(math.sqrt(blocks)) ** 2
        found.append(Grid(blocks / round_of(kernel), blocks, tuple(
            f"{name}={value}" for name, value in _DEFINITIONS[kernel](blocks).items())))
        rounds *= 2
    return [*found, Grid(wanted / round_of(kernel), wanted)]


@dataclasses.dataclass(frozen=True)
class Cost:
    """The cycles of a run in three parts. `steady`: what all its instructions take at the rate of the steady state;
    `start` and `tail`: what the run takes longer because it begins and ends."""
    steady: float
    start: float
    tail: float


_LEAST = 0.25  # of the instructions, for a rate to be one


def cost(row: dict) -> Cost | None:
    """Of a run's statistics. The rate is that of the later rounds or, if these are few, of the steady state with the first
    round; None if there are too few instructions in that as well."""
    parts = {name: (row[f"{name}_core_cycles"], row[f"{name}_warp_insn"])
             for name in ("startup", "first_round", "steady", "tail")}
    total = sum(parts[name][1] for name in ("startup", "steady", "tail"))
    first = [sum(pair) for pair in zip(parts["startup"], parts["first_round"])]
    later = [whole - part for whole, part in zip(parts["steady"], parts["first_round"])]
    if later[1] < _LEAST * total:
        first, later = parts["startup"], parts["steady"]
    if later[1] < _LEAST * total:
        return None
    cycles_per_instruction = later[0] / later[1]
    each = row["core_cycles"] / row["cycles"]  # cores: the counts are sums over them
    start, tail = ((cycles - instructions * cycles_per_instruction) / each
                   for cycles, instructions in (first, parts["tail"]))
    return Cost(total * cycles_per_instruction / each, start, tail)
