# SPDX-License-Identifier: MIT
"""Bars over kernels with intervals, a colour for each setup, the paper's marks, and what is seen in words."""

import dataclasses
from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt

from report import draw
from lib.estimate import Estimate
from report.section import Picture, percent, percent_of

COLOURS = ("#d98032", "#2b6cb5", "#7f7f7f", "#8c6bb1", "#3f8f5b", "#b5a02b")


@dataclasses.dataclass(frozen=True)
class Mean:
    """Bars of a mean beside those of the kernels."""
    of: Callable[[str], Estimate]  # a setup
    paper: dict[str, float] = dataclasses.field(default_factory=dict)  # percent by setup, where the paper gives one


def picture(name: str, caption: str, labels: dict[str, str], setups: Sequence[str], value: Callable[[str, str], Estimate],
            means: dict[str, Mean], axis: str, marks: dict[str, float] | None = None,
            shown: Callable[[Estimate], str] = percent_of, base: float = 1) -> Picture:
    """`labels` of the kernels; `value` of a kernel and a setup; `means` by their names; `marks`: the paper's percent of
    kernels; `shown`: a number in words. Bars stand on `base`."""
    columns = len(labels) + len(means)
    figure, axes = plt.subplots(figsize=(9, 2.7))
    width, seen = 0.84 / len(setups), []
    for place, setup in enumerate(setups):
        shift = (place - (len(setups) - 1) / 2) * width
        bars = [*(value(kernel, setup) for kernel in labels), *(mean.of(setup) for mean in means.values())]
        axes.bar([x + shift for x in range(columns)], [bar.mean - base for bar in bars], width, bottom=base,
                 color=COLOURS[place], label=setup)
        for x, bar in enumerate(bars):
            draw.interval(axes, x + shift, bar)
        for x, mean in enumerate(means.values(), len(labels)):
            if setup in mean.paper:
                axes.plot([x + shift - width / 2, x + shift + width / 2], [1 + mean.paper[setup] / 100] * 2,
                          color=draw.PAPER, linewidth=2)
        seen += [f"{setup}, {which}: {shown(mean.of(setup))}"
                 + (f" (paper {percent(1 + mean.paper[setup] / 100, 0)})" if setup in mean.paper else "")
                 for which, mean in means.items()]
    for x, kernel in enumerate(labels):
        if kernel in (marks or {}):
            axes.plot([x - 0.42, x + 0.42], [1 + marks[kernel] / 100] * 2, color=draw.PAPER, linewidth=2)
            seen.append(f"{labels[kernel]}: paper {percent(1 + marks[kernel] / 100, 0)}")
    if marks or any(mean.paper for mean in means.values()):
        axes.plot([], [], color=draw.PAPER, linewidth=2, label="paper")
    axes.axhline(base, color="black", linewidth=0.6)
    if means:
        axes.axvline(len(labels) - 0.5, color="#cccccc", linewidth=0.8)
    axes.set_xticks(range(columns), [*labels.values(), *means], rotation=90)
    axes.set_xlim(-0.6, columns - 0.4)
    axes.set_ylabel(axis)
    figure.legend(*axes.get_legend_handles_labels(), **draw.ABOVE, ncols=len(setups) + 1)
    return Picture(name, caption, draw.svg(figure, name), f"{'; '.join(seen)}.")
