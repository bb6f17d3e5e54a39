# SPDX-License-Identifier: MIT
"""The clock tree: buffers between the clock's port and groups of neighbouring flip-flops.

Every group of flip-flops has a driver of its own: a buffer, or behind a clock gate a copy of the gate's AND. So all flip-flops
lie behind the same number of cells. The inverters of the gates' latches hang where the drivers do.
"""

from flow.errors import FlowError
from flow.layout import export
from flow.layout.block import Block, Instance, Pin
from flow.layout.technology import Technology

_LEAF = 14  # flip-flops of a group
_FAN = 9  # drivers behind a buffer
_BUFFER = "CLKBUF1"
_ROOT = "CLKBUF2"


def _groups(block: Block, pins: list[Pin], size: int) -> list[list[Pin]]:
    """Halves of neighbours, until none has more than `size` pins."""
    if len(pins) <= size:
        return [pins] if pins else []
    places = {pin: block.place_of(pin) for pin in pins}
    wide = [max(p[axis] for p in places.values()) - min(p[axis] for p in places.values()) for axis in (0, 1)]
    axis = 0 if wide[0] >= wide[1] else 1
    ordered = sorted(pins, key=lambda pin: (places[pin][axis], pin))
    parts = -(-len(pins) // size)
    cut = round(len(pins) * (parts // 2) / parts)
    return _groups(block, ordered[:cut], size) + _groups(block, ordered[cut:], size)


def _drive(block: Block, kind: str, pins: list[Pin], source: str) -> Pin:
    """A buffer in the middle of the pins; returns its input."""
    name, net = block.new_name("clk"), block.new_name("t")
    block.instances[name] = Instance(kind, {"A": source, "Y": net}, *block.middle(pins))
    for instance, pin in pins:
        block.instances[instance].pins[pin] = net
    return name, "A"


def _split_gate(block: Block, gate: str, clock_pin: str, pins: list[Pin]) -> list[Pin]:
    """Copies of a gate, one for each group of the flip-flops behind it; returns their clock inputs."""
    inputs = []
    original = block.instances[gate]
    output = next(iter(block.lef.macros[original.kind].outputs))
    for number, group in enumerate(_groups(block, pins, _LEAF)):
        name = gate
        if number:
            name, net = block.new_name("gate"), block.new_name("t")
            block.instances[name] = Instance(original.kind, original.pins | {output: net})
            for instance, pin in group:
                block.instances[instance].pins[pin] = net
        block.instances[name].x, block.instances[name].row = block.middle(group)
        inputs.append((name, clock_pin))
    return inputs


def grow(block: Block, technology: Technology) -> int:
    """Builds the tree; returns the number of cells between the port and a flip-flop. Positions are not yet legal."""
    root = export.clock_net(block)
    nets = block.nets()
    holds = {name: technology.is_flipflop(instance.kind) for name, instance in block.instances.items()}
    direct, drivers = [], []
    for name, pin in nets[root]:
        if not name:
            continue
        if holds[name]:
            direct.append((name, pin))
            continue
        output = next(iter(block.lef.macros[block.instances[name].kind].outputs))
        behind = nets[block.instances[name].pins[output]][1:]
        if all(holds.get(instance) for instance, _ in behind):
            drivers += _split_gate(block, name, pin, behind)
        elif all(technology.is_latch(block.instances[instance].kind) for instance, _ in behind if instance):
            drivers.append((name, pin))
        else:
            raise FlowError(f"{block.original.get(name, name)}: a gate of the clock that drives more than flip-flops or latches")
    drivers += [_drive(block, _BUFFER, group, root) for group in _groups(block, direct, _LEAF)]
    levels = 1
    while len(drivers) > _FAN:
        drivers = [_drive(block, _BUFFER, group, root) for group in _groups(block, drivers, _FAN)]
        levels += 1
    if drivers:
        _drive(block, _ROOT, drivers, root)
        levels += 1
    return levels
