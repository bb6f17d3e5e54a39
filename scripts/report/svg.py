# SPDX-License-Identifier: MIT
"""A drawing of matplotlib as a smaller SVG element that looks the same: coordinates to a tenth of a point, paths
from point to point, and nothing that the eye cannot see."""

import re
import xml.etree.ElementTree as xml

_SVG, _LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_GRID = 10  # coordinates of paths are kept in so many parts of a point
_POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3, "z": 0}  # that a command takes
Point = tuple[int, int]


def _number(value: int) -> str:
    """Of parts of a point, in points, as short as SVG takes it."""
    whole, rest = divmod(abs(value), _GRID)
    text = f"{whole or ''}.{rest}" if rest else str(whole)
    return f"-{text}" if value < 0 else text


def _offset(start: Point, *points: Point) -> str:
    """Points relative to a start."""
    numbers = [_number(to - of) for point in points for to, of in zip(point, start)]
    text = numbers[0]
    for number in numbers[1:]:
        text += number if number.startswith("-") else f" {number}"
    return text


def _line(start: Point, end: Point) -> str:
    if start[1] == end[1]:
        return f"h{_number(end[0] - start[0])}"
    if start[0] == end[0]:
        return f"v{_number(end[1] - start[1])}"
    return f"l{_offset(start, end)}"


def _goes_on(first: Point, second: Point, third: Point) -> bool:
    """Whether the way to the third point leads on in the direction of the way to the second."""
    (dx, dy), (ex, ey) = ((to[0] - of[0], to[1] - of[1]) for of, to in ((first, second), (second, third)))
    return dx * ey == dy * ex and dx * ex + dy * ey > 0


def _lines(points: list[Point]) -> str:
    """A line through points, without those that do not change its course."""
    kept = points[:1]
    for point in points[1:]:
        if point == kept[-1]:
            continue
        if len(kept) > 1 and _goes_on(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return "".join(map(_line, kept, kept[1:]))


def path(data: str) -> str:
    """A path of absolute commands, shorter. ValueError for what matplotlib does not write."""
    parts, run, start = [], [], (0, 0)  # run: points of a line so far; start: of the subpath
    for command, words in re.findall(r"([A-Za-z])([^A-Za-z]*)", data):
        numbers = [round(_GRID * float(word)) for word in words.split()]
        points = list(zip(numbers[::2], numbers[1::2]))
        if _POINTS.get(command) != len(points):
            raise ValueError(f"SVG path with {command} and {len(points)} points: {data[:60]}")
        if command == "L":
            run += points
            continue
        parts.append(_lines(run))
        if command == "M":
            start = points[0]
            parts.append(f"M{_offset((0, 0), start)}")
        elif command == "z":
            parts.append("z")
            points = [start]
        else:
            parts.append(command.lower() + _offset(run[-1], *points))
        run = points[-1:]
    return "".join(parts) + _lines(run)


def _rounded(value: str) -> str:
    """Every number in an attribute, to a hundredth."""
    return re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), value)


def _style(value: str) -> str:
    """Without spaces, and of the fonts the first one and the last, which is the family."""
    value = re.sub(r"([:;,]) ", r"\1", _rounded(value))
    return re.sub(r"('[^']*')(?:,'[^']*')*(?:,sans-serif)*(,[\w-]+)", r"\1\2", value)


def _shorten(element: xml.Element) -> None:
    """Its attributes."""
    for name, value in element.attrib.items():
        if name == "d":
            element.set(name, path(value))
        elif name == "style":
            element.set(name, _style(value))
        elif name != "id":
            element.set(name, _rounded(value))
    if element.get("transform", "").startswith(("rotate(0 ", "rotate(-0 ")):
        del element.attrib["transform"]


def _prune(element: xml.Element) -> None:
    """Its paths that draw nothing go, and its groups that say nothing are replaced by what they hold."""
    for child in list(element):
        _prune(child)
        if child.tag == f"{{{_SVG}}}path" and not re.search("[a-z]", child.get("d")):
            element.remove(child)
        elif child.tag == f"{{{_SVG}}}g" and not child.attrib:
            place = list(element).index(child)
            element[place:place + 1] = list(child)


def compact(text: str) -> str:
    """The SVG element in short. ValueError for what matplotlib does not write."""
    root = xml.fromstring(text)
    for metadata in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(metadata)
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', text))
    for element in root.iter():
        element.text, element.tail = (element.text or "").strip(), None
        if element.get("id") not in used:
            element.attrib.pop("id", None)
        _shorten(element)
    _prune(root)
    xml.register_namespace("", _SVG)
    xml.register_namespace("xlink", _LINK)
    return xml.tostring(root, encoding="unicode")
