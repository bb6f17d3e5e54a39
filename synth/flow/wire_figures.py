# SPDX-License-Identifier: MIT
"""What wires do to a layout: their capacitance beside that of the pins, in all and on the slowest path."""

import dataclasses
import functools
from collections.abc import Callable

from flow import functions
from flow import liberty as liberties
from flow.layout.block import Block
from flow.layout.lay_out import Saved
from flow.liberty import Liberty


@dataclasses.dataclass(frozen=True)
class WireFigures:
    """Shares are of capacitance. A net has sinks: pins that it drives, ports included."""

    wire_share: float  # of all nets but the clock's, in wires
    path_share: float  # of the nets on the slowest path
    path_cells: int    # on the slowest path
    path_sinks: int    # of the net with the most sinks on the slowest path
    most_sinks: int    # of all nets but the clock's


def _pin_ff(cells: Liberty) -> Callable[[str, str], float]:
    """Of an input pin of a kind of cell."""
    unit = 1000 * liberties.capacitance_unit_pf(cells, f"library {cells.name}")
    known = functools.cache(lambda kind: functions.read(cells, cells.cells[kind]).capacitance)
    return lambda kind, pin: unit * known(kind)[pin]


def _clock(block: Block) -> set[str]:
    """Nets between the clock's port and its sinks."""
    def is_clock(net: str) -> bool:
        return block.ports[net].name == "clk_i" if net in block.ports else False
    nets, found = block.nets(), set()
    waiting = [net for net in nets if is_clock(net)]
    while waiting:
        net = waiting.pop()
        found.add(net)
        for name, pin in nets[net]:
            if name and not block.drives(name, pin) and not block.instances[name].kind.startswith(("DFF", "LATCH")):
                waiting += [its for out, its in block.instances[name].pins.items()
                            if block.drives(name, out) and its not in found]
    return found


def of(saved: Saved, cells: Liberty) -> WireFigures:
    """Of a layout that is kept."""
    block, pin_ff = saved.block, _pin_ff(cells)
    clock = _clock(block)
    sinks = {net: [(name, pin) for name, pin in pins if not name or not block.drives(name, pin)]
             for net, pins in block.nets().items() if net not in clock}

    def share(nets: set[str]) -> float:
        wires = sum(saved.wire_ff[net] for net in nets)
        pins = sum(pin_ff(block.instances[name].kind, pin) for net in nets for name, pin in sinks[net] if name)
        return wires / (wires + pins)
    path = [tuple(pin.split("/")) for pin in saved.path if "/" in pin]
    on_path = {block.instances[name].pins[pin] for name, pin in path} & sinks.keys()
    return WireFigures(share(set(sinks)), share(on_path), len({name for name, _ in path}),
                       max(len(sinks[net]) for net in on_path), max(map(len, sinks.values())))
