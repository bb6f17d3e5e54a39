# SPDX-License-Identifier: MIT
"""Bars over kernels with intervals, a colour for each setup, and what is seen in words."""

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt

from report import draw
from report.estimate import Estimate
from report.lee2014 import paper
from report.lee2014.data import Results
from report.section import Picture, percent, percent_of

COLOURS = ("#d98032", "#2b6cb5", "#7f7f7f", "#8c6bb1", "#3f8f5b", "#b5a02b")


def picture(name: str, caption: str, kernels: Sequence[str], setups: Sequence[str],
            value: Callable[[str, str], Estimate], means: dict[str, tuple[Sequence[str], Callable[[str], Estimate],
                                                                          dict[str, float]]],
            axis: str, base: float = 1, marks: dict[str, float] | None = None) -> Picture:
    """`value` of a kernel and a setup; `means` by their names: their kernels, the mean of a setup, and the paper's in
    percent by setup, where it gives one; `marks`: the paper's percent of kernels. Bars stand on `base`."""
    columns = len(kernels) + len(means)
    figure, axes = plt.subplots(figsize=(9, 2.7))
    width, seen = 0.84 / len(setups), []
    for place, setup in enumerate(setups):
        shift = (place - (len(setups) - 1) / 2) * width
        bars = [*(value(kernel, setup) for kernel in kernels), *(mean(setup) for _, mean, _ in means.values())]
        axes.bar([x + shift for x in range(columns)], [bar.mean - base for bar in bars], width, bottom=base,
                 color=COLOURS[place], label=setup)
        for x, bar in enumerate(bars):
            draw.interval(axes, x + shift, bar)
        for x, (which, mean, theirs) in enumerate(means.values(), len(kernels)):
            if setup in theirs:
                axes.plot([x + shift - width / 2, x + shift + width / 2], [1 + theirs[setup] / 100] * 2, color=draw.PAPER,
                          linewidth=2)
        seen += [f"{setup}, {which}: {percent_of(mean(setup))}"
                 + (f" (paper {percent(1 + theirs[setup] / 100, 0)})" if setup in theirs else "")
                 for which, (_, mean, theirs) in means.items()]
    for x, kernel in enumerate(kernels):
        if kernel in (marks or {}):
            axes.plot([x - 0.42, x + 0.42], [1 + marks[kernel] / 100] * 2, color=draw.PAPER, linewidth=2)
            seen.append(f"{paper.label(kernel)}: paper {percent(1 + marks[kernel] / 100, 0)}")
    if marks or any(theirs for _, _, theirs in means.values()):
        axes.plot([], [], color=draw.PAPER, linewidth=2, label="paper")
    axes.axhline(base, color="black", linewidth=0.6)
    if means:
        axes.axvline(len(kernels) - 0.5, color="#cccccc", linewidth=0.8)
    axes.set_xticks(range(columns), [*map(paper.label, kernels), *means], rotation=90)
    axes.set_xlim(-0.6, columns - 0.4)
    axes.set_ylabel(axis)
    figure.legend(*axes.get_legend_handles_labels(), **draw.ABOVE, ncols=len(setups) + 1)
    return Picture(name, caption, draw.svg(figure, name), f"{'; '.join(seen)}.")


def speeds(results: Results, name: str, caption: str, kernels: Sequence[str], setups: Sequence[str], over: str,
           groups: dict[str, tuple[Sequence[str], dict[str, float]]], measure: str = "speed") -> Picture:
    """Of setups relative to another; `groups`: means by their names, with their kernels and the paper's percent."""
    what = "speed" if measure == "speed" else "L1 miss rate"
    return picture(
        name, caption, kernels, setups, lambda kernel, setup: results.compare([kernel], setup, over, measure),
        {which: (its, lambda setup, its=its: results.compare(its, setup, over, measure), theirs)
         for which, (its, theirs) in groups.items()}, f"{what}, {over} = 1")
