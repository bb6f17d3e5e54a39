# SPDX-License-Identifier: MIT
"""Means with their intervals as rows: speeds, idle cycles and threads of a sub-warp by benchmark or group."""

from lib.estimate import Estimate
from report.narasiman2011 import paper, setups
from report.narasiman2011.data import MEASURES, Results

NAMES = ("measure", "kernel", "of", "over", "mean", "low", "high")
_GROUPS = ("all", *paper.GROUPS)


def _row(measure: str, kernel: str, of: str, over: str, value: Estimate) -> dict:
    return {"measure": measure, "kernel": kernel, "of": of, "over": over,
            **{name: None if number is None else round(number, 5) for name, number in
               (("mean", value.mean), ("low", value.low), ("high", value.high))}}


def rows(results: Results) -> list[dict]:
    groups = {name: paper.group(name, results.kernels) for name in _GROUPS} | {kernel: [kernel] for kernel in results.kernels}
    names = (*setups.SETUPS, *setups.BEST_OF_EACH, *setups.BEST_OF_ALL)
    found = [_row("speed", name, setup, "baseline", results.compare(kernels, setup, "baseline"))
             for setup in names if setup != "baseline" for name, kernels in groups.items() if kernels]
    return found + [_row(measure, kernel, setup, "", results.statistic(measure, kernel, setup))
                    for measure in MEASURES if measure != "speed" for setup in names for kernel in results.kernels]
