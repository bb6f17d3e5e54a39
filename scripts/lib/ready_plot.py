# SPDX-License-Identifier: MIT
"""The picture of scripts/study ready: cycles against single-level GTO over the size of the ready queue, as SVG."""

import math

from lib.ready_findings import SHOWN, Findings
from lib.ready_queue import LEVEL, ONE, SIZES, against_one, change

COLOURS = {"two-level:rr": "#7f7f7f", "two-level:gto": "#d98032", "two-level:paws": "#2b6cb5"}
_RATIOS = (0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0)  # of the marked lines
_LEFT, _TOP, _WIDTH, _HEIGHT = 74, 20, 466, 260
_LOW, _HIGH = 0.85, 3.2


def _x(size: int) -> float:
    return _LEFT + _WIDTH * SIZES.index(size) / (len(SIZES) - 1)


def _y(ratio: float) -> float:
    """On a logarithmic scale; what is beyond it stands at its end."""
    ratio = min(max(ratio, _LOW), _HIGH)
    return _TOP + _HEIGHT * math.log(_HIGH / ratio) / math.log(_HIGH / _LOW)


def _line(ratios: list[float], style: str, title: str) -> str:
    points = " ".join(f"{_x(size):.1f},{_y(ratio):.1f}" for size, ratio in zip(SIZES, ratios))
    return f'<polyline points="{points}" fill="none" {style}><title>{title}</title></polyline>'


def plot(findings: Findings) -> str:
    """A thin line per workload under SHOWN, and a thick one per policy for the mean of the fourteen kernels."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 340" font-family="sans-serif" font-size="12">',
             '<rect width="760" height="340" fill="white"/>']
    for ratio in _RATIOS:
        parts.append(f'<path d="M{_LEFT} {_y(ratio):.1f}h{_WIDTH}" stroke="{"#888" if ratio == 1 else "#ddd"}"/>'
                     f'<text x="{_LEFT - 8}" y="{_y(ratio) + 4:.1f}" text-anchor="end">'
                     f'{change(ratio).replace(".0 %", " %")}</text>')
    for size in SIZES:
        parts.append(f'<text x="{_x(size):.1f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{size}</text>')
    parts.append(f'<text x="{_LEFT + _WIDTH / 2:.1f}" y="{_TOP + _HEIGHT + 40}" text-anchor="middle">'
                 'ready queue of a scheduler, warps</text>'
                 f'<text transform="translate(16 {_TOP + _HEIGHT / 2:.1f}) rotate(-90)" text-anchor="middle">'
                 f'cycles against {ONE}</text>')
    for kernel in findings.all:
        ratios = [findings.cycles[size, SHOWN, kernel] / findings.cycles[None, ONE, kernel] for size in SIZES]
        parts.append(_line(ratios, 'stroke="#9bb8d8" stroke-width="1"', f"{kernel}, {SHOWN}"))
    for row, scheduler in enumerate(LEVEL):
        ratios = [against_one(findings.cycles, size, scheduler, findings.fourteen) for size in SIZES]
        style = f'stroke="{COLOURS[scheduler]}" stroke-width="3"'
        parts.append(_line(ratios, style, f"{scheduler}, mean of the fourteen kernels"))
        at = _TOP + 10 + 22 * row
        parts.append(f'<path d="M560 {at}h24" {style}/><text x="592" y="{at + 4}">{scheduler}, mean</text>')
    at = _TOP + 10 + 22 * len(LEVEL)
    parts.append(f'<path d="M560 {at}h24" stroke="#9bb8d8"/><text x="592" y="{at + 4}">{SHOWN},</text>'
                 f'<text x="592" y="{at + 20}">a workload each</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
