# SPDX-License-Identifier: MIT
"""OpenSTA as a process that answers: the block in it is edited cell by cell, and its slack is known a millisecond later."""

import dataclasses
import math
import pathlib
import re
import subprocess

from flow.errors import FlowError

# Reads commands up to a line ASK; without a terminal, so that nothing is echoed. What an optimiser does a hundred thousand times
# goes around OpenSTA's own commands: they parse options and search by patterns, which takes longer than the timing. Nets,
# instances and pins stay where they are once they are made, so each is looked up once.
_LOOP = """
namespace eval fast {
  proc known {kind name} {
    variable $kind
    if {![info exists ${kind}($name)]} {
      set found [sta::find_$kind $name]
      if {$found eq "NULL"} { error "$kind $name not found" }
      set ${kind}($name) $found
    }
    return [set ${kind}($name)]
  }
  proc load {net capacitance} {
    sta::set_net_wire_cap [known net $net] 0 [sta::cmd_corner] all [sta::capacitance_ui_sta $capacitance]
  }
  proc connect {net name terminal} {
    set instance [known instance $name]
    sta::connect_pin_cmd $instance [[$instance cell] find_port $terminal] [known net $net]
  }
  proc disconnect {name terminal} { sta::disconnect_pin_cmd [known pin $name/$terminal] }
  proc replace {name kind} {
    variable cells
    if {![info exists cells($kind)]} { set cells($kind) [sta::get_lib_cell_error cell $kind] }
    sta::replace_cell_cmd [known instance $name] $cells($kind)
  }
  proc worst {} { return [sta::time_sta_ui [sta::worst_slack_cmd max]] }
  proc missing {} { return [sta::time_sta_ui [sta::total_negative_slack_cmd max]] }
  # Of each pin, by the edges of the clock, what a vertex answers to `what`: arrivals_clk_delays or slacks_clk_delays.
  proc delays {what pins} {
    variable vertices
    set clock [lindex [all_clocks] 0]
    foreach pin $pins {
      if {![info exists vertices($pin)]} {
        set vertices($pin) [lsearch -all -inline -not -exact [sta::Pin_vertices [known pin $pin]] NULL]
      }
      puts PIN
      foreach vertex $vertices($pin) {
        foreach edge {rise fall} {
          puts [list r [sta::Vertex_$what $vertex rise $clock $edge 4] f [sta::Vertex_$what $vertex fall $clock $edge 4]]
        }
      }
    }
  }
  # The least slack, what is missing at all ends, and, if the slack is more than `least`, the delays at the pins.
  proc measure {least what pins} {
    set slack [worst]
    puts "MEASURED $slack [missing] $what"
    if {$slack > $least} { delays $what $pins }
  }
}
fconfigure stdout -buffering full
set commands ""
while {[gets stdin line] >= 0} {
  if {$line ne "ASK"} { append commands $line \\n; continue }
  if {[catch {uplevel #0 $commands} message]} { puts "Error: $message" }
  puts "ANSWERED"
  flush stdout
  set commands ""
}
"""
# The earliest and the latest at a pin, by transition: `r {1.0 2.0} f {1.1 2.1}`.
_LATEST = re.compile(r"[rf] \{\S+ (-?[0-9.]+)\}")


# What path_of() reads.
REPORT = "report_checks -format full -fields {input_pin} -digits 4"


def path_of(report: str) -> list[str]:
    """The pins of the path with the least slack in a report; none if there is no path."""
    best = None
    for part in report.split("Startpoint:")[1:]:
        slack = re.search(r"(?m)^\s*(-?[0-9.]+)\s+slack", part)
        pins = re.findall(r"(?m)^\s*[-0-9.]+\s+[-0-9.]+ [v^] (\S+) \(", part.split("data arrival time")[0])
        if slack and (best is None or float(slack[1]) < best[0]):
            best = float(slack[1]), pins
    return best[1] if best else []


@dataclasses.dataclass(frozen=True)
class Measured:
    """The least slack of all ends, what is missing at all of them, and the mean of the latest arrivals at some pins, or of their
    least slacks with the sign turned: 0 if it was not asked for. Times in ns."""

    slack: float
    missing: float
    mean: float


def measurement(pins: list[str], slacks: bool = False, least: float = -math.inf) -> str:
    """The command to measure. Pins are not looked at unless the least slack of all ends is more than `least`. Arrivals cost much
    less than slacks, since a slack needs all of what lies behind a pin."""
    what = "slacks_clk_delays" if slacks else "arrivals_clk_delays"
    return f"fast::measure {max(least, -1e30)!r} {what} {{{' '.join(pins)}}}"


def _read(text: str) -> Measured:
    head, *rest = text.splitlines()
    slack, missing, what = head.split()
    found = [[float(value) for value in values] for line in rest if (values := _LATEST.findall(line))]
    latest = [-min(values) if what == "slacks_clk_delays" else max(values) for values in found]
    return Measured(float(slack), float(missing), sum(latest) / max(len(latest), 1))


class Timer:
    """OpenSTA with a block in it. Times are in ns, capacitances in pF."""

    def __init__(self, script: str, log: pathlib.Path) -> None:
        self._log = log.open("w")
        loop = log.with_suffix(".tcl")
        loop.write_text(_LOOP)
        self._process = subprocess.Popen(["sta", "-no_splash", "-exit", str(loop)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True)
        try:
            self.ask(script)
        except FlowError:
            self.__exit__()
            raise

    def __enter__(self) -> "Timer":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()
        self._log.close()

    def ask(self, commands: str) -> str:
        """What the commands print. Raises FlowError with OpenSTA's message if one of them fails."""
        self._process.stdin.write(commands + "\nASK\n")
        self._process.stdin.flush()
        lines = []
        for line in self._process.stdout:
            if line == "ANSWERED\n":
                break
            lines.append(line)
        else:
            raise FlowError(f"sta ended early (log: {self._log.name})")
        text = "".join(lines)
        self._log.write(text)
        problem = re.search(r"(?m)^(Error.*|.*not found.*)$", text)
        if problem:
            raise FlowError(f"sta: {problem[1]} (log: {self._log.name})")
        return text

    def worst(self) -> float:
        """The least slack of all ends."""
        return float(self.ask("puts [fast::worst]"))

    def worst_path(self) -> list[str]:
        """The pins of the path with the least slack, as instance/pin or the name of a port."""
        return path_of(self.ask(REPORT))

    def measured(self, commands: str) -> list[Measured]:
        """What the measurements among the commands have found, those of measurement()."""
        return [_read(part) for part in self.ask(commands).split("MEASURED")[1:]]

    def slacks(self, pins: list[str], commands: str = "") -> tuple[list[Measured], list[float]]:
        """What the measurements among the commands have found, and then the least slack of each pin, infinite where no path goes
        through."""
        text = self.ask(f"{commands}\nputs SLACKS\nfast::delays slacks_clk_delays {{{' '.join(pins)}}}")
        before, _, after = text.partition("SLACKS")
        return ([_read(part) for part in before.split("MEASURED")[1:]],
                [min(map(float, _LATEST.findall(part)), default=math.inf) for part in after.split("PIN")[1:]])
