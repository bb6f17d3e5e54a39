# SPDX-License-Identifier: MIT
"""The page of a paper, its numbers, and what is committed of it, from results that are there."""

import dataclasses
import pathlib
from collections.abc import Callable
from typing import Any

from report import index_page, made_from, output, page, papers, paths, results_page, store
from report.run import Run
from report.section import Section


@dataclasses.dataclass(frozen=True)
class Report:
    """How the page of a paper is made. `results`: of a size and a set of runs, without the kernels that gave no results."""
    of: papers.Paper
    committed: results_page.Page
    sets: dict[str, Callable[[], list[Run]]]
    results: Callable[[str, str, dict[str, str]], Any]
    sections: tuple[Callable[[Any], Section], ...]  # in the order of the page, the answer first
    label: Callable[[str], str]  # of a kernel
    names: tuple[str, ...]  # of the columns of the summary
    summary: Callable[[Any], list[dict]]


def build(report: Report, size: str, which: str) -> list[pathlib.Path]:
    """Writes the page of the runs of a set that have given results; returns what was written."""
    runs = report.sets[which]()
    left_out = output.left_out(runs, size)
    runs = [run for run in runs if store.path(run, size).exists()]
    made = made_from.words(runs, size)
    results = report.results(size, which, left_out)
    paths.REPORT.mkdir(exist_ok=True)
    sections = [output.section(section, results) for section in report.sections]
    if left_out:
        sections.insert(1, output.on_left_out(left_out, report.label))  # after the answer
    of = report.of
    file = paths.REPORT / f"{of.page}.html"
    file.write_text(page.html(sections, size, results.perturbed, of.numbers, made, of))
    written = [file, *output.write_numbers(of.numbers, runs, size),
               *output.write(f"{of.numbers}-summary", list(report.names), report.summary(results)),
               index_page.write(of, sections[0], made)]
    if (which, size) in paths.COMMITTED and not left_out:  # what is committed is whole
        committed = results_page.write(sections, report.committed, results.perturbed)
        committed.write_text(f"{committed.read_text()}\n{made}\n")
        written.append(committed)
    return written
