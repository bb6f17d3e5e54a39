# SPDX-License-Identifier: MIT
"""Its page: sections, and what is committed of it."""

import functools

from report import papers, results_page
from report.build import Report
from report.build import build as build_page
from report.lee2014 import paper, plan, summary
from report.lee2014.data import Results
from report.lee2014.figures import (ablations, answer, bcs, beyond, claims, comparison, concurrent, contradictions,
                                    hardware, lcs, monitor, places, stalls, sweep)


def _results(size: str, which: str, left_out: dict[str, str]) -> Results:
    return Results(size, 0 if which == "lee2014-quick" else plan.SEEDS,
                   [kernel for kernel in plan.KERNELS if kernel not in left_out],
                   [pair for pair in plan.PAIRS if pair not in left_out])


REPORT = Report(
    of=papers.LEE2014,
    committed=results_page.Page(
        "lee2014", "Thread-block scheduling, reproduced",
        "This page compares the claims and the figures of Lee et al., \"Improving GPGPU Resource Utilization Through\n"
        "Alternative Thread Block Scheduling\" (HPCA 2014), with the results of this project's simulator. It is for readers of\n"
        "that paper; after it you can judge each claim.", "scripts/reproduce --paper lee2014", "report/lee2014.html"),
    sets=plan.SETS, results=_results,
    # The answer, what it rests on, and then figure by figure.
    sections=tuple(module.section for module in (
        answer, claims, contradictions, sweep, places, stalls, monitor, lcs, bcs, concurrent, comparison, beyond, ablations,
        hardware)),
    label=paper.label, names=summary.NAMES, summary=summary.rows)

# Of a set of runs, by its size and name; gives what was written.
build = functools.partial(build_page, REPORT)
