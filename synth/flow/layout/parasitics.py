# SPDX-License-Identifier: MIT
"""From wires to SPEF: resistances by the geometry of the router, capacitances by extraction."""

import pathlib

from flow.layout import wires
from flow.layout.block import Block, Pin
from flow.layout.def_file import Route
from flow.layout.extraction import Extraction
from flow.layout.lef import Lef

_HEADER = """*SPEF "IEEE 1481-1998"
*DESIGN "{top}"
*DATE ""
*VENDOR ""
*PROGRAM ""
*VERSION ""
*DESIGN_FLOW ""
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER []
*T_UNIT 1 NS
*C_UNIT 1 FF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY
"""

Node = tuple[str, int, int]  # layer, and a place in nm


def _nm(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0] * 1000), round(point[1] * 1000)


def graph(route: Route, lef: Lef) -> tuple[set[Node], dict[tuple[Node, Node], float]]:
    """The nodes of a route, and the resistance of each edge in ohm. A wire is cut where another element touches it; a via
    has no resistance, since the technology files give none."""
    layers = list(lef.layers)
    nodes: set[Node] = set()
    edges: dict[tuple[Node, Node], float] = {}
    for name, at in route.vias:
        upper, lower = name.split("_")
        ends = [(layers[int(metal[1:]) - 1], *_nm(at)) for metal in (lower, upper)]
        nodes.update(ends)
        edges[ends[0], ends[1]] = 0.0
    for segment in route.segments:
        nodes.update({(segment.layer, *_nm(segment.start)), (segment.layer, *_nm(segment.end))})
    for segment in route.segments:
        layer = lef.layers[segment.layer]
        (x0, y0), (x1, y1) = sorted((_nm(segment.start), _nm(segment.end)))
        on = sorted(node for node in nodes if node[0] == segment.layer and x0 <= node[1] <= x1 and y0 <= node[2] <= y1)
        for one, other in zip(on, on[1:]):
            length = (other[1] - one[1] + other[2] - one[2]) / 1000
            edges[one, other] = layer.resistance * length / layer.width
    return nodes, edges


def pieces(nodes: set[Node], edges: dict[tuple[Node, Node], float]) -> list[set[Node]]:
    """The connected parts."""
    parent = {node: node for node in nodes}

    def root(node: Node) -> Node:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for one, other in edges:
        parent[root(one)] = root(other)
    found: dict[Node, set[Node]] = {}
    for node in nodes:
        found.setdefault(root(node), set()).add(node)
    return list(found.values())


def _distance(node: Node, place: tuple[float, float]) -> float:
    return abs(node[1] / 1000 - place[0]) + abs(node[2] / 1000 - place[1])


def _joined(nodes: set[Node], edges: dict[tuple[Node, Node], float]) -> dict[tuple[Node, Node], float]:
    """The edges, and bridges where parts are joined by the metal of a cell's pin: each to its nearest neighbour."""
    edges = dict(edges)
    parts = sorted(pieces(nodes, edges), key=min)
    while len(parts) > 1:
        _, one, other, number = min((abs(a[1] - b[1]) + abs(a[2] - b[2]), a, b, i)
                                    for i, part in enumerate(parts[1:], 1) for a in parts[0] for b in part)
        edges[one, other] = 0.0
        parts[0] |= parts.pop(number)
    return edges


def write_spef(block: Block, routes: dict[str, Route], found: Extraction, file: pathlib.Path, scale: float = 1.0) -> None:
    """Of each net a tree of resistances, with its capacitance shared out by the length of wire at the nodes, and coupling
    to its neighbours. `scale` multiplies all capacitances."""
    lines = [_HEADER.format(top=block.top)]
    for net, pins in block.nets().items():
        lines += _of_net(block, net, pins, routes.get(net, Route()), found, scale)
    file.write_text("\n".join(lines) + "\n")


def _of_net(block: Block, net: str, pins: list[Pin], route: Route, found: Extraction, scale: float) -> list[str]:
    nodes, edges = graph(route, block.lef)
    total = found.total(net) * scale
    lines = [f"*D_NET {net} {total:.4f}", *_connections(block, net, pins)]
    if not nodes:
        return [*lines, "*CAP", f"1 {_terminal(net, pins[0])} {total:.4f}", "*END", ""]
    edges = _joined(nodes, edges)
    numbers = {node: number for number, node in enumerate(sorted(nodes), 1)}
    weight = {node: 1e-6 for node in nodes}
    for (one, other), _ in edges.items():
        length = abs(one[1] - other[1]) + abs(one[2] - other[2])
        weight[one] += length / 2
        weight[other] += length / 2
    whole = sum(weight.values())
    lines.append("*CAP")
    middle = max(sorted(nodes), key=lambda node: weight[node])
    for count, node in enumerate(sorted(nodes), 1):
        lines.append(f"{count} {net}:{numbers[node]} {found.ground.get(net, 0.0) * scale * weight[node] / whole:.5f}")
    for count, (other, value) in enumerate(found.neighbours(net), len(nodes) + 1):
        lines.append(f"{count} {net}:{numbers[middle]} {other}:1 {value * scale:.5f}")
    lines.append("*RES")
    count = 0
    for (one, other), ohm in edges.items():
        count += 1
        lines.append(f"{count} {net}:{numbers[one]} {net}:{numbers[other]} {max(ohm, 0.01):.4f}")
    for pin in pins:
        count += 1
        nearest = min(sorted(nodes), key=lambda node: _distance(node, block.place_of(pin)))
        lines.append(f"{count} {_terminal(net, pin)} {net}:{numbers[nearest]} 0.01")
    return [*lines, "*END", ""]


def _connections(block: Block, net: str, pins: list[Pin]) -> list[str]:
    lines = ["*CONN"]
    for name, pin in pins:
        if name:
            lines.append(f"*I {name}:{pin} {'O' if block.drives(name, pin) else 'I'}")
        else:
            lines.append(f"*P {net} {'I' if block.ports[net].is_input else 'O'}")
    return lines


def _terminal(net: str, pin: Pin) -> str:
    return f"{pin[0]}:{pin[1]}" if pin[0] else net


def write_estimate(block: Block, lengths: dict[str, float], file: pathlib.Path) -> None:
    """SPEF of nets that are not routed: a capacitance by length, without resistance."""
    lines = [_HEADER.format(top=block.top)]
    for net, pins in block.nets().items():
        lines += [f"*D_NET {net} {wires.capacitance(lengths[net]) * 1000:.4f}", *_connections(block, net, pins),
                  "*CAP", f"1 {_terminal(net, pins[0])} {wires.capacitance(lengths[net]) * 1000:.4f}", "*RES",
                  *(f"{number} {_terminal(net, pins[0])} {_terminal(net, pin)} 0.01" for number, pin in enumerate(pins[1:], 1)),
                  "*END", ""]
    file.write_text("\n".join(lines) + "\n")
