# SPDX-License-Identifier: MIT
"""What a layout needs of a LEF file: the site, the routing layers, and of each cell its size and the shapes of its pins."""

import dataclasses
import math
import pathlib
import re

from flow.errors import FlowError

_SPACING = 0.3  # um, between wires of metal 1 and of metal 2

Rectangle = tuple[float, float, float, float]  # um: left, bottom, right, top


@dataclasses.dataclass(frozen=True)
class Layer:
    """A routing layer; lengths in um, resistance in ohm per square."""

    name: str
    horizontal: bool
    pitch: float
    offset: float
    width: float
    resistance: float


@dataclasses.dataclass(frozen=True)
class Macro:
    """A cell: its size in um, and of each pin of a signal its rectangles by layer, from the lower left corner."""

    name: str
    width: float
    height: float
    pins: dict[str, list[tuple[str, Rectangle]]]
    outputs: frozenset[str]

    def centre(self, pin: str) -> tuple[float, float]:
        """A place of the pin, for estimates of wires."""
        _, (left, bottom, right, top) = self.pins[pin][0]
        return (left + right) / 2, (bottom + top) / 2


@dataclasses.dataclass(frozen=True)
class Lef:
    """The technology and the cells."""

    file: pathlib.Path
    site: str
    site_width: float
    row_height: float
    layers: dict[str, Layer]
    macros: dict[str, Macro]


def _numbers(line: str) -> list[float]:
    return [float(word) for word in line.replace(";", " ").split()[1:]]


def _layer(name: str, body: str) -> Layer:
    def value(key: str) -> float:
        found = re.search(rf"(?m)^\s*{key}\s+([0-9.eE+-]+)", body)
        if not found:
            raise FlowError(f"layer {name} of the LEF file has no {key}")
        return float(found[1])

    return Layer(name, "HORIZONTAL" in body, value("PITCH"), value("OFFSET"), value("WIDTH"), value(r"RESISTANCE\s+RPERSQ"))


def _macro(name: str, body: str) -> Macro:
    width, height = map(float, re.search(r"SIZE\s+(\S+)\s+BY\s+(\S+)", body).groups())
    pins, outputs = {}, set()
    for pin, text in re.findall(r"(?ms)^\s*PIN (\S+)$(.*?)^\s*END \1\s*$", body):
        if re.search(r"USE (GROUND|POWER)", text):
            continue
        shapes, layer = [], ""
        for line in text.splitlines():
            if line.split()[:1] == ["LAYER"]:
                layer = line.split()[1]
            elif line.split()[:1] == ["RECT"]:
                shapes.append((layer, tuple(_numbers(line))))
        pins[pin] = shapes
        if "DIRECTION OUTPUT" in text:
            outputs.add(pin)
    return Macro(name, width, height, pins, frozenset(outputs))


def read(file: pathlib.Path) -> Lef:
    """Raises FlowError if the file cannot be read or has no site, no layers or no cells."""
    try:
        text = re.sub(r"(?m)#.*$", "", file.read_text())
    except OSError as error:
        raise FlowError(f"{file}: cannot be read: {error.strerror}") from None

    def sections(kind: str) -> list[tuple[str, str]]:
        return re.findall(rf"(?ms)^{kind}\s+(\S+)\s*$(.*?)^END\s+\1\s*$", text)

    layers = {name: _layer(name, body) for name, body in sections("LAYER") if "ROUTING" in body}
    macros = {name: _macro(name, body) for name, body in sections("MACRO")}
    sites = [(name, re.search(r"SIZE\s+(\S+)\s+BY\s+([^\s;]+)", body)) for name, body in sections("SITE") if "CORE" in body]
    if not (layers and macros and sites):
        raise FlowError(f"{file}: no LEF file with routing layers, cells and a site of the core")
    name, size = sites[0]
    return Lef(file, name, float(size[1]), float(size[2]), layers, macros)


def with_long_pads(text: str, lef: Lef) -> str:
    """The text of a LEF file with vias whose pads are 0.1 um longer, in the direction of their layer: a pad of 0.4 by 0.4 um
    in the middle of a stack of vias has less metal than the design rules ask for (0.2 um2)."""
    def longer(via: re.Match) -> str:
        def pad(found: re.Match) -> str:
            layer = lef.layers.get(found[1])
            left, bottom, right, top = map(float, found[2].split())
            if layer is None or layer.name == "metal1" or (right - left) * (top - bottom) >= 0.2:
                return found[0]
            if layer.horizontal:
                left, right = left - 0.05, right + 0.05
            else:
                bottom, top = bottom - 0.05, top + 0.05
            return f"LAYER {found[1]} ;\n    RECT {left:.3f} {bottom:.3f} {right:.3f} {top:.3f} ;"
        return re.sub(r"LAYER (\w+) ;\s*RECT ([-0-9. ]+);", pad, via[0])
    return re.sub(r"(?ms)^VIA \S+ DEFAULT$.*?^END \S+$", longer, text)


def _shapes(body: str) -> list[tuple[str, str, Rectangle]]:
    """All rectangles of a cell: the pin that owns it ("" for obstructions), its layer, its place."""
    found = []
    owner, layer = "", ""
    for words in map(str.split, body.splitlines()):
        if words[:1] == ["PIN"]:
            owner = words[1]
        elif words[:1] == ["OBS"]:
            owner = ""
        elif words[:1] == ["LAYER"]:
            layer = words[1]
        elif words[:1] == ["RECT"]:
            found.append((owner, layer, tuple(map(float, words[1:5]))))
    return found


def _gap(one: Rectangle, other: Rectangle) -> float:
    across = max(one[0] - other[2], other[0] - one[2], 0.0)
    along = max(one[1] - other[3], other[1] - one[3], 0.0)
    return math.hypot(across, along)


def with_clean_taps(text: str, lef: Lef) -> str:
    """The text of a LEF file for the router. Where two tracks cross over a cell, metal 1 is blocked if a via there would be too
    near to metal of the cell, unless it lies in the pin that is the only one near. Without this qrouter taps pins between the
    tracks, where its vias are too near to other metal, or miss the wire. Raises FlowError for a pin that no via would reach."""
    across, along = lef.layers["metal2"], lef.layers["metal1"]

    def block(found: re.Match) -> str:
        name, body = found[1], found[2]
        macro, shapes = lef.macros[name], _shapes(found[2])
        metal = [(owner, layer, shape) for owner, layer, shape in shapes if layer in ("metal1", "metal2")]
        reached, blocked = set(), []
        for x in _tracks(across, macro.width):
            for y in _tracks(along, macro.height):
                pads = {"metal1": (x - 0.2, y - 0.2, x + 0.2, y + 0.2), "metal2": (x - 0.2, y - 0.25, x + 0.2, y + 0.25)}
                near = {owner for owner, layer, box in metal if _gap(pads[layer], box) < _SPACING - 1e-6}
                inside = {owner for owner, layer, box in metal if layer == "metal1" and _gap((x, y, x, y), box) < 1e-6}
                if len(near) == 1 and near == inside and "" not in near:
                    reached |= inside
                elif near:
                    blocked.append(f"        RECT {x - 0.05:.3f} {y - 0.05:.3f} {x + 0.05:.3f} {y + 0.05:.3f} ;")
        if missing := set(macro.pins) - reached:
            raise FlowError(f"{lef.file}: {name}/{min(missing)} cannot be reached where tracks cross")
        lines = "\n".join(["      LAYER metal1 ;", *blocked])
        at = body.find("OBS")
        if at < 0:
            return f"MACRO {name}{body}  OBS\n{lines}\n  END\nEND {name}"
        return f"MACRO {name}{body[:at]}OBS\n{lines}{body[at + 3:]}END {name}"

    return re.sub(r"(?ms)^MACRO (\S+)$(.*?)^END \1", block, text)


def _tracks(layer: Layer, length: float) -> list[float]:
    return [layer.offset + number * layer.pitch for number in range(round(length / layer.pitch))]
