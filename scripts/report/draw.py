# SPDX-License-Identifier: MIT
"""What the figures have in common: colours, sizes, and matplotlib to SVG text."""

import io
import re

import matplotlib
import scour.scour

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = {"rr": "#7f7f7f", "gto": "#d98032", "paws": "#2b6cb5", "paws-blocks": "#8db8e2"}
NAMES = {"rr": "RR", "gto": "GTO", "paws": "PAWS", "paws-blocks": "PAWS, cut at blocks"}
PAPER = "#b02020"  # marks of the paper's numbers
# Places of a figure's legend; svg() makes the picture as large as all that is drawn.
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
BESIDE = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}

plt.rcParams.update({
    "svg.fonttype": "none", "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8, "axes.titlesize": 9, "axes.spines.top": False, "axes.spines.right": False,
    "axes.linewidth": 0.6, "legend.frameon": False, "figure.constrained_layout.use": True,
})

# Coordinates to a tenth of a point in a picture as wide as a page, and nothing that the eye cannot see.
_SHORT = scour.scour.sanitizeOptions()
_SHORT.digits, _SHORT.indent_type, _SHORT.newlines = 4, "none", False
_SHORT.style_to_xml = False  # SVG has no attribute for the shorthand `font`
_SHORT.strip_ids = _SHORT.strip_xml_prolog = _SHORT.remove_metadata = _SHORT.quiet = True


def svg(figure, name: str) -> str:
    """The picture as an SVG element; its ids begin with `name`, so that several fit in a page."""
    plt.rcParams["svg.hashsalt"] = name
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    text = buffer.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'url\(#', f'url(#{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    return scour.scour.scourString(text, _SHORT).strip()


def interval(axes, x: float, value, scale=lambda number: number) -> None:
    """The error bar of an Estimate."""
    if value.low is not None:
        axes.vlines(x, scale(value.low), scale(value.high), colors="black", linewidth=0.9, zorder=3)
