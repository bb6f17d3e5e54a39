# SPDX-License-Identifier: MIT
"""Fig. 15, 16 and 17: blocks in pairs, the warp scheduler that knows of them, and whose lines are hit in the caches."""

import statistics

import matplotlib.pyplot as plt

from report import draw, store
from report.bars import COLOURS
from lib.estimate import estimate, ratio
from report.lee2014 import paper, plan
from report.lee2014.data import Results
from report.lee2014.figures import bars
from report.lee2014.figures.sweep import lines
from report.section import Picture, Section, Table, number_of, percent_of

_SETUPS = ("BCS+GTO", "BCS+SCA", "BCS+SCA, keep")
_OWNERS = {"same_warp": "the same warp", "same_block": "another warp of the block", "paired_block": "the paired block",
           "other_block": "another block"}
_CACHES = {"l1": ("L1D_total_cache_accesses", "L1"), "l2": ("L2_total_cache_accesses", "L2")}


def _scaling(results: Results) -> Picture:
    kernels = [kernel for kernel in plan.PAIRED if kernel in results.kernels]
    if not kernels:
        raise store.Missing(f"there are no results of {', '.join(map(paper.label, plan.PAIRED))}")
    figure, panels = plt.subplots(1, len(kernels), figsize=(7, 2.6), squeeze=False)
    seen = []
    for axes, kernel in zip(panels[0], kernels):
        lines(axes, results.sweep_estimates(kernel), color=COLOURS[0], label="GTO")
        sweeps = [results.paired_sweep(kernel, seed) for seed in results.seeds]
        paired = {limit: ratio([sweep[limit] for sweep in sweeps]) for limit in sweeps[0]}
        axes.plot(list(paired), [speed.mean for speed in paired.values()], marker="o", markersize=2.5, linewidth=1,
                  color=COLOURS[1], label="BCS+SCA")
        for limit, speed in paired.items():
            draw.interval(axes, limit, speed)
        axes.set_title(paper.label(kernel))
        axes.set_xlabel("blocks per core, at most")
        seen.append(f"{paper.label(kernel)}, BCS+SCA: " + ", ".join(f"{limit} blocks {speed.mean:.2f}"
                                                                    for limit, speed in paired.items()))
    panels[0][0].set_ylabel("speed, GTO with T_max = 1")
    figure.legend(*panels[0][0].get_legend_handles_labels(), **draw.ABOVE, ncols=2)
    return Picture("fig15", "Fig. 15: speed with at most so many blocks per core, alone and in pairs. Pairs fill an even number.",
                   draw.svg(figure, "fig15"), f"{'; '.join(seen)}.")


def _owners(results: Results, kernels: list[str]) -> Table:
    """Hits by whose line it is, as shares of the accesses, mean over kernels."""
    rows = []
    for cache, (accesses, label) in _CACHES.items():
        for setup in ("GTO", *_SETUPS):
            cells = []
            for owner in _OWNERS:
                shares = [100 * statistics.fmean(
                    (row[f"{cache}_hits_{owner}"] + row[f"{cache}_pending_hits_{owner}"]) / max(1, row[accesses])
                    for row in (results.row(kernel, setup, seed) for kernel in kernels)) for seed in results.seeds]
                cells.append(f"{number_of(estimate(shares), 1)} %")
            rows.append([label, setup, *cells])
    return Table(["cache", "", *_OWNERS.values()], rows,
                 "Accesses to a line that is there or under way, by who had asked for it, of all accesses; mean over "
                 "the two-dimensional kernels")


def _odd(results: Results) -> list[str]:
    """On kernels of which an odd number of blocks fits."""
    odd = paper.group("odd", results.kernels)
    if not odd:
        return []
    words = "; ".join(f"{paper.label(kernel)} {percent_of(results.compare([kernel], 'BCS+SCA', 'GTO'))}, and "
                      f"{percent_of(results.compare([kernel], 'BCS+SCA, odd place used', 'GTO'))} if the place is used"
                      for kernel in odd)
    return [f"Where an odd number of blocks fits, pairs leave one place empty: {words}."]


def _paired(results: Results, kernels: list[str], setup: str) -> str:
    """Accesses that find a line of the paired block in the L1."""
    shares = [100 * statistics.fmean(
        (row["l1_hits_paired_block"] + row["l1_pending_hits_paired_block"]) / max(1, row["L1D_total_cache_accesses"])
        for row in (results.row(kernel, setup, seed) for kernel in kernels)) for seed in results.seeds]
    return f"{statistics.fmean(shares):.0f} %"


def section(results: Results) -> Section:
    kernels = paper.group("2D", results.kernels)
    pairs = {"mean": (kernels, {"BCS+GTO": 3, "BCS+SCA": 15})}
    rates = {"mean": (kernels, {"BCS+GTO": -8, "BCS+SCA": -24})}
    speed = bars.speeds(results, "fig16", "Fig. 16: speed of blocks in pairs relative to GTO with blocks one by one.", kernels,
                        _SETUPS, "GTO", pairs)
    misses = bars.speeds(results, "fig17", "Fig. 17: L1 miss rate of blocks in pairs relative to GTO with blocks one by one.",
                         kernels, _SETUPS, "GTO", rates, "l1_misses")
    best = max(kernels, key=lambda kernel: results.compare([kernel], "BCS+SCA", "GTO").mean)
    text = [
        f"Pairs alone change the mean speed by {percent_of(results.compare(kernels, 'BCS+GTO', 'GTO'))} (in the paper +3 %) and "
        f"the L1 miss rate by {percent_of(results.compare(kernels, 'BCS+GTO', 'GTO', 'l1_misses'))} (−8 %). With SCA it is "
        f"{percent_of(results.compare(kernels, 'BCS+SCA', 'GTO'))} (+15 %) and "
        f"{percent_of(results.compare(kernels, 'BCS+SCA', 'GTO', 'l1_misses'))} (−24 %). {paper.label(best)} gains most, "
        f"{percent_of(results.compare([best], 'BCS+SCA', 'GTO'))} (up to +70 %).",
        f"The lines of the paired block serve {_paired(results, kernels, 'BCS+GTO')} of the L1 accesses under GTO and "
        f"{_paired(results, kernels, 'BCS+SCA')} under SCA, so most of what the pairs share is found without "
        "a warp scheduler that knows of them: two blocks that started together stay near each other, and a line under "
        "way serves both.",
        *_odd(results),
        "SCA leaves a group of two warps when the one whose turn it is cannot issue ('until one of the two warps stall'). If it "
        "stays while either can ('keep'), the mean speed changes by "
        f"{percent_of(results.compare(kernels, 'BCS+SCA, keep', 'BCS+SCA'))}."]
    notes = ["The kernels are those whose blocks have threads in y. LPS and 3DFD in Fig. 15 have fewer block slots on a core "
             "(--set core.blocks=N) under BCS, since a limit of BCS is of pairs."]
    return Section("fig16", "Fig. 15 to 17: blocks in pairs (BCS)", text,
                   [_scaling(results), speed, misses, _owners(results, kernels)], main=True, notes=notes)
