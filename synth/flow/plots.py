# SPDX-License-Identifier: MIT
"""Figures of the sets, as SVG. They need matplotlib and scour."""

import pathlib

import matplotlib
from matplotlib import pyplot

from flow.configurations import Configuration, Set
from flow.figures import Results
from lib import svg

matplotlib.use("Agg")
matplotlib.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
                            "axes.axisbelow": True})

_AXES = {"warps": ("WARPS", "warps"), "ready": ("READY", "ready queue, entries")}
_SHOWN = "osu018"  # the library whose figures documents show
_SORTERS = ("shift register", "selection tree", "ranks")  # by SORTER


def _save(figure, file: pathlib.Path) -> None:
    figure.tight_layout()
    file.write_text(svg.text(figure, file.stem) + "\n")


def _by_level(members: tuple[Configuration, ...]) -> dict[str, list[Configuration]]:
    levels: dict[str, list[Configuration]] = {}
    for member in members:
        levels.setdefault(member.level, []).append(member)
    return levels


def growth(chosen: Set, results: Results, file: pathlib.Path) -> None:
    """Area and clock over the one parameter of a set."""
    parameter, title = _AXES[chosen.name]
    figure, (area, clock) = pyplot.subplots(1, 2, figsize=(7.5, 2.8))
    for level, members in _by_level(chosen.members).items():
        x = [member.parameters()[parameter] for member in members]
        found = [results.mapped[member] for member in members]
        area.plot(x, [f.kge for f in found], marker="o", label=level)
        line = clock.plot(x, [f.fmax_mhz for f in found], marker="o", label=f"{level}, under the budget")[0]
        clock.plot(x, [f.register_fmax_mhz for f in found], marker="o", markerfacecolor="white", linestyle="--",
                   color=line.get_color(), label=f"{level}, between registers")
    for axes, unit in ((area, "area, kGE"), (clock, "Fmax, MHz")):
        axes.set_xlabel(title)
        axes.set_ylabel(unit)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=7)
    _save(figure, file)


def policies(chosen: Set, results: Results, file: pathlib.Path) -> None:
    """Bars by policy, stacked by part (from the hierarchical runs), for each number of warps."""
    warps = sorted({member.parameters()["WARPS"] for member in chosen.members})
    figure, axes = pyplot.subplots(1, len(warps), figsize=(7.5, 3.2), sharey=True, squeeze=False)
    for panel, count in zip(axes[0], warps):
        members = [m for m in chosen.members if m.parameters()["WARPS"] == count]
        bottoms = [0.0] * len(members)
        for part in dict.fromkeys(name for m in members for name in results.parts[m]["parts_um2"]):
            kge = results.cell_library.gate_area * 1000
            heights = [results.parts[m]["parts_um2"].get(part, 0) / kge for m in members]
            if any(heights):
                panel.bar(range(len(members)), heights, bottom=bottoms, label=part)
                bottoms = [b + h for b, h in zip(bottoms, heights)]
        panel.set_xticks(range(len(members)), [f"{m.policies}\n{m.kind}".replace("RR+GTO+PAWS", "all three")
                                               for m in members], rotation=60, fontsize=7)
        panel.set_title(f"{count} warps", fontsize=9)
        panel.grid(axis="y", alpha=0.3)
    axes[0][0].set_ylabel("area, kGE (hierarchical run)")
    axes[0][0].margins(y=0.35)  # room for the legend
    axes[0][0].legend(frameon=False, fontsize=7)
    _save(figure, file)


def sorters(chosen: Set, results: Results, file: pathlib.Path) -> None:
    """Area-time product and clock over warps, a line for every sorting micro-architecture and policy."""
    figure, (product, clock) = pyplot.subplots(1, 2, figsize=(7.5, 2.8))
    for policy, sorter in sorted({(m.policies, m.parameters()["SORTER"]) for m in chosen.members}, reverse=True):
        members = [m for m in chosen.members if (m.policies, m.parameters()["SORTER"]) == (policy, sorter)]
        x = [m.parameters()["WARPS"] for m in members]
        found = [results.mapped[m] for m in members]
        title = f"{policy}, {_SORTERS[sorter]}"
        product.plot(x, [f.area_time for f in found], marker="o", label=title)
        clock.plot(x, [f.fmax_mhz for f in found], marker="o", label=title)
    for axes, unit in ((product, "area × period, kGE·ns"), (clock, "Fmax, MHz")):
        axes.set_xlabel("warps")
        axes.set_ylabel(unit)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
    product.legend(frameon=False, fontsize=7)
    _save(figure, file)


_DRAWN = {"policies": policies, "sorters": sorters, **dict.fromkeys(_AXES, growth)}


def draw(chosen: Set, results: Results, file: pathlib.Path) -> None:
    """Draws a set's figure, if documents show it: those of one library."""
    if chosen.name in _DRAWN and results.cell_library.key == _SHOWN:
        _DRAWN[chosen.name](chosen, results, file)
