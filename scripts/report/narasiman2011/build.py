# SPDX-License-Identifier: MIT
"""Its page, the numbers of it, and what is committed of it, from results that are there."""

import pathlib

from report import index_page, made_from, output, page, papers, paths, results_page, store
from report.narasiman2011 import paper, plan, summary
from report.narasiman2011.data import Results
from report.narasiman2011.figures import (answer, beyond, claims, contradictions, controls, exact, hardware, machine, speed,
                                          utilization)

# In the order of the page: the answer, what it rests on, and then figure by figure.
SECTIONS = (answer.section, claims.section, contradictions.section, machine.section, utilization.classes, exact.section,
            speed.overall, utilization.five, speed.sizes, speed.optimizations, speed.groups, speed.interaction, beyond.section,
            controls.section, hardware.section)
COMMITTED = results_page.Page(
    "narasiman2011", "Large warps and two-level scheduling, reproduced",
    "This page compares the claims and the figures of Narasiman et al., \"Improving GPU Performance via Large Warps and\n"
    "Two-Level Warp Scheduling\" (2011), with the results of this project's simulator. It is for readers of that\n"
    "paper; after it you can judge each claim.",
    "scripts/reproduce --paper narasiman2011", "report/narasiman2011.html")


def build(size: str, which: str) -> list[pathlib.Path]:
    """Writes the page of the runs of a set that have given results; returns what was written."""
    runs = plan.SETS[which]()
    left_out = output.left_out(runs, size)
    runs = [run for run in runs if store.path(run, size).exists()]
    made = made_from.words(runs, size)
    results = Results(size, 0 if which == "narasiman2011-quick" else plan.SEEDS,
                      [kernel for kernel in plan.KERNELS if kernel not in left_out])
    paths.REPORT.mkdir(exist_ok=True)
    sections = [output.section(section, results) for section in SECTIONS]
    if left_out:
        sections.insert(1, output.on_left_out(left_out, paper.label))  # after the answer
    of = papers.NARASIMAN2011
    file = paths.REPORT / f"{of.page}.html"
    file.write_text(page.html(sections, size, results.perturbed, of.numbers, made, of))
    written = [file, *output.write_numbers(of.numbers, runs, size),
               *output.write(f"{of.numbers}-summary", list(summary.NAMES), summary.rows(results)),
               index_page.write(of, sections[0], made)]
    if (which, size) in paths.COMMITTED and not left_out:  # what is committed is whole
        committed = results_page.write(sections, COMMITTED, results.perturbed)
        committed.write_text(f"{committed.read_text()}\n{made}\n")
        written.append(committed)
    return written
