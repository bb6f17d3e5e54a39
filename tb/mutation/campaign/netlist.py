# SPDX-License-Identifier: MIT
"""The scheduler as a function: outputs and next state of inputs and state, with faults in it.

RTL-level cells, before any mapping, so that a fault is a fault of an expression of the source and can
be found there. The flip-flops are taken out: the state comes in and the next state goes out at ports of
their own. So faults are the same in simulation, where a wrapper puts the flip-flops back, and in
proofs, where nothing is left to unroll. Resets and enables are multiplexers before the flip-flops by
then; the clock is the one thing that has no faults.
"""

import dataclasses
import json
import pathlib
import re

from .configurations import Campaign
from .errors import CampaignError
from .tools import rtl_sources, yosys

# These warnings mean that Yosys has understood something else than what is written.
MISREAD = "implicitly declared|is assigned in a block|out of bounds"
# What the function is called as a module.
MODULE = "scheduler"


@dataclasses.dataclass(frozen=True)
class Port:
    name: str
    width: int

    @property
    def declaration(self) -> str:
        return f"[{self.width - 1}:0] {self.name}"


@dataclasses.dataclass(frozen=True)
class Interface:
    """Ports of the function, without the clock. State s comes in at q_s and goes out at d_s."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    state: tuple[Port, ...]


def _state_name(net: str) -> str:
    """u_places.place_q[0] is u_places_place_q_0: without the generate blocks, and an identifier."""
    parts = [part for part in net.split(".") if not part.startswith("gen_")]
    return re.sub(r"\W+", "_", "_".join(parts)).strip("_")


def _without_flip_flops(module: dict) -> Interface:
    """Turns the flip-flops of a module in Yosys's JSON into ports."""
    following = {}  # bit of Q: bit of D
    for name, cell in list(module["cells"].items()):
        if cell["type"] == "$dff":
            following |= dict(zip(cell["connections"]["Q"], cell["connections"]["D"]))
            del module["cells"][name]
        elif "clk" in str(cell["connections"].keys()).lower():
            raise CampaignError(f"a register that is no plain flip-flop: {cell['type']} {name}")
    state = []
    held = set()
    for net, wire in module["netnames"].items():
        if wire.get("hide_name") or not re.search(r"_q(\[\d+\])?$", net):
            continue
        if not all(bit in following for bit in wire["bits"]) or held & set(wire["bits"]):
            continue
        held |= set(wire["bits"])
        port = Port(_state_name(net), len(wire["bits"]))
        state.append(port)
        module["ports"][f"q_{port.name}"] = {"direction": "input", "bits": wire["bits"]}
        module["ports"][f"d_{port.name}"] = {"direction": "output",
                                             "bits": [following[bit] for bit in wire["bits"]]}
    if held != set(following):
        raise CampaignError("a flip-flop belongs to no register that is called ..._q")
    ports = module["ports"]
    del ports["clk_i"]
    for name, port in ports.items():
        if name.startswith(("q_", "d_")):
            module["netnames"][name] = {"hide_name": 0, "bits": port["bits"], "attributes": {}}
    inputs = tuple(Port(name, len(port["bits"])) for name, port in ports.items()
                   if port["direction"] == "input" and not name.startswith("q_"))
    outputs = tuple(Port(name, len(port["bits"])) for name, port in ports.items()
                    if port["direction"] == "output" and not name.startswith("d_"))
    return Interface(inputs, outputs, tuple(sorted(state, key=lambda port: port.name)))


def elaborate(campaign: Campaign, output: pathlib.Path) -> Interface:
    """Writes the function as `output`, in Yosys's JSON, module "scheduler"."""
    parameters = " ".join(f"-chparam {name} {value}" for name, value in campaign.parameters.items())
    yosys(f"""
        read_verilog -sv {' '.join(rtl_sources())}
        hierarchy -check -top {campaign.top} {parameters}
        prep -flatten -top {campaign.top}
        dffunmap
        opt_clean
        rename {campaign.top} {MODULE}
        write_json {output}
        """, errors=MISREAD)
    design = json.loads(output.read_text())
    interface = _without_flip_flops(design["modules"][MODULE])
    output.write_text(json.dumps(design, indent=0, sort_keys=True))
    return interface


def wrapper(campaign: Campaign, interface: Interface, fault_width: int) -> str:
    """Verilog of the module that Verilator takes for the scheduler: the function with its flip-flops,
    and with the fault that the program names."""
    lines = [f"module {campaign.top} ("]
    lines += [f"  input wire {port.declaration}," for port in interface.inputs]
    lines += [f"  output wire {port.declaration}," for port in interface.outputs]
    lines += ["  input wire clk_i", ");",
              '  import "DPI-C" function int paws_fault();',
              f"  reg [{fault_width - 1}:0] fault;",
              f"  initial fault = {fault_width}'(paws_fault());"]
    for port in interface.state:
        lines += [f"  reg [{port.width - 1}:0] q_{port.name};",
                  f"  wire [{port.width - 1}:0] d_{port.name};",
                  f"  always @(posedge clk_i) q_{port.name} <= d_{port.name};"]
    names = [port.name for port in (*interface.inputs, *interface.outputs)]
    names += [f"{side}_{port.name}" for port in interface.state for side in "qd"]
    connections = ", ".join(f".{name}({name})" for name in [*names, "fault"])
    lines += [f"  {MODULE} u_function ({connections});", "endmodule", ""]
    return "\n".join(lines)
