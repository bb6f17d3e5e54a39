# SPDX-License-Identifier: MIT
"""Negative controls (workloads/large_warps): kernels of which it is known how their threads diverge."""

import functools
import statistics
import tomllib

from report import paths
from report.narasiman2011 import closed
from report.narasiman2011.setups import BLOCK, GPU, LANES
from report.run import Run

ROWS = 8  # of the large warps beside warps of 32 threads
KNOWN = ("odd_lanes", "odd_rows", "row_trips")
SHARES = (0, 125, 250, 500, 1000)  # threads in 1000 that take the branch; none and all say what an arm costs
RANDOM_ROWS = (1, 4, 8, 16, 32)
TURNS = 100
THREADS = 1024
_WORD = 0xffffffff


def _run(kernel: str, name: str, rows: int, definitions: tuple[str, ...] = ()) -> Run:
    block = max(BLOCK, LANES * rows)
    file = paths.WORKLOADS / "large_warps" / f"{kernel}.toml"
    return Run(f"narasiman2011/controls/{kernel}-{name}", str(file.relative_to(paths.ROOT)), ("single:rr",),
               (f"core.warp_rows={rows}", "large.jump_once=false"), GPU, definitions=(f"threads={block}", *definitions), work=1)


def known(kernel: str, rows: int) -> Run:
    """One of KNOWN."""
    return _run(kernel, str(rows), rows)


def random(rows: int, share: int) -> Run:
    """Every thread takes a branch at random."""
    return _run("random_mask", f"{rows}-{share}", rows, (f"per_mille={share}", f"turns={TURNS}"))


@functools.cache
def _drawn() -> list[list[int]]:
    """By turn and thread: what the kernel draws, of 1000."""
    file = paths.WORKLOADS / "large_warps" / "random_mask.toml"
    seed = tomllib.loads(file.read_text())["size"]["seed_value"]

    def hashed(value: int) -> int:
        value = (value ^ value >> 16) * 0x7feb352d & _WORD
        value = (value ^ value >> 15) * 0x846ca68b & _WORD
        return value ^ value >> 16
    return [[hashed(seed + turn * THREADS + thread & _WORD) * 1000 >> 32 for thread in range(THREADS)] for turn in range(TURNS)]


def drawn_subwarps(rows: int, share: int) -> float:
    """Of the masks that the kernel of random() draws: sub-warps, mean over large warps and turns."""
    size = LANES * rows
    return statistics.fmean(
        closed.packed(thread for thread in range(first, first + size) if turn[thread] < share)
        for turn in _drawn() for first in range(0, THREADS, size))


def runs() -> list[Run]:
    return [*(known(kernel, rows) for kernel in KNOWN for rows in (1, ROWS)),
            *(random(rows, share) for rows in RANDOM_ROWS for share in SHARES)]
