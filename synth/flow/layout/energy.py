# SPDX-License-Identifier: MIT
"""Energy of a routed block over a recorded kernel, by part: flip-flops, clock tree, gates, wires, glitches.

The method is that of flow.power; wires are those of extraction, the clock's cells and nets those of the tree, and toggles of
gates are counted in a simulation with delays.
"""

import dataclasses
import pathlib

from flow import activity, clocks, power, store
from flow import netlist as netlists
from flow.cell_library import Library
from flow.configurations import Configuration
from flow.layout import block as blocks
from flow.layout import delays, export, job, lay_out, signoff, technology
from flow.layout.signoff import Timing
from flow.layout.technology import Technology


@dataclasses.dataclass(frozen=True)
class Energy:
    """pJ per cycle, as the mean over the recording; `leakage_mw` in mW."""

    flipflops: float  # and latches
    clock_cells: float  # buffers and gates of the tree
    clock_nets: float  # pins of the clock's nets, without wires
    clock_wires: float
    gates: float  # with the pins that they and flip-flops drive, one settled state per cycle
    wires: float  # of all other nets
    glitches: float  # what gates and their nets toggle beyond that
    leakage_mw: float
    glitch_toggles: float  # share of all toggles of gates


# What is a part of the whole.
PARTS = ("flipflops", "clock_cells", "clock_nets", "clock_wires", "gates", "wires", "glitches")


def measure(configuration: Configuration, library: Library, layout: str, recording: pathlib.Path, folder: pathlib.Path) -> dict:
    """Of a layout that is stored under this key. Raises FlowError if it does not decide as recorded."""
    found = Timing(**store.find(layout)["timing"])
    return of_block(configuration, technology.load(library), job.folder_of(layout), found, recording, folder,
                    configuration.parameters()["LENGTH_W"])


def of_block(configuration: Configuration, technology: Technology, kept: pathlib.Path, found: Timing, recording: pathlib.Path,
             folder: pathlib.Path, length_bits: int) -> dict:
    """Of the layout whose files are in `kept`, at the clock that was found for it."""
    saved = lay_out.restore(kept / "layout.json", technology)
    block = saved.block
    mapped = netlists.read(kept / "netlist.json", configuration.top, technology.logic.cells)
    whole = blocks.to_netlist(block, mapped, technology.liberty.cells)
    lines = recording.read_text().splitlines()
    export.write_verilog(block, folder / "routed.v")
    cycles, settled = activity.count(whole, technology.liberty, lines[:delays.CYCLES], length_bits, folder)
    toggles = delays.simulate(block, mapped, technology, found, kept / "routed.spef", lines, length_bits, folder)
    laid = blocks.to_netlist(block, mapped, technology.liberty.cells, layout_names=True)
    numbers = {net: entry["bits"][0] for net, entry in laid.modules[laid.top]["netnames"].items()}
    network = clocks.find(laid, power.known_functions(laid, technology.liberty))
    # No net toggles less with delays. Icarus begins with unknown values, and a change from one is none.
    glitching = {bit: activity.Activity(max(toggles[net], settled[bit].toggles), settled[bit].ones)
                 if net in toggles and bit not in network.nets else settled[bit]
                 for net, bit in numbers.items() if bit in settled}
    wires_pf = {numbers[net]: value / 1000 for net, value in saved.wire_ff.items()}
    constraints = "\n".join([signoff.script(block, technology, folder, kept / "routed.spef"),
                             export.period_script(block, technology, 1000 / power.MHZ, found.latency)])
    reported, still = power.report(constraints, laid, network.nets, settled, folder)
    clock = power.clock_power(laid, technology.liberty, settled, {name: values[0] for name, values in still.items()})

    def watts(counted: dict[int, activity.Activity], wires: dict[int, float]) -> dict[str, float]:
        driven = power.drives(laid, technology.liberty, technology.logic.load_ff, counted, wires)
        return power.scaled(laid, reported, driven, clock)

    bare_driven = power.drives(laid, technology.liberty, technology.logic.load_ff, settled)
    cells = sum(power.of_clock(laid.cells()[name], laid, reported[name][0], bare_driven[name]) for name in clock.cells)
    all_wires, glitched = watts(settled, wires_pf), watts(glitching, wires_pf)
    clock_wires = {bit: pf for bit, pf in wires_pf.items() if bit in network.nets}
    clock_bare, clock_wired = watts(settled, wires_pf | dict.fromkeys(clock_wires, 0.0)), all_wires
    signal_wires = sum(power.drive_of_wire(pf, technology.liberty) * settled[bit].toggles
                       for bit, pf in wires_pf.items() if bit in settled and bit not in network.nets)

    def pj(value: float) -> float:
        return round(value / power.MHZ * 1e6, 4)

    gates = [bit for name, cell in laid.cells().items() if not technology.is_flipflop(cell["type"]) and name not in network.cells
             for pin, bits in cell["connections"].items() if cell["port_directions"][pin] == "output" for bit in bits]
    before, after = (sum(counted[bit].toggles for bit in gates) for counted in (settled, glitching))
    return {"cycles": cycles, "recording": recording.stem.rsplit("_", 1)[0]} | dataclasses.asdict(Energy(
        flipflops=pj(all_wires["clocked"] - cells), clock_cells=pj(cells), clock_nets=pj(clock_bare["clock_nets"]),
        clock_wires=pj(clock_wired["clock_nets"] - clock_bare["clock_nets"]), gates=pj(all_wires["gates"] - signal_wires),
        wires=pj(signal_wires), glitches=pj(glitched["gates"] - all_wires["gates"]),
        leakage_mw=round(1000 * all_wires["leakage"], 9), glitch_toggles=round(1 - before / after, 4)))
