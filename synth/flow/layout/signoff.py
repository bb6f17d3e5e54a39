# SPDX-License-Identifier: MIT
"""The clock of the routed block, by OpenSTA with its wires and its clock tree."""

import dataclasses
import pathlib
import re

from flow import timing
from flow.errors import FlowError
from flow.layout import export, timer
from flow.layout.block import Block
from flow.layout.technology import Technology

_PERIOD_NS = 100.0
_ROUNDING_NS = 0.002


@dataclasses.dataclass(frozen=True)
class Timing:
    """Times in ns. `kinds` are what the slowest path of each kind needs (see flow.timing)."""

    period: float
    limit: str
    kinds: dict[str, float]
    latency: float  # mean delay from the clock's port to a flip-flop
    skew: float  # the latest less the earliest
    hold: float  # the least slack of hold


def script(block: Block, technology: Technology, folder: pathlib.Path, spef: pathlib.Path | None, latches: bool = False) -> str:
    """Commands that read `folder`/routed.v with its wires, if there are any. `latches`: as in export.read_script()."""
    clock = export.clock_net(block)
    return "\n".join([export.read_script(block, technology, folder / "routed.v", latches),
                      *([f"read_spef -quiet {spef}"] if spef else []),
                      f"set_input_transition {technology.logic.clock_transition_ns} [get_ports {clock}]"])


def _latencies(block: Block, technology: Technology, folder: pathlib.Path, spef: pathlib.Path) -> list[float]:
    """From the clock's port to each flip-flop."""
    flipflops = [name for name, instance in block.instances.items() if technology.is_flipflop(instance.kind)]
    text = timing.execute("\n".join([
        script(block, technology, folder, spef), export.period_script(block, technology, _PERIOD_NS, 0.0, shares=False),
        *(f"report_arrival [get_pins {name}/CLK]" for name in flipflops)]), folder, "latency")
    return [float(found) for found in re.findall(r"\(clock \^\) r [-0-9.INF]+:([-0-9.]+)", text)]


def time(block: Block, technology: Technology, folder: pathlib.Path, spef: pathlib.Path) -> Timing:
    """Of `folder`/routed.v. The host's registers are taken to lie behind a clock tree of the same mean delay."""
    latencies = _latencies(block, technology, folder, spef)
    if not latencies:
        raise FlowError(f"sta: no flip-flop has a clock (log: {folder}/latency.log)")
    latency = sum(latencies) / len(latencies)
    text = timing.execute("\n".join([
        script(block, technology, folder, spef), export.period_script(block, technology, _PERIOD_NS, latency, shares=False), """
        proc slowest {kind from to} {
          foreach end [find_timing_paths -from $from -to $to] { puts "PATH $kind [get_property $end slack]" }
        }
        slowest in_out $inputs [all_outputs]
        set ends [all_registers -data_pins]
        slowest reg_reg [all_registers -clock_pins] $ends
        slowest in_reg $inputs $ends
        slowest reg_out [all_registers -clock_pins] [all_outputs]
        puts "HOLD [worst_slack -min]"
        """]), folder, "signoff")
    kinds = {kind: _PERIOD_NS - float(slack) for kind, slack in re.findall(r"(?m)^PATH (\w+) (\S+)", text)}
    period, limit = max((ns / timing.SHARES[kind], kind) for kind, ns in kinds.items())
    return Timing(period, limit, kinds, latency, max(latencies) - min(latencies),
                  float(re.search(r"(?m)^HOLD (\S+)", text)[1]))


def check(block: Block, technology: Technology, folder: pathlib.Path, spef: pathlib.Path, found: Timing) -> list[str]:
    """The pins of the slowest path, with the clock as it is: high for half of the period, so that latches of clock gates borrow
    from their open half. Raises FlowError if a check of setup, hold or a clock gate fails at the quoted period."""
    text = timing.execute("\n".join([
        script(block, technology, folder, spef, latches=True),
        export.period_script(block, technology, found.period, found.latency, latches=True), timer.REPORT,
        'puts "WORST [worst_slack -max] [worst_slack -min]"']), folder, "check")
    late, early = map(float, re.search(r"(?m)^WORST (\S+) (\S+)", text).groups())
    for what, slack in (("setup", late), ("hold", early)):
        if slack < -_ROUNDING_NS:
            raise FlowError(f"{what} is missed by {-slack:.3f} ns at {found.period:.3f} ns (log: {folder}/check.log)")
    return timer.path_of(text)
