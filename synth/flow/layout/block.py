# SPDX-License-Identifier: MIT
"""A block of standard cells: instances, nets, ports, and where they are."""

import dataclasses
import re

from flow import clocks
from flow.errors import FlowError
from flow.layout.lef import Lef
from flow.liberty import Cell
from flow.netlist import Netlist

# A place in um.
Point = tuple[float, float]
# A pin of an instance, or a port ("" as the instance).
Pin = tuple[str, str]


@dataclasses.dataclass
class Instance:
    """A cell of the library. `x` is its left edge, in um from that of the core; `row` counts from the bottom, and every second
    row is upside down."""

    kind: str
    pins: dict[str, str]  # pin to net
    x: float = 0.0
    row: int = 0


@dataclasses.dataclass
class Port:
    """One bit of a port of the module, on the edge of the block."""

    name: str  # as Verilog writes it
    net: str
    is_input: bool
    place: Point = (0.0, 0.0)
    layer: str = ""


@dataclasses.dataclass
class Floorplan:
    """Rows of sites. The core begins at `margin` um from the left and from the bottom of the die."""

    rows: int
    sites: int  # of a row
    margin_x: float
    margin_y: float


class Block:
    """What is laid out. Instances and nets have names without brackets; `original` has those of the netlist."""

    def __init__(self, top: str, lef: Lef) -> None:
        self.top = top
        self.lef = lef
        self.instances: dict[str, Instance] = {}
        self.ports: dict[str, Port] = {}  # by net name; a net has at most one port, else a buffer stands between
        self.original: dict[str, str] = {}
        self.floorplan = Floorplan(0, 0, 0.0, 0.0)
        self._numbers = 0

    def new_name(self, stem: str) -> str:
        """A name that no instance and no net has."""
        self._numbers += 1
        return f"{stem}{self._numbers}"

    def width(self, name: str) -> float:
        """um"""
        return self.lef.macros[self.instances[name].kind].width

    def drives(self, name: str, pin: str) -> bool:
        """Whether the pin is an output of its cell."""
        return pin in self.lef.macros[self.instances[name].kind].outputs

    def nets(self) -> dict[str, list[Pin]]:
        """The pins of each net, the driver first; ports come as ("", name of the net)."""
        found: dict[str, list[Pin]] = {}
        for net, port in self.ports.items():
            found.setdefault(net, [])
            if port.is_input:
                found[net].insert(0, ("", net))
            else:
                found[net].append(("", net))
        for name, instance in self.instances.items():
            for pin, net in instance.pins.items():
                pins = found.setdefault(net, [])
                if self.drives(name, pin):
                    pins.insert(0, (name, pin))
                else:
                    pins.append((name, pin))
        return found

    def place_of(self, pin: Pin) -> Point:
        """um"""
        name, terminal = pin
        if not name:
            return self.ports[terminal].place
        instance = self.instances[name]
        x, y = self.lef.macros[instance.kind].centre(terminal)
        height = self.lef.row_height
        return (self.floorplan.margin_x + instance.x + x,
                self.floorplan.margin_y + instance.row * height + (height - y if instance.row % 2 else y))

    def middle(self, pins: list[Pin]) -> tuple[float, int]:
        """The mean place of some pins, as `x` and `row` of an instance."""
        places = [self.place_of(pin) for pin in pins]
        x = sum(place[0] for place in places) / len(places) - self.floorplan.margin_x
        y = sum(place[1] for place in places) / len(places) - self.floorplan.margin_y
        return max(x, 0.0), min(max(int(y / self.lef.row_height), 0), self.floorplan.rows - 1)

    @property
    def core_um2(self) -> float:
        """Of all rows."""
        plan = self.floorplan
        return plan.rows * self.lef.row_height * plan.sites * self.lef.site_width

    @property
    def cells_um2(self) -> float:
        """Of the cells, by their sizes in the LEF file."""
        return sum(self.width(name) for name in self.instances) * self.lef.row_height

    @property
    def die(self) -> Point:
        """um"""
        plan = self.floorplan
        return (2 * plan.margin_x + plan.sites * self.lef.site_width, 2 * plan.margin_y + plan.rows * self.lef.row_height)


def _bypassed(cell: dict) -> str | None:
    """The input of an OR gate that is a wire, since the other one is the constant 0."""
    live = [pin for pin in ("A", "B") if cell["type"].startswith("OR2") and cell["connections"][pin] != ["0"]]
    return live[0] if len(live) == 1 else None


def from_netlist(netlist: Netlist, lef: Lef) -> Block:
    """The block of a mapped netlist, without ports that nothing reads. Raises FlowError for a pin at a constant, unless it
    is an OR gate's at 0, which becomes a wire: the library has no cell for constants."""
    module = netlist.modules[netlist.top]
    block = Block(netlist.top, lef)
    wires: dict[int, int] = {}
    kept = {}
    for name, cell in module["cells"].items():
        if cell["type"] not in lef.macros:
            raise FlowError(f"{lef.file}: no cell {cell['type']}, which the netlist has")
        through = _bypassed(cell)
        if through:
            wires[cell["connections"]["Y"][0]] = cell["connections"][through][0]
        else:
            kept[name] = cell

    def net(bit: int | str, where: str) -> str:
        if isinstance(bit, str):
            raise FlowError(f"{where} is the constant {bit}: the library has no cell for it")
        while bit in wires:
            bit = wires[bit]
        return f"n{bit}"

    for number, (name, cell) in enumerate(kept.items()):
        alias = f"c{number}_{re.sub('[^A-Za-z0-9]', '', name)[-20:]}"
        block.original[alias] = name
        block.instances[alias] = Instance(cell["type"], {pin: net(bits[0], f"{name}/{pin}")
                                                         for pin, bits in cell["connections"].items() if bits})
    used = {n for instance in block.instances.values() for n in instance.pins.values()}
    for name, port in module["ports"].items():
        for label, bit in zip(labels(name, len(port["bits"])), port["bits"]):
            is_input = port["direction"] == "input"
            if is_input and net(bit, label) not in used:
                continue
            if net(bit, label) in block.ports:
                raise FlowError(f"{label}: two ports on one net, without a cell between them")
            block.ports[net(bit, label)] = Port(label, net(bit, label), is_input)
    return block


def to_netlist(block: Block, mapped: Netlist, cells: dict[str, Cell], layout_names: bool = False) -> Netlist:
    """The block as a netlist again, with the ports and the names of the one that it was made from, or with those of the
    layout (but for the clock's port). Both number the nets alike."""
    module = mapped.modules[mapped.top]
    numbers: dict[str, int] = {}

    def bit(net: str) -> int:
        return numbers.setdefault(net, len(numbers) + 2)

    nets = {port.name: net for net, port in block.ports.items()}
    ports = {name: port | {"bits": [bit(nets.get(label, f"unread {label}")) for label in labels(name, len(port["bits"]))]}
             for name, port in module["ports"].items()}
    if layout_names:
        ports = {clocks.PORT if port.name == clocks.PORT else net:
                 {"direction": "input" if port.is_input else "output", "bits": [bit(net)]} for net, port in block.ports.items()}
    instances = {}
    for name, instance in block.instances.items():
        outputs = block.lef.macros[instance.kind].outputs
        instances[name if layout_names else block.original.get(name, name)] = {
            "type": instance.kind, "connections": {pin: [bit(net)] for pin, net in instance.pins.items()},
            "port_directions": {pin: "output" if pin in outputs else "input" for pin in instance.pins}}
    names = {net: {"bits": [number]} for net, number in numbers.items()}
    return Netlist(mapped.top, {mapped.top: {"ports": ports, "cells": instances, "netnames": names, "attributes": {}}}, cells)


def labels(name: str, width: int) -> list[str]:
    """Of each bit of a port, what Verilog calls it."""
    return [f"{name}[{i}]" for i in range(width)] if width > 1 else [name]
