# SPDX-License-Identifier: MIT
"""Wires before they are routed: the length of a net as that of a spanning tree over its pins."""

from flow.layout.block import Block, Point

# What extraction finds in routed blocks of these schedulers: pF of a um of wire with its neighbours, and of the vias to the pins.
_PF_PER_UM = 0.000118
_PF_PER_NET = 0.0012


def capacitance(length: float) -> float:
    """pF of a net with so many um of wire."""
    return _PF_PER_UM * length + _PF_PER_NET


def tree_length(points: list[Point]) -> float:
    """um of the least rectilinear spanning tree."""
    if len(points) < 2:
        return 0.0
    x0, y0 = points[0]
    rest = [(abs(x - x0) + abs(y - y0), x, y) for x, y in points[1:]]
    total = 0.0
    while rest:
        nearest = min(rest)
        rest.remove(nearest)
        distance, x0, y0 = nearest
        total += distance
        rest = [(min(d, abs(x - x0) + abs(y - y0)), x, y) for d, x, y in rest]
    return total


def lengths(block: Block) -> dict[str, float]:
    """um by net."""
    return {net: tree_length([block.place_of(pin) for pin in pins]) for net, pins in block.nets().items()}
