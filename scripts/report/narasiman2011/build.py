# SPDX-License-Identifier: MIT
"""Its page: sections, and what is committed of it."""

import functools

from report import papers, results_page
from report.build import Report
from report.build import build as build_page
from report.narasiman2011 import paper, plan, summary
from report.narasiman2011.data import Results
from report.narasiman2011.figures import (answer, beyond, claims, contradictions, controls, exact, hardware, machine, speed,
                                          utilization)


def _results(size: str, which: str, left_out: dict[str, str]) -> Results:
    return Results(size, 0 if which == "narasiman2011-quick" else plan.SEEDS,
                   [kernel for kernel in plan.KERNELS if kernel not in left_out])


REPORT = Report(
    of=papers.NARASIMAN2011,
    committed=results_page.Page(
        "narasiman2011", "Large warps and two-level scheduling, reproduced",
        "This page compares the claims and the figures of Narasiman et al., \"Improving GPU Performance via Large Warps and\n"
        "Two-Level Warp Scheduling\" (2011), with the results of this project's simulator. It is for readers of that\n"
        "paper; after it you can judge each claim.",
        "scripts/reproduce --paper narasiman2011", "report/narasiman2011.html"),
    sets=plan.SETS, results=_results,
    # The answer, what it rests on, and then figure by figure.
    sections=(answer.section, claims.section, contradictions.section, machine.section, utilization.classes, exact.section,
              speed.overall, utilization.five, speed.sizes, speed.optimizations, speed.groups, speed.interaction,
              beyond.section, controls.section, hardware.section),
    label=paper.label, names=summary.NAMES, summary=summary.rows)

# Of a set of runs, by its size and name; gives what was written.
build = functools.partial(build_page, REPORT)
