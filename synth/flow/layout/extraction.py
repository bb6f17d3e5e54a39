# SPDX-License-Identifier: MIT
"""What magic finds in the routed block: which pins are connected, the capacitances of the wires, breaches of design rules.

Cells are their LEF views, so that a capacitance is one of wires: what is inside a cell is in the library's figures.
"""

import dataclasses
import functools
import pathlib
import re
import shutil

from flow import tools
from flow.errors import FlowError
from flow.layout.block import Block

_SCRIPT = """
drc off
lef read {lef}
def read {routed}
load {top}
select top cell
extract do local
extract all
ext2spice cthresh 0
ext2spice rthresh infinite
ext2spice subcircuit on
ext2spice format ngspice
ext2spice
drc on
drc catchup
foreach {{why boxes}} [drc listall why] {{ puts "RULE [llength $boxes] $why: [lindex $boxes 0]" }}
puts FINISHED
quit -noprompt
"""
_RAILS = ("vdd", "gnd")


@dataclasses.dataclass
class Extraction:
    """Capacitances in fF: of each net to rails and ground, and between two nets (in the order of their names)."""

    ground: dict[str, float]
    coupling: dict[tuple[str, str], float]
    breaches: dict[str, int]  # of design rules, by rule

    def neighbours(self, net: str) -> list[tuple[str, float]]:
        """The nets beside a net, with the fF between both."""
        return sorted(self._neighbours.get(net, {}).items())

    def total(self, net: str) -> float:
        """fF of a net, neighbours included."""
        return self.ground.get(net, 0.0) + sum(self._neighbours.get(net, {}).values())

    @functools.cached_property
    def _neighbours(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        for (one, other), value in self.coupling.items():
            found.setdefault(one, {})[other] = value
            found.setdefault(other, {})[one] = value
        return found


def _pin_orders(block: Block, folder: pathlib.Path) -> dict[str, list[str]]:
    """Of each kind of cell, the order of pins in the netlist that magic writes."""
    orders = {}
    for kind in {instance.kind for instance in block.instances.values()}:
        ports = re.findall(r'(?m)^port "([^"]+)" (\d+)', (folder / f"{kind}.ext").read_text())
        orders[kind] = [name for name, _ in sorted(set(ports), key=lambda port: int(port[1]))]  # one line for each shape
    return orders


def _connections(block: Block, folder: pathlib.Path, text: str) -> dict[str, str]:
    """magic's name of each net of the block. Raises FlowError that names a net which is open, or shorted to another."""
    orders = _pin_orders(block, folder)
    found: dict[str, tuple[str, str]] = {}  # net: magic's name, a pin
    owner: dict[str, str] = {}

    def meet(net: str, name: str, where: str) -> None:
        if net in found and found[net][0] != name:
            raise FlowError(f"net {net} is open: {where} is not connected with {found[net][1]}")
        if owner.setdefault(name, net) != net:
            raise FlowError(f"nets {net} and {owner[name]} are shorted at {where}")
        found.setdefault(net, (name, where))

    for port in block.ports:
        meet(port, port, f"port {block.ports[port].name}")
    seen = set()
    for line in text.splitlines():
        words = line.split()
        if not words or not words[0].startswith("X") or words[-1] == "FILL":
            continue
        name, kind, nets = words[0][1:], words[-1], words[1:-1]
        if name not in block.instances or block.instances[name].kind != kind or len(nets) != len(orders[kind]):
            raise FlowError(f"the layout has a cell {name} ({kind}) that the netlist lacks")
        seen.add(name)
        for pin, at in zip(orders[kind], nets):
            if pin in block.instances[name].pins:
                meet(block.instances[name].pins[pin], at, f"{name}/{pin}")
            elif pin not in _RAILS and at in owner:
                raise FlowError(f"pin {name}/{pin}, which has no net, is connected with net {owner[at]}")
    if missing := set(block.instances) - seen:
        raise FlowError(f"cell {min(missing)} is not in the layout")
    return {name: net for net, (name, _) in found.items()}


def extract(block: Block, folder: pathlib.Path, lef: pathlib.Path, technology: pathlib.Path) -> Extraction:
    """Reads `folder`/routed.def with a technology file, which is named without .tech. Raises FlowError if the layout is not
    the netlist's."""
    work = folder / "magic"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    script = work / "extract.tcl"
    script.write_text(_SCRIPT.format(lef=lef, routed=folder / "routed.def", top=block.top))
    text = tools.run(["magic", "-dnull", "-noconsole", "-rcfile", "/dev/null", "-T", str(technology), "extract.tcl"],
                     folder / "magic.log", folder=work)
    if "FINISHED" not in text:
        raise FlowError(f"magic ended early (log: {folder}/magic.log)")
    spice = re.sub(r"\n\+", " ", (work / f"{block.top}.spice").read_text())
    nets = _connections(block, work, spice)
    ground: dict[str, float] = {}
    coupling: dict[tuple[str, str], float] = {}
    for one, other, value in re.findall(r"(?m)^C\d+ (\S+) (\S+) ([0-9.e+-]+)fF", spice):
        ends = sorted(nets[end] for end in (one, other) if end in nets)
        if len(ends) == 2:
            coupling[ends[0], ends[1]] = coupling.get((ends[0], ends[1]), 0.0) + float(value)
        elif ends:
            ground[ends[0]] = ground.get(ends[0], 0.0) + float(value)
    return Extraction(ground, coupling, {why: int(count) for count, why in re.findall(r"(?m)^RULE (\d+) (.*)$", text)})
