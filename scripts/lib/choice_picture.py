# SPDX-License-Identifier: MIT
"""The picture of scripts/study choice: time against area of every design, with the front of those that none beats."""

import html
import math

from lib.choice_findings import Findings
from lib.designs import DESIGNS, Design, build

_LEFT, _TOP, _WIDTH, _HEIGHT = 62, 16, 420, 366
_AREAS = (10, 20, 50, 100, 200)  # of the marked lines, 1000 um2
_TIMES = (0.8, 0.9, 1.0, 1.25, 1.5, 2.0, 2.5)
_SINGLE, _TWO, _FRONT = "#2b6cb5", "#d98032", "#333"
_LINE = 21  # of the legend


def _place(value: float, low: float, high: float, size: float) -> float:
    """On a logarithmic scale."""
    return size * math.log(value / low) / math.log(high / low)


class _Axes:
    def __init__(self, areas: list[float], times: list[float]):
        self.areas = 0.8 * min(areas), 1.25 * max(areas)
        self.times = 0.93 * min(times), 1.07 * max(times)

    def x(self, area: float) -> float:
        return _LEFT + _place(area, *self.areas, _WIDTH)

    def y(self, time: float) -> float:
        return _TOP + _HEIGHT - _place(time, *self.times, _HEIGHT)


def _grid(axes: _Axes) -> list[str]:
    parts = []
    for area in (each for each in _AREAS if axes.areas[0] < each < axes.areas[1]):
        parts.append(f'<path d="M{axes.x(area):.1f} {_TOP}v{_HEIGHT}" stroke="#ddd"/>'
                     f'<text x="{axes.x(area):.1f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{area}</text>')
    for time in (each for each in _TIMES if axes.times[0] < each < axes.times[1]):
        parts.append(f'<path d="M{_LEFT} {axes.y(time):.1f}h{_WIDTH}" stroke="{"#888" if time == 1 else "#ddd"}"/>'
                     f'<text x="{_LEFT - 8}" y="{axes.y(time) + 4:.1f}" text-anchor="end">{time}</text>')
    return [*parts, f'<text x="{_LEFT + _WIDTH / 2:.1f}" y="{_TOP + _HEIGHT + 40}" text-anchor="middle">'
            'area of the fastest mapping, 1000 µm²</text>'
            f'<text transform="translate(16 {_TOP + _HEIGHT / 2:.1f}) rotate(-90)" text-anchor="middle">'
            'time, two-level RR = 1</text>']


def _mark(design: Design, number: int, x: float, y: float) -> str:
    shape = (f'<rect x="{x - 8:.1f}" y="{y - 8:.1f}" width="16" height="16" fill="{_TWO}"/>' if design.two_level else
             f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{_SINGLE}"/>')
    return (f'{shape}<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="11" fill="white">{number}'
            f'<title>{html.escape(design.title)}</title></text>')


def plot(findings: Findings) -> str:
    """A circle per single-level design and a square per two-level one, with numbers; the legend names them."""
    times = {design: findings.time(design) for design in DESIGNS}
    areas = {design: build(design).area_um2 / 1000 for design in DESIGNS}
    axes = _Axes(list(areas.values()), [time.mean for time in times.values()])
    height = max(_TOP + _HEIGHT + 50, _TOP + _LINE * (len(DESIGNS) + 1))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" font-family="sans-serif" '
             'font-size="12">', f'<rect width="860" height="{height}" fill="white"/>', *_grid(axes)]
    front = findings.front()
    steps = f"M{axes.x(areas[front[0]]):.1f} {_TOP}V{axes.y(times[front[0]].mean):.1f}" + "".join(
        f"H{axes.x(areas[design]):.1f}V{axes.y(times[design].mean):.1f}" for design in front[1:])
    parts.append(f'<path d="{steps}H{_LEFT + _WIDTH}" fill="none" stroke="{_FRONT}" stroke-dasharray="4 3">'
                 '<title>No design is below and left of this line.</title></path>')
    for number, design in enumerate(DESIGNS, 1):
        time, x = times[design], axes.x(areas[design])
        parts.append(f'<path d="M{x:.1f} {axes.y(time.low):.1f}V{axes.y(time.high):.1f}" stroke="black"/>'
                     + _mark(design, number, x, axes.y(time.mean)))
        at = _TOP + _LINE * (number - 0.5)
        weight = ' font-weight="bold"' if design in front else ""
        parts.append(_mark(design, number, 510, at)
                     + f'<text x="528" y="{at + 4:.1f}"{weight}>{html.escape(design.title.replace("`", ""))}</text>')
    at = _TOP + _LINE * (len(DESIGNS) + 0.5)
    parts.append(f'<path d="M500 {at:.1f}h22" stroke="{_FRONT}" stroke-dasharray="4 3"/>'
                 f'<text x="528" y="{at + 4:.1f}">front: bold, no other is faster and smaller</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
