# SPDX-License-Identifier: MIT
"""Speed as time: time_study.csv, time_study.svg and tables of docs/evidence/synthesis.md; for the README the six
schedulers in one table and one picture."""

import csv
import pathlib

import matplotlib.pyplot as plt

from lib.kernel_study import write_between
from report import clocks, draw, paths
from report.paws import plan, times, verified
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


def _by_kernel(results: Results, level: str, ready: int) -> Table:
    bars = COLUMNS[1:]
    rows = []
    for kernel in plan.KERNELS:
        line = [kernel]
        for _, policy, rule in bars:
            which = (results, (kernel,), f"{level}:{policy}", Machine(ready, rule))
            line += [percent_of(times.in_cycles(*which)),
                     *(percent_of(times.in_time(*which, notion)) for notion in plan.TIME_NOTIONS)]
        rows.append(line)
    return Table(["kernel", *(cell for key, _, _ in bars for cell in (
        f"{draw.NAMES[key]}: cycles", *(f"time, {notion}" for notion in plan.TIME_NOTIONS)))], rows,
                 f"Kernel by kernel, speed against RR, {panel_title(level, ready)}")


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


def _at_a_glance(plain: Results) -> list[tuple[str, float, float, float, float]]:
    """Of each scheduler: its name, speed in cycles and in time against two-level RR, Fmax in MHz with the
    ports' budget, and area in um2."""
    rows = []
    for level in plan.LEVELS:
        for policy in plan.POLICIES:
            scheduler = f"{level}:{policy}"
            which = (plain, plan.KERNELS, scheduler, Machine())
            build = clocks.build(scheduler, Machine().ready)
            rows.append((scheduler, times.in_cycles(*which, clocks.ONE).mean,
                         times.in_time(*which, "ports", clocks.ONE).mean, build.fmax["ports"], build.area_um2))
    return rows


def _glance_table(rows: list[tuple[str, float, float, float, float]]) -> Table:
    return Table(["scheduler", "speed in cycles", "clock, MHz", "speed in time", "area, µm²", "proved, warps",
                  "lockstep, warps"],
                 [[f"`{name}`", f"{cycles:.2f}", f"{clock:.0f}", f"{speed:.2f}", f"{area:,.0f}",
                   str(verified.proved_warps(*name.split(":"))),
                   str(verified.lockstep_warps(*name.split(":")))]
                  for name, cycles, speed, clock, area in rows],
                 "Speeds are relative to `two-level:rr`, mean of the paper's fourteen kernels, for *time* with the cores at "
                 "the scheduler's clock and the memory at its own; clock and area are OSU 0.18 µm, 24 warps, before layout; "
                 "*proved*: all promises, for all time, up to so many warps; *lockstep*: compared with the golden model in "
                 "every cycle, up to so many warps")


def _glance_picture(rows: list[tuple[str, float, float, float, float]], file: pathlib.Path) -> None:
    names = [row[0] for row in rows]
    colours = [draw.COLOURS[name.partition(":")[2]] for name in names]
    panels = (("speed in cycles", [row[1] for row in rows], "{:.2f}"),
              ("clock, MHz", [row[3] for row in rows], "{:.0f}"),
              ("speed in time", [row[2] for row in rows], "{:.2f}"),
              ("area, 1000 µm²", [row[4] / 1000 for row in rows], "{:.0f}"))
    figure, all_axes = plt.subplots(1, len(panels), figsize=(9, 1.9), sharey=True)
    for axes, (title, values, form) in zip(all_axes, panels):
        axes.barh(names, values, color=colours)
        for place, value in enumerate(values):
            axes.text(value, place, " " + form.format(value), va="center", fontsize=7)
        axes.set_title(title)
        axes.set_xticks([])
        axes.spines.bottom.set_visible(False)
        axes.margins(x=0.25)
    all_axes[0].invert_yaxis()
    file.write_text(draw.svg(figure, "schedulers") + "\n")


def write(results: Results, made_from: str) -> list[pathlib.Path]:
    """Into the documents; `made_from` ends the tables. Returns what was written."""
    plain = Results(results.size, 0)
    table, picture = (paths.TIME_RESULTS / name for name in ("time_study.csv", "time_study.svg"))
    _write_csv(results, plain, table)
    _plot(results, picture)
    tables = [time.means(results), _against_one(plain), time.areas(),
              *(_by_kernel(results, *panel) for panel in PANELS)]
    write_between(paths.TIME_PAGE, "scripts/study time",
                  "\n".join([*(part.to_markdown() for part in tables), made_from]))
    glance, glance_picture = _at_a_glance(plain), paths.TIME_RESULTS / "schedulers.svg"
    _glance_picture(glance, glance_picture)
    write_between(paths.README, "scripts/study time", _glance_table(glance).to_markdown())
    return [table, picture, paths.TIME_PAGE, glance_picture, paths.README]
