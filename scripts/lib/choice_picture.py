# SPDX-License-Identifier: MIT
"""The picture of scripts/study choice: time against area of every design, with the front of those that none beats."""

import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

from lib.choice_findings import Findings
from lib.designs import DESIGNS, Design, build
from report import draw

_AREAS = (10, 20, 50, 100, 200)  # of the marked lines, 1000 um2
_TIMES = (0.8, 0.9, 1.0, 1.25, 1.5, 2.0, 2.5)
_SINGLE, _TWO, _FRONT = "#2b6cb5", "#d98032", "#333"


def _mark(design: Design) -> dict:
    """A circle per single-level design and a square per two-level one."""
    return {"marker": "s", "color": _TWO} if design.two_level else {"marker": "o", "color": _SINGLE}


def plot(findings: Findings) -> str:
    """Marks with numbers; the legend names them."""
    times = {design: findings.time(design) for design in DESIGNS}
    areas = {design: build(design).area_um2 / 1000 for design in DESIGNS}
    front = findings.front()
    figure, axes = plt.subplots(figsize=(5, 4.4))
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = 0.8 * min(areas.values()), 1.25 * max(areas.values())
    axes.set_xlim(low, high)
    axes.set_ylim(0.93 * min(time.mean for time in times.values()), 1.07 * max(time.mean for time in times.values()))
    for set_ticks, limits, marks in ((axes.set_xticks, axes.get_xlim(), _AREAS), (axes.set_yticks, axes.get_ylim(), _TIMES)):
        shown = [mark for mark in marks if limits[0] < mark < limits[1]]
        set_ticks(shown, shown)
        set_ticks([], minor=True)
    axes.grid(color="#ddd", linewidth=0.6)
    axes.axhline(1, color="#888", linewidth=0.6)
    steps_x, steps_y = [areas[front[0]]], [axes.get_ylim()[1]]
    for design in front:
        steps_x += [areas[design]] * 2
        steps_y += [steps_y[-1], times[design].mean]
    axes.plot([*steps_x, high], [*steps_y, steps_y[-1]], color=_FRONT, linestyle="--", linewidth=0.9)
    entries = []
    for number, design in enumerate(DESIGNS, 1):
        time = times[design]
        axes.vlines(areas[design], time.low, time.high, color="black", linewidth=0.9)
        axes.plot(areas[design], time.mean, markersize=11, **_mark(design))
        axes.annotate(str(number), (areas[design], time.mean), ha="center", va="center", color="white", fontsize=7)
        entries.append(Line2D([], [], linestyle="none", markersize=9, label=f"{number}  {design.title.replace('`', '')}",
                              **_mark(design)))
    entries.append(Line2D([], [], color=_FRONT, linestyle="--", label="front: bold, no other is faster and smaller"))
    axes.set_xlabel("area of the fastest mapping, 1000 µm²")
    axes.set_ylabel("time, two-level RR = 1")
    legend = figure.legend(handles=entries, **draw.BESIDE)
    for text, design in zip(legend.get_texts(), DESIGNS):
        text.set_fontweight("bold" if design in front else "normal")
    return draw.svg(figure, "choice") + "\n"
