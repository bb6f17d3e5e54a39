# SPDX-License-Identifier: MIT
"""The split of a scheduler by part, from a hierarchical run.

Modules keep their boundaries, so nothing is optimised across them and the sum differs from the flat
netlist's area; the tables say so.
"""

import fnmatch
import pathlib
import re
import tomllib

from flow import targets, yosys
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.cell_library import Library
from flow.netlist import Netlist
from flow.paths import SYNTH

_FILE = SYNTH / "parts.toml"
UNASSIGNED = "unassigned"
CONTROL = "control"
SELECTION = "selection"


def digest() -> str:
    """What the split depends on besides the netlist."""
    return _FILE.read_text()


def read(top: str) -> dict:
    """The parts of a top module."""
    text = tomllib.loads(_FILE.read_text())
    if top not in text:
        raise FlowError(f"{_FILE}: nothing says which part the modules of {top} belong to")
    return text[top]


def source_name(module: str) -> str:
    """A module's name in the source, without what Yosys adds for its parameters."""
    found = re.search(r"(paws_\w+)", module)
    return found[1] if found else module


def part_of(module: str, rules: dict) -> str:
    """The part of a module that stands directly in the scheduler."""
    for part in rules["order"]:
        if any(fnmatch.fnmatchcase(module, pattern) for pattern in rules.get(part, [])):
            return part
    return UNASSIGNED


def cone(netlist: Netlist, module: str, ports: list[str]) -> set[str]:
    """The combinational library cells of a module that some of its outputs depend on."""
    cells = netlist.cells(module)
    driver = {bit: name for name, cell in cells.items() if cell["type"] in netlist.cell_library
              for pin, direction in cell["port_directions"].items() if direction == "output"
              for bit in cell["connections"][pin]}
    known = netlist.modules[module]["ports"]
    found: set[str] = set()
    waiting = [bit for port in ports for bit in known[port]["bits"]]
    while waiting:
        name = driver.get(waiting.pop())
        if name is None or name in found or netlist.cell_library[cells[name]["type"]].is_flipflop:
            continue
        found.add(name)
        waiting += [bit for pin, bits in cells[name]["connections"].items()
                    if cells[name]["port_directions"][pin] == "input" for bit in bits]
    return found


def _areas(netlist: Netlist, module: str) -> float:
    return sum(netlist.cell_library[cell["type"]].area if cell["type"] in netlist.cell_library
               else _areas(netlist, cell["type"]) for cell in netlist.cells(module).values())


def split(netlist: Netlist, rules: dict) -> tuple[dict[str, float], dict[str, float]]:
    """um2 by part, and by module of the scheduler."""
    parts = dict.fromkeys(rules["order"], 0.0)
    modules: dict[str, float] = {}
    for cell in netlist.cells().values():
        if cell["type"] in netlist.cell_library:
            parts[CONTROL] += netlist.cell_library[cell["type"]].area
            continue
        name = source_name(cell["type"])
        area = _areas(netlist, cell["type"])
        modules[name] = modules.get(name, 0.0) + area
        if name in rules.get("cone", {}):
            selected = sum(netlist.cell_library[netlist.cells(cell["type"])[instance]["type"]].area
                           for instance in cone(netlist, cell["type"], rules["cone"][name]))
            parts[SELECTION] += selected
            area -= selected
        part = part_of(name, rules)
        parts[part] = parts.get(part, 0.0) + area
    return parts, modules


def measure(configuration: Configuration, library: Library, folder: pathlib.Path) -> dict:
    """The split with the first mapping target of the sweep."""
    yosys.elaborate(configuration, folder, flat=False)
    target = targets.read(library)[0]
    mapped = yosys.map_cells(configuration, library, target.script, folder, "parts")
    parts, modules = split(mapped, read(configuration.top))
    return {"target": target.name, "parts_um2": {name: round(area, 2) for name, area in parts.items()},
            "modules_um2": {name: round(area, 2) for name, area in modules.items()}}
