# SPDX-License-Identifier: MIT
"""OpenSTA: the four kinds of paths, and the clock that they allow.

Every delay is what the path needs by itself, setup time and clock uncertainty included, with inputs
that arrive at the clock edge and outputs that may take the whole period. The host's share of the
period comes in only afterwards: inputs arrive a quarter of the period late, outputs are due a quarter
of it early, so a path from input to output has half of the period.
"""

import dataclasses
import math
import pathlib
import re

from flow import tools
from flow.errors import FlowError
from flow.cell_library import Library
from flow.netlist import Netlist

INPUT_SHARE = 0.25
OUTPUT_SHARE = 0.25

# What of the period is left to a path of each kind.
SHARES = {"reg_reg": 1.0, "in_reg": 1.0 - INPUT_SHARE, "reg_out": 1.0 - OUTPUT_SHARE,
          "in_out": 1.0 - INPUT_SHARE - OUTPUT_SHARE}
TITLES = {"reg_reg": "reg→reg", "in_reg": "in→reg", "reg_out": "reg→out", "in_out": "in→out"}
_PERIOD_NS = 100.0
# Inputs that do not change from cycle to cycle.
STATIC = ("rst_ni", "policy_i")


@dataclasses.dataclass(frozen=True)
class Path:
    """The slowest path of its kind."""

    ns: float
    start: str
    end: str


def _waveform(library: Library, netlist: Netlist, period_ns: float) -> str:
    """The clock's edges. A latch of a clock gate could borrow from its open half of the cycle, and a path to it would
    not be seen; with a clock that is low for its setup time alone, the path has to end before that."""
    latches = any(library.cells[cell["type"]].is_latch for cell in netlist.cells().values())
    return f"-waveform {{0 {period_ns - library.latch_setup_ns}}}" if latches else ""


def constraints(library: Library, netlist: Netlist, file: pathlib.Path, period_ns: float) -> str:
    """The OpenSTA commands that read and constrain a netlist. One without registers gets a clock for
    its ports alone. Figures are in ns and pF, whatever units the library has."""
    load_pf = library.load_ff / 1000
    ports = netlist.modules[netlist.top]["ports"]
    clocked = "clk_i" in ports
    text = f"""
        read_liberty {library.file}
        read_verilog {file}
        link_design {netlist.top}
        set_cmd_units -time ns -capacitance pF
        create_clock -name clock -period {period_ns} {_waveform(library, netlist, period_ns)} \
          {"[get_ports clk_i]" if clocked else ""}
        set_clock_uncertainty {library.clock_uncertainty_ns} [get_clocks clock]
        {f"set_clock_transition {library.clock_transition_ns} [get_clocks clock]" if clocked else ""}
        set inputs {{}}
        foreach port [all_inputs] {{
          if {{[get_property $port full_name] != "clk_i"}} {{ lappend inputs $port }}
        }}
        set_input_delay 0 -clock clock $inputs
        set_output_delay 0 -clock clock [all_outputs]
        set_driving_cell -lib_cell {library.driving_cell} -pin {library.driving_pin} $inputs
        set_load {load_pf} [all_outputs]
        """
    for name in STATIC:
        if name in ports:
            text += f"set_false_path -from [get_ports {name}{'*' if len(ports[name]['bits']) > 1 else ''}]\n"
    return text


def execute(script: str, folder: pathlib.Path, step: str) -> str:
    """Runs OpenSTA, whose exit status says nothing: its messages are looked at."""
    file = folder / f"{step}.tcl"
    file.write_text(script + '\nputs "FINISHED"\nexit\n')
    output = tools.run(["sta", "-no_splash", "-exit", str(file)], folder / f"{step}.log")
    problem = re.search(r"(?m)^(Error.*|.*[Bb]lack box.*|.*not found.*|.*no network has been linked.*)$", output)
    if problem or "FINISHED" not in output:
        raise FlowError(f"sta: {problem[1] if problem else 'ended early'} (log: {folder / step}.log)")
    return output


def slowest_paths(library: Library, netlist: Netlist, folder: pathlib.Path, step: str) -> dict[str, Path | None]:
    """The slowest path of each kind in `folder`/`step`.v; None where there is no such path."""
    script = constraints(library, netlist, folder / f"{step}.v", _PERIOD_NS) + """
        proc slowest {kind from to} {
          foreach end [find_timing_paths -from $from -to $to] {
            puts "PATH $kind [get_property $end slack] \\
        [get_property [get_property $end startpoint] full_name] [get_property [get_property $end endpoint] full_name]"
          }
        }
        slowest in_out $inputs [all_outputs]
        """
    if netlist.flipflops():
        # OpenSTA does not count integrated clock gates among the registers.
        enables = "".join(f" [sta::find_pin {{{pin}}}]" for pin in netlist.gate_enables())
        script += f"""
        set ends [concat [all_registers -data_pins]{enables}]
        slowest reg_reg [all_registers -clock_pins] $ends
        slowest in_reg $inputs $ends
        slowest reg_out [all_registers -clock_pins] [all_outputs]
        """
    output = execute(script, folder, f"{step}.sta")
    names = netlist.net_names()
    paths: dict[str, Path | None] = dict.fromkeys(SHARES)
    for kind, slack, start, end in re.findall(r"(?m)^PATH (\w+) (\S+) +(\S+) (\S+)$", output):
        delay = _PERIOD_NS - float(slack)
        if not (math.isfinite(delay) and 0 < delay < _PERIOD_NS):
            raise FlowError(f"sta: the slowest {TITLES[kind]} path has slack {slack} of {_PERIOD_NS} ns, "
                            f"so nothing was timed (log: {folder}/{step}.sta.log)")
        paths[kind] = Path(round(delay, 4), netlist.endpoint(start, names), netlist.endpoint(end, names))
    if not any(paths.values()) or (netlist.flipflops() and not paths["reg_reg"] and not paths["in_reg"]):
        raise FlowError(f"sta: no path was found (log: {folder}/{step}.sta.log)")
    return paths


def period_ns(paths: dict[str, Path | None]) -> tuple[float, str]:
    """The shortest clock period under the budget, and the kind of path that sets it."""
    return max((path.ns / SHARES[kind], kind) for kind, path in paths.items() if path)
