# SPDX-License-Identifier: MIT
"""Speed as time: time_study.csv, time_study.svg and tables of docs/evidence/synthesis.md."""

import csv
import pathlib

import matplotlib.pyplot as plt

from lib.kernel_study import write_between
from report import clocks, draw, paths
from report.paws import plan, times
from report.paws.data import COLUMNS, PANELS, Machine, Results, panel_title
from report.paws.figures import time
from report.section import Table, percent_of


def _all(perturbed: Results, plain: Results):
    """Results, reference, level, policy, machine and notion of all that is measured: perturbed, relative
    to RR of the same level; and, without a perturbation, by all notions of the clock relative to one
    scheduler on the default machine."""
    for level, ready in PANELS:
        for _, policy, rule in COLUMNS:
            for notion in plan.TIME_NOTIONS:
                yield perturbed, clocks.OWN, level, policy, Machine(ready, rule), notion
    for level in plan.LEVELS:
        for policy in plan.POLICIES:
            for notion in clocks.NOTIONS:
                yield plain, clocks.ONE, level, policy, Machine(), notion


def _write_csv(perturbed: Results, plain: Results, file: pathlib.Path) -> None:
    """Cycles and time of every run."""
    with file.open("w", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["reference", "fmax", "scheduler", "ready", "phases", "core_clock_mhz", "kernel",
                         "seed", "nominal_cycles", "cycles", "microseconds"])
        for results, reference, level, policy, machine, notion in _all(perturbed, plain):
            scheduler = f"{level}:{policy}"
            clock = clocks.core_clock(scheduler, machine.ready, notion, reference)
            for kernel in plan.KERNELS:
                for seed in results.seeds:
                    cycles = results.at_clock(clock, kernel, scheduler, machine, seed)["cycles"]
                    writer.writerow([
                        reference, notion, scheduler, machine.ready if level == "two-level" else "",
                        machine.rule if policy == "paws" else "", clock, kernel, seed,
                        results.cycles(kernel, scheduler, machine, seed), cycles,
                        f"{cycles / clock:.3f}"])


def _plot(results: Results, file: pathlib.Path) -> None:
    panels = [(level, ready, same) for level, ready in PANELS
              for same in time.notions(level, ready)]
    figure, rows = plt.subplots(len(panels), 1, figsize=(9, 2.2 * len(panels)))
    for axes, (level, ready, same) in zip(rows, panels):
        time.draw_bars(axes, results, level, ready, same[0])
        axes.set_title(f"{panel_title(level, ready)}, "
                       + " or ".join(clocks.NOTIONS[notion] for notion in same))
    figure.legend(*rows[0].get_legend_handles_labels(), ncols=4, **draw.ABOVE)
    file.write_text(draw.svg(figure, "time-study") + "\n")


def _against_one(plain: Results) -> Table:
    rows = []
    for level in plan.LEVELS:
        for policy in plan.POLICIES:
            scheduler = f"{level}:{policy}"
            which = (plain, plan.KERNELS, scheduler, Machine())
            line = [f"`{scheduler}`", percent_of(times.in_cycles(*which, clocks.ONE))]
            for notion in clocks.NOTIONS:
                fmax = clocks.build(scheduler, Machine().ready).fmax[notion]
                value = times.in_time(*which, notion, clocks.ONE)
                line += [f"{fmax:.0f}", f"**{percent_of(value)}**"]
            rows.append(line)
    return Table(["scheduler", "cycles", *(cell for title in clocks.NOTIONS.values()
                                           for cell in (f"{title}, MHz", "time"))], rows,
                 "Speed against two-level RR, whose clock is the nominal one for all; ready queue 6, phases "
                 "in program order, one run without a perturbation")


def write(results: Results, made_from: str) -> list[pathlib.Path]:
    """Into the documents; `made_from` ends the tables. Returns what was written."""
    plain = Results(results.size, 0)
    table, picture = (paths.TIME_RESULTS / name for name in ("time_study.csv", "time_study.svg"))
    _write_csv(results, plain, table)
    _plot(results, picture)
    tables = [time.means(results), _against_one(plain), time.areas()]
    write_between(paths.TIME_PAGE, "scripts/study time",
                  "\n".join([*(part.to_markdown() for part in tables), made_from]))
    return [table, picture, paths.TIME_PAGE]
