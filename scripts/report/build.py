"""The report, its numbers, and docs/results.md from results that are there."""

import csv
import json
import pathlib

from report import page, paths, plan, results_page, store
from report.data import Results
from report.figures import (claims, controls, fermi, fetch_groups, load, phase_graph, phases,
                            sensitivity, speed, tail, time, why)

SECTIONS = (claims, phases, fetch_groups, phase_graph, speed, load, tail, fermi, controls, time, why)


def _write_numbers(name: str, size: str, runs: list[plan.Run]) -> list[pathlib.Path]:
    """Every number that a run gave, with what was run, as CSV and JSON."""
    rows = []
    for run in runs:
        for row in store.read(run, size):
            plain = {name: value for name, value in row.items()
                     if not isinstance(value, (list, dict)) and name not in ("host_seconds", "samples")}
            rows.append({"run": run.name, "size": size, "settings": " ".join(run.settings), **plain})
    names = list(dict.fromkeys(column for row in rows for column in row))
    table = paths.REPORT / f"{name}.csv"
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    text = paths.REPORT / f"{name}.json"
    text.write_text(json.dumps(rows, indent=1) + "\n")
    return [table, text]


def build(size: str, which: str) -> list[pathlib.Path]:
    """Writes the report of a set of runs; returns what was written."""
    paths.REPORT.mkdir(exist_ok=True)
    results = Results(size, 0 if which == "quick" else plan.SEEDS)
    alone = which == "sensitivity"
    modules = (sensitivity,) if alone else SECTIONS
    sections = [module.section(results) for module in modules]
    name, numbers = ("sensitivity", "sensitivity") if alone else ("index", "numbers")
    index = paths.REPORT / f"{name}.html"
    index.write_text(page.html(sections, size, results.perturbed, numbers))
    written = [index, *_write_numbers(numbers, size, plan.SETS[which]())]
    if size == "default" and which == "report":  # what is committed is always the same
        written.append(results_page.write(sections, results.perturbed))
    return written
