# SPDX-License-Identifier: MIT
"""Pictures of layouts in one scale: cells coloured by what they are for, and the slowest path."""

import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402

from flow.layout.block import Block  # noqa: E402
from flow.layout.lay_out import Saved  # noqa: E402

# What a cell is for, the first that fits: of registers by their names in the RTL.
COLOURS = {"clock tree and gates": "#d62728", "order of warps": "#9467bd", "queues and lengths": "#1f77b4",
           "other state": "#17becf", "buffers": "#ff7f0e", "selection and other logic": "#c9ced6"}


def part(block: Block, name: str) -> str:
    """Of a cell."""
    kind, original = block.instances[name].kind, block.original.get(name, "")
    if kind.startswith("CLKBUF") or name.startswith("gate") or "u_gate." in original:
        return "clock tree and gates"
    if kind.startswith("DFF"):
        if "order" in original or "age" in original:
            return "order of warps"
        return "queues and lengths" if any(word in original for word in ("queue", "place", "sorter", "length", "ready",
                                                                         "phase", "key")) else "other state"
    return "buffers" if kind.startswith("BUF") else "selection and other logic"


def _panel(axes, saved: Saved, title: str) -> None:
    block = saved.block
    width, height = block.die
    rows = {name: [] for name in COLOURS}
    for name, instance in block.instances.items():
        left = block.floorplan.margin_x + instance.x
        bottom = block.floorplan.margin_y + instance.row * block.lef.row_height
        right, top = left + block.width(name), bottom + block.lef.row_height
        rows[part(block, name)].append([(left, bottom), (right, bottom), (right, top), (left, top)])
    for name, shapes in rows.items():
        axes.add_collection(PolyCollection(shapes, facecolors=COLOURS[name], edgecolors="white", linewidths=0.1))
    places = [block.place_of(tuple(pin.split("/")) if "/" in pin else ("", pin)) for pin in saved.path]
    if places:
        axes.plot(*zip(*places), color="black", linewidth=1.1)
        axes.plot(*places[0], marker="o", color="black", markersize=3)
        axes.plot(*places[-1], marker="s", color="black", markersize=3)
    axes.plot([0, width, width, 0, 0], [0, 0, height, height, 0], color="#555555", linewidth=0.6)
    axes.set_title(title, fontsize=8)
    axes.set_aspect("equal")
    axes.axis("off")


def draw(layouts: list[tuple[str, Saved]], file: pathlib.Path) -> None:
    """Side by side, from the left; the black line is the slowest path, from the circle to the square."""
    sizes = [saved.block.die for _, saved in layouts]
    gap = 0.06 * max(width for width, _ in sizes)
    total = sum(width for width, _ in sizes) + gap * (len(sizes) + 1)
    tallest = max(height for _, height in sizes)
    inch = 11 / total
    figure = pyplot.figure(figsize=(11, tallest * inch + 0.8))
    high = figure.get_size_inches()[1]
    left = gap
    for (title, saved), (width, height) in zip(layouts, sizes):
        axes = figure.add_axes((left / total, 0.4 / high, width / total, height * inch / high))
        _panel(axes, saved, title)
        left += width + gap
    figure.legend(handles=[Patch(color=colour, label=name) for name, colour in COLOURS.items()], loc="lower center",
                  ncol=len(COLOURS), fontsize=7, frameon=False)
    figure.savefig(file, dpi=150, metadata={"Software": None})
    pyplot.close(figure)
