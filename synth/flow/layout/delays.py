# SPDX-License-Identifier: MIT
"""The routed block with its delays in Icarus, over a recorded kernel: it must decide as recorded, and glitches are counted.

Inputs come where the budget of the host's ports says, outputs are looked at where it says they are due.
"""

import math
import pathlib
import re

from flow import activity, clocks, timing, tools
from flow.errors import FlowError
from flow.layout import export, signoff
from flow.layout.block import Block, labels
from flow.layout.signoff import Timing
from flow.layout.technology import Technology
from flow.netlist import Netlist

CYCLES = 2000
_WAIT = 4  # cycles that are not counted: reset

_BENCH = """`timescale 1ns/1ps
module bench;
  reg clk = 0;
  reg [{inputs}-1:0] in;
  wire [{outputs}-1:0] out;
  reg [{width}-1:0] records [0:{cycles}-1];
  integer given, checked;
  {top} dut ({connections});
  initial begin
    $sdf_annotate("{sdf}", dut);
    $readmemb("{records}", records);
    in = records[0][{inputs}-1:0];
    $dumpfile("{vcd}");
    $dumpvars(1, dut);
  end
  always begin #({period} / 2.0) clk = 1; #({period} / 2.0) clk = 0; end
  // The first edge is at half of a period; what follows an edge by more than a period overlaps with the next one.
  initial begin
    #({period} / 2.0 + {arrive});
    for (given = 0; given < {cycles}; given = given + 1) begin in = records[given][{inputs}-1:0]; #({period}); end
  end
  initial begin
    #({period} / 2.0 + {due});
    for (checked = 0; checked < {cycles}; checked = checked + 1) begin
      if (checked >= {wait} && out !== records[checked][{width}-1:{inputs}])
        begin $display("DIFFERENT %0d %b", checked, out ^ records[checked][{width}-1:{inputs}]); $finish; end
      #({period});
    end
    $display("SAME");
    $finish;
  end
endmodule
"""


def _sdf(block: Block, technology: Technology, found: Timing, spef: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    file = folder / "routed.sdf"
    timing.execute("\n".join([signoff.script(block, technology, folder, spef),
                              export.period_script(block, technology, found.period, found.latency), f"write_sdf {file}"]),
                   folder, "sdf")
    return file


def _records(block: Block, mapped: Netlist, lines: list[str], length_bits: int,
             folder: pathlib.Path) -> tuple[list[str], list[str]]:
    """Nets of the layout that the recording drives, and those that it knows; writes the file of bits."""
    ports = mapped.modules[mapped.top]["ports"]
    nets = {port.name: net for net, port in block.ports.items()}
    known = [(nets.get(label), port["direction"]) for name, port in ports.items() if name != clocks.PORT
             for label in labels(name, len(port["bits"]))]
    order = [net for net, direction in known if direction == "input"] + [net for net, direction in known if direction == "output"]
    bits_in, bits_out, packed = activity.records(lines, ports, length_bits)
    size = (len(bits_in) + len(bits_out) + 7) // 8
    text = []
    for at in range(0, len(packed), size):
        record = int.from_bytes(packed[at:at + size], "little")
        text.append("".join(str(record >> i & 1) for i in reversed(range(len(order))) if order[i]))
    (folder / "records.txt").write_text("\n".join(text) + "\n")
    kept = [net for net in order if net]
    inputs = [net for net in kept if block.ports[net].is_input]
    return inputs, kept[len(inputs):]


def simulate(block: Block, mapped: Netlist, technology: Technology, found: Timing, spef: pathlib.Path, lines: list[str],
             length_bits: int, folder: pathlib.Path) -> dict[str, float]:
    """Toggles per cycle of every net, glitches included, at the quoted clock. Raises FlowError with the cycle and the port if
    the block does not decide as recorded."""
    lines = lines[:CYCLES]
    inputs, outputs = _records(block, mapped, lines, length_bits, folder)
    cycles = len((folder / "records.txt").read_text().split())
    sdf = _sdf(block, technology, found, spef, folder)
    clock = export.clock_net(block)
    connections = ([f".{clock}(clk)"] + [f".{net}(in[{i}])" for i, net in enumerate(inputs)]
                   + [f".{net}(out[{i}])" for i, net in enumerate(outputs)])
    vcd = folder / "routed.vcd"
    period = 2 * math.ceil(500 * found.period) / 1000  # both halves are whole ps
    (folder / "bench.v").write_text(_BENCH.format(
        inputs=len(inputs), outputs=len(outputs), width=len(inputs) + len(outputs), cycles=cycles, top=block.top,
        connections=", ".join(connections), sdf=sdf, records=folder / "records.txt", vcd=vcd, wait=_WAIT,
        period=f"{period:.3f}", arrive=f"{timing.INPUT_SHARE * period + found.latency:.3f}",
        due=f"{(1 - timing.OUTPUT_SHARE) * period + found.latency:.3f}"))
    tools.run(["iverilog", "-g2005", "-gspecify", "-s", "bench", "-o", str(folder / "bench"), str(folder / "bench.v"),
               str(folder / "routed.v"), str(technology.models)], folder / "iverilog.log")
    text = tools.run(["vvp", "-n", str(folder / "bench")], folder / "vvp.log")
    different = re.search(r"DIFFERENT (\d+) ([01x]+)", text)
    if different:
        wrong = [net for net, bit in zip(reversed(outputs), different[2]) if bit != "0"]
        raise FlowError(f"the routed block decides otherwise than recorded in cycle {different[1]}, at "
                        f"{block.ports[wrong[0]].name}")
    if "SAME" not in text:
        raise FlowError(f"the simulation of the routed block ended early (log: {folder}/vvp.log)")
    counts = count_changes(vcd, _WAIT * period)
    vcd.unlink()
    return {net: count / (cycles - _WAIT) for net, count in counts.items()}


def count_changes(vcd: pathlib.Path, start_ns: float) -> dict[str, int]:
    """Changes between 0 and 1 of each net after a time; the file is in ps."""
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    values: dict[str, str] = {}
    running = False
    with vcd.open() as lines:
        for line in lines:
            first = line[0]
            if first in "01":
                code = line[1:-1]
                if running and values.get(code) in ("0", "1") and values[code] != first:
                    counts[code] += 1
                values[code] = first
            elif first == "#":
                running = running or float(line[1:]) >= 1000 * start_ns
            elif line.startswith("$var"):
                words = line.split()
                names[words[3]], counts[words[3]] = words[4], 0
    return {names[code]: count for code, count in counts.items()}
