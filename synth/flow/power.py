# SPDX-License-Identifier: MIT
"""Power of a mapped netlist from its own toggle counts over a kernel's decisions.

OpenSTA knows what a toggle of a cell costs at its load and slew, but it takes toggle rates only for
flip-flops and inputs of cells; those of a gate's output it works out as if the inputs were
independent, which is several times too many where they are not. So for gates only its energies count:
the internal energy per toggle, as the mean over all gates of a kind (of one gate, where the estimated
rate is near nothing, the quotient would be meaningless), times the toggles that were counted; and
C V^2 / 2 per toggle for what they drive.

A flip-flop behind a clock gate takes OpenSTA's energy of a clock edge only in cycles in which its gate was counted
open: OpenSTA has every clock run. A gate takes its own in every cycle; an integrated one, of which OpenSTA
does not tell the output apart, as if it were always open. Every net of the clock takes C V^2 for the pins that it drives,
when it toggles.

Before layout, without glitches and without a clock tree: good for comparing schedulers on one
library, not for a power budget.
"""

import dataclasses
import pathlib
import re

from flow import activity, clocks, functions, liberty, targets, timing, yosys
from flow.activity import Activity
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.cell_library import Library
from flow.liberty import Liberty
from flow.netlist import Netlist

MHZ = 100
# How far OpenSTA's switching power of flip-flops may be from C V^2 / 2 before the units are in doubt.
_TOLERANCE = 0.05


def known_functions(netlist: Netlist, cells: Liberty) -> dict[str, functions.Function]:
    return {kind: functions.read(cells, cells.cells[kind])
            for kind in {cell["type"] for cell in netlist.cells().values()}}


def pin_activities(netlist: Netlist, clock_nets: frozenset[int], counted: dict[int, Activity], still: bool = False) -> str:
    """Commands that set the activity of every port and pin but the clock's, at rest if `still`: where some are left
    out, OpenSTA guesses."""
    lines = []

    def let(pin: str, bit: int | str) -> None:
        if isinstance(bit, int):
            if bit not in counted:
                raise FlowError(f"{pin}: nothing was counted for its net")
            lines.append(f"sta::set_power_pin_activity [sta::find_pin {{{pin}}}] "
                         f"{0 if still else counted[bit].toggles:.7g} {counted[bit].ones:.7g}")

    for name, port in netlist.modules[netlist.top]["ports"].items():
        for i, bit in enumerate(port["bits"]):
            if bit not in clock_nets:
                let(f"{name}[{i}]" if len(port["bits"]) > 1 else name, bit)
    for name, cell in netlist.cells().items():
        for pin, bits in cell["connections"].items():
            if bits and bits[0] not in clock_nets:
                let(f"{name}/{pin}", bits[0])
    return "\n".join(lines)


@dataclasses.dataclass(frozen=True)
class Drive:
    """What an instance drives: W at MHZ if it toggled once per cycle, and its toggles per cycle. A pin has more than its
    capacitance as it rises and less as it falls, or the other way round (up to 1.8 times in SG13G2); OpenSTA takes the
    larger one for both, which is `largest_watts`."""

    watts: float
    toggles: float
    largest_watts: float


def drive_of_wire(pf: float, cells: Liberty) -> float:
    """C V^2 / 2 at MHZ, in W for one toggle per cycle."""
    voltage = re.search(r"\bnom_voltage\s*:\s*([0-9.]+)", cells.text)
    if not voltage:
        raise FlowError(f"library {cells.name} has no nom_voltage")
    return pf * 0.5e-12 * float(voltage[1]) ** 2 * MHZ * 1e6


def drives(netlist: Netlist, cells: Liberty, load_ff: float, counted: dict[int, Activity],
           wires_pf: dict[int, float] | None = None) -> dict[str, list[Drive]]:
    """Of every output of every instance, and of the clock's port: C V^2 / 2 at MHZ, and the counted toggles. `wires_pf` is
    what the nets' wires have, after layout."""
    known = known_functions(netlist, cells)
    pf = liberty.capacitance_unit_pf(cells, f"library {cells.name}")
    load_pf: dict[int, float] = dict(wires_pf or {})
    largest_pf: dict[int, float] = dict(wires_pf or {})
    for cell in netlist.cells().values():
        for pin, bits in cell["connections"].items():
            if bits and cell["port_directions"][pin] == "input" and isinstance(bits[0], int):
                function = known[cell["type"]]
                mean = function.capacitance[pin]
                load_pf[bits[0]] = load_pf.get(bits[0], 0.0) + pf * mean
                largest_pf[bits[0]] = (largest_pf.get(bits[0], 0.0)
                                       + pf * max(mean, function.largest_capacitance.get(pin, 0.0)))
    for port in netlist.modules[netlist.top]["ports"].values():
        for bit in port["bits"]:
            if port["direction"] == "output" and isinstance(bit, int):
                load_pf[bit] = load_pf.get(bit, 0.0) + load_ff / 1000
                largest_pf[bit] = largest_pf.get(bit, 0.0) + load_ff / 1000
    per_pf = drive_of_wire(1.0, cells)
    root = clocks.find(netlist, known).root

    def drive(bit: int, toggles: float) -> Drive:
        return Drive(per_pf * load_pf.get(bit, 0.0), toggles, per_pf * largest_pf.get(bit, 0.0))

    port = {clocks.PORT: [drive(root, 2.0)]} if root is not None else {}
    return port | {name: [drive(bits[0], counted[bits[0]].toggles)
                          for pin, bits in cell["connections"].items()
                          if bits and cell["port_directions"][pin] == "output"]
                   for name, cell in netlist.cells().items()}


@dataclasses.dataclass(frozen=True)
class ClockPower:
    """What the clock has to do with instances: the cells that pass it on, in which share of the cycles that flip-flops
    (and cells that pass it on) see an edge, and the W that OpenSTA reports for them with all data at rest."""

    cells: tuple[str, ...]
    rates: dict[str, float]
    still: dict[str, float]


def clock_power(netlist: Netlist, cells: Liberty, counted: dict[int, Activity], still: dict[str, float]) -> ClockPower:
    """From the counts of the clock's nets."""
    known = known_functions(netlist, cells)
    network = clocks.find(netlist, known)
    rates = {}
    for name, cell in netlist.cells().items():
        function = known[cell["type"]]
        if function.next_state is not None:
            rates[name] = counted[clocks.of_flipflop(name, cell, function, network)].toggles / 2
    return ClockPower(network.cells, rates, still)


def of_clock(cell: dict, netlist: Netlist, internal: float, driven: list[Drive]) -> float:
    """Internal W of a cell that passes the clock on: a plain gate's at the rate of its output."""
    return internal if netlist.cell_library[cell["type"]].is_clock_gate else internal * driven[0].toggles / 2


def scaled(netlist: Netlist, reported: dict[str, list[float]], driven: dict[str, list[Drive]],
           clock: ClockPower) -> dict[str, float]:
    """Sums in W: what OpenSTA reports per instance (internal, switching, leakage), gates and clocks at the
    counted rates. Raises FlowError if the flip-flops show that units differ."""
    total = {"clocked": 0.0, "clock_nets": sum(d.watts * d.toggles for d in driven.get(clocks.PORT, [])),
             "gates": 0.0, "leakage": 0.0}
    register_reported = register_counted = 0.0
    # By kind of gate: internal power, the rate that OpenSTA gave it, and the counted rate.
    kinds: dict[str, list[float]] = {}
    for name, cell in netlist.cells().items():
        if name not in reported:
            raise FlowError(f"sta: no power was reported for {name}")
        internal, switched, leakage = reported[name][:3]
        switching = sum(drive.watts * drive.toggles for drive in driven[name])
        total["leakage"] += leakage
        if name in clock.cells:
            total["clocked"] += of_clock(cell, netlist, internal, driven[name])
            total["clock_nets"] += switching
            continue
        if netlist.cell_library[cell["type"]].is_latch:
            total["clocked"] += internal + switching
            continue
        if netlist.cell_library[cell["type"]].is_flipflop:
            total["clocked"] += internal - (1 - clock.rates[name]) * clock.still.get(name, 0.0) + switched
            register_reported += switched
            register_counted += sum(drive.largest_watts * drive.toggles for drive in driven[name])
            continue
        total["gates"] += switching
        full = sum(drive.watts for drive in driven[name])
        sums = kinds.setdefault(cell["type"], [0.0, 0.0, 0.0])
        if full > 0:
            sums[0] += internal
            sums[1] += switched / full
            sums[2] += switching / full
    everything = [sum(column) for column in zip(*kinds.values())]
    for sums in kinds.values():
        # A kind that is hardly used and is estimated to rest has the energy of the mean gate.
        internal, estimated, _ = sums if sums[1] > sums[2] / 10 else everything
        total["gates"] += internal / estimated * sums[2] if sums[2] > 0 else 0.0
    if not abs(register_reported / register_counted - 1) < _TOLERANCE:
        raise FlowError(f"sta: flip-flops switch {register_reported:g} W, but by their counts "
                        f"{register_counted:g} W")
    return total


def report(constraints: str, netlist: Netlist, clock_nets: frozenset[int], counted: dict[int, Activity],
           folder: pathlib.Path) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """What OpenSTA reports of each instance in W (internal, switching, leakage, all): as counted, and with all data at rest."""
    command = "\nputs {}\nreport_power -instances [get_cells *] -digits 8\n"
    script = (constraints + "\n" + pin_activities(netlist, clock_nets, counted) + command.format("COUNTED")
              + pin_activities(netlist, clock_nets, counted, still=True) + command.format("STILL"))
    output = timing.execute(script, folder, "power.sta").partition("\nSTILL\n")
    reported, still = ({name: [float(value) for value in values.split()] for values, name in re.findall(
        r"(?m)^ *((?:-?[0-9.]+e[-+]\d+ +){4})(\S+)$", text)} for text in (output[0], output[2]))
    return reported, still


def measure(configuration: Configuration, library: Library, target: int, recording: pathlib.Path,
            folder: pathlib.Path) -> dict:
    """mW of a configuration at MHZ, mapped with a target of the sweep, over a recorded run."""
    yosys.elaborate(configuration, folder)
    mapped = yosys.map_cells(configuration, library, targets.read(library)[target].script, folder, "power")
    cells = liberty.parse(library.file.read_text(), str(library.file))
    cycles, counted = activity.count(mapped, cells, recording.read_text().splitlines(),
                                     configuration.parameters()["LENGTH_W"], folder)
    nets = clocks.find(mapped, known_functions(mapped, cells)).nets
    reported, still = report(timing.constraints(library, mapped, folder / "power.v", 1000 / MHZ), mapped, nets, counted, folder)
    clock = clock_power(mapped, cells, counted, {name: values[0] for name, values in still.items()})
    watts = scaled(mapped, reported, drives(mapped, cells, library.load_ff, counted), clock)
    return {
        "recording": recording.stem.rsplit("_", 1)[0], "cycles": cycles, "mhz": MHZ,
        "clocked_mw": round(1000 * watts["clocked"], 6),
        "clock_nets_mw": round(1000 * watts["clock_nets"], 6), "gates_mw": round(1000 * watts["gates"], 6),
        "leakage_mw": round(1000 * watts["leakage"], 9),
        "toggles_per_cycle": round(sum(a.toggles for a in counted.values()), 2)}
