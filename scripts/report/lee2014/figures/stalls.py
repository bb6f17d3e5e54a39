# SPDX-License-Identifier: MIT
"""Fig. 5 and 6: where the cycles go, and what the caches miss, over the number of blocks per core."""

import matplotlib.pyplot as plt

from report import draw, store
from lib.estimate import Estimate, estimate
from report.lee2014 import paper, setups
from report.lee2014.data import MEASURES, Results
from report.lee2014.figures.sweep import lines
from report.section import Picture, Section

_EXAMPLES = ("conv", "srad", "km", "lps")  # the paper's, one of each type
_CACHES = ("km", "blk")
_STATES = {"active": ("ACTIVE", "#2b6cb5"), "core_stall": ("CORE_STALL", "#b02020"), "mem_stall": ("MEM_STALL", "#d98032"),
           "idle": ("IDLE", "#d9d9d9")}


def _there(results: Results, kernels: tuple[str, ...]) -> list[str]:
    found = [kernel for kernel in kernels if kernel in results.kernels]
    if not found:
        raise store.Missing(f"there are no results of {', '.join(map(paper.label, kernels))}")
    return found


def _over_limits(results: Results, kernel: str, measure: str) -> list[Estimate]:
    """A measure with 1, 2, ... T_max blocks per core."""
    field, over = MEASURES[measure]

    def value(limit: int, seed: int) -> float:
        row = results.at(kernel, *setups.with_limit(kernel, limit), seed)
        return row[field] / (row[over] if over else 1)
    return [estimate([value(limit, seed) for seed in results.seeds]) for limit in range(1, results.t_max(kernel) + 1)]


def _shares(results: Results) -> Picture:
    kernels = _there(results, _EXAMPLES)
    figure, panels = plt.subplots(1, len(kernels), figsize=(9, 2.6), sharey=True, squeeze=False)
    seen = []
    for axes, kernel in zip(panels[0], kernels):
        base = [0.0] * results.t_max(kernel)
        for measure, (label, colour) in _STATES.items():
            values = [100 * each.mean for each in _over_limits(results, kernel, measure)]
            axes.bar(range(1, len(values) + 1), values, 0.8, bottom=base, color=colour, label=label)
            base = [below + value for below, value in zip(base, values)]
            seen.append(f"{paper.label(kernel)} {label} {values[0]:.0f} to {values[-1]:.0f} %")
        axes.set_title(f"{paper.label(kernel)} (type {paper.KERNELS[kernel]['type']})")
        axes.set_xlabel("blocks per core, at most")
        axes.set_xticks(range(1, len(base) + 1))
    panels[0][0].set_ylabel("% of the scheduler cycles")
    figure.legend(*panels[0][0].get_legend_handles_labels(), **draw.ABOVE, ncols=4)
    return Picture("fig5", "Fig. 5: scheduler cycles with an issue (ACTIVE) and without, by the reason, with at most so many "
                   "blocks per core.", draw.svg(figure, "fig5"), f"With one block to all: {'; '.join(seen)}.")


def _misses(results: Results) -> Picture:
    kernels = _there(results, _CACHES)
    figure, panels = plt.subplots(1, len(kernels), figsize=(7, 2.6), squeeze=False)
    seen = []
    for axes, kernel in zip(panels[0], kernels):
        lines(axes, results.sweep_estimates(kernel), color="black", label="speed, T_max = 1")
        for measure, label, colour in (("l1_misses", "L1 miss rate", "#d98032"), ("l2_misses", "L2 miss rate", "#2b6cb5")):
            values = _over_limits(results, kernel, measure)
            lines(axes, values, color=colour, label=label)
            seen.append(f"{paper.label(kernel)} {label} " + ", ".join(f"{value.mean:.2f}" for value in values))
        axes.set_title(f"{paper.label(kernel)} (type {paper.KERNELS[kernel]['type']})")
        axes.set_xlabel("blocks per core, at most")
        axes.set_ylim(bottom=0)
    figure.legend(*panels[0][0].get_legend_handles_labels(), **draw.ABOVE, ncols=3)
    return Picture("fig6", "Fig. 6: speed and miss rates of KMN and BLK with at most so many blocks per core.",
                   draw.svg(figure, "fig6"), f"{'; '.join(seen)}.")


def section(results: Results) -> Section:
    text = ["The text gives no numbers for these figures. It says that more blocks lessen IDLE and MEM_STALL for CONV and "
            "SRAD, and raise CORE_STALL for SRAD, KMN and LPS; that L1 misses slow EIP, KMN and LBM, and L2 misses LPS and "
            "BLK. The claims above are these sentences, judged between one block and as many as fit."]
    notes = ["IDLE is state 1 of docs/reference/statistics.md (no warp has a decoded instruction), MEM_STALL state 2 (every "
             "decoded instruction waits for an operand, a barrier or a fence) and CORE_STALL state 3 (an instruction has its "
             "operands, but its unit is busy). The paper's MEM_STALL is of data from memory alone; state 2 has waits for "
             "arithmetic units too. A miss is an access that asks the next level; one to a line that is under way is counted "
             "apart and not as a miss."]
    return Section("fig5", "Fig. 5 and 6: why more blocks stop helping", text, [_shares(results), _misses(results)], main=True,
                   notes=notes)
