# SPDX-License-Identifier: MIT
"""The picture of scripts/study affinity: the mean speed of every rule with its interval, as SVG."""

import matplotlib.pyplot as plt

from lib.affinity_runs import RULES, Runs
from report import draw


def plot(runs: Runs) -> str:
    """A panel for each machine and ready queue, a line for each policy and rule."""
    places = [(policy, rule) for policy in runs.policies for rule in RULES[policy]]
    figure, panels = plt.subplots(1, len(runs.panels), figsize=(1.8 + 2 * len(runs.panels), 0.7 + 0.22 * len(places)),
                                  sharex=True, sharey=True, squeeze=False)
    for axes, (machine, ready) in zip(panels[0], runs.panels):
        axes.set_title(f"{machine}, ready {ready}")
        axes.axvline(0, color="#888", linewidth=0.6)
        for row, (policy, rule) in enumerate(places):
            estimate = runs.mean_speed(machine, ready, policy, rule)
            if estimate.low is not None:
                axes.hlines(row, 100 * (estimate.low - 1), 100 * (estimate.high - 1), color="black", linewidth=0.9)
            axes.plot(100 * (estimate.mean - 1), row, "o", color=draw.COLOURS[policy], markersize=5)
        axes.xaxis.set_major_formatter("{x:+g} %")
        axes.spines.left.set_visible(False)
        axes.tick_params(axis="y", length=0)
    panels[0][0].set_yticks(range(len(places)), [f"{policy}, {rule}" for policy, rule in places])
    panels[0][0].invert_yaxis()
    figure.supxlabel("mean speed of the fourteen kernels against the same policy without affinity", fontsize=8)
    return draw.svg(figure, "affinity") + "\n"
