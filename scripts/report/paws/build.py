# SPDX-License-Identifier: MIT
"""The page of the PAWS paper, its numbers, and what is committed of it, from results that are there."""

import pathlib

from report import index_page, made_from, output, page, papers, paths, results_page, store
from report.paws import committed, paper, plan, sizes, summary, time_study
from report.paws.data import Results
from report.paws.figures import (answer, claims, contradictions, controls, fetch_groups, grids, levels, load, phase_graph,
                                 phases, sensitivity, speed, tail, time, why)
from report.run import Run

# In the order of the page: the answer, what it rests on, and then figure by figure.
SECTIONS = (answer, claims, contradictions, speed, grids, levels, controls, phases, fetch_groups, phase_graph, load, tail,
            time, why)
FULL_SECTIONS = (answer, claims, speed, grids, levels, load, tail)  # of what plan.full_runs() runs
DETAILS = (why,)  # have a page of their own as well, with figures whose number depends on the results


def _beside(module, results: Results, numbers: str, made: str) -> pathlib.Path:
    """The page with the details of a section."""
    file = paths.REPORT / module.PAGE
    details = output.section(module.details, results)
    file.write_text(page.html([details], results.size, results.perturbed, numbers, made, most=results.most))
    return file


def build(size: str, which: str) -> list[pathlib.Path]:
    """Writes the report of the runs of a set that have given results; returns what was written. The page of default sizes
    shows the paper's grids, too: they renew it if its own runs are there."""
    if which == "full" and sizes.results("default"):
        return build("default", "report")
    runs = plan.SETS[which]()
    left_out = output.left_out(runs, size)
    runs = [run for run in runs if store.path(run, size).exists()]
    with plan.without(left_out):
        return _build(size, which, runs, left_out)


def _build(size: str, which: str, runs: list[Run], left_out: dict[str, str]) -> list[pathlib.Path]:
    made = made_from.words(runs, size)
    if which == "report" and sizes.results("full"):
        made += f" {made_from.words(plan.full_runs(), 'full')}"
    seeds = {"quick": 0, "full": plan.FULL_SEEDS}.get(which, plan.SEEDS)
    results = Results(size, seeds, repeated=which == "report")
    if which == "time":
        return time_study.write(results, made)
    paths.REPORT.mkdir(exist_ok=True)
    alone = which == "sensitivity"
    modules = {"sensitivity": (sensitivity,), "full": FULL_SECTIONS}.get(which, SECTIONS)
    sections = [output.section(module.section, results) for module in modules]
    if left_out:
        sections.insert(1, output.on_left_out(left_out, paper.label))  # after the answer
    name, numbers = ("sensitivity", "sensitivity") if alone else (papers.PAWS.page, papers.PAWS.numbers)
    file = paths.REPORT / f"{name}.html"
    file.write_text(page.html(sections, size, results.perturbed, numbers, made, most=results.most))
    beside = [_beside(module, results, numbers, made) for module in DETAILS if module in modules]
    means = {"sensitivity": summary.of_sensitivity, "full": summary.of_full}.get(which, summary.of_report)(results)
    written = [file, *beside, *output.write_numbers(numbers, runs, size),
               *output.write(f"{numbers}-summary", list(summary.NAMES), means)]
    if not alone:
        written.append(index_page.write(papers.PAWS, sections[0], made))
    if (which, size) in paths.COMMITTED and not left_out:  # what is committed is whole
        results_md = results_page.write(sections, committed.PAGE, results.perturbed, results.most)
        results_md.write_text(f"{results_md.read_text()}\n{made}\n")
        written.append(results_md)
    return written
