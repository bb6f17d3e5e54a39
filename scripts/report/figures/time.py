"""Speed as time, each scheduler at the clock that it allows, and area as a share of the core.

Both are measured by scripts/time-study, which keeps them in docs; this page only shows them.
"""

import collections
import csv
import importlib.machinery
import importlib.util
import math
import sys

import matplotlib.pyplot as plt

from report import draw, paper, paths, plan
from report.data import Estimate, Results, ratio
from report.section import Picture, Section, Table, percent_of

_TABLE = paths.DOCS / "time_study.csv"


def _study():
    """The script's module, for the areas that it reads."""
    sys.path.insert(0, str(paths.SCRIPTS))
    loader = importlib.machinery.SourceFileLoader("time_study", str(paths.SCRIPTS / "time-study"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("time_study", loader))
    sys.modules["time_study"] = module
    loader.exec_module(module)
    return module


def _picture(times: dict, level: str, notion: str, name: str) -> Picture:
    figure, axes = plt.subplots(figsize=(9, 2.4))
    for index, policy in enumerate(("gto", "paws")):
        for x, kernels in enumerate([*((kernel,) for kernel in plan.KERNELS), plan.KERNELS]):
            time, cycles = _gain(times, level, notion, policy, kernels)
            at = x + 0.4 * index - 0.2 + (0.4 if kernels == plan.KERNELS else 0)
            axes.bar(at, time.mean - 1, 0.38, bottom=1, color=draw.COLOURS[policy],
                     label=f"{draw.NAMES[policy]}, in time" if x == 0 else None)
            draw.interval(axes, at, time)
            axes.plot(at, cycles.mean, "_", color="black",
                      label="in cycles" if x == 0 and index else None)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks([*range(len(plan.KERNELS)), len(plan.KERNELS) + 0.4],
                    [*map(paper.label, plan.KERNELS), "mean"])
    axes.set_ylabel(f"speed, {level} RR = 1")
    figure.legend(*axes.get_legend_handles_labels(), ncols=3, **draw.ABOVE)
    return Picture(name, f"Speed in time relative to {level} RR; core clock in proportion to Fmax "
                   f"({notion}).", draw.svg(figure, name))


def _gain(times: dict, level: str, notion: str, policy: str, kernels: tuple[str, ...]
          ) -> tuple[Estimate, Estimate]:
    """Speed relative to RR of the level in time and in cycles, mean of the kernels."""
    def speed(column: str) -> Estimate:
        samples = []
        for seed in sorted({key[-1] for key in times}):
            pairs = [[float(times[notion, f"{level}:{name}", kernel, seed][column])
                      for name in ("rr", policy)] for kernel in kernels]
            samples.append(math.prod(base / mine for base, mine in pairs) ** (1 / len(pairs)))
        return ratio(samples)
    return speed("microseconds"), speed("nominal_cycles")


def _areas(study) -> Table:
    """From the table of scripts/synth."""
    builds = study.read_builds(study.SYNTHESIS)
    area = [[f"{level}:{policy}", f"{builds[f'{level}:{policy}'].gates / 1000:.1f}",
             *(f"{100 * study.PER_CORE * builds[f'{level}:{policy}'].gates / core:.2f} %"
               for core in study.CORES.values())]
            for level in plan.LEVELS for policy in plan.POLICIES]
    return Table(["scheduler", "kGE", *(f"{study.PER_CORE} of them, of a {core} core"
                                              for core in study.CORES)], area, "Area")


def section(results: Results) -> Section:
    title = "Speed as time, and area"
    if not _TABLE.exists():
        return Section("time", title, [
            "Not measured here: scripts/synth --set policies finds clock and area of each scheduler, "
            "scripts/time-study then the kernels' times, and this section shows them (docs/synthesis.md)."])
    study = _study()
    with _TABLE.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["reference"] == "RR of its level"]
    times = {(row["fmax"], row["scheduler"], row["kernel"], row["seed"]): row for row in rows}
    parts: list = []
    means = collections.defaultdict(dict)
    for level in plan.LEVELS:
        for notion in study.NOTIONS:
            parts.append(_picture(times, level, notion, f"time-{level}-{notion}"))
            for policy in ("gto", "paws"):
                means[level, policy][notion] = _gain(times, level, notion, policy, plan.KERNELS)
    if study.SYNTHESIS.exists():
        parts.append(_areas(study))
    text = [f"{level}, {policy.upper()} against RR: " + "; ".join(
        f"{percent_of(time)} in time with {study.NOTIONS[notion]}, {percent_of(cycles)} in cycles"
        for notion, (time, cycles) in by_notion.items()) + "."
        for (level, policy), by_notion in means.items()]
    text.append("Clock and area are those of each scheduler built alone for 24 warps; the core's clock is "
                "taken to follow the scheduler's Fmax, which is the worst case for the slower one. Crossbar, "
                "L2 and DRAM keep their own clocks. Ready queue 6, phases in program order. From scripts/time-study; docs/synthesis.md has more.")
    if not study.SYNTHESIS.exists():
        text.append("The areas that this page would show stand in docs/synthesis.md; the table that they are "
                    "read from, synth/results/osu018_policies.csv, is not here (scripts/synth --set policies).")
    return Section("time", title, text, parts)
