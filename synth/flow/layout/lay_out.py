# SPDX-License-Identifier: MIT
"""From a mapped netlist to a routed block with its clock."""

import copy
import dataclasses
import json
import pathlib
import time as clock
from collections import Counter

from flow.errors import FlowError
from flow.layout import block as blocks
from flow.layout import clock_tree, export, extraction, lef, optimise, parasitics, placement, routing, signoff, timer, wires
from flow.layout.block import Block
from flow.layout.def_file import Route
from flow.layout.signoff import Timing
from flow.layout.technology import Technology
from flow.netlist import Netlist

# The share of the rows that the cells fill: as they are placed first, and in the end, less and less until all nets find a way.
_PLACED = 0.65
UTILISATIONS = (0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3)
# Rows with more um of wire for a um2 of the core than this, as estimated, are not routed: the fullest block that found all its
# ways had 2.11, and the router takes minutes to say that it finds none.
_MOST_WIRE = 2.15
# The optimiser aims at this share of the first period. It makes the placement legal after so many steps, and ends when that often
# the slack did not gain so much.
_GOAL = 0.88
_STEPS = 12
_PATIENCE = 3
_GAIN_NS = 0.003
# By which the capacitances of all wires are multiplied for the slower of the two clocks.
PESSIMISM = 1.25


@dataclasses.dataclass(frozen=True)
class Layout:
    """A block that is routed, the same as its netlist, and free of errors."""

    block: Block
    routes: dict[str, Route]
    extraction: extraction.Extraction
    placed: Timing
    timing: Timing
    slow: Timing  # with all wires' capacitance times PESSIMISM
    kept: dict[str, int]  # changes of the optimiser
    path: list[str]  # the pins of the slowest path
    levels: int  # cells between the clock's port and a flip-flop
    clock_cells: int  # that the tree has added
    failed: list[str]  # what the router said of fuller rows
    seconds: dict[str, float]


def _estimate(block: Block, technology: Technology, folder: pathlib.Path) -> pathlib.Path:
    export.write_verilog(block, folder / "routed.v")
    file = folder / "placed.spef"
    parasitics.write_estimate(block, wires.lengths(block), file)
    return file


def _improve(block: Block, technology: Technology, constraints: str, folder: pathlib.Path) -> Counter[str]:
    """Lets the optimiser work until it finds nothing more, and leaves the best legal placement on the way. Returns how often
    each kind of change was kept."""
    export.write_verilog(block, folder / "routed.v")
    with timer.Timer(signoff.script(block, technology, folder, None) + "\n" + constraints, folder / "optimise.log") as timed:
        optimiser = optimise.Optimiser(block, timed, technology.liberty_name, export.clock_nets(block, technology))
        best, best_slack, worse = copy.deepcopy(block.instances), timed.worst(), 0
        going = True
        while going and worse < _PATIENCE:
            for _ in range(_STEPS):
                going = optimiser.step()
                if not going:
                    break
            placement.legalise(block)
            optimiser.refresh()
            slack = timed.worst()
            worse = 0 if slack > best_slack + _GAIN_NS else worse + 1
            if slack > best_slack:
                best, best_slack = copy.deepcopy(block.instances), slack
    block.instances = best
    return Counter(optimiser.kept)


def _place(netlist: Netlist, technology: Technology, seed: int, edges: str, folder: pathlib.Path) -> tuple[Block, int, int]:
    """The block, placed, with a clock tree; its levels and its cells."""
    block = blocks.from_netlist(netlist, technology.lef)
    if not export.clock_net(block):
        raise FlowError(f"{netlist.top} has no clock: only a block with flip-flops is laid out")
    placement.plan(block, _PLACED)
    placement.place(block, seed, 1 / _PLACED, folder, technology.placer_parameters, edges)
    before = len(block.instances)
    levels = clock_tree.grow(block, technology)
    placement.legalise(block)
    return block, levels, len(block.instances) - before


def _route(block: Block, technology: Technology, folder: pathlib.Path) -> tuple[dict[str, Route], extraction.Extraction]:
    cells, router = folder / "cells.lef", folder / "router.lef"
    cells.write_text(lef.with_long_pads(block.lef.file.read_text(), block.lef))
    router.write_text(lef.with_clean_taps(cells.read_text(), block.lef))
    routes = routing.route(block, folder, router)
    found = extraction.extract(block, folder, cells, technology.magic)
    if found.breaches:  # the router has left too little metal somewhere; it has more room in emptier rows
        raise routing.Unroutable("design rules: " + "; ".join(f"{count} × {rule}" for rule, count in found.breaches.items()))
    return routes, found


def lay_out(netlist: Netlist, technology: Technology, seed: int, edges: str, folder: pathlib.Path) -> Layout:
    """The same seed gives the same layout. `edges` are those with ports (L, T, R, B). Raises FlowError, with the name of the net,
    cell or rule, if a net is open or shorted, a design rule is broken, or setup or hold fails."""
    seconds, last, failed = {}, clock.monotonic(), []

    def took(step: str) -> None:
        nonlocal last
        now = clock.monotonic()
        seconds[step], last = round(seconds.get(step, 0.0) + now - last, 1), now

    block, levels, clock_cells = _place(netlist, technology, seed, edges, folder)
    start = signoff.time(block, technology, folder, _estimate(block, technology, folder))
    took("place")
    constraints = export.period_script(block, technology, _GOAL * start.period, start.latency)
    kept = _improve(block, technology, constraints, folder)
    for utilisation in UTILISATIONS:
        placement.replan(block, utilisation)
        wire = sum(wires.lengths(block).values()) / block.core_um2
        if wire > _MOST_WIRE:
            failed.append(f"{utilisation}: {wire:.2f} um of wire for a um2")
            continue
        kept += _improve(block, technology, constraints, folder)
        took("optimise")
        try:
            routes, found = _route(block, technology, folder)
            break
        except routing.Unroutable as error:
            failed.append(f"{utilisation}: {error}")
        finally:
            took("route and extract")
    else:
        raise FlowError("; ".join(failed))
    placed = signoff.time(block, technology, folder, _estimate(block, technology, folder))
    export.write_verilog(block, folder / "routed.v")
    timings, paths = [], []
    for scale, name in ((1.0, "routed.spef"), (PESSIMISM, "slow.spef")):
        parasitics.write_spef(block, routes, found, folder / name, scale)
        timings.append(signoff.time(block, technology, folder, folder / name))
        paths.append(signoff.check(block, technology, folder, folder / name, timings[-1]))
    took("sign off")
    return Layout(block, routes, found, placed, *timings, dict(kept), paths[0], levels, clock_cells, failed, seconds)


def save(layout: Layout, file: pathlib.Path) -> None:
    """What pictures and energies need beside DEF and SPEF: cells with their places and names, ports, capacitances."""
    block = layout.block
    file.write_text(json.dumps({
        "top": block.top, "floorplan": dataclasses.asdict(block.floorplan), "original": block.original,
        "instances": {name: dataclasses.asdict(instance) for name, instance in block.instances.items()},
        "ports": {net: dataclasses.asdict(port) for net, port in block.ports.items()},
        "path": layout.path, "wire_ff": {net: round(layout.extraction.total(net), 4) for net in block.nets()}}))


@dataclasses.dataclass(frozen=True)
class Saved:
    """What save() has written."""

    block: Block
    wire_ff: dict[str, float]  # of each net
    path: list[str]  # the pins of the slowest path


def restore(file: pathlib.Path, technology: Technology) -> Saved:
    """Raises FlowError if the file is not there."""
    try:
        saved = json.loads(file.read_text())
    except OSError as error:
        raise FlowError(f"{file}: cannot be read: {error.strerror}; without build-synth/measured it is made again") from None
    block = Block(saved["top"], technology.lef)
    block.floorplan = blocks.Floorplan(**saved["floorplan"])
    block.original = saved["original"]
    block.instances = {name: blocks.Instance(**instance) for name, instance in saved["instances"].items()}
    block.ports = {net: blocks.Port(**port | {"place": tuple(port["place"])}) for net, port in saved["ports"].items()}
    return Saved(block, saved["wire_ff"], saved["path"])
