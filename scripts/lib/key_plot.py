# SPDX-License-Identifier: MIT
"""The picture of scripts/study keys: mean slowdown over the bits of a stored key, as SVG."""

import matplotlib.pyplot as plt

from report import draw

_COLOURS = {"single:paws": "#b5542b", "two-level:paws": "#2b6cb5"}
Points = list[tuple[int, float]]  # bits of a key, percent


def plot(exact: dict[str, Points], quantized: dict[str, Points]) -> str:
    """Exact keys as lines, quantized ones as circles, by scheduler."""
    figure, axes = plt.subplots(figsize=(5.6, 3))
    for scheduler, colour in _COLOURS.items():
        axes.plot(*zip(*exact[scheduler]), color=colour, linewidth=1.5, label=scheduler)
        axes.plot(*zip(*quantized[scheduler]), "o", color=colour, alpha=0.5, markersize=5, label=f"{scheduler}, quantized")
    axes.set_xticks(range(4, 13))
    axes.set_xlabel("bits of a stored key")
    axes.set_ylabel("cycles, mean of the kernels")
    axes.yaxis.set_major_formatter("{x:g} %")
    axes.grid(axis="y", color="#ddd", linewidth=0.6)
    figure.legend(**draw.BESIDE)
    return draw.svg(figure, "keys") + "\n"
