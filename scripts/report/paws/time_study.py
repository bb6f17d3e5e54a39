# SPDX-License-Identifier: MIT
"""Speed as time: pilot.csv, time_study.svg and tables of docs/evidence/synthesis.md."""

import csv
import pathlib

import matplotlib.pyplot as plt

from lib.kernel_study import write_between
from report import clocks, draw, paths
from report.paws import pilot, plan, times
from report.paws.data import Results
from report.paws.figures import time
from report.section import Table, percent_of


def _write_pilot(results: Results, file: pathlib.Path) -> None:
    """The cycles at the nominal clock, by seed."""
    with file.open("w", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow([*pilot.SETTINGS, *results.seeds])
        for scheduler in plan.SINGLE + plan.TWO_LEVEL:
            for kernel in plan.KERNELS:
                writer.writerow([kernel, scheduler, *(results.cycles(kernel, scheduler, seed) for seed in results.seeds)])


def _plot(results: Results, file: pathlib.Path) -> None:
    panels = [(level, same) for level in plan.LEVELS for same in time.notions(level)]
    figure, rows = plt.subplots(len(panels), 1, figsize=(9, 2.2 * len(panels)))
    for axes, (level, same) in zip(rows, panels):
        time.draw_bars(axes, results, level, same[0])
        axes.set_title(f"{level}, " + " or ".join(clocks.NOTIONS[notion] for notion in same))
    figure.legend(*rows[0].get_legend_handles_labels(), ncols=4, **draw.ABOVE)
    file.write_text(draw.svg(figure, "time-study") + "\n")


def _against_one(plain: Results) -> Table:
    rows = []
    for level in plan.LEVELS:
        for policy in plan.POLICIES:
            scheduler = f"{level}:{policy}"
            which = (plain, plan.KERNELS, scheduler)
            line = [f"`{scheduler}`", percent_of(times.in_cycles(*which, clocks.ONE))]
            for notion in clocks.NOTIONS:
                fmax = clocks.build(scheduler, plan.READY).fmax[notion]
                value = times.in_time(*which, notion, clocks.ONE)
                line += [f"{fmax:.0f}", f"**{percent_of(value)}**"]
            rows.append(line)
    return Table(["scheduler", "cycles", *(cell for title in clocks.NOTIONS.values()
                                           for cell in (f"{title}, MHz", "time"))], rows,
                 "Speed against two-level RR, whose clock is the nominal one for all; ready queue 6, one "
                 "run without a perturbation")


def write(results: Results, made_from: str) -> list[pathlib.Path]:
    """Into the documents; `made_from` ends the tables. Returns what was written."""
    plain = Results(results.size, 0)
    table, picture = (paths.TIME_RESULTS / name for name in ("pilot.csv", "time_study.svg"))
    _write_pilot(results, table)
    _plot(results, picture)
    tables = [time.means(results), _against_one(plain), time.areas()]
    write_between(paths.TIME_PAGE, "scripts/study time",
                  "\n".join([*(part.to_markdown() for part in tables), made_from]))
    return [table, picture, paths.TIME_PAGE]
