# SPDX-License-Identifier: MIT
"""Fig. 1 and 10: cycles by active lanes; Table 2: the benchmarks and their classes."""

import collections
import statistics

import matplotlib.pyplot as plt

from report import draw, verdict
from report.claim_table import always
from report.narasiman2011 import paper
from report.narasiman2011.data import BINS, Results
from report.section import Picture, Section, Table, number_of

_COLOURS = ("#d9d9d9", "#f2c9a1", "#d98032", "#8db8e2", "#2b6cb5", "#173d68")
FIVE = ("baseline", "DWF", "LWM", "2Lev", "LWM+2Lev")


def _stacks(results: Results, name: str, caption: str, setups: tuple[str, ...]) -> Picture:
    """For each kernel a bar of each setup. What is seen of several setups stands in a table beside it."""
    figure, axes = plt.subplots(figsize=(9, 2.9))
    step, seen = len(setups) + 1, []
    for number, kernel in enumerate(results.kernels):
        for place, setup in enumerate(setups):
            base, shares = 0.0, results.bins(kernel, setup)
            for (words, share), colour in zip(shares.items(), _COLOURS):
                axes.bar(number * step + place, 100 * share, 0.9, bottom=base, color=colour,
                         label=words if number == place == 0 else None)
                base += 100 * share
            if len(setups) == 1:
                seen.append(f"{paper.label(kernel)}: idle {100 * shares['0']:.0f} %, all lanes {100 * shares['32']:.0f} %")
    axes.set_xticks([number * step + (len(setups) - 1) / 2 for number in range(len(results.kernels))],
                    [paper.label(kernel) for kernel in results.kernels], rotation=90)
    axes.set_xlim(-1, step * len(results.kernels) - 1)
    axes.set_ylabel("% of the cycles")
    figure.legend(*axes.get_legend_handles_labels(), **draw.ABOVE, ncols=len(BINS), title="active lanes")
    return Picture(name, caption, draw.svg(figure, name), "; ".join(seen))


def _class(results: Results, kernel: str, kind: str):
    found = results.classes(kernel, kind)
    words = "/".join(word for word, _ in collections.Counter(found).most_common())
    return verdict.marked(words, always([each == paper.KERNELS[kernel][kind] for each in found]))


def _table_2(results: Results) -> Table:
    rows = []
    for kernel in results.kernels:
        entry = paper.KERNELS[kernel]
        rows.append([entry["label"], entry["branch"], _class(results, kernel, "branch"),
                     number_of(results.statistic("active", kernel, "baseline"), 1), entry["idle"],
                     _class(results, kernel, "idle"),
                     f"{100 * results.statistic('idle', kernel, 'baseline').mean:.1f} %",
                     f"{results.field('retired_threads', kernel, 'baseline') / 1e6:.1f}"])
    return Table(["benchmark", "branches, paper", "branches", "active threads of a warp", "idle, paper", "idle", "idle cycles",
                  "instructions, millions"], rows,
                 "Table 2: intensity of divergent branches and of idle cycles on the baseline. Active threads above 30 are low, "
                 "from 20 on medium; idle cycles below 20 % low, up to 40 % medium")


def classes(results: Results) -> Section:
    hits = {kind: sum(set(results.classes(kernel, kind)) == {paper.KERNELS[kernel][kind]} for kernel in results.kernels)
            for kind in ("branch", "idle")}
    divergent = [paper.label(kernel) for kernel in results.kernels
                 if results.statistic("active", kernel, "baseline").mean <= 30]
    text = [f"Of {len(results.kernels)} benchmarks {hits['branch']} have the paper's class of divergent branches, and "
            f"{hits['idle']} that of idle cycles. Divergent here are {', '.join(divergent) or 'none'}.",
            "The paper names no inputs, and runs programs of x86; these are written from their algorithms in CUDA, "
            "with persistent threads as the paper's (docs/reference/kernels.md). Its programs have 100 to 200 "
            "million instructions each.",
            "Some of the benchmarks were revised after their first results on this machine had been seen, to come closer to "
            "these classes. So that classes agree is in part by construction, and says nothing about the paper."]
    return Section("table2", "Table 2 and Fig. 1: the benchmarks on the baseline", text, [
        _table_2(results), _stacks(results, "fig1", "Fig. 1: cycles by active lanes, 32 warps of 32 threads, round robin.",
                                   ("baseline",))], main=True,
        notes=["A lane is active in the cycle in which a thread of a sub-warp enters it at the first stage of the back end. The "
               "paper's classes of active lanes are those of a lost picture."])


def five(results: Results) -> Section:
    def idle(setup: str) -> str:
        return f"{100 * statistics.fmean(results.statistic('idle', kernel, setup).mean for kernel in results.kernels):.0f} %"

    def full(setup: str) -> str:
        return f"{statistics.fmean(results.statistic('active', kernel, setup).mean for kernel in results.kernels):.1f}"
    text = ["In the mean over the benchmarks, cycles without an active lane are "
            + ", ".join(f"{idle(setup)} with {setup}" for setup in FIVE) + "; a sub-warp has "
            + ", ".join(f"{full(setup)} threads with {setup}" for setup in FIVE) + "."]
    table = Table(["benchmark", *(f"{setup}: idle, threads" for setup in FIVE)], [
        [paper.label(kernel), *(f"{100 * results.statistic('idle', kernel, setup).mean:.1f} %, "
                                f"{results.statistic('active', kernel, setup).mean:.1f}" for setup in FIVE)]
        for kernel in results.kernels], "Fig. 10: idle cycles, and threads of a sub-warp")
    return Section("fig10", "Fig. 10: where the lanes go", text, [
        _stacks(results, "fig10",
                f"Fig. 10: cycles by active lanes; for each benchmark {', '.join(FIVE)}.", FIVE), table], main=True)
