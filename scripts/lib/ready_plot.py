# SPDX-License-Identifier: MIT
"""The picture of scripts/study ready: cycles against single-level GTO over the size of the ready queue, as SVG."""

import matplotlib.pyplot as plt

from lib.ready_findings import SHOWN, Findings
from lib.ready_queue import LEVEL, ONE, SIZES, against_one, change
from report import draw

_RATIOS = (0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0)  # of the marked lines
_LOW, _HIGH = 0.85, 3.2  # what is beyond stands at the end of the scale


def plot(findings: Findings) -> str:
    """A thin line per workload under SHOWN, and a thick one per policy for the mean of the fourteen kernels."""
    figure, axes = plt.subplots(figsize=(7, 3.2))

    def line(ratios: list[float], **style: object) -> None:
        axes.plot(range(len(SIZES)), [min(max(ratio, _LOW), _HIGH) for ratio in ratios], clip_on=False, **style)

    for number, kernel in enumerate(findings.all):
        line([findings.cycles[size, SHOWN, kernel] / findings.cycles[None, ONE, kernel] for size in SIZES],
             color="#9bb8d8", linewidth=0.8, label=f"{SHOWN},\na workload each" if number == 0 else None)
    for scheduler in LEVEL:
        line([against_one(findings.cycles, size, scheduler, findings.fourteen) for size in SIZES],
             color=draw.COLOURS[scheduler.partition(":")[2]], linewidth=2.2, label=f"{scheduler}, mean")
    axes.set_yscale("log")
    axes.set_ylim(_LOW, _HIGH)
    axes.set_yticks(_RATIOS, [change(ratio).replace(".0 %", " %") for ratio in _RATIOS])
    axes.set_yticks([], minor=True)
    axes.grid(axis="y", color="#ddd", linewidth=0.6)
    axes.axhline(1, color="#888", linewidth=0.6)
    axes.set_xticks(range(len(SIZES)), SIZES)
    axes.set_xlabel("ready queue of a scheduler, warps")
    axes.set_ylabel(f"cycles against {ONE}")
    figure.legend(**draw.BESIDE)
    return draw.svg(figure, "ready") + "\n"
