# SPDX-License-Identifier: MIT
"""The picture of scripts/study affinity: the mean speed of every rule with its interval, as SVG."""

import math

from lib.affinity_runs import RULES, Runs

_COLOURS = {"paws": "#2b6cb5", "gto": "#d98032", "rr": "#7f7f7f"}
_LEFT, _TOP, _WIDTH, _LINE = 180, 34, 200, 20
_GAP = 60  # between the panels


def _panel(runs: Runs, machine: str, ready: int, left: float, span: float) -> list[str]:
    """Marks of one machine and ready queue; `span` is the largest change in percent that is shown."""

    def x(speed: float) -> float:
        return left + _WIDTH * (0.5 + 50 * (speed - 1) / span)

    places = [(policy, rule) for policy in runs.policies for rule in RULES[policy]]
    height = _LINE * len(places)
    parts = [f'<text x="{left + _WIDTH / 2:.1f}" y="18" text-anchor="middle">{machine}, ready {ready}</text>']
    for change in (-span, 0, span):
        at = x(1 + change / 100)
        parts.append(f'<path d="M{at:.1f} {_TOP}v{height}" stroke="{"#ddd" if change else "#888"}"/>'
                     f'<text x="{at:.1f}" y="{_TOP + height + 16}" text-anchor="middle">{change:+g} %</text>')
    for row, (policy, rule) in enumerate(places):
        estimate = runs.mean_speed(machine, ready, policy, rule)
        y = _TOP + _LINE * (row + 0.5)
        if estimate.low is not None:
            parts.append(f'<path d="M{x(estimate.low):.1f} {y}H{x(estimate.high):.1f}" stroke="black"/>')
        parts.append(f'<circle cx="{x(estimate.mean):.1f}" cy="{y}" r="4" fill="{_COLOURS[policy]}">'
                     f'<title>{policy}, {rule}: {100 * (estimate.mean - 1):+.2f} %</title></circle>')
    return parts


def plot(runs: Runs) -> str:
    """A panel for each machine and ready queue, a line for each policy and rule."""
    places = [f"{policy}, {rule}" for policy in runs.policies for rule in RULES[policy]]
    estimates = [runs.mean_speed(*group, rule) for group in runs.groups for rule in RULES[group[2]]]
    span = math.ceil(10 * max(100 * abs(bound - 1) for each in estimates
                              for bound in (each.mean, each.low, each.high) if bound is not None)) / 10
    width = _LEFT + len(runs.panels) * (_WIDTH + _GAP)
    height = _TOP + _LINE * len(places) + 50
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    parts += [f'<text x="{_LEFT - 40}" y="{_TOP + _LINE * (row + 0.5) + 4}" text-anchor="end">{place}</text>'
              for row, place in enumerate(places)]
    for number, (machine, ready) in enumerate(runs.panels):
        parts += _panel(runs, machine, ready, _LEFT + number * (_WIDTH + _GAP), max(span, 0.1))
    parts.append(f'<text x="{_LEFT + (width - _LEFT - _GAP) / 2:.1f}" y="{height - 10}" text-anchor="middle">'
                 'mean speed of the fourteen kernels against the same policy without affinity</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
