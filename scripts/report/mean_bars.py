# SPDX-License-Identifier: MIT
"""Mean speeds as bars: the paper's beside ours."""

import matplotlib.pyplot as plt
from matplotlib.patches import Patch

from report import draw
from lib.estimate import Estimate
from report.section import Picture, percent, percent_of

_STYLES = ({"facecolor": "none", "edgecolor": draw.PAPER, "linewidth": 1}, {"facecolor": draw.COLOURS["paws"]})


def picture(means: list[tuple[str, float | None, Estimate]], caption: str, axis: str, room: float) -> Picture:
    """Of each mean its label, the paper's percent (None: it has no number) and ours. `axis`: words of the axis; `room`: for
    numbers on the right, a share of the width."""
    figure, axes = plt.subplots(figsize=(4.3, 0.42 * len(means) + 0.6))
    ticks, seen = [], []
    for place, (label, theirs, ours) in enumerate(means):
        values = (None if theirs is None else Estimate(1 + theirs / 100), ours)
        for shift, (value, style) in enumerate(zip(values, _STYLES)):
            if value is None:
                continue
            y = 2.5 * place + shift
            axes.barh(y, value.mean - 1, 0.9, left=1, **style)
            if value.low is not None:
                axes.hlines(y, value.low, value.high, colors="black", linewidth=0.9, zorder=3)
            right = value.mean >= 1
            end = max(1, value.high or value.mean) if right else min(1, value.low or value.mean)
            axes.annotate(percent(value.mean), (end, y), (3 if right else -3, 0), textcoords="offset points", va="center",
                          ha="left" if right else "right")
        ticks.append(2.5 * place + (0.5 if theirs is not None else 1))
        seen.append(label + (f": paper {percent(values[0].mean)}, here" if values[0] else ":") + f" {percent_of(ours)}")
    axes.axvline(1, color="black", linewidth=0.6)
    axes.set_yticks(ticks, [label for label, *_ in means])
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    left, right = axes.get_xlim()
    axes.set_xlim(left - 0.25 * (right - left), right + room * (right - left))
    axes.spines.left.set_visible(False)
    axes.set_xlabel(axis)
    figure.legend([Patch(**style) for style in _STYLES], ["paper", "here"], **draw.ABOVE, ncols=2)
    return Picture("answer", caption, draw.svg(figure, "answer"), f"{'; '.join(seen)}.")
