"""Fig. 6 and 7: warps per phase over time, above the ALU and memory load; any kernel's."""

import matplotlib.pyplot as plt

from report import draw, paper, plan
from report.data import COLUMNS, Machine, Results
from report.section import Picture, Section, Table, percent

Samples = list[dict[str, int]]
_POINTS = 250  # of a curve, at most twice as many
KERNELS = {"bt_k2": (6, 0.4), "cfd": (7, 0.3)}  # the paper's figure, and how much of the run is drawn


def _phase_names(samples: Samples) -> list[str]:
    return [name for name in samples[0] if name.startswith("phase_")]


def busiest_stretch(samples: Samples, share: float) -> tuple[int, int]:
    """From the first cycle with a full core on, so much of the run."""
    most = max(row["warps"] for row in samples)
    start = next(row["cycle"] for row in samples if row["warps"] == most)
    return start, start + max(2000, int(share * (samples[-1]["cycle"] - start)))


def draw_graph(top, bottom, samples: Samples, first: int, last: int) -> None:
    """Into two axes: warps per phase stacked, phase 1 lowest; loads."""
    rows = [row for row in samples if first <= row["cycle"] <= last]
    rows = rows[::max(1, len(rows) // _POINTS)]
    cycles = [row["cycle"] for row in rows]
    names = _phase_names(samples)
    shown = plt.get_cmap("viridis", len(names))
    top.stackplot(cycles, [[row[name] for row in rows] for name in names], linewidth=0,
                  colors=[shown(i) for i in range(len(names))], step="post",
                  labels=[name.removeprefix("phase_") for name in names])
    bottom.plot(cycles, [row["alu_in_flight"] for row in rows], color="#d98032", linewidth=0.8,
                label="ALU", drawstyle="steps-post")
    bottom.plot(cycles, [row["memory_in_flight"] for row in rows], color="#2b6cb5", linewidth=0.8,
                label="memory", drawstyle="steps-post")
    for axes in (top, bottom):
        axes.set_xlim(first, min(last, cycles[-1]))


def graph(runs: dict[str, Samples], name: str, caption: str, share: float) -> Picture:
    """One column per scheduler, over the same stretch of cycles."""
    stretches = [busiest_stretch(samples, share) for samples in runs.values()]
    first, last = min(start for start, _ in stretches), max(end for _, end in stretches)
    figure, axes = plt.subplots(2, len(runs), figsize=(9, 3.2), sharex=True, sharey="row",
                                height_ratios=[2, 1], squeeze=False)
    for column, (scheduler, samples) in enumerate(runs.items()):
        draw_graph(axes[0][column], axes[1][column], samples, first, last)
        axes[0][column].set_title(scheduler)
        axes[1][column].set_xlabel("cycle")
    axes[0][0].set_ylabel("warps in each phase")
    axes[1][0].set_ylabel("in flight")
    axes[1][0].legend(loc="upper right", ncols=2)
    handles, labels = axes[0][0].get_legend_handles_labels()
    if len(labels) <= 20:
        figure.legend(handles, labels, **draw.BESIDE, title="phase", fontsize=6)
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


def columns(results: Results, kernel: str, ready: int) -> dict[str, Samples]:
    """A run for each policy at the two-level scheduler, PAWS under both phase rules."""
    return {draw.NAMES[key]: results.samples(kernel, f"two-level:{policy}", Machine(ready, rule))
            for key, policy, rule in COLUMNS}


def _memory_load(samples: Samples) -> float:
    """Memory instructions in flight, mean over the samples with live warps."""
    live = [row for row in samples if row["warps"] > 0]
    return sum(row["memory_in_flight"] for row in live) / len(live)


def _table(results: Results) -> Table:
    rows = [[paper.label(kernel), str(ready), name, f"{100 * at_once(samples):.0f} %",
             f"{100 * without_memory(samples):.0f} %", f"{_memory_load(samples):.1f}"]
            for kernel in KERNELS for ready in plan.READY
            for name, samples in columns(results, kernel, ready).items()]
    return Table(["kernel", "ready", "two-level", "crowding", "without memory", "memory load"], rows,
                 "Core 0: mean share of the live warps that stands in the most crowded phase; samples "
                 "without a memory instruction in flight; memory instructions in flight")


def section(results: Results) -> Section:
    pictures = []
    for kernel, (number, share) in KERNELS.items():
        for ready in plan.READY:
            pictures.append(graph(columns(results, kernel, ready), f"fig{number}-{ready}",
                                  f"Fig. {number}: {paper.label(kernel)}, core 0, two-level, ready queue "
                                  f"{ready}, from the first cycle with all warps on.", share))
    text = [
        "The paper sees RR's warps arrive at B+T-K2's short phase 4 together and GTO's spread over the "
        "phases; crowding in one phase (in the table) is that effect as a number. " + "; ".join(
            f"with a ready queue of {ready} it is " + ", ".join(
                f"{100 * at_once(samples):.0f} % under {name}"
                for name, samples in columns(results, "bt_k2", ready).items() if "cut" not in name)
            for ready in plan.READY) + ".",
        "The paper finds CFD's memory load 4 % higher under two-level RR than under GTO; here it is " +
        ", ".join(f"{percent(_change(results, ready))} with a ready queue of {ready}"
                  for ready in plan.READY) + ".",
        "The paper draws RR and GTO only; PAWS stands beside them here, under both phase rules. A phase "
        "cut at basic blocks is another one than that of the same number in program order.",
    ]
    return Section("fig6", "Fig. 6 and 7: warps per phase over time", text,
                   [*pictures, _table(results)])


def _change(results: Results, ready: int) -> float:
    """CFD's memory load under RR relative to GTO."""
    rr, gto = (_memory_load(results.samples("cfd", f"two-level:{policy}", Machine(ready)))
               for policy in ("rr", "gto"))
    return rr / gto
