"""Fig. 9: speed of GTO and PAWS relative to round robin, every kernel, both levels."""

import matplotlib.pyplot as plt

from report import draw, paper, plan
from report.data import MACHINES, Machine, Results
from report.section import Picture, Section, Table, percent_of

_WORDS = {"single": "single-level", "two-level": "two-level"}


def grouped(level: str) -> dict[str, list[str]]:
    """Kernels by the paper's type."""
    return {kind: [kernel for kernel in plan.KERNELS if paper.group(kernel, level) == kind]
            for kind in "AB"}


def _bars(results: Results, level: str, ready: int):
    """The variants of a level: colour key, scheduler, machine."""
    yield "gto", f"{level}:gto", Machine(ready, "order")
    yield "paws", f"{level}:paws", Machine(ready, "order")
    yield "paws-blocks", f"{level}:paws", Machine(ready, "blocks")


def picture(results: Results, level: str, ready: int, name: str) -> Picture:
    groups = grouped(level)
    figure, axes = plt.subplots(figsize=(9, 2.9))
    bars = list(_bars(results, level, ready))
    ticks, labels, x = [], [], 0.0
    for kind, kernels in groups.items():
        first = x
        for kernel in [*kernels, None]:
            for index, (key, scheduler, machine) in enumerate(bars):
                if kernel:
                    value = results.speed(kernel, scheduler, "rr", machine)
                else:
                    value = results.mean_speed(kernels, scheduler, "rr", machine)
                at = x + (index - 1) * 0.27
                axes.bar(at, value.mean - 1, 0.25, bottom=1, color=draw.COLOURS[key],
                         label=draw.NAMES[key] if not ticks else None)
                draw.interval(axes, at, value)
            ticks.append(x)
            found = f"\n{results.found_type(kernel, level, bars[0][2])}" if kernel else ""
            labels.append((paper.label(kernel) if kernel else "mean") + found)
            x += 1
        axes.text((first + x - 1) / 2, 1.0, f"the paper's type {kind}", ha="center", va="bottom",
                  transform=axes.get_xaxis_transform())
        for average in paper.AVERAGES:
            if (average["level"], average["type"], average["over"]) == (level, kind, "rr"):
                at = x - 1 + (-0.27 if average["policy"] == "gto" else 0)
                axes.plot([at - 0.13, at + 0.13], [1 + average["percent"] / 100] * 2,
                          color=draw.PAPER, linewidth=2, zorder=4)
        x += 0.6
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks(ticks, labels)
    axes.set_ylabel(f"speed, {_WORDS[level]} RR = 1")
    axes.plot([], [], color=draw.PAPER, linewidth=2, label="the paper's averages over RR")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.22), ncols=4)
    axes.margins(x=0.01)
    queue = "" if level == "single" else f", ready queue {ready}"
    return Picture(name, f"Speed relative to {_WORDS[level]} round robin{queue}. Below a kernel's "
                   "name its type as found here (=: GTO and RR within the noise).",
                   draw.svg(figure, name))


def averages(results: Results) -> Table:
    """The paper's averages and ours, by the paper's grouping and by ours."""
    rows = []
    for average in paper.AVERAGES:
        level, kind = average["level"], average["type"]
        for machine in MACHINES:
            if level == "single" and machine.ready != plan.READY[0]:
                continue
            if machine.rule != plan.RULES[0] and average["policy"] != "paws":
                continue
            scheduler = f"{level}:{average['policy']}"
            ours = results.mean_speed(grouped(level)[kind], scheduler, average["over"], machine)
            found = [kernel for kernel in plan.KERNELS
                     if results.found_type(kernel, level, machine) == kind]
            regrouped = (f"{percent_of(results.mean_speed(found, scheduler, average['over'], machine))}"
                         f" ({len(found)})" if found else "none")
            rows.append([f"{level}, type {kind}",
                         f"{average['policy'].upper()} over {average['over'].upper()}",
                         "" if level == "single" else str(machine.ready),
                         "" if average["policy"] != "paws" else
                         ("order" if machine.rule == "order" else "blocks"),
                         f"{average['percent']:+.1f} %", percent_of(ours), regrouped])
    return Table(["kernels", "speed of", "ready", "phases cut", "paper", "ours, the paper's kernels",
                  "ours, kernels of this type here"], rows,
                 "Average speeds (geometric means; ± the 95 % interval of the perturbations)")


def section(results: Results) -> Section:
    parts = [picture(results, "single", 6, "fig9a")]
    parts += [picture(results, "two-level", ready, f"fig9b-{ready}") for ready in plan.READY]
    parts.append(averages(results))
    text = []
    for level, machine in (("single", Machine()), *(("two-level", Machine(ready))
                                                    for ready in plan.READY)):
        found = {kind: [paper.label(kernel) for kernel in plan.KERNELS
                        if results.found_type(kernel, level, machine) == kind] for kind in "AB="}
        same = sum(results.found_type(kernel, level, machine) == paper.group(kernel, level)
                   for kernel in plan.KERNELS)
        a, b = (results.mean_speed(grouped(level)[kind], f"{level}:gto", "rr", machine)
                for kind in "AB")
        queue = "" if level == "single" else f", ready queue {machine.ready}"
        text.append(
            f"{_WORDS[level].capitalize()}{queue}: {same} of {len(plan.KERNELS)} kernels are of the paper's "
            f"type. Here GTO is the faster for {', '.join(found['A']) or 'none'} (type A), RR for "
            f"{', '.join(found['B']) or 'none'} (type B), and the noise decides for "
            f"{', '.join(found['=']) or 'none'}. Over the paper's type A kernels GTO is "
            f"{percent_of(a)} against RR, over its type B kernels {percent_of(b)}.")
    return Section("fig9", "Fig. 9: speed relative to round robin", text, parts, main=True)
