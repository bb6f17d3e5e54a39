# SPDX-License-Identifier: MIT
"""Negative controls: PAWS with random, inverted and measured keys."""

from collections.abc import Sequence

import matplotlib.pyplot as plt

from report import draw
from lib.estimate import Estimate
from report.paws import paper, plan
from report.paws.data import Results
from report.section import Picture, Section, Table, percent_of

_COLOURS = {"random": "#bdbdbd", "inverted": "#e08a8a", "measured": "#74b98a"}


def _picture(results: Results) -> Picture:
    figure, rows = plt.subplots(len(plan.LEVELS), 1, figsize=(9, 3.9), sharex=True)
    for axes, level in zip(rows, plan.LEVELS):
        for index, keys in enumerate(plan.KEYS[1:]):
            for x, kernel in enumerate((*plan.KERNELS, None)):
                value = _against_static(results, [kernel] if kernel else plan.KERNELS, level, keys)
                at = x + (0.5 if kernel is None else 0) + 0.27 * (index - 1)
                axes.bar(at, value.mean - 1, 0.25, bottom=1, color=_COLOURS[keys],
                         label=f"{keys} keys" if x == 0 else None)
                draw.interval(axes, at, value)
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_title(level)
        axes.set_ylabel("PAWS, own keys = 1")
        axes.margins(x=0.01)
    rows[-1].set_xticks([*range(len(plan.KERNELS)), len(plan.KERNELS) + 0.5],
                        [*map(paper.label, plan.KERNELS), "mean"])
    rows[0].legend(loc="upper center", bbox_to_anchor=(0.5, 1.5), ncols=3)
    return Picture("controls", "Speed of PAWS with other keys, relative to PAWS with static keys.",
                   draw.svg(figure, "controls"))


def _against_static(results: Results, kernels: Sequence[str], level: str, keys: str) -> Estimate:
    """Speed with these keys relative to the static ones, mean of the kernels."""
    return results.mean_speed(kernels, f"{level}:paws", "paws", keys)


def _verdict(means: dict[str, Estimate]) -> str:
    """What the controls say: the speed with each of the other keys, and whether the static one matters."""
    against = [f"{percent_of(mean)} with {keys} keys" + ("" if mean.side() else " (not distinguishable)")
               for keys, mean in means.items()]
    sides = {keys: means[keys].side() for keys in ("random", "inverted")}
    slower = [keys for keys, side in sides.items() if side < 0]
    if 1 in sides.values():
        conclusion = "Another order is better for PAWS than its own"
    elif slower:
        conclusion = f"The key matters, because {' and '.join(slower)} keys are slower"
    else:
        conclusion = "It cannot be told whether the key matters"
    return f"{', '.join(against)}. {conclusion}"


def section(results: Results) -> Section:
    rows, tests = [], 0
    text = ["The static key of PAWS is the phase length (two-level) or the distance (single level). The controls "
            "replace it by random, inverted or measured keys. The percentages are the speed of PAWS with these "
            "keys relative to its speed with static keys."]
    for level in plan.LEVELS:
        means = {keys: _against_static(results, plan.KERNELS, level, keys) for keys in plan.KEYS[1:]}
        line = [level]
        for keys, mean in means.items():
            every = [_against_static(results, [kernel], level, keys) for kernel in plan.KERNELS]
            tests += len(every)
            line.append(f"{percent_of(mean)} ({sum(value.above(1) for value in every)} faster, "
                        f"{sum(value.below(1) for value in every)} slower)")
        rows.append(line)
        text.append(f"{level.capitalize()}: {_verdict(means)}.")
    if results.perturbed:
        note = (f"The table counts kernels in {tests} comparisons, each with its own 95 % interval. If the keys "
                f"made no difference, about {0.05 * tests:.0f} comparisons would still seem to show one.")
    else:
        note = "The noise is not measured, so any difference counts."
    table = Table(["PAWS", *(f"{keys} keys" for keys in plan.KEYS[1:])], rows,
                  "Speed relative to PAWS with static keys: mean of the fourteen kernels, and number of kernels "
                  "that differ" + (" beyond the noise" if results.perturbed else ""))
    return Section("controls", "Negative controls: does the key matter?", text,
                   [_picture(results), table], main=True, notes=[note])
