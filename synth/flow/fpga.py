# SPDX-License-Identifier: MIT
"""iCE40: LUTs and registers of a scheduler, and its routed clock.

A scheduler has more ports than the device has pins, so for routing it stands between shift registers:
every input comes from a register and every output goes into one. All paths are then between registers,
those from port to port too. LUTs and registers are counted without that harness.
"""

import json
import pathlib
import re

from flow import tools, yosys
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.paths import rtl_sources
from flow.sources import measured_sources

DEVICE = "hx8k"
PACKAGE = "ct256"
LOGIC_CELLS = 7680
SEEDS = (1, 2)
_NO_ROOM = re.compile(r"[Uu]nable to find a placement location|no BELs remaining|[Ff]ailed to (place|expand region)")


def harness(top: str, ports: dict[str, dict]) -> str:
    """Verilog of a module `harness` with four pins around a scheduler with these ports."""
    inputs = [(name, len(port["bits"])) for name, port in ports.items()
              if port["direction"] == "input" and name != "clk_i"]
    outputs = [(name, len(port["bits"])) for name, port in ports.items() if port["direction"] == "output"]
    connections, at = [".clk_i(clk)"], 0
    for name, width in inputs:
        connections.append(f".{name}(in_q[{at} +: {width}])")
        at += width
    out_at = 0
    for name, width in outputs:
        connections.append(f".{name}(out[{out_at} +: {width}])")
        out_at += width
    return f"""module harness (input clk, input data_i, output data_o);
  reg [{at - 1}:0] in_q;
  reg [{out_at - 1}:0] out_q;
  wire [{out_at - 1}:0] out;
  always @(posedge clk) in_q <= {{in_q[{at - 2}:0], data_i}};
  always @(posedge clk) out_q <= out ^ {{out_q[{out_at - 2}:0], 1'b0}};
  assign data_o = out_q[{out_at - 1}];
  {top} scheduler ({", ".join(connections)});
endmodule
"""


def _counts(netlist: dict, top: str) -> tuple[int, int]:
    types = [cell["type"] for cell in netlist["modules"][top]["cells"].values()]
    unknown = {kind for kind in types if not kind.startswith("SB_")}
    if unknown:
        raise FlowError(f"{top}: synth_ice40 has left {', '.join(sorted(unknown))}")
    return sum(kind == "SB_LUT4" for kind in types), sum(kind.startswith("SB_DFF") for kind in types)


def measure(configuration: Configuration, folder: pathlib.Path) -> dict:
    """LUTs, registers, and the clock of every seed; no clock where the scheduler does not fit."""
    files = " ".join(str(file) for file in measured_sources(folder, rtl_sources(configuration.top)))
    parameters = " ".join(f"-chparam {name} {value}" for name, value in configuration.changed)
    yosys.execute(f"""
        read_verilog -sv {files}
        hierarchy -check -top {configuration.top} {parameters}
        proc
        flatten
        rename -top scheduler
        clean
        write_rtlil {folder}/scheduler.il
        synth_ice40 -device hx -top scheduler -json {folder}/alone.json
        """, folder, "alone")
    alone = json.loads((folder / "alone.json").read_text())
    luts, registers = _counts(alone, "scheduler")
    result = {"luts": luts, "registers": registers, "fmax_mhz": []}
    if max(luts, registers) > LOGIC_CELLS:
        return result
    (folder / "harness.v").write_text(harness("scheduler", alone["modules"]["scheduler"]["ports"]))
    yosys.execute(f"""
        read_rtlil {folder}/scheduler.il
        read_verilog {folder}/harness.v
        synth_ice40 -device hx -top harness -json {folder}/harness.json
        """, folder, "harness")
    for seed in SEEDS:
        report = folder / f"seed{seed}.json"
        try:
            tools.run(["nextpnr-ice40", f"--{DEVICE}", "--package", PACKAGE, "--json",
                       f"{folder}/harness.json", "--seed", str(seed), "--freq", "100", "--timing-allow-fail",
                       "--pcf-allow-unconstrained", "--quiet", "--report", str(report)], folder / f"seed{seed}.log")
        except FlowError as error:
            if _NO_ROOM.search(str(error)):
                return result
            raise
        routed = json.loads(report.read_text())
        result["logic_cells"] = routed["utilization"]["ICESTORM_LC"]["used"]
        result["fmax_mhz"].append(round(next(iter(routed["fmax"].values()))["achieved"], 2))
    return result
