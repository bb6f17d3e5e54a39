# SPDX-License-Identifier: MIT
"""The picture of docs/evidence/agreement.md: differences of cycles, and the lead of GTO, kernel by kernel."""

import matplotlib.pyplot as plt

from lib.agreement import GTO, GUARDED, REFERENCE, RR, Comparison, Facts
from report import draw

_SHORT = {RR: "RR", GTO: "GTO"}
_COLOURS = {RR: "#555555", GTO: "#d98032"}
_THEIRS, _OURS = "#b02020", "#2b6cb5"


def plot(facts: Facts, ours: dict) -> str:
    """SVG: a row per kernel, dots over percent; hollow ones are those of the second variant."""
    shown = facts.variants[:2]  # the front-end's scheduling on and off
    pairs = {variant: Comparison(facts, ours, variant, REFERENCE, facts.kernels) for variant in shown}
    rows = range(len(facts.kernels))
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 0.9 + 0.19 * len(rows)), sharey=True)

    def dots(axes, values: list[float], colour: str, variant: str, label: str) -> None:
        fill = "white" if variant != shown[0] else colour
        axes.plot(values, rows, "o", color=colour, markerfacecolor=fill, markersize=5, label=label)

    for variant, pair in pairs.items():
        for scheduler in GUARDED:
            dots(left, [100 * pair.difference(scheduler, kernel) for kernel in facts.kernels], _COLOURS[scheduler], variant,
                 f"{_SHORT[scheduler]}, {variant}")
    leads = {variant: pair.leads() for variant, pair in pairs.items()}
    dots(right, [100 * theirs for _, theirs in leads[shown[0]]], _THEIRS, shown[0], "GPGPU-Sim")
    for variant, found in leads.items():
        dots(right, [100 * mine for mine, _ in found], _OURS, variant, f"here, {variant}")
    for axes, words in ((left, "cycles here, % from GPGPU-Sim"), (right, "GTO, % faster than RR")):
        axes.set_xlabel(words)
        axes.grid(axis="x", color="#ddd", linewidth=0.6)
        axes.axvline(0, color="#888", linewidth=0.6)
        axes.spines.left.set_visible(False)
        axes.tick_params(axis="y", length=0)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    left.set_yticks(rows, facts.kernels)
    left.invert_yaxis()
    return draw.svg(figure, "agreement") + "\n"
