# SPDX-License-Identifier: MIT
"""What the pages of all papers have in common: their numbers as files, and what they say of results that are missing."""

import csv
import json
import pathlib
from collections.abc import Callable
from typing import Any

from report import paths, store
from report.run import Run
from report.section import Section, Table

_NOT_NUMBERS = ("host_seconds", "samples")


def write(name: str, columns: list[str], rows: list[dict]) -> list[pathlib.Path]:
    """As CSV and JSON."""
    table = paths.REPORT / f"{name}.csv"
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    text = paths.REPORT / f"{name}.json"
    text.write_text(json.dumps(rows, indent=1) + "\n")
    return [table, text]


def numbers(runs: list[Run], size: str) -> list[dict]:
    """Every number that a run gave, with what was run."""
    rows = []
    for run in runs:
        for row in store.read(run, size):
            plain = {name: value for name, value in row.items()
                     if not isinstance(value, (list, dict)) and name not in _NOT_NUMBERS}
            rows.append({"run": run.name, "size": size, "settings": " ".join(run.settings), **plain})
    return rows


def write_numbers(name: str, runs: list[Run], size: str) -> list[pathlib.Path]:
    """All numbers of these runs."""
    rows = numbers(runs, size)
    return write(name, list(dict.fromkeys(column for row in rows for column in row)), rows)


def section(make: Callable[[Any], Section], results: Any) -> Section:
    """What `make` of a module makes of the results of its paper, or, if it needs results that are missing, one that says so."""
    try:
        return make(results)
    except store.Missing as missing:
        name = make.__module__.rpartition(".")[2]
        return Section(name, f"Without results: {name.replace('_', ' ')}",
                       [f"This section could not be made: {missing}."])


def left_out(runs: list[Run], size: str) -> dict[str, str]:
    """Kernels of runs that have given no results, each with a cause."""
    causes: dict[str, str] = {}
    for run in runs:
        if not store.path(run, size).exists():
            cause = store.failure(run, size).splitlines() or ["it was not run"]
            causes.setdefault(run.kernel, f"{run.name}: {cause[0]}")
    return causes


def on_left_out(causes: dict[str, str], label: Callable[[str], str]) -> Section:
    return Section("failed", "Kernels without results", [
        "Simulations of these kernels failed. So these kernels are in no figure, mean or verdict of this report. "
        "scripts/reproduce tries them again."],
        [Table(["kernel", "run and cause"], [[label(kernel), cause] for kernel, cause in causes.items()])], main=True)
