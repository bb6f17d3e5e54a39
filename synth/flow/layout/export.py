# SPDX-License-Identifier: MIT
"""The block for other tools: Verilog, and the constraints of OpenSTA."""

import pathlib

from flow import clocks, timing
from flow.layout.block import Block
from flow.layout.technology import Technology


def clock_net(block: Block) -> str | None:
    """The net of the clock's port; None in a block without one."""
    return next((net for net, port in block.ports.items() if port.name == clocks.PORT), None)


def write_verilog(block: Block, file: pathlib.Path) -> None:
    """With the names of the layout: each bit of a port is a port, with the name of its net."""
    lines = [f"module {block.top} ({', '.join(block.ports)});"]
    lines += [f"  {'input' if port.is_input else 'output'} {net};" for net, port in block.ports.items()]
    lines += [f"  wire {net};" for net in block.nets() if net not in block.ports]
    lines += [f"  {instance.kind} {name} ({', '.join(f'.{pin}({net})' for pin, net in instance.pins.items())});"
              for name, instance in block.instances.items()]
    file.write_text("\n".join([*lines, "endmodule", ""]))


def read_script(block: Block, technology: Technology, file: pathlib.Path, latches: bool = False) -> str:
    """Commands that read the block and say what drives it and what it drives. `latches`: what lies behind the latch of a clock
    gate is timed; else it is in the time that period_script() leaves to the path in front of it."""
    clock = clock_net(block)
    inputs = [net for net, port in block.ports.items() if port.is_input and net != clock]
    static = [net for net in inputs if block.ports[net].name.split("[")[0] in timing.STATIC]
    return "\n".join([
        f"read_liberty {technology.liberty_file}", f"read_verilog {file}", f"link_design {block.top}",
        "set sta_report_default_digits 4", "set_cmd_units -time ns -capacitance pF",
        f"set inputs [get_ports {{{' '.join(inputs)}}}]",
        f"set_driving_cell -lib_cell {technology.logic.driving_cell} -pin {technology.logic.driving_pin} $inputs",
        f"set_load {technology.logic.load_ff / 1000} [all_outputs]",
        *(f"set_false_path -from [get_ports {net}]" for net in static),
        *(f"set_false_path -through [get_pins {name}/{pin}]" for name, instance in block.instances.items()
          if not latches and technology.is_latch(instance.kind) for pin in instance.pins if block.drives(name, pin))])


def period_script(block: Block, technology: Technology, period_ns: float, latency_ns: float | None, shares: bool = True,
                  latches: bool = False) -> str:
    """Commands that set the clock. With `latency_ns` it goes through the tree, and the host's registers lie behind a tree of
    the same mean delay; without it is ideal. `shares`: inputs come a quarter of the period late, and outputs are due a
    quarter early; else at the edges. Latches of clock gates open only for their setup time before the edge, unless `latches`."""
    latched = not latches and any(technology.is_latch(instance.kind) for instance in block.instances.values())
    waveform = f"-waveform {{0 {period_ns - technology.logic.latch_setup_ns}}}" if latched else ""
    arrive = timing.INPUT_SHARE * period_ns * shares + (latency_ns or 0.0)
    due = timing.OUTPUT_SHARE * period_ns * shares - (latency_ns or 0.0)
    return "\n".join([
        f"create_clock -name clock -period {period_ns} {waveform} [get_ports {clock_net(block)}]",
        # The tree's skew is in the paths; what is left is jitter, which moves both edges of a check of hold alike.
        f"set_clock_uncertainty -setup {technology.logic.clock_uncertainty_ns} [get_clocks clock]",
        f"set_clock_transition {technology.logic.clock_transition_ns} [get_clocks clock]" if latency_ns is None
        else "set_propagated_clock [get_clocks clock]",
        f"set_input_delay {arrive} -clock clock $inputs", f"set_output_delay {due} -clock clock [all_outputs]"])


def clock_nets(block: Block, technology: Technology) -> set[str]:
    """The nets that change with the clock: behind its port, through gates and buffers, to flip-flops and latches."""
    root = clock_net(block)
    found, waiting = {root}, [root]
    nets = block.nets()
    while waiting:
        for name, pin in nets[waiting.pop()]:
            kind = block.instances[name].kind if name else ""
            if kind and not block.drives(name, pin) and not (technology.is_flipflop(kind) or technology.is_latch(kind)):
                for output in block.lef.macros[kind].outputs:
                    net = block.instances[name].pins.get(output)
                    if net and net not in found:
                        found.add(net)
                        waiting.append(net)
    return found
