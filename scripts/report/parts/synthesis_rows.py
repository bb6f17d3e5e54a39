# SPDX-License-Identifier: MIT
"""Rows of the tables of synth/results, which scripts/synth writes."""

import csv
import dataclasses
import pathlib
import re
from collections.abc import Callable

from lib import policies
from lib.places import ROOT

RESULTS = ROOT / "synth" / "results"
_DELAYS = ("reg_reg_ns", "in_reg_ns", "reg_out_ns", "in_out_ns")


@dataclasses.dataclass(frozen=True)
class Row:
    """A scheduler as synthesized: clock and area of the fastest mapping, and the smallest mapping that reaches the
    clock at which areas of its level are compared (none if none does)."""

    level: str
    built: tuple[str, ...]  # the policies
    warps: int
    ready: int | None  # None at the single level
    sorter: str
    ports_mhz: float       # Fmax with the budget for the host's ports
    registered_mhz: float  # Fmax with registers at the ports
    area_um2: float
    one_clock_mhz: float
    one_clock_um2: float | None


@dataclasses.dataclass(frozen=True)
class Layout:
    """A build, placed and routed: one figure for each of its layouts, which differ in their seed."""

    wireless_mhz: float  # of the netlist before layout
    mhz: tuple[float, ...]  # routed, with the budget for the host's ports
    slow_mhz: tuple[float, ...]  # with 1.25 times the capacitance of all wires
    core_um2: tuple[float, ...]
    utilisation: tuple[float, ...]
    wire_mm: tuple[float, ...]
    cycle_pj: tuple[float, ...]  # energy of a cycle


def _levels() -> dict[str, str]:
    return {f"paws_{module}": level for level, module in policies.LEVELS.items()}


def table(file: str, name: str) -> list[dict[str, str]]:
    """The rows of the set `name` in a file of synth/results, for example osu018 and warps. Raises OSError if there is no
    such file, and ValueError if it does not have the set."""
    path = RESULTS / f"{file}.csv"
    with path.open(newline="") as opened:
        rows = [row for row in csv.DictReader(opened) if row["set"] == name]
    if not rows:
        raise ValueError(f"{path} does not have the set {name}: scripts/synth --set {name}")
    return rows


def read(library: str, name: str) -> tuple[Row, ...]:
    """The schedulers of the set `name` with a library; not those with an age limit, clock gates or held lengths. Raises
    what table() does."""
    found = []
    for row in table(library, name):
        if row["top"] not in _levels() or any(row.get(option) not in (None, "", "0") for option in
                                              ("AGE_LIMIT", "CLOCK_GATES", "HELD_LENGTH")):
            continue
        level = _levels()[row["top"]]
        longest = max(float(row[delay] or 0) for delay in _DELAYS)
        found.append(Row(level, policies.built(level, int(row["POLICIES"])), int(row["WARPS"]),
                         int(row["READY"]) if row["READY"] else None, row["SORTER"], float(row["fmax_mhz"]),
                         1000 / longest, float(row["area_um2"]), float(row["one_clock_mhz"]),
                         float(row["one_clock_um2"]) if row["one_clock_um2"] else None))
    return tuple(found)


def layouts(library: str, name: str, top: str, parameters: dict[str, int]) -> Layout:
    """The layouts of the one build of `top` with these parameters in the set `name`. Raises what table() does, and ValueError
    if the set has no such build, or several."""
    rows = [row for row in table(f"{library}_layouts", name)
            if row["top"] == top and all(row.get(key) == str(value) for key, value in parameters.items())]
    if not rows or len({row["seed"] for row in rows}) < len(rows):
        raise ValueError(f"{library}_layouts.csv, {name}: {'several builds' if rows else 'no build'} of {top} with {parameters}")

    def figures(value: Callable[[dict], float]) -> tuple[float, ...]:
        return tuple(map(value, rows))
    return Layout(
        1000 / float(rows[0]["wireless_ns"]), figures(lambda row: 1000 / float(row["routed_ns"])),
        figures(lambda row: 1000 / float(row["slow_ns"])), figures(lambda row: float(row["core_um2"])),
        figures(lambda row: float(row["cells_um2"]) / float(row["core_um2"])), figures(lambda row: float(row["wire_um"]) / 1000),
        figures(lambda row: sum(float(value) for column, value in row.items() if column.endswith("_pj"))))


def power(library: str, name: str) -> dict[str, float]:
    """Dynamic power in mW at 100 MHz by configuration, as the set `name` spells it. Raises OSError if the library has no
    page, and ValueError if it has no power of this set."""
    file: pathlib.Path = RESULTS / f"{library}.md"
    found, columns = {}, None
    _, _, section = file.read_text().partition(f"\n## {name}\n")
    for line in section.partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if "dynamic mW at 100 MHz" in cells:
            columns = cells
        elif columns and line.startswith("|") and not re.match(r"\|[ -]+\|", line):
            row = dict(zip(columns, cells))
            found[row["configuration"]] = float(row["dynamic mW at 100 MHz"])
        elif columns and not line.startswith("|"):
            columns = None
    if not found:
        raise ValueError(f"{file}: no power of {name}")
    return found
