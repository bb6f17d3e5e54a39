# SPDX-License-Identifier: MIT
"""Speeds and miss rates of setups over its kernels as bars."""

from collections.abc import Sequence

from report import bars
from report.bars import Mean
from report.lee2014 import paper
from report.lee2014.data import Results
from report.section import Picture


def speeds(results: Results, name: str, caption: str, kernels: Sequence[str], setups: Sequence[str], over: str,
           groups: dict[str, tuple[Sequence[str], dict[str, float]]], measure: str = "speed") -> Picture:
    """Of setups relative to another; `groups`: means by their names, with their kernels and the paper's percent."""
    what = "speed" if measure == "speed" else "L1 miss rate"
    return bars.picture(
        name, caption, {kernel: paper.label(kernel) for kernel in kernels}, setups,
        lambda kernel, setup: results.compare([kernel], setup, over, measure),
        {which: Mean(lambda setup, its=its: results.compare(its, setup, over, measure), theirs)
         for which, (its, theirs) in groups.items()}, f"{what}, {over} = 1")
