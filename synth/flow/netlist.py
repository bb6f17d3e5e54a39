# SPDX-License-Identifier: MIT
"""A mapped netlist as Yosys writes it in JSON: its cells, their area, and names that people know."""

import dataclasses
import json
import pathlib
import re

from flow.errors import FlowError
from flow.liberty import Cell

# Names that Yosys has given to what has none in the source.
_ENUMERATED = re.compile(r"_\d+_$")
_REGISTER = re.compile(r"_q(\[\d+\])*$")

# A flip-flop is named after the register that it holds, with this behind.
REGISTER_SUFFIX = "_reg"


@dataclasses.dataclass
class Netlist:
    """The scheduler's module and, in a hierarchical run, the modules below it."""

    top: str
    modules: dict[str, dict]
    cell_library: dict[str, Cell]

    def cells(self, module: str | None = None) -> dict[str, dict]:
        """Instances of a module (of the scheduler, if none is named), library cells or modules."""
        return self.modules[module or self.top]["cells"]

    def area(self) -> float:
        """um2, of a flat netlist."""
        return sum(self.cell_library[cell["type"]].area for cell in self.cells().values())

    def flipflops(self) -> int:
        return sum(self.cell_library[cell["type"]].is_flipflop for cell in self.cells().values())

    @property
    def latches(self) -> list[str]:
        """The nets that latches and integrated clock gates drive, in all modules."""
        return [self.net_names(module).get(_output(cell), instance)
                for module in self.modules for instance, cell in self.cells(module).items()
                if self._is(cell, "is_latch") or self._is(cell, "is_clock_gate")]

    def _is(self, cell: dict, property_name: str) -> bool:
        return cell["type"] in self.cell_library and getattr(self.cell_library[cell["type"]], property_name)

    def gate_enables(self) -> list[str]:
        """The pins of integrated clock gates that wait for a signal: all inputs but the clock."""
        clock = self.modules[self.top]["ports"].get("clk_i", {"bits": [None]})["bits"][0]
        return [f"{name}/{pin}" for name, cell in self.cells().items() if self._is(cell, "is_clock_gate")
                for pin, bits in cell["connections"].items()
                if cell["port_directions"][pin] == "input" and bits[0] != clock and not isinstance(bits[0], str)]

    def net_names(self, module: str | None = None) -> dict[int, str]:
        """A name for every bit: of several a register's (..._q), else the shortest of the source's."""
        best: dict[int, tuple] = {}
        for name, net in self.modules[module or self.top]["netnames"].items():
            width = len(net["bits"])
            for position, bit in enumerate(net["bits"]):
                if isinstance(bit, str):
                    continue
                index = f"[{position + net.get('offset', 0)}]" if width > 1 else ""
                rank = (bool(_ENUMERATED.match(name)), not _REGISTER.search(name), len(name), name + index)
                if bit not in best or rank < best[bit]:
                    best[bit] = rank
        return {bit: rank[-1] for bit, rank in best.items()}

    def endpoint(self, pin: str, names: dict[int, str]) -> str:
        """A port or pin of the timing report by the name of the port or of the register's net."""
        instance, _, _ = pin.rpartition("/")
        cell = self.cells().get(instance)
        return names.get(_output(cell), pin) if cell else pin


def _output(cell: dict) -> int | None:
    for pin, direction in cell["port_directions"].items():
        if direction == "output" and cell["connections"][pin]:
            return cell["connections"][pin][0]
    return None


def read(file: pathlib.Path, top: str, library: dict[str, Cell]) -> Netlist:
    """Raises FlowError if a cell is neither of the library nor a module of the design."""
    modules = {name: module for name, module in json.loads(file.read_text())["modules"].items()
               if name not in library}
    design = {name: module for name, module in modules.items()
              if not int(module.get("attributes", {}).get("blackbox", "0"), 2)}
    tops = [name for name, module in design.items() if int(module["attributes"].get("top", "0"), 2)]
    if len(tops) != 1:
        raise FlowError(f"{file}: no single top module for {top}")
    for name, module in design.items():
        for instance, cell in module["cells"].items():
            if cell["type"] not in library and cell["type"] not in design:
                raise FlowError(f"{file}: {name}.{instance} is a {cell['type']}, which the library lacks")
    return Netlist(tops[0], design, library)
