"""The report, its numbers, and docs/results.md from results that are there."""

import csv
import json
import pathlib

from report import page, paths, plan, results_page, store
from report.data import Results
from report.figures import (claims, controls, fermi, fetch_groups, load, phase_graph, phases,
                            speed, tail, why)

SECTIONS = (claims, phases, fetch_groups, phase_graph, speed, load, tail, fermi, controls, why)


def _numbers(size: str, runs: list[plan.Run]) -> list[dict]:
    """Every number that a run gave, with what was run."""
    rows = []
    for run in runs:
        for row in store.read(run, size):
            plain = {name: value for name, value in row.items()
                     if not isinstance(value, (list, dict))
                     and name not in ("host_seconds", "samples")}
            rows.append({"run": run.name, "size": size, "settings": " ".join(run.settings), **plain})
    return rows


def _write_numbers(size: str, runs: list[plan.Run]) -> list[pathlib.Path]:
    rows = _numbers(size, runs)
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = paths.REPORT / "numbers.csv"
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    text = paths.REPORT / "numbers.json"
    text.write_text(json.dumps(rows, indent=1) + "\n")
    return [table, text]


def build(size: str, quick: bool) -> list[pathlib.Path]:
    """Writes all; returns what was written."""
    paths.REPORT.mkdir(exist_ok=True)
    runs = plan.quick_runs() if quick else plan.report_runs()
    results = Results(size, 0 if quick else plan.SEEDS)
    sections = [module.section(results) for module in SECTIONS]
    index = paths.REPORT / "index.html"
    index.write_text(page.html(sections, size, quick))
    written = [index, *_write_numbers(size, runs)]
    if size == "default" and not quick:  # what is committed is always the same
        written.append(results_page.write(sections))
    return written
