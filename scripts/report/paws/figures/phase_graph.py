# SPDX-License-Identifier: MIT
"""Fig. 6 and 7: warps per phase over time, above the ALU and memory load; any kernel's."""

import itertools

import matplotlib.pyplot as plt
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from report import draw
from lib.estimate import Estimate, ratio
from report.paws import paper, plan
from report.paws.data import Results
from report.section import Picture, Section, Table, against, number_of, percent_of

Samples = list[dict[str, int]]
_POINTS = 150  # of a curve at most
_BANDS = 48    # of a graph at most
KERNELS = {"bt_k2": (6, 0.4), "cfd": (7, 0.3)}  # the paper's figure, and how much of the run is drawn


def _phase_names(samples: Samples) -> list[str]:
    return [name for name in samples[0] if name.startswith("phase_")]


def _bands(samples: Samples) -> dict[str, list[str]]:
    """Columns to be drawn as one, by label: each phase, or several that follow each other."""
    names = _phase_names(samples)
    step = -(-len(names) // _BANDS)
    bands = [names[first:first + step] for first in range(0, len(names), step)]
    return {"–".join(dict.fromkeys(name.removeprefix("phase_") for name in (band[0], band[-1]))): band
            for band in bands}


def busiest_stretch(samples: Samples, share: float) -> tuple[int, int]:
    """From the first cycle with a full core on, so much of the run."""
    most = max(row["warps"] for row in samples)
    start = next(row["cycle"] for row in samples if row["warps"] == most)
    return start, start + max(2000, int(share * (samples[-1]["cycle"] - start)))


def _filled(cycles: list[int], below: list[int], above: list[int]) -> Path:
    """The steps from 0 up to `above` where they rise over `below`, and one step more to each side, as one path."""
    corners, codes = [], []
    rises = [high > low for low, high in zip(below, above)]
    near = [any(rises[max(0, index - 1):index + 2]) for index in range(len(rises))]
    for drawn, stretch in itertools.groupby(zip(near, cycles, cycles[1:], above), lambda step: step[0]):
        if drawn:
            tops = list(stretch)
            outline = [(tops[0][1], 0)]
            for _, start, end, high in tops:
                outline += [(start, high), (end, high)]
            outline += [(tops[-1][2], 0), outline[0]]
            corners += outline
            codes += [Path.MOVETO, *[Path.LINETO] * (len(outline) - 2), Path.CLOSEPOLY]
    return Path(corners or [(0, 0)], codes or None)


def _stack(axes, cycles: list[int], bands: dict[str, list[int]]) -> None:
    """Numbers over time on top of each other, the first band lowest and drawn last. Each band is filled down to the
    axis, so that no line shows between two."""
    shown = plt.get_cmap("viridis", len(bands))
    sums = [[0] * len(cycles)]
    for numbers in bands.values():
        sums.append([so_far + number for so_far, number in zip(sums[-1], numbers)])
    for index, label in reversed(list(enumerate(bands))):
        axes.add_patch(PathPatch(_filled(cycles, sums[index], sums[index + 1]), facecolor=shown(index), linewidth=0,
                                 label=label))
    axes.autoscale_view()
    axes.set_ylim(bottom=0)


def draw_graph(top, bottom, samples: Samples, first: int, last: int) -> None:
    """Into two axes: warps per phase stacked, phase 1 lowest; loads."""
    rows = [row for row in samples if first <= row["cycle"] <= last]
    rows = rows[::-(-len(rows) // _POINTS)]
    cycles = [row["cycle"] for row in rows]
    _stack(top, cycles, {label: [sum(row[name] for name in band) for row in rows]
                         for label, band in _bands(samples).items()})
    bottom.plot(cycles, [row["alu_in_flight"] for row in rows], color="#d98032", linewidth=0.8,
                label="ALU", drawstyle="steps-post")
    bottom.plot(cycles, [row["memory_in_flight"] for row in rows], color="#2b6cb5", linewidth=0.8,
                label="memory", drawstyle="steps-post")
    bottom.margins(y=0.4)  # for the legend
    for axes in (top, bottom):
        axes.set_xlim(first, min(last, cycles[-1]))


def graphs(runs: dict[str, Samples], first: int, last: int, size: tuple[float, float]):
    """A figure of a size in inches with one column per run, over the same cycles."""
    figure, axes = plt.subplots(2, len(runs), figsize=size, sharex=True, sharey="row",
                                height_ratios=[2, 1], squeeze=False)
    for column, (scheduler, samples) in enumerate(runs.items()):
        draw_graph(axes[0][column], axes[1][column], samples, first, last)
        axes[0][column].set_title(scheduler)
        axes[1][column].set_xlabel("cycle")
    axes[0][0].set_ylabel("warps in each phase")
    axes[1][0].set_ylabel("in flight")
    axes[1][0].set_ylim(bottom=0)
    axes[1][0].legend(loc="upper right", ncols=2)
    handles, labels = axes[0][0].get_legend_handles_labels()
    # The phases come from the top on, as they lie. The drawing makes room for what the legend takes beyond one
    # column, so that letters do not shrink on paper.
    ncols = -(-len(labels) // 20)
    figure.set_figwidth(figure.get_figwidth() - 0.6 * (ncols - 1))
    figure.legend(handles, labels, **draw.BESIDE, title="phase", fontsize=7, ncols=ncols,
                  handlelength=1.2, columnspacing=0.8, handletextpad=0.4)
    return figure


def graph(runs: dict[str, Samples], name: str, caption: str, share: float) -> Picture:
    """Of the stretch from the first full core on."""
    stretches = [busiest_stretch(samples, share) for samples in runs.values()]
    figure = graphs(runs, min(start for start, _ in stretches), max(end for _, end in stretches),
                    (9, 3.2))
    return Picture(name, caption, draw.svg(figure, name))


def at_once(samples: Samples) -> float:
    """The largest share of the live warps in one phase, mean over the samples with warps: 1 when
    all warps stand in the same phase."""
    names = _phase_names(samples)
    shares = [max(row[name] for name in names) / row["warps"] for row in samples if row["warps"] > 0]
    return sum(shares) / len(shares)


def without_memory(samples: Samples) -> float:
    """Share of the samples with live warps in which no memory instruction is in flight."""
    rows = [row for row in samples if row["warps"] > 0]
    return sum(row["memory_in_flight"] == 0 for row in rows) / len(rows)


def columns(results: Results, kernel: str) -> dict[str, Samples]:
    """A run for each policy at the two-level scheduler."""
    return {draw.NAMES[policy]: results.samples(kernel, f"two-level:{policy}") for policy in plan.POLICIES}


def _table(results: Results) -> Table:
    rows = [[paper.label(kernel), draw.NAMES[policy], f"{100 * at_once(samples):.0f} %",
             f"{100 * without_memory(samples):.0f} %",
             number_of(results.statistic("memory_load", kernel, f"two-level:{policy}"), 1)]
            for kernel in KERNELS if kernel in plan.KERNELS
            for policy, samples in zip(plan.POLICIES, columns(results, kernel).values())]
    return Table(["kernel", "two-level", "crowding", "without memory", "memory load"], rows,
                 "Crowding: mean share of the live warps that are in the most crowded phase. Without memory: share of "
                 "the samples with no memory instruction in flight. Both are of core 0 in the unperturbed run. "
                 "Memory load: mean number of memory instructions in flight on a core, over all cores")


def _crowding(results: Results) -> str:
    """B+T-K2's crowding under RR and GTO, in words."""
    rr, gto = (round(100 * at_once(columns(results, "bt_k2")[draw.NAMES[policy]])) for policy in ("rr", "gto"))
    side = "higher under RR, as in the paper" if rr > gto else "lower under RR, the reverse" if rr < gto else "the same"
    return ("In the paper, the warps under RR reach the short phase 4 of B+T-K2 together, and the warps under GTO "
            "spread over the phases. Crowding in one phase (see the table) measures this effect: in the run that is drawn it "
            f"is {rr} % under RR and {gto} % under GTO, so {side}. The effect of noise on crowding is not measured.")


def section(results: Results) -> Section:
    pictures = [graph(columns(results, kernel), f"fig{number}", f"Fig. {number}: {paper.label(kernel)}, core 0, two-level, "
                      "from the first cycle with a full core.", share)
                for kernel, (number, share) in KERNELS.items() if kernel in plan.KERNELS]
    change = _change(results)
    text = [
        _crowding(results),
        "In the paper, CFD's memory load is 4 % higher under two-level RR than under GTO. Here the difference is "
        f"{percent_of(change)} ({against(change, 1, 'higher, as in the paper', 'lower, the reverse')}).",
    ]
    notes = ["The paper draws RR and GTO only; the figures here also show PAWS."]
    return Section("fig6", "Fig. 6 and 7: warps per phase over time", text, [*pictures, _table(results)], main=True,
                   notes=notes)


def _change(results: Results) -> Estimate:
    """CFD's memory load under RR relative to GTO, perturbation by perturbation."""
    def load(policy: str, seed: int) -> float:
        return results.row("cfd", f"two-level:{policy}", seed)["memory_load"]
    return ratio([load("rr", seed) / load("gto", seed) for seed in results.seeds])
