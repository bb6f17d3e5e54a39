# SPDX-License-Identifier: MIT
"""The tables: as text for the terminal, as Markdown for the documents, as CSV for scripts."""

import csv
import dataclasses
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable

from flow import parts, power, timing
from flow.layout import energy
from flow.configurations import Configuration, Set
from flow.figures import Figures, Mapping, Results, least_area
from flow.wire_figures import WireFigures
from lib.estimate import estimate

Table = tuple[list[str], list[list[str]]]


def _delay(figures: Figures, kind: str) -> str:
    path = figures.paths[kind]
    return f"{path['ns']:.2f}" if path else "–"


def _one_clock(figures: Figures) -> str:
    if not figures.one_clock_ns:
        return "–"
    area = figures.one_clock_um2
    return f"{f'{area:,.0f}' if area else 'none'} at {1000 / figures.one_clock_ns:.0f} MHz"


def main_table(members: tuple[Configuration, ...], results: Results) -> Table:
    """One line per configuration: area, clock, delays."""
    header = ["configuration", "policies", "cells", "FF", "µm²", "kGE", "Fmax MHz", "set by",
              "least µm² at one clock", "reg→reg MHz",
              *(f"{title} ns" for title in timing.TITLES.values()), "kGE·ns", "Fmax spread", "area spread"]
    rows = []
    for member in members:
        f = results.mapped[member]
        rows.append([member.name, member.policies, f"{f.cells}", f"{f.flipflops}", f"{f.area_um2:,.0f}",
                     f"{f.kge:.2f}", f"{f.fmax_mhz:.0f}", timing.TITLES[f.limit], _one_clock(f),
                     f"{f.register_fmax_mhz:.0f}" if f.register_fmax_mhz else "–",
                     *(_delay(f, kind) for kind in timing.SHARES), f"{f.area_time:.1f}",
                     f"{f.fmax_spread:.0%}", f"{f.area_spread:.0%}"])
    return header, rows


def relative_table(members: tuple[Configuration, ...], results: Results) -> Table:
    """Every policy set relative to RR alone, all else being the same."""
    header = ["level", "warps", "policies", "area vs RR", "area vs RR at one clock", "FF vs RR", "Fmax vs RR", "reg→reg vs RR"]
    rows = []
    for member in members:
        changed = member.parameters() | {"POLICIES": 1}
        if "POLICIES" not in member.parameters():
            continue
        base = results.mapped.get(Configuration.make(member.top, changed, "RR"))
        if base is None:
            continue
        f = results.mapped[member]
        rows.append([member.kind, f"{changed['WARPS']}", member.policies, f"{f.area_um2 / base.area_um2:.2f}",
                     f"{f.one_clock_um2 / base.one_clock_um2:.2f}" if f.one_clock_um2 and base.one_clock_um2 else "–",
                     f"{f.flipflops / base.flipflops:.2f}", f"{f.fmax_mhz / base.fmax_mhz:.2f}",
                     f"{f.register_fmax_mhz / base.register_fmax_mhz:.2f}"])
    return header, rows


def parts_table(members: tuple[Configuration, ...], results: Results) -> Table:
    """kGE by part, and their sum beside the flat netlist's area, both with the sweep's first target."""
    names = [name for name in parts.read("paws_two_level")["order"]]
    extra = any(results.parts[m]["parts_um2"].get(parts.UNASSIGNED) for m in members)
    names += [parts.UNASSIGNED] if extra else []
    header = ["hierarchical run", "policies", *(f"{name} kGE" for name in names), "sum", "flat run"]
    rows = []
    for member in members:
        split = results.parts[member]["parts_um2"]
        kge = results.cell_library.gate_area * 1000
        rows.append([member.name, member.policies, *(f"{split.get(name, 0) / kge:.2f}" for name in names),
                     f"{sum(split.values()) / kge:.2f}", f"{results.mapped[member].mappings[0].area_um2 / kge:.2f}"])
    return header, rows


def modules_table(members: tuple[Configuration, ...], results: Results) -> Table:
    """um2 by module of the scheduler, from the same hierarchical run as the parts."""
    modules = {m: results.parts[m]["modules_um2"] for m in members}
    names = sorted({name for areas in modules.values() for name, area in areas.items() if area})
    header = ["hierarchical run, µm²", "policies", *(name.removeprefix("paws_") for name in names), "control", "sum"]
    rows = []
    for member in members:
        split = results.parts[member]["parts_um2"]
        rows.append([member.name, member.policies, *(f"{modules[member].get(name, 0):,.0f}" for name in names),
                     f"{split[parts.CONTROL]:,.0f}", f"{sum(split.values()):,.0f}"])
    return header, rows


def paths_table(members: tuple[Configuration, ...], results: Results) -> Table:
    """The slowest path of each kind, from where to where."""
    rows = []
    for member in members:
        for kind, path in results.mapped[member].paths.items():
            if path:
                rows.append([member.name, timing.TITLES[kind], f"{path['ns']:.2f}",
                             f"`{path['start']}`", f"`{path['end']}`"])
    return ["configuration", "paths", "ns", "from", "to"], rows


def power_table(members: tuple[Configuration, ...], results: Results) -> Table:
    """mW over a recorded run, and relative to RR alone of the same level."""
    header = ["configuration", "policies", "recorded run", f"dynamic mW at {power.MHZ} MHz", "flip-flops mW",
              "clock nets mW", "gates mW", "leakage mW", "toggles/cycle", "dynamic vs RR"]
    gated = any(member.parameters().get("CLOCK_GATES") for member in members)
    header += ["dynamic vs no clock gates"] if gated else []

    def dynamic(member: Configuration) -> float:
        p = results.power[member]
        return p["clocked_mw"] + p["clock_nets_mw"] + p["gates_mw"]

    def relative(member: Configuration, other: dict[str, int]) -> str:
        if not other.keys() <= member.parameters().keys():
            return "–"
        base = Configuration.make(member.top, member.parameters() | other, "base")
        return f"{dynamic(member) / dynamic(base):.2f}" if base in results.power else "–"

    rows = []
    for member in members:
        if member not in results.power:
            continue
        p = results.power[member]
        rows.append([member.name, member.policies, p["recording"], f"{dynamic(member):.2f}",
                     f"{p['clocked_mw']:.2f}", f"{p['clock_nets_mw']:.2f}", f"{p['gates_mw']:.2f}",
                     f"{p['leakage_mw']:.2g}", f"{p['toggles_per_cycle']:.0f}", relative(member, {"POLICIES": 1}),
                     *([relative(member, {"CLOCK_GATES": 0})] if gated else [])])
    return header, rows


def moves(figures: Figures, tried: Iterable[Mapping]) -> dict[str, tuple[float, float]]:
    """By how much each other recipe raises Fmax beyond the sweep's, and lowers the area at one clock; below 0 if it
    falls short of it."""
    found = {}
    for mapping in tried:
        area = least_area([mapping], figures.one_clock_ns)
        found[mapping.target] = (figures.period_ns / mapping.period_ns - 1,
                                 figures.one_clock_um2 / area - 1 if area and figures.one_clock_um2 else -1.0)
    return found


def candidates_table(members: tuple[Configuration, ...], results: Results) -> Table:
    """How far recipes beside the sweep would move each row."""
    header = ["configuration", "policies", "recipes", "Fmax MHz", "best other", "would be", "moves by",
              "least µm² at one clock", "best other", "moves by"]
    rows = []
    for member in members:
        f, others = results.mapped[member], moves(results.mapped[member], results.candidates[member])
        fast, small = (max(others, key=lambda name, i=i: others[name][i]) for i in (0, 1))
        rows.append([member.name, member.policies, f"{len(f.mappings)} + {len(others)}", f"{f.fmax_mhz:.1f}", fast,
                     f"{f.fmax_mhz * (1 + others[fast][0]):.1f}", f"{others[fast][0]:+.1%}", _one_clock(f), small,
                     f"{others[small][1]:+.1%}" if others[small][1] > -1 else "–"])
    return header, rows


# How far a recipe that the sweep leaves out may move a row.
SATURATED = 0.01


def unsaturated(chosen: Set, results: Results) -> list[str]:
    """The rows that a recipe which the sweep leaves out moves too far, in words."""
    lines = []
    for member in chosen.members if chosen.candidates else ():
        for name, gains in moves(results.mapped[member], results.candidates[member]).items():
            lines += [f"{member.name}: {name} moves {what} by {gain:.1%}"
                      for what, gain in zip(("Fmax", "the area at one clock"), gains) if gain >= SATURATED]
    return lines


def _plus_minus(samples: list[float], digits: int) -> str:
    """A mean over the seeds with half of its 95 % interval."""
    found = estimate(samples)
    half = "" if found.low is None else f" ±{(found.high - found.low) / 2:.{digits}f}"
    return f"{found.mean:,.{digits}f}{half}"


def layout_table(chosen: Set, results: Results) -> Table:
    """Clocks with wires and clock tree beside those without; means over the seeds."""
    header = ["configuration", "policies", "ports on", "MHz without wires", "MHz routed", "MHz, C × 1.25", "set by", "core µm²",
              "utilisation", "cells", "wire mm", "wire fF/µm", "clock cells", "clock delay ns", "skew ps", "hold ps"]
    rows = []
    for member in chosen.members:
        runs = results.layouts[member, chosen.layout]

        def mean(value: Callable[[dict], float], runs: list[dict] = runs) -> float:
            return sum(map(value, runs)) / len(runs)

        limits = Counter(run["timing"]["limit"] for run in runs)
        hold = min(run[kind]["hold"] for kind in ("timing", "slow") for run in runs)
        rows.append([member.name, member.policies, chosen.layout, f"{1000 / runs[0]['wireless_ns']:.0f}",
                     _plus_minus([1000 / run["timing"]["period"] for run in runs], 0),
                     _plus_minus([1000 / run["slow"]["period"] for run in runs], 0),
                     timing.TITLES[limits.most_common(1)[0][0]],
                     f"{mean(lambda run: run['core_um2']):,.0f}", f"{mean(lambda run: run['cells_um2'] / run['core_um2']):.2f}",
                     f"{mean(lambda run: run['cells']):.0f}", f"{mean(lambda run: run['wire_um']) / 1000:.0f}",
                     f"{mean(lambda run: run['wire_ff'] / run['wire_um']):.2f}", f"{mean(lambda run: run['clock_cells']):.0f}",
                     f"{mean(lambda run: run['timing']['latency']):.2f}", f"{1000 * mean(lambda run: run['timing']['skew']):.0f}",
                     f"{1000 * hold:.0f}"])
    return header, rows


def fpga_table(members: tuple[Configuration, ...], results: Results) -> Table:
    """LUTs, registers, routed clock with the spread over the seeds."""
    header = ["configuration", "policies", "LUTs", "registers", "routed MHz", "spread"]
    rows = []
    for member in members:
        r = results.fpga[member]
        clocks = r["fmax_mhz"]
        rows.append([member.name, member.policies, f"{r['luts']}", f"{r['registers']}",
                     f"{max(clocks):.1f}" if clocks else "does not fit",
                     f"{1 - min(clocks) / max(clocks):.0%}" if clocks else "–"])
    return header, rows


def beyond_csv(chosen: Set, results: Results) -> list[Table]:
    """The tables of a set whose figures mapping_csv() and fpga_csv() do not have."""
    found = []
    if chosen.parts:
        found.append(parts_table(chosen.members, results))
        if len({member.top for member in chosen.members}) == 1:
            found.append(modules_table(chosen.members, results))
    if chosen.power and not chosen.layout:
        found.append(power_table(chosen.members, results))
    if chosen.layout:
        found.append(layout_table(chosen, results))
        if chosen.power:
            found.append(energy_table(chosen, results))
    return found


def of_set(chosen: Set, results: Results) -> list[Table]:
    """All tables of a set."""
    if chosen.fpga:
        return [fpga_table(chosen.members, results)]
    if chosen.layout and not chosen.parts:
        return beyond_csv(chosen, results)
    found = [main_table(chosen.members, results)]
    relative = relative_table(chosen.members, results)
    if len({row[2] for row in relative[1]}) > 1:
        found.append(relative)
    found += beyond_csv(chosen, results)
    if chosen.candidates:
        found.append(candidates_table(chosen.members, results))
    if len(chosen.members) <= 2:
        found.append(paths_table(chosen.members, results))
    return found


def text(table: Table) -> str:
    """Aligned columns; words to the left, figures to the right."""
    header, rows = table
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    left = [not any(c.isdigit() for row in rows for c in row[column][:1]) for column in range(len(header))]
    return "".join("  ".join(
        cell.ljust(width) if is_left else cell.rjust(width)
        for cell, width, is_left in zip(row, widths, left)).rstrip() + "\n" for row in [header, *rows])


def markdown(table: Table) -> str:
    header, rows = table
    return "".join("| " + " | ".join(row) + " |\n" for row in [header, ["---"] * len(header), *rows])


def _csv(header: list[str], rows: list[list]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([header, *rows])
    return out.getvalue()


def _parameters(members: tuple[Configuration, ...]) -> list[str]:
    return sorted({name for member in members for name in member.parameters()})


def mapping_csv(chosen: Set, results: Results) -> str:
    """Every configuration with all parameters and unrounded figures."""
    names = _parameters(chosen.members)
    rows = []
    for member in chosen.members:
        f = results.mapped[member]
        rows.append([results.cell_library.name, member.top, *(member.parameters().get(name, "") for name in names),
                     f.cells, f.flipflops, f.area_um2, round(f.kge * 1000), round(f.fmax_mhz, 2), f.limit,
                     *(path[fact] if (path := f.paths[kind]) else "" for kind in timing.SHARES
                       for fact in ("ns", "start", "end")),
                     round(f.fmax_spread, 4), round(f.area_spread, 4), f.target,
                     round(1000 / f.one_clock_ns, 2) if f.one_clock_ns else "", f.one_clock_um2 or "",
                     *("; ".join(f"{m.target} {m.period_ns} {m.area_um2}" for m in found)
                       for found in (f.mappings, *([results.candidates[member]] if chosen.candidates else [])))])
    return _csv(["library", "top", *names, "cells", "flipflops", "area_um2", "ge", "fmax_mhz", "limit",
                 *(f"{kind}_{fact}" for kind in timing.SHARES for fact in ("ns", "from", "to")),
                 "fmax_spread", "area_spread", "target", "one_clock_mhz", "one_clock_um2", "mappings_ns_um2",
                 *(["candidates_ns_um2"] if chosen.candidates else [])], rows)


def energy_table(chosen: Set, results: Results) -> Table:
    """pJ per cycle of each part of a layout, means over the seeds, beside the netlist's before layout."""
    names = {"flipflops": "flip-flops", "clock_cells": "clock cells", "clock_nets": "clock pins", "clock_wires": "clock wires"}
    header = ["energy of a cycle, pJ", "policies", "recorded run", *(names.get(part, part) for part in energy.PARTS), "all",
              "before layout", "toggles of gates that are glitches", "leakage mW"]
    rows = []
    for member in chosen.members:
        runs = results.energies[member, chosen.layout]
        before = results.power[member]
        rows.append([member.name, member.policies, runs[0]["recording"],
                     *(f"{sum(run[part] for run in runs) / len(runs):.1f}" for part in energy.PARTS),
                     _plus_minus([sum(run[part] for part in energy.PARTS) for run in runs], 1),
                     f"{(before['clocked_mw'] + before['clock_nets_mw'] + before['gates_mw']) * 1000 / power.MHZ:.1f}",
                     f"{sum(run['glitch_toggles'] for run in runs) / len(runs):.0%}", f"{runs[0]['leakage_mw']:.2g}"])
    return header, rows


_WIRE_FIGURES = tuple(field.name for field in dataclasses.fields(WireFigures))
_LAYOUT_FIGURES = ("mapped_um2", "cells_um2", "core_um2", "cells", "clock_cells", "levels", "wire_um", "wire_ff")


def layout_csv(chosen: Set, results: Results) -> str:
    """Every layout of a set, a line for each seed."""
    names = _parameters(chosen.members)
    kinds = [(step, kind) for step in ("placed", "timing", "slow") for kind in timing.SHARES]
    rows = [[member.top, *(member.parameters().get(name, "") for name in names), run["edges"], run["seed"],
             *(round(run[step]["period"], 4) for step in ("placed", "timing", "slow")), run["wireless_ns"],
             run["timing"]["limit"],
             *(round(run[step]["kinds"][kind], 4) if kind in run[step]["kinds"] else "" for step, kind in kinds),
             *(round(run["timing"][figure], 4) for figure in ("latency", "skew", "hold")), round(run["slow"]["hold"], 4),
             *(run[figure] for figure in _LAYOUT_FIGURES),
             *(energies[number][part] if energies else "" for part in energy.PARTS),
             *(round(wires[number][figure], 4) if wires else "" for figure in _WIRE_FIGURES),
             re.sub(r" \(log: [^)]*\)", "", "; ".join(run["failed"])),
             " ".join(f"{kind}:{count}" for kind, count in sorted(run["kept"].items()))]
            for member in chosen.members for place in [(member, chosen.layout)]
            for energies, wires in [(results.energies.get(place), results.wires.get(place))]
            for number, run in enumerate(results.layouts[member, chosen.layout])]
    return _csv(["top", *names, "edges", "seed", "placed_ns", "routed_ns", "slow_ns", "wireless_ns", "limit",
                 *(f"{'routed' if step == 'timing' else step}_{kind}_ns" for step, kind in kinds),
                 "latency_ns", "skew_ns", "hold_ns",
                 "slow_hold_ns", *_LAYOUT_FIGURES, *(f"{part}_pj" for part in energy.PARTS), *_WIRE_FIGURES,
                 "failed", "changes"], rows)


def fpga_csv(members: tuple[Configuration, ...], results: Results) -> str:
    """Every configuration with the clock of every seed."""
    names = _parameters(members)
    rows = []
    for member in members:
        r = results.fpga[member]
        rows.append([member.top, *(member.parameters().get(name, "") for name in names), r["luts"],
                     r["registers"], " ".join(map(str, r["fmax_mhz"]))])
    return _csv(["top", *names, "luts", "registers", "fmax_mhz_by_seed"], rows)
