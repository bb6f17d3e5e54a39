# SPDX-License-Identifier: MIT
"""OpenSTA as a process that answers: the block in it is edited cell by cell, and its slack is known a millisecond later."""

import pathlib
import re
import subprocess

from flow.errors import FlowError

# Reads commands up to a line ASK; without a terminal, so that nothing is echoed.
_LOOP = """
set commands ""
while {[gets stdin line] >= 0} {
  if {$line ne "ASK"} { append commands $line \\n; continue }
  if {[catch {uplevel #0 $commands} message]} { puts "Error: $message" }
  puts "ANSWERED"
  flush stdout
  set commands ""
}
"""
_SLACK = re.compile(r"[rf] [-0-9.INF]+:([-0-9.INF]+)")
_LATEST = re.compile(r"[rf] [-0-9.INF]+:(-?[0-9.]+)")


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

    def worst(self) -> tuple[float, float]:
        """The least slack, and the sum of what is missing at all ends."""
        slack, missing = self.ask("puts [worst_slack]\nputs [total_negative_slack]").split()
        return float(slack), float(missing)

    def worst_path(self) -> list[str]:
        """The pins of the path with the least slack, as instance/pin or the name of a port."""
        return path_of(self.ask(REPORT))

    def measure(self, pins: list[str], commands: str = "", slacks: bool = False) -> tuple[float, float, float]:
        """After `commands`: the least slack of all ends, what is missing at all of them, and the mean of the latest arrivals at
        the pins, or of their least slacks with the sign turned. Arrivals cost much less, since a slack needs all of what lies
        behind a pin."""
        report = "report_slack" if slacks else "report_arrival"
        text = self.ask("\n".join([commands, "puts [worst_slack]", "puts [total_negative_slack]",
                                   *(f"{report} [get_pins {pin}]" for pin in pins)]))
        slack, missing, rest = text.split("\n", 2)
        found = [[float(value) for value in _LATEST.findall(line)] for line in rest.splitlines() if _LATEST.search(line)]
        latest = [-min(values) if slacks else max(values) for values in found]
        return float(slack), float(missing), sum(latest) / max(len(latest), 1)

    def slacks(self, pins: list[str], commands: str = "") -> list[float]:
        """After `commands`: the least slack of each pin, infinite where no path goes through."""
        text = self.ask("\n".join([commands, *(f'puts "PIN"\nreport_slack [get_pins {pin}]' for pin in pins)]))
        return [min((float(value) for value in _SLACK.findall(part)), default=float("inf")) for part in text.split("PIN")[1:]]
