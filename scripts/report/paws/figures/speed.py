# SPDX-License-Identifier: MIT
"""Fig. 9: speed of GTO and PAWS relative to round robin, every kernel, both levels."""

import matplotlib.pyplot as plt

from report import draw, store, verdict
from report.paws import paper, plan
from report.paws.data import Results
from report.section import Picture, Section, Table, percent_of

_PLACES = ("faster", "within 1 %", "behind", "cannot be told")


def grouped(level: str) -> dict[str, list[str]]:
    """Kernels by the paper's type. Raises store.Missing if no kernel of a type has results."""
    groups = {kind: [kernel for kernel in plan.KERNELS if paper.group(kernel, level) == kind]
              for kind in "AB"}
    for kind, kernels in groups.items():
        if not kernels:
            raise store.Missing(f"there are no results of a kernel of type {kind}, {level}")
    return groups


def picture(results: Results, level: str, name: str) -> Picture:
    figure, axes = plt.subplots(figsize=(9, 2.9))
    ticks, labels, x = [], [], 0.0
    for kind, kernels in grouped(level).items():
        first = x
        for kernel in [*kernels, None]:
            for index, policy in enumerate(plan.POLICIES[1:]):
                value = results.mean_speed([kernel] if kernel else kernels, f"{level}:{policy}", "rr")
                at = x + (index - 0.5) * 0.27
                axes.bar(at, value.mean - 1, 0.25, bottom=1, color=draw.COLOURS[policy],
                         label=draw.NAMES[policy] if not ticks else None)
                draw.interval(axes, at, value)
                if kernel is None:
                    axes.plot([at - 0.13, at + 0.13], [paper.average(level, kind, policy)] * 2,
                              color=draw.PAPER, linewidth=2, zorder=4)
            ticks.append(x)
            found = f"\n{results.found_type(kernel, level)}" if kernel else ""
            labels.append((paper.label(kernel) if kernel else "mean") + found)
            x += 1
        axes.text((first + x - 1) / 2, 1.0, f"the paper's type {kind}", ha="center", va="bottom",
                  transform=axes.get_xaxis_transform())
        x += 0.6
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks(ticks, labels)
    axes.set_ylabel(f"speed, {level} RR = 1")
    axes.plot([], [], color=draw.PAPER, linewidth=2, label="the paper's averages")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.22), ncols=4)
    axes.margins(x=0.01)
    return Picture(name, f"Speed relative to round robin, {level}. Below each kernel "
                   "name: its type here (=: GTO and RR cannot be told apart). The paper's averages of type B are "
                   "calculated from its speeds over GTO.", draw.svg(figure, name))


def averages(results: Results) -> Table:
    """The paper's averages and ours, by the paper's grouping and by ours."""
    rows = []
    for average in paper.AVERAGES:
        level, kind, over = average["level"], average["kernels"], average["over"]
        scheduler = f"{level}:{average['policy']}"
        ours = results.mean_speed(grouped(level)[kind], scheduler, over)
        found = [kernel for kernel in plan.KERNELS if results.found_type(kernel, level) == kind]
        regrouped = f"{percent_of(results.mean_speed(found, scheduler, over))} ({len(found)})" if found else "none"
        rows.append([f"{level}, type {kind}", f"{average['policy'].upper()} over {over.upper()}",
                     f"{average['percent']:+.1f} %", percent_of(ours), regrouped])
    return Table(["kernels", "speed of", "paper", "ours, the paper's kernels", "ours, kernels of this type here"], rows,
                 "Average speeds, geometric means" + ("; ± is the 95 % interval of the perturbations"
                                                      if results.perturbed else "")
                 + ". The same runs select the kernels of a type here and give their averages. So the gains of RR "
                 "and GTO over each other in the last column always have the sign of the type")


def _names(kernels: list[str]) -> str:
    return ", ".join(map(paper.label, kernels)) or "no kernel"


def _types(results: Results, level: str) -> str:
    """Sentences on RR and GTO."""
    found: dict[str, list[str]] = {"A": [], "B": [], "=": []}
    for kernel in plan.KERNELS:
        found[results.found_type(kernel, level)].append(kernel)
    same = sum(kernel in found[paper.group(kernel, level)] for kernel in plan.KERNELS)
    apart = ("The noise is not measured" if not results.perturbed
             else f"GTO and RR cannot be told apart for {_names(found['='])}" if found["="]
             else "GTO and RR can be told apart for every kernel")
    a, b = (percent_of(results.mean_speed(kernels, f"{level}:gto", "rr"))
            for kernels in grouped(level).values())
    return (f"GTO is faster for {_names(found['A'])} (type A), and RR for {_names(found['B'])} (type B). "
            f"{apart}. {same} of {len(plan.KERNELS)} kernels have the same type as in the paper. The mean speed of "
            f"GTO against RR is {a} for the paper's type A kernels, and {b} for its type B kernels.")


def _beside_better(results: Results, level: str) -> dict[str, list[str]]:
    """Kernels by how PAWS stands to the better of RR and GTO."""
    found: dict[str, list[str]] = {place: [] for place in _PLACES}
    for kernel in plan.KERNELS:
        speeds = [results.speed(kernel, f"{level}:paws", over) for over in ("rr", "gto")]
        reached = verdict.every([verdict.judge(speed, "reaches", 99) for speed in speeds])
        place = {verdict.HOLDS: "within 1 %", verdict.UNKNOWN: "cannot be told"}.get(reached, "behind")
        found["faster" if all(speed.above(1) for speed in speeds) else place].append(kernel)
    return found


def _paws(results: Results, level: str) -> tuple[str, list[str]]:
    """A sentence on PAWS, and a line of its table."""
    found = _beside_better(results, level)
    speeds = [percent_of(results.mean_speed(plan.KERNELS, f"{level}:paws", over)) for over in ("rr", "gto")]
    return (f"Over all kernels, the mean speed of PAWS is {speeds[0]} against RR and {speeds[1]} against GTO. "
            f"PAWS is faster than both policies or within 1 % of the better one for "
            f"{len(found['faster'] + found['within 1 %'])} of {len(plan.KERNELS)} kernels, and further behind for "
            f"{len(found['behind'])}."), [level, *speeds, *map(_names, found.values())]


def section(results: Results) -> Section:
    parts = [picture(results, level, f"fig9{letter}") for level, letter in zip(plan.LEVELS, "ab")]
    text, rows, notes = [], [], []
    for level in plan.LEVELS:
        sentence, line = _paws(results, level)
        text.append(f"{level.capitalize()}: {_types(results, level)} {sentence}")
        rows.append(line)
    if results.perturbed:
        notes.append("Each kernel has its own 95 % interval. So about one in twenty comparisons without a "
                     "difference will seem to show one.")
    table = Table(["PAWS", "over RR", "over GTO", *_PLACES], rows,
                  "PAWS: mean speed over all kernels, and its speed on each kernel against the better of RR and GTO")
    return Section("fig9", "Fig. 9: speed relative to round robin", text,
                   [*parts, table, averages(results)], main=True, notes=notes)
