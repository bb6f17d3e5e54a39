# SPDX-License-Identifier: MIT
"""Power of a mapped netlist from its own toggle counts over a kernel's decisions.

OpenSTA knows what a toggle of a cell costs at its load and slew, but it takes toggle rates only for
flip-flops and inputs of cells; those of a gate's output it works out as if the inputs were
independent, which is several times too many where they are not. So for gates only its energies count:
the internal energy per toggle, as the mean over all gates of a kind (of one gate, where the estimated
rate is near nothing, the quotient would be meaningless), times the toggles that were counted; and
C V^2 / 2 per toggle for what they drive.

Before layout, without glitches and without a clock tree: good for comparing schedulers on one
library, not for a power budget.
"""

import dataclasses
import pathlib
import re

from flow import activity, functions, liberty, targets, timing, yosys
from flow.activity import Activity
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.library import Library
from flow.liberty import Liberty
from flow.netlist import Netlist

MHZ = 100
# How far OpenSTA's switching power of flip-flops may be from C V^2 / 2 before the units are in doubt; it
# takes pin capacitances for rise and fall apart.
_TOLERANCE = 0.1


def _clock(netlist: Netlist) -> int:
    return netlist.modules[netlist.top]["ports"]["clk_i"]["bits"][0]


def _pins(netlist: Netlist, counted: dict[int, Activity]) -> str:
    """Commands that set the activity of every port and pin: where some are left out, OpenSTA guesses."""
    lines = []

    def let(pin: str, bit: int | str) -> None:
        if isinstance(bit, int):
            if bit not in counted:
                raise FlowError(f"{pin}: nothing was counted for its net")
            lines.append(f"sta::set_power_pin_activity [sta::find_pin {{{pin}}}] "
                         f"{counted[bit].toggles:.7g} {counted[bit].ones:.7g}")

    for name, port in netlist.modules[netlist.top]["ports"].items():
        for i, bit in enumerate(port["bits"]):
            if bit != _clock(netlist):
                let(f"{name}[{i}]" if len(port["bits"]) > 1 else name, bit)
    for name, cell in netlist.cells().items():
        for pin, bits in cell["connections"].items():
            if bits and bits[0] != _clock(netlist):
                let(f"{name}/{pin}", bits[0])
    return "\n".join(lines)


@dataclasses.dataclass(frozen=True)
class Drive:
    """What an instance drives: W at MHZ if it toggled once per cycle, and its toggles per cycle."""

    watts: float
    toggles: float


def drives(netlist: Netlist, cells: Liberty, load_ff: float, counted: dict[int, Activity]) -> dict[str, list[Drive]]:
    """Of every output of every instance: C V^2 / 2 at MHZ, and the counted toggles."""
    known = {kind: functions.read(cells, cells.cells[kind])
             for kind in {cell["type"] for cell in netlist.cells().values()}}
    pf = liberty.capacitance_unit_pf(cells, f"library {cells.name}")
    load_pf: dict[int, float] = {}
    for cell in netlist.cells().values():
        for pin, bits in cell["connections"].items():
            if bits and cell["port_directions"][pin] == "input" and isinstance(bits[0], int):
                load_pf[bits[0]] = load_pf.get(bits[0], 0.0) + pf * known[cell["type"]].capacitance[pin]
    for port in netlist.modules[netlist.top]["ports"].values():
        for bit in port["bits"]:
            if port["direction"] == "output" and isinstance(bit, int):
                load_pf[bit] = load_pf.get(bit, 0.0) + load_ff / 1000
    voltage = re.search(r"\bnom_voltage\s*:\s*([0-9.]+)", cells.text)
    if not voltage:
        raise FlowError(f"library {cells.name} has no nom_voltage")
    per_pf = 0.5e-12 * float(voltage[1]) ** 2 * MHZ * 1e6
    return {name: [Drive(per_pf * load_pf.get(bits[0], 0.0), counted[bits[0]].toggles)
                   for pin, bits in cell["connections"].items()
                   if bits and cell["port_directions"][pin] == "output"]
            for name, cell in netlist.cells().items()}


def scaled(netlist: Netlist, reported: dict[str, list[float]], driven: dict[str, list[Drive]]) -> dict[str, float]:
    """Sums in W: what OpenSTA reports per instance (internal, switching, leakage), gates at the
    counted rates. Raises FlowError if the flip-flops show that units differ."""
    total = {"clocked": 0.0, "gates": 0.0, "leakage": 0.0}
    register_reported = register_counted = 0.0
    # By kind of gate: internal power, the rate that OpenSTA gave it, and the counted rate.
    kinds: dict[str, list[float]] = {}
    for name, cell in netlist.cells().items():
        if name not in reported:
            raise FlowError(f"sta: no power was reported for {name}")
        internal, switched, leakage = reported[name][:3]
        switching = sum(drive.watts * drive.toggles for drive in driven[name])
        total["leakage"] += leakage
        if netlist.library[cell["type"]].is_flipflop:
            total["clocked"] += internal + switched
            register_reported += switched
            register_counted += switching
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


def measure(configuration: Configuration, library: Library, target: int, recording: pathlib.Path,
            folder: pathlib.Path) -> dict:
    """mW of a configuration at MHZ, mapped with a target of the sweep, over a recorded run."""
    yosys.elaborate(configuration, folder)
    mapped = yosys.map_cells(configuration, library, targets.read(library)[target].script, folder, "power")
    cells = liberty.parse(library.file.read_text(), str(library.file))
    cycles, counted = activity.count(mapped, cells, recording.read_text().splitlines(),
                                     configuration.parameters()["LENGTH_W"], folder)
    script = (timing.constraints(library, mapped, folder / "power.v", 1000 / MHZ) + _pins(mapped, counted)
              + "\nreport_power -instances [get_cells *] -digits 8\n")
    output = timing.execute(script, folder, "power.sta")
    reported = {name: [float(value) for value in values.split()] for values, name in re.findall(
        r"(?m)^ *((?:-?[0-9.]+e[-+]\d+ +){4})(\S+)$", output)}
    watts = scaled(mapped, reported, drives(mapped, cells, library.load_ff, counted))
    return {
        "recording": recording.stem.rsplit("_", 1)[0], "cycles": cycles, "mhz": MHZ,
        "clocked_mw": round(1000 * watts["clocked"], 6), "gates_mw": round(1000 * watts["gates"], 6),
        "leakage_mw": round(1000 * watts["leakage"], 9),
        "toggles_per_cycle": round(sum(a.toggles for a in counted.values()), 2)}
