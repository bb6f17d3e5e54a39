# SPDX-License-Identifier: MIT
"""What the flow must know of a Liberty file by itself: name, cells, areas, which hold state.

The tools read timing and power; this reader only follows the braces.
"""

import dataclasses
import gzip
import pathlib
import re

from flow.errors import FlowError

# Strings and comments may hold braces; a group is a word, arguments, an opening brace.
_TOKEN = re.compile(
    r'/\*.*?\*/|"(?:[^"\\]|\\.)*"|(?P<group>[A-Za-z_]\w*)\s*\((?P<name>[^()]*)\)\s*\{'
    r"|(?P<open>\{)|(?P<close>\})|\barea\s*:\s*(?P<area>[0-9.eE+-]+)"
    r"|\b(?P<gate>clock_gating_integrated_cell)\b", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Cell:
    """One cell of a library; area in the library's unit, um2 for all that we use."""

    name: str
    area: float
    is_flipflop: bool
    is_latch: bool
    start: int  # where its text begins and ends
    end: int
    is_clock_gate: bool = False  # an integrated clock-gating cell


@dataclasses.dataclass(frozen=True)
class Liberty:
    """A Liberty file's name, text and cells."""

    name: str
    text: str
    cells: dict[str, Cell]


def read_text(file: pathlib.Path) -> str:
    """The text of a Liberty file, compressed by gzip or not."""
    try:
        data = file.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        return data.decode("utf-8", errors="replace")
    except (OSError, EOFError) as error:
        raise FlowError(f"{file}: cannot read the library: {error}") from None


def parse(text: str, where: str) -> Liberty:
    """Reads cells with their area and whether they are flip-flops, latches or clock gates."""
    library, cells = None, {}
    depth = 0
    cell = None  # [name, area, flip-flop, latch, clock gate, start]
    for token in _TOKEN.finditer(text):
        if token["group"] or token["open"]:
            depth += 1
            if depth == 1:
                if token["group"] != "library":
                    raise FlowError(f"{where}: not a Liberty file: it does not begin with a library")
                library = token["name"].strip(' "')
            elif depth == 2 and token["group"] == "cell":
                cell = [token["name"].strip(' "'), None, False, False, False, token.start()]
            elif depth == 3 and cell:
                cell[2] |= token["group"] in ("ff", "ff_bank")
                cell[3] |= token["group"] in ("latch", "latch_bank")
        elif token["close"]:
            depth -= 1
            if depth == 1 and cell:
                name, area, flipflop, latch, gate, start = cell
                if area is None:
                    raise FlowError(f"{where}: cell {name} has no area")
                cells[name] = Cell(name, area, flipflop, latch, start, token.end(), gate)
                cell = None
        elif token["area"] and depth == 2 and cell:
            cell[1] = float(token["area"])
        elif token["gate"] and depth == 2 and cell:
            cell[4] = True
    if library is None or depth != 0 or not cells:
        raise FlowError(f"{where}: not a complete Liberty file")
    return Liberty(library, text, cells)


# Prefixes of the units that Liberty files use, in ns and in pF.
_TIME = {"ps": 1e-3, "ns": 1.0, "us": 1e3}
_CAPACITANCE = {"ff": 1e-3, "pf": 1.0, "nf": 1e3}


def _unit(liberty: Liberty, key: str, pattern: str, scales: dict[str, float], where: str) -> float:
    found = re.search(rf"\b{key}\s*{pattern}", liberty.text, re.IGNORECASE)
    if not found or found[2].lower() not in scales or not float(found[1]):
        raise FlowError(f"{where}: {'no ' + key if not found else f'{key} is {found[1]} {found[2]}'}; it must be "
                        f"a number of {', '.join(scales)}")
    return float(found[1]) * scales[found[2].lower()]


def time_unit_ns(liberty: Liberty, where: str) -> float:
    """ns in the library's unit of time."""
    return _unit(liberty, "time_unit", r':\s*"\s*([0-9.]+)\s*([A-Za-z]+)\s*"', _TIME, where)


def capacitance_unit_pf(liberty: Liberty, where: str) -> float:
    """pF in the library's unit of capacitance."""
    return _unit(liberty, "capacitive_load_unit", r'\(\s*([0-9.]+)\s*,\s*"?\s*([A-Za-z]+)\s*"?\s*\)', _CAPACITANCE, where)


def without(liberty: Liberty, names: set[str]) -> str:
    """The library's text without some cells."""
    pieces, position = [], 0
    for cell in sorted(liberty.cells.values(), key=lambda c: c.start):
        if cell.name in names:
            pieces.append(liberty.text[position:cell.start])
            position = cell.end
    pieces.append(liberty.text[position:])
    return "".join(pieces)
