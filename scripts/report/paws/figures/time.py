# SPDX-License-Identifier: MIT
"""Speed as time, each scheduler at the clock that it allows, and area as a share of the core."""

import matplotlib.pyplot as plt

from report import clocks, draw
from lib.estimate import Estimate
from report.paws import paper, plan, times
from report.paws.data import Results
from report.section import Picture, Section, Table, percent_of

_BARS = plan.POLICIES[1:]


def clock(level: str, policy: str, notion: str) -> float:
    """MHz of the cores."""
    return clocks.core_clock(f"{level}:{policy}", plan.READY, notion)


def notions(level: str) -> list[list[str]]:
    """Those of the built schedulers, together where they give the same clocks."""
    groups: dict[tuple, list[str]] = {}
    for notion in plan.TIME_NOTIONS:
        same = tuple(clock(level, policy, notion) for policy in plan.POLICIES)
        groups.setdefault(same, []).append(notion)
    return list(groups.values())


def draw_bars(axes, results: Results, level: str, notion: str) -> None:
    """Every kernel and the mean; marks: the same in cycles."""
    for index, policy in enumerate(_BARS):
        for x, kernels in enumerate([*((kernel,) for kernel in plan.KERNELS), plan.KERNELS]):
            which = (results, kernels, f"{level}:{policy}")
            time = times.in_time(*which, notion)
            at = x + 0.4 * (index - 0.5) + (0.4 if kernels == plan.KERNELS else 0)
            axes.bar(at, time.mean - 1, 0.37, bottom=1, color=draw.COLOURS[policy],
                     label=f"{draw.NAMES[policy]}, in time" if x == 0 else None)
            draw.interval(axes, at, time)
            axes.plot(at, times.in_cycles(*which).mean, "_", color="black",
                      label="in cycles" if x == 0 and policy == _BARS[-1] else None)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.margins(x=0.01)
    axes.set_xticks([*range(len(plan.KERNELS)), len(plan.KERNELS) + 0.4],
                    [*map(paper.label, plan.KERNELS), "mean"])
    axes.set_ylabel(f"speed, {level} RR = 1")


def _picture(results: Results, level: str, same: list[str]) -> Picture:
    name = f"time-{level}-{same[0]}"
    figure, axes = plt.subplots(figsize=(9, 2.4))
    draw_bars(axes, results, level, same[0])
    figure.legend(*axes.get_legend_handles_labels(), ncols=3, **draw.ABOVE)
    words = " or ".join(clocks.NOTIONS[notion] for notion in same)
    return Picture(name, f"Speed in time relative to round robin, {level}. The core clock is in proportion to the {words}.",
                   draw.svg(figure, name))


def _in_time(results: Results, level: str, notion: str) -> dict[str, Estimate]:
    """Of the fourteen kernels, in time, by name of the bar."""
    return {draw.NAMES[policy]: times.in_time(results, plan.KERNELS, f"{level}:{policy}", notion) for policy in _BARS}


def _count(results: Results, scheduler: str, notion: str) -> str:
    every = [times.in_time(results, (kernel,), scheduler, notion) for kernel in plan.KERNELS]
    return (f"{sum(value.above(1) for value in every)} faster, "
            f"{sum(value.below(1) for value in every)} slower")


def means(results: Results) -> Table:
    rows = []
    for level in plan.LEVELS:
        for policy in _BARS:
            which = (results, plan.KERNELS, f"{level}:{policy}")
            line = [level, draw.NAMES[policy], percent_of(times.in_cycles(*which))]
            for notion in plan.TIME_NOTIONS:
                line += [f"{clock(level, policy, notion):.0f}", f"{percent_of(times.in_time(*which, notion))} "
                         f"({_count(results, f'{level}:{policy}', notion)})"]
            rows.append(line)
    noise = "beyond the noise" if results.perturbed else "(noise not measured)"
    return Table(["scheduler", "policy", "in cycles", *(
        cell for notion in plan.TIME_NOTIONS for cell in (
            "core, MHz", f"in time, {clocks.NOTIONS[notion]}"))], rows,
                 "Speed against RR of the same level, mean of the fourteen kernels, and kernels "
                 f"that are faster or slower {noise}")


def areas() -> Table:
    """From the table of scripts/synth."""
    rows = []
    for level in plan.LEVELS:
        for policy in plan.POLICIES:
            gates = clocks.build(f"{level}:{policy}", plan.READY).gates
            more = gates - clocks.build(f"{level}:rr", plan.READY).gates
            rows.append([level, policy.upper(), f"{gates / 1000:.1f}", *(
                f"{100 * clocks.PER_CORE * value / core:.3f} %" for core in clocks.CORES.values()
                for value in (gates, more))])
    return Table(["scheduler", "policy", "kGE", *(cell for core, gates in clocks.CORES.items() for cell in (
        f"{clocks.PER_CORE} of them, of a {core} core of {gates / 1e6:.1f} MGE", "more than RR"))], rows,
                 "Area of a scheduler built alone")


def _verdict(means: dict[str, Estimate], perturbed: int) -> str:
    """Which are faster than RR, slower, and neither."""
    groups = {"faster": [name for name, value in means.items() if value.above(1)],
              "slower": [name for name, value in means.items() if value.below(1)]}
    groups["cannot be told"] = [name for name in means if not any(name in names
                                                                  for names in groups.values())]
    text = "; ".join(f"{word}: {', '.join(f'{name} ({percent_of(means[name])})' for name in names)}"
                     for word, names in groups.items() if names)
    return text + ("" if perturbed else "; noise not measured")


def section(results: Results) -> Section:
    parts, text = [], []
    for level in plan.LEVELS:
        for same in notions(level):
            parts.append(_picture(results, level, same))
            words = " or ".join(clocks.NOTIONS[notion] for notion in same)
            verdict = _verdict(_in_time(results, level, same[0]), results.perturbed)
            text.append(f"{level.capitalize()}, speed in time against RR, core clock from the {words}: {verdict}.")
    notes = []
    if results.perturbed:
        notes.append("About one in twenty kernels without a difference counts as faster or slower by chance.")
    notes.append("Clock and area are those of each scheduler built alone for 24 warps. The core clock is assumed to "
                 "follow the scheduler's Fmax, which is the worst case for the slower scheduler. Crossbar, L2 and DRAM "
                 "keep their own clocks. docs/evidence/synthesis.md has more.")
    return Section("time", "Speed as time, and area", text, [*parts, means(results), areas()], notes=notes)
