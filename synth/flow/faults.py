# SPDX-License-Identifier: MIT
"""Faults in a mapped netlist, that the proof of equivalence has to refuse."""

import copy
import dataclasses
from collections.abc import Iterator

from flow import functions
from flow.liberty import Liberty
from flow.netlist import Netlist


@dataclasses.dataclass(frozen=True)
class Fault:
    """A netlist with one fault, and what it is."""

    name: str
    netlist: Netlist


def _edited(netlist: Netlist) -> tuple[Netlist, dict[str, dict]]:
    """A copy, and its instances."""
    module = netlist.modules[netlist.top]
    changed = copy.copy(netlist)
    changed.modules = netlist.modules | {netlist.top: module | {
        "cells": {name: cell | {"connections": dict(cell["connections"])} for name, cell in module["cells"].items()},
        "ports": copy.deepcopy(module["ports"])}}
    return changed, changed.cells()


def of(netlist: Netlist, cells: Liberty) -> Iterator[Fault]:
    """The faults, made one after the other."""
    known = {kind: functions.read(cells, cells.cells[kind]) for kind in {c["type"] for c in netlist.cells().values()}}
    flipflops = [name for name, cell in netlist.cells().items() if known[cell["type"]].next_state]
    gates = [name for name in netlist.cells() if name not in set(flipflops)]
    # Gates at even distances through the netlist; of each an input is tied to 1 and moved to a port.
    for part in range(1, 6):
        name = gates[part * len(gates) // 6]
        kind, directions = netlist.cells()[name]["type"], netlist.cells()[name]["port_directions"]
        pins = sorted(pin for pin, direction in directions.items() if direction == "input")
        pin = pins[part % len(pins)]
        for where, bit in (("at 1", "1"), ("at rst_ni", netlist.modules[netlist.top]["ports"]["rst_ni"]["bits"][0])):
            changed, edited = _edited(netlist)
            if edited[name]["connections"][pin] == [bit]:
                continue
            edited[name]["connections"][pin] = [bit]
            yield Fault(f"{kind} {name} with {pin} {where}", changed)
    one, other = flipflops[0], flipflops[len(flipflops) // 2]
    changed, edited = _edited(netlist)
    edited[one]["connections"], edited[other]["connections"] = (
        edited[other]["connections"], edited[one]["connections"])
    yield Fault(f"flip-flops {one} and {other} exchanged", changed)
    changed, edited = _edited(netlist)
    edited["nobody_reg"] = edited.pop(one)
    yield Fault(f"flip-flop {one} under another name", changed)
    changed, edited = _edited(netlist)
    clock = known[edited[one]["type"]].clocked_on
    edited[one]["connections"][clock] = edited[gates[0]]["connections"][next(iter(known[edited[gates[0]]["type"]].outputs))]
    yield Fault(f"flip-flop {one} at another clock", changed)
    changed, edited = _edited(netlist)
    bits = next(port["bits"] for port in changed.modules[netlist.top]["ports"].values()
                if port["direction"] == "output" and len(port["bits"]) > 1)
    bits[0], bits[1] = bits[1], bits[0]
    yield Fault("two bits of an output exchanged", changed)
