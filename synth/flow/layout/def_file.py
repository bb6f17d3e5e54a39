# SPDX-License-Identifier: MIT
"""DEF: what the router reads, and the wires that it writes."""

import dataclasses
import pathlib
import re

from flow.errors import FlowError
from flow.layout.block import Block

UNITS = 1000  # in an um


def _components(block: Block) -> list[str]:
    """Cells, and fillers in every gap so that the rails go through."""
    lef, plan = block.lef, block.floorplan
    lines = []
    taken: list[list[tuple[float, float]]] = [[] for _ in range(plan.rows)]
    for name, instance in block.instances.items():
        taken[instance.row].append((instance.x, instance.x + block.width(name)))
        lines.append(_component(block, name, instance.kind, instance.x, instance.row))
    fillers = 0
    for row, spans in enumerate(taken):
        at = 0.0
        for left, right in [*sorted(spans), (plan.sites * lef.site_width, 0.0)]:
            for _ in range(round((left - at) / lef.site_width)):
                lines.append(_component(block, f"fill{fillers}", "FILL", at, row))
                fillers += 1
                at += lef.site_width
            at = right
    return lines


def _component(block: Block, name: str, kind: str, x: float, row: int) -> str:
    plan = block.floorplan
    return (f"- {name} {kind} + PLACED ( {round((plan.margin_x + x) * UNITS)} "
            f"{round((plan.margin_y + row * block.lef.row_height) * UNITS)} ) {'FS' if row % 2 else 'N'} ;")


def write(block: Block, file: pathlib.Path) -> None:
    """The placed block with its nets, unrouted."""
    lef, plan = block.lef, block.floorplan
    width, height = (round(side * UNITS) for side in block.die)
    lines = ["VERSION 5.6 ;", "NAMESCASESENSITIVE ON ;", 'DIVIDERCHAR "/" ;', 'BUSBITCHARS "[]" ;', f"DESIGN {block.top} ;",
             f"UNITS DISTANCE MICRONS {UNITS} ;", f"DIEAREA ( 0 0 ) ( {width} {height} ) ;"]
    lines += [f"ROW row{row} {lef.site} {round(plan.margin_x * UNITS)} "
              f"{round((plan.margin_y + row * lef.row_height) * UNITS)} {'FS' if row % 2 else 'N'} DO {plan.sites} BY 1 "
              f"STEP {round(lef.site_width * UNITS)} 0 ;" for row in range(plan.rows)]
    for layer in lef.layers.values():
        axis, length = ("Y", height) if layer.horizontal else ("X", width)
        offset, pitch = round(layer.offset * UNITS), round(layer.pitch * UNITS)
        lines.append(f"TRACKS {axis} {offset} DO {(length - offset) // pitch + 1} STEP {pitch} LAYER {layer.name} ;")
    components = _components(block)
    lines += [f"COMPONENTS {len(components)} ;", *components, "END COMPONENTS", f"PINS {len(block.ports)} ;"]
    for net, port in block.ports.items():
        half = round(lef.layers[port.layer].width * UNITS / 2)
        x, y = (round(value * UNITS) for value in port.place)
        lines.append(f"- {net} + NET {net} + DIRECTION {'INPUT' if port.is_input else 'OUTPUT'} + LAYER {port.layer} "
                     f"( -{half} -{half} ) ( {half} {half} ) + PLACED ( {x} {y} ) N ;")
    nets = block.nets()
    lines += ["END PINS", f"NETS {len(nets)} ;"]
    # qrouter wants each pin on a line of its own.
    lines += ["\n  ".join([f"- {net}", *(f"( {name or 'PIN'} {pin} )" for name, pin in pins)]) + " ;"
              for net, pins in nets.items()]
    file.write_text("\n".join([*lines, "END NETS", "END DESIGN", ""]))


@dataclasses.dataclass(frozen=True)
class Segment:
    """A straight wire on a layer; um."""

    layer: str
    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def length(self) -> float:
        """um"""
        return abs(self.start[0] - self.end[0]) + abs(self.start[1] - self.end[1])


@dataclasses.dataclass
class Route:
    """The wires and vias of a net; a via is its name and its place in um."""

    segments: list[Segment] = dataclasses.field(default_factory=list)
    vias: list[tuple[str, tuple[float, float]]] = dataclasses.field(default_factory=list)


def read_routes(file: pathlib.Path) -> dict[str, Route]:
    """The routed nets of a DEF file. Raises FlowError if there is no section of nets."""
    found = re.search(r"(?ms)^NETS \d+ ;(.*?)^END NETS", file.read_text())
    units = re.search(r"UNITS DISTANCE MICRONS (\d+)", file.read_text())
    if not (found and units):
        raise FlowError(f"{file}: no nets in it")
    scale = float(units[1])
    routes = {}
    for statement in found[1].split(" ;"):
        words = statement.split()
        if len(words) < 2 or words[0] != "-":
            continue
        route = routes[words[1]] = Route()
        layer, last = "", None
        i = 2
        while i < len(words):
            word = words[i]
            if word in ("ROUTED", "NEW"):
                layer, last = words[i + 1], None
                i += 1
            elif word == "(" and layer:
                close = words.index(")", i)
                x, y = words[i + 1:i + 3]
                point = (last[0] if x == "*" else float(x) / scale, last[1] if y == "*" else float(y) / scale)
                if last is not None and point != last:
                    route.segments.append(Segment(layer, last, point))
                last = point
                i = close
            elif layer and last is not None and re.fullmatch(r"[A-Za-z]\w*", word):
                route.vias.append((word, last))
            i += 1
    return routes
