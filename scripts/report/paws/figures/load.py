# SPDX-License-Identifier: MIT
"""Fig. 10 to 12: execution-time breakdown, ALU and memory load, scheduler idle time."""

import matplotlib.pyplot as plt

from report import draw, store
from lib.estimate import Estimate, estimate
from report.paws import paper, plan
from report.paws.data import Results
from report.paws.figures.speed import grouped
from report.section import Picture, Section, Table, against

EXAMPLES = ("bp_k1", "bt_k2", "heartwall", "cfd")  # the paper's, two of type A and two of type B
_PARTS = {"compute_only": ("only computation", "#d98032"), "both": ("both", "#8c6bb1"),
          "memory_only": ("only memory", "#2b6cb5"), "neither": ("neither", "#d9d9d9")}
_SPACE = 0.5  # between the bars of the levels


def _examples() -> list[str]:
    """Those that have results. Raises store.Missing if fewer than two have."""
    found = [kernel for kernel in EXAMPLES if kernel in plan.KERNELS]
    if len(found) < 2:
        raise store.Missing(f"there are no results of most of {', '.join(map(paper.label, EXAMPLES))}")
    return found


def _bars() -> list[tuple[float, str, str]]:
    """Place, name and scheduler of each bar."""
    return [(len(plan.POLICIES) * index + x + _SPACE * index, draw.NAMES[policy], f"{level}:{policy}")
            for index, level in enumerate(plan.LEVELS) for x, policy in enumerate(plan.POLICIES)]


def _ticks(axes) -> None:
    axes.set_xticks([x for x, *_ in _bars()], [name for _, name, _ in _bars()], rotation=90, fontsize=7)
    for index, level in enumerate(plan.LEVELS):
        axes.text(len(plan.POLICIES) * (index + 0.5) - 0.5 + _SPACE * index, -0.4, level, ha="center", va="top",
                  transform=axes.get_xaxis_transform())


def _shares(results: Results, kernel: str, scheduler: str) -> list[Estimate]:
    """Percent of a core's active cycles up to the top of each of _PARTS, stacked."""
    rows = [results.row(kernel, scheduler, seed) for seed in results.seeds]
    names = [f"active_cycles_{part}" for part in _PARTS]
    return [estimate([100 * sum(row[name] for name in names[:top]) / row["active_core_cycles"]
                      for row in rows]) for top in range(1, len(names) + 1)]


def _breakdown(results: Results) -> Picture:
    figure, rows = plt.subplots(1, len(_examples()), figsize=(9, 2.8), sharey=True)
    for axes, kernel in zip(rows, _examples()):
        for x, _, scheduler in _bars():
            base = 0.0
            tops = _shares(results, kernel, scheduler)
            for (label, colour), top in zip(_PARTS.values(), tops):
                axes.bar(x, top.mean - base, 0.8, bottom=base, color=colour,
                         label=label if x == 0 else None)
                base = top.mean
            for top in tops[:-1]:  # the last one is always at 100
                draw.interval(axes, x, top)
        axes.set_title(f"{paper.label(kernel)} (type {paper.group(kernel, 'single')})")
        _ticks(axes)
    rows[0].set_ylabel("% of a core's active cycles")
    figure.legend(*rows[0].get_legend_handles_labels(), **draw.ABOVE, ncols=4)
    return Picture("fig10", "Fig. 10: cycles by the kinds of instructions in flight.", draw.svg(figure, "fig10"))


def _loads(results: Results) -> Picture:
    figure, rows = plt.subplots(1, len(_examples()), figsize=(9, 2.8))
    for axes, kernel in zip(rows, _examples()):
        for offset, field, colour, label in ((-0.2, "alu_load", "#d98032", "ALU"),
                                             (0.2, "memory_load", "#2b6cb5", "memory")):
            for x, _, scheduler in _bars():
                value = results.statistic(field, kernel, scheduler)
                axes.bar(x + offset, value.mean, 0.38, color=colour, label=label if x == 0 else None)
                draw.interval(axes, x + offset, value)
        axes.set_title(paper.label(kernel))
        _ticks(axes)
    rows[0].set_ylabel("in flight on a core, mean")
    figure.legend(*rows[0].get_legend_handles_labels(), **draw.ABOVE, ncols=2)
    return Picture("fig11", "Fig. 11: ALU and memory instructions in flight.", draw.svg(figure, "fig11"))


def idle_change(results: Results, kernels: list[str], scheduler: str) -> Estimate:
    """Scheduler idle time against RR of the level, in percent: the mean over kernels of idle
    cycles, as shares of the execution time, the one mean relative to the other."""
    level = scheduler.partition(":")[0]

    def mean(which: str, seed: int) -> float:
        return sum(results.row(kernel, which, seed)["idle_fraction"]
                   for kernel in kernels) / len(kernels)
    return estimate([100 * (mean(scheduler, seed) / mean(f"{level}:rr", seed) - 1)
                     for seed in results.seeds])


def _idle(results: Results) -> tuple[Picture, Table]:
    figure, rows = plt.subplots(1, len(plan.LEVELS), figsize=(6.4, 2.5), sharey=True)
    lines = []
    for axes, level in zip(rows, plan.LEVELS):
        x, ticks, labels = 0.0, [], []
        for entry in (entry for entry in paper.IDLE if entry["level"] == level):
            kind = entry["type"]
            for policy in plan.POLICIES[1:]:
                value = idle_change(results, grouped(level)[kind], f"{level}:{policy}")
                axes.bar(x, value.mean, 0.8, color=draw.COLOURS[policy], label=draw.NAMES[policy] if kind == "A" else None)
                draw.interval(axes, x, value)
                axes.plot([x - 0.4, x + 0.4], [entry[policy]] * 2, color=draw.PAPER, linewidth=2)
                interval = "" if value.low is None else f" ±{(value.high - value.low) / 2:.1f}"
                lines.append([f"{level}, type {kind}", draw.NAMES[policy], f"{entry[policy]:+.2f} %",
                              f"{value.mean:+.1f} %{interval}", _sign(value, entry[policy])])
                x += 1
            ticks.append(x - 1.5)
            labels.append(f"type {kind}")
            x += 0.8
        axes.axhline(0, color="black", linewidth=0.6)
        axes.set_xticks(ticks, labels)
        axes.set_title(level)
    rows[0].set_ylabel("idle time, RR = 0, %")
    rows[0].plot([], [], color=draw.PAPER, linewidth=2, label="paper")
    figure.legend(*rows[0].get_legend_handles_labels(), **draw.ABOVE, ncols=4)
    picture = Picture("fig12", "Fig. 12: scheduler idle time against RR, by the paper's types.",
                      draw.svg(figure, "fig12"))
    return picture, Table(["kernels", "policy", "paper", "ours", "sign"], lines,
                          "Fig. 12: scheduler idle time against RR of the same level")


def _sign(value: Estimate, paper_percent: float) -> str:
    """Of ours against the paper's; 0 stands for the paper's 'comparable'."""
    if paper_percent == 0:
        return against(value, 0, "above", "below")
    words = ("the paper's", "the reverse")
    return against(value, 0, *(words if paper_percent > 0 else reversed(words)))


def section(results: Results) -> Section:
    picture, table = _idle(results)
    shares = []
    for kernel in _examples():
        means = {part: results.statistic(f"active_cycles_{part}", kernel, "single:rr").mean
                 for part in _PARTS}
        most = max(means, key=means.get)
        shares.append(f"{paper.label(kernel)} {_PARTS[most][0]} "
                      f"({100 * means[most] / sum(means.values()):.0f} %)")
    text = [
        "The time is divided by the kinds of instructions in flight. The largest parts under single-level RR are: "
        f"{', '.join(shares)}. The paper calls BP-K1 and Heart compute intensive, and B+T-K2 and CFD memory "
        "intensive.",
        "The table covers the idle times of the paper's text, and says whether our sign is the paper's. For two-level "
        "type A there is no sign, because the paper says 'comparable to RR'.",
    ]
    notes = ["A memory instruction is in flight from its issue until its last register or acknowledgement arrives. "
             "Instructions on shared memory count too. The paper's text does not give the single bars of Fig. 10 to "
             "12, so only the averages of idle time are compared as numbers."]
    return Section("fig10", "Fig. 10 to 12: where the time goes", text,
                   [_breakdown(results), _loads(results), picture, table], main=True, notes=notes)
