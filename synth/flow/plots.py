# SPDX-License-Identifier: MIT
"""Figures of the sets, as SVG. They need matplotlib."""

import csv
import pathlib

import matplotlib

matplotlib.use("svg")
# The same figures give the same bytes.
matplotlib.rcParams.update({"svg.hashsalt": "paws", "svg.fonttype": "none", "font.size": 9,
                            "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True})

# pylint: disable=wrong-import-position
from matplotlib import patches, pyplot

from flow import timing
from flow.configurations import Configuration, Set
from flow.figures import Results

_AXES = {"warps": ("WARPS", "warps"), "ready": ("READY", "ready queue, entries"),
         "phase_width": ("PHASE_W", "phase field, bits")}
_SHOWN = "osu018"  # the library whose figures documents show
_SORTERS = ("shift register", "selection tree", "ranks")  # by SORTER


def _save(figure, file: pathlib.Path) -> None:
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def _longest(paths: dict[str, dict | None]) -> float:
    """ns, of any kind."""
    return max(path["ns"] for path in paths.values() if path)


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


def costs(chosen: Set, results: Results, file: pathlib.Path) -> None:
    """Area and clock of every configuration as bars, a colour for each level."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7.5, 0.8 + 0.22 * len(chosen.members)), sharey=True)
    colours = dict(zip(_by_level(chosen.members), ("C0", "C1")))
    places = range(len(chosen.members), 0, -1)
    found = [results.mapped[member] for member in chosen.members]
    for axes, unit, values in ((panels[0], "area, kGE", [f.kge for f in found]),
                               (panels[1], "Fmax, MHz", [f.fmax_mhz for f in found])):
        axes.barh(places, values, color=[colours[member.level] for member in chosen.members])
        axes.set_xlabel(unit)
        axes.grid(axis="x", alpha=0.3)
    # The policy instead of its code.
    names = [" ".join([m.level, m.policies.replace("RR+GTO+PAWS", "all"),
                       *(f"{n}={v}" for n, v in m.changed if n != "POLICIES")]) for m in chosen.members]
    panels[0].set_yticks(places, names, fontsize=7)
    _save(figure, file)


def modules(chosen: Set, results: Results, file: pathlib.Path) -> None:
    """Area and delay of ours as bars, and beside them the textbook's as the set reference has found them."""
    bars = [(m.name, results.mapped[m].area_um2 / 1000, _longest(results.mapped[m].paths), "C0") for m in chosen.members]
    others = file.with_name(file.name.replace("modules", "reference")).with_suffix(".csv")
    with others.open(newline="") as text:
        for row in csv.DictReader(text):
            name = row["top"].removeprefix("paws_reference_") + (" with its state" if row["STATE"] == "1" else "")
            delays = [float(row[f"{kind}_ns"]) for kind in timing.SHARES if row[f"{kind}_ns"]]
            bars.append((name, float(row["area_um2"]) / 1000, max(delays), "C1"))
    bars.sort(key=lambda bar: -bar[1])
    figure, panels = pyplot.subplots(1, 2, figsize=(7.5, 0.8 + 0.22 * len(bars)), sharey=True)
    for number, (axes, unit) in enumerate(zip(panels, ("area, 1,000 µm²", "longest path, ns")), 1):
        axes.barh(range(len(bars)), [bar[number] for bar in bars], color=[bar[3] for bar in bars])
        axes.set_xlabel(unit)
        axes.grid(axis="x", alpha=0.3)
    panels[0].set_yticks(range(len(bars)), [bar[0] for bar in bars], fontsize=7)
    panels[1].legend(handles=[patches.Patch(color="C0", label="ours"), patches.Patch(color="C1", label="textbook")],
                     frameon=False, fontsize=7)
    _save(figure, file)


_DRAWN = {"policies": policies, "sorters": sorters, "modules": modules,
          **dict.fromkeys(("pickers", "precision", "breakdown"), costs), **dict.fromkeys(_AXES, growth)}


def of_set(chosen: Set, results: Results, folder: pathlib.Path, name: str) -> list[str]:
    """Draws a set's figure into a folder, if documents show it: those of one library. Returns the files' names."""
    if chosen.name not in _DRAWN or results.cell_library.key != _SHOWN:
        return []
    _DRAWN[chosen.name](chosen, results, folder / f"{name}.svg")
    return [f"{name}.svg"]
