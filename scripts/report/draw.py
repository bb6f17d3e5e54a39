# SPDX-License-Identifier: MIT
"""What the figures have in common: colours, sizes and style."""

import matplotlib
import matplotlib.pyplot as plt

from lib.svg import text as svg_text

matplotlib.use("Agg")

COLOURS = {"rr": "#7f7f7f", "gto": "#d98032", "paws": "#2b6cb5"}
NAMES = {"rr": "RR", "gto": "GTO", "paws": "PAWS"}
PAPER = "#b02020"  # marks of the paper's numbers
# Places of a figure's legend; svg() makes the picture as large as all that is drawn.
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
BESIDE = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}

plt.rcParams.update({
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8, "axes.titlesize": 9, "axes.spines.top": False, "axes.spines.right": False,
    "axes.linewidth": 0.6, "legend.frameon": False, "figure.constrained_layout.use": True,
})


def svg(figure, name: str) -> str:
    """The picture as an SVG element, as large as all that is drawn."""
    return svg_text(figure, name, bbox_inches="tight")


def interval(axes, x: float, value, scale=lambda number: number) -> None:
    """The error bar of an Estimate."""
    if value.low is not None:
        axes.vlines(x, scale(value.low), scale(value.high), colors="black", linewidth=0.9, zorder=3)
