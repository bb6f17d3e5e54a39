# SPDX-License-Identifier: MIT
"""The layout of a configuration as a measurement: its fastest mapping, laid out, proved and kept."""

import dataclasses
import pathlib
import shutil

from flow import equivalence, store, sweep, targets, yosys
from flow.cell_library import Library
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.layout import block as blocks
from flow.layout import lay_out, technology
from flow.netlist import Netlist
from flow.paths import BUILD

# The modules of this folder that decide how a layout turns out: all but those that look at one that is there.
_LOOK = ("delays.py", "energy.py", "picture.py")
DECIDES = tuple(sorted(file.name for file in pathlib.Path(__file__).parent.glob("*.py") if file.name not in _LOOK))
_KEPT = ("routed.def", "routed.v", "routed.spef", "slow.spef", "netlist.json")


def folder_of(key: str) -> pathlib.Path:
    """Where the files of a layout are kept: DEF, Verilog, SPEF."""
    return BUILD / "layouts" / key


def _proved(configuration: Configuration, netlist: Netlist, tools: technology.Technology, folder: pathlib.Path) -> str:
    """Raises FlowError if the routed netlist is not the RTL."""
    rtl = equivalence.of_rtl(equivalence.elaborate(configuration, folder))
    mapped = equivalence.of_netlist(netlist, tools.liberty)
    pairing = equivalence.write(rtl, mapped, equivalence.holders(folder), folder)
    difference = equivalence.prove(folder)
    if difference:
        raise FlowError(f"the routed netlist is not the RTL: {difference}")
    return pairing.text()


def measure(configuration: Configuration, library: Library, seed: int, edges: str, key: str, folder: pathlib.Path) -> dict:
    """Lays out the mapping with the highest clock. Raises FlowError if it cannot be routed, or fails a check."""
    tools = technology.load(library)
    swept = sweep.measure(configuration, library, folder)
    best = swept["runs"][swept["best"]]
    yosys.elaborate(configuration, folder)
    mapped = yosys.map_cells(configuration, library, targets.read(library)[swept["best"]].script, folder, "netlist")
    done = lay_out.lay_out(mapped, tools, seed, edges, folder)
    registers = _proved(configuration, blocks.to_netlist(done.block, mapped, tools.liberty.cells), tools, folder)
    if not store.rtl_is_as_before():
        raise FlowError("the RTL has changed since the command was started; start it again")
    lay_out.save(done, folder / "layout.json")
    target = folder_of(key)
    target.mkdir(parents=True, exist_ok=True)
    for name in (*_KEPT, "layout.json"):
        shutil.copy(folder / name, target / name)
    wire = sum(segment.length for route in done.routes.values() for segment in route.segments)
    return {"kept_seconds": swept["kept_seconds"], "seed": seed, "edges": edges, "wireless_ns": best["period_ns"],
            "placed": dataclasses.asdict(done.placed), "timing": dataclasses.asdict(done.timing),
            "slow": dataclasses.asdict(done.slow), "core_um2": round(done.block.core_um2, 1),
            "cells_um2": round(done.block.cells_um2, 1), "mapped_um2": best["area_um2"], "cells": len(done.block.instances),
            "wire_um": round(wire), "wire_ff": round(sum(map(done.extraction.total, done.block.nets()))),
            "clock_cells": done.clock_cells, "levels": done.levels, "kept": done.kept, "failed": done.failed,
            "registers": registers, "seconds": done.seconds}
