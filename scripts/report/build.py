# SPDX-License-Identifier: MIT
"""The report, its numbers, and what is committed of it, from results that are there."""

import csv
import json
import pathlib
from collections.abc import Callable

from report import made_from, page, paper, paths, plan, results_page, sizes, store, summary, time_study
from report.data import Results
from report.figures import (answer, claims, controls, fermi, fetch_groups, grids, levels, load, phase_graph,
                            phases, sensitivity, speed, tail, time, why)
from report.section import Section, Table

# In the order of the page: the answer, what it rests on, and then figure by figure.
SECTIONS = (answer, claims, speed, grids, levels, controls, phases, fetch_groups, phase_graph, load, tail, fermi,
            time, why)
FULL_SECTIONS = (answer, claims, speed, grids, levels, load, tail)  # of what plan.full_runs() runs
DETAILS = (why,)  # have a page of their own as well, with figures whose number depends on the results


def _write(name: str, columns: list[str], rows: list[dict]) -> list[pathlib.Path]:
    """As CSV and JSON."""
    table = paths.REPORT / f"{name}.csv"
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    text = paths.REPORT / f"{name}.json"
    text.write_text(json.dumps(rows, indent=1) + "\n")
    return [table, text]


def _numbers(size: str, runs: list[plan.Run]) -> list[dict]:
    """Every number that a run gave, with what was run."""
    rows = []
    for run in runs:
        for row in store.read(run, size):
            plain = {name: value for name, value in row.items()
                     if not isinstance(value, (list, dict)) and name not in ("host_seconds", "samples")}
            rows.append({"run": run.name, "size": size, "settings": " ".join(run.settings), **plain})
    return rows


def _section(make: Callable[[Results], Section], results: Results) -> Section:
    """What `make` of a module makes, or, if it needs results that are missing, one that says so."""
    try:
        return make(results)
    except store.Missing as missing:
        name = make.__module__.rpartition(".")[2]
        return Section(name, f"Without results: {name.replace('_', ' ')}",
                       [f"This section could not be made: {missing}."])


def _left_out(runs: list[plan.Run], size: str) -> dict[str, str]:
    """Kernels of runs that have given no results, each with a cause."""
    causes: dict[str, str] = {}
    for run in runs:
        if not store.path(run, size).exists():
            cause = store.failure(run, size).splitlines() or ["it was not run"]
            causes.setdefault(run.kernel, f"{run.name}: {cause[0]}")
    return causes


def _on_left_out(causes: dict[str, str]) -> Section:
    return Section("failed", "Kernels without results", [
        "Simulations of these kernels failed. So these kernels are in no figure, mean or verdict of this report. "
        "scripts/reproduce tries them again."],
        [Table(["kernel", "run and cause"],
               [[paper.label(kernel), cause] for kernel, cause in causes.items()])], main=True)


def _beside_other_sizes(size: str) -> list[pathlib.Path]:
    """The answer shows all sizes: renews it in the committed pages of the others, if their results are there."""
    pages = []
    for other in paths.RESULTS:
        results = sizes.results(other) if other != size else None
        if results and results.perturbed and (found := results_page.rewrite(answer.section(results), other)):
            pages.append(found)
    return pages


def _beside(module, results: Results, numbers: str, made: str) -> pathlib.Path:
    """The page with the details of a section."""
    file = paths.REPORT / module.PAGE
    details = _section(module.details, results)
    file.write_text(page.html([details], results.size, results.perturbed, numbers, made))
    return file


def build(size: str, which: str) -> list[pathlib.Path]:
    """Writes the report of the runs of a set that have given results; returns what was written."""
    runs = plan.SETS[which]()
    left_out = _left_out(runs, size)
    runs = [run for run in runs if store.path(run, size).exists()]
    with plan.without(left_out):
        return _build(size, which, runs, left_out)


def _build(size: str, which: str, runs: list[plan.Run], left_out: dict[str, str]) -> list[pathlib.Path]:
    made = made_from.words(runs, size)
    results = Results(size, {"quick": 0, "full": plan.FULL_SEEDS}.get(which, plan.SEEDS))
    if which == "time":
        return time_study.write(results, made)
    paths.REPORT.mkdir(exist_ok=True)
    alone = which == "sensitivity"
    modules = {"sensitivity": (sensitivity,), "full": FULL_SECTIONS}.get(which, SECTIONS)
    sections = [_section(module.section, results) for module in modules]
    if left_out:
        sections.insert(1, _on_left_out(left_out))  # after the answer
    name, numbers = ("sensitivity", "sensitivity") if alone else ("index", "numbers")
    index = paths.REPORT / f"{name}.html"
    index.write_text(page.html(sections, size, results.perturbed, numbers, made))
    beside = [_beside(module, results, numbers, made) for module in DETAILS if module in modules]
    rows = _numbers(size, runs)
    means = {"sensitivity": summary.of_sensitivity, "full": summary.of_full}.get(which, summary.of_report)(results)
    written = [index, *beside, *_write(numbers, list(dict.fromkeys(name for row in rows for name in row)), rows),
               *_write(f"{numbers}-summary", list(summary.NAMES), means)]
    if (which, size) in paths.COMMITTED and not left_out:  # what is committed is whole
        results_md = results_page.write(sections, size, results.perturbed)
        results_md.write_text(f"{results_md.read_text()}\n{made}\n")
        written += [results_md, *_beside_other_sizes(size)]
    return written
