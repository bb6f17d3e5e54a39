# SPDX-License-Identifier: MIT
"""The clock of a mapped netlist: which nets carry it, through which cells, and what each flip-flop sees."""

import dataclasses

from flow.errors import FlowError
from flow.functions import Function
from flow.netlist import Netlist

PORT = "clk_i"


@dataclasses.dataclass(frozen=True)
class Clocks:
    """The nets that change with the clock, and the cells that pass it on, each behind those before it."""

    root: int | None  # the net of the port; None in a netlist without one
    nets: frozenset[int]
    cells: tuple[str, ...]


def find(netlist: Netlist, known: dict[str, Function]) -> Clocks:
    """Follows the clock from its port through gates and integrated clock gates to flip-flops and latches."""
    ports = netlist.modules[netlist.top]["ports"]
    if PORT not in ports:
        return Clocks(None, frozenset(), ())
    root = ports[PORT]["bits"][0]
    readers: dict[int, list[str]] = {}
    for name, cell in netlist.cells().items():
        for pin, bits in cell["connections"].items():
            if bits and cell["port_directions"][pin] == "input" and isinstance(bits[0], int):
                readers.setdefault(bits[0], []).append(name)
    nets, cells, waiting = {root}, [], [root]
    while waiting:
        for name in readers.get(waiting.pop(0), []):
            cell = netlist.cells()[name]
            if known[cell["type"]].holds_state or name in cells:
                continue
            cells.append(name)
            for pin, bits in cell["connections"].items():
                if cell["port_directions"][pin] == "output" and bits:
                    nets.add(bits[0])
                    waiting.append(bits[0])
    return Clocks(root, frozenset(nets), tuple(cells))


def pin_net(cell: dict, pin: str) -> int | str:
    """The net at a pin, or the constant."""
    return cell["connections"][pin][0]


def of_flipflop(name: str, cell: dict, function: Function, clocks: Clocks) -> int:
    """The clock net of a flip-flop. Raises FlowError for one whose clock comes from elsewhere, or falls."""
    pin = (function.clocked_on or "").strip("() ")
    if pin not in cell["connections"]:
        raise FlowError(f"{name} ({cell['type']}): its clock is not the rising edge of a pin: {function.clocked_on}")
    net = pin_net(cell, pin)
    if net not in clocks.nets:
        raise FlowError(f"{name} ({cell['type']}): its clock does not come from {PORT}")
    return net
