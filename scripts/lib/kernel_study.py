# SPDX-License-Identifier: MIT
"""What the studies over kernels share (scripts/study affinity, age-limit, instruction-cache, keys, ready, wakes).

A study is many simulations on the golden model, which differ in settings. What has been measured
is kept under a hash of the program and its workloads, so that a study that was interrupted goes on
where it stopped, and studies share what they have in common.
"""

import argparse
import csv
import datetime
import importlib.util
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable

from lib import pool, presets, store
from lib.places import ROOT, TABLES
from lib.project_commit import at_commit

PAWS = ROOT / "build" / "paws"
COMMIT = at_commit()  # before a study has written anything
PRESETS = presets.PRESETS
PRESET = PRESETS / "m2090.toml"
KERNELS = ("bp_k1", "bp_k2", "bt_k1", "bt_k2", "heartwall", "km", "lud", "srad", "cfd", "dwt",
           "dxtc", "fwt", "hist256", "mco")


def parser(command: str, description: str) -> argparse.ArgumentParser:
    """The options of every study; `command` is what the user calls, for example scripts/study keys."""
    result = argparse.ArgumentParser(prog=command, description=description)
    result.set_defaults(command=command.removeprefix("scripts/"))
    result.add_argument("--size", help="a named size of the launch descriptions, for example full")
    result.add_argument("--jobs", type=int, default=os.cpu_count(), help="simulations at a time")
    result.add_argument("--results", type=pathlib.Path, default=ROOT / "build" / "kernel-study",
                        help="where measurements are kept")
    return result


def packages_of_pictures(command: str) -> None:
    """Ends a command that would draw at its end, if what it draws with is missing."""
    missing = [name for name in ("matplotlib", "scour") if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit(f"{command}: python3-{' and python3-'.join(missing)} missing: scripts/setup --report")


def fingerprint(preset: pathlib.Path = PRESET) -> str:
    """Hash of all that the cycles depend on."""
    read = [file for folder, pattern in ((ROOT / "workloads", "**/*.toml"), (PAWS.parent / "workloads", "**/*.ptx"))
            for file in sorted(folder.glob(pattern)) if file.name != "sets.toml"]  # which says nothing of a run
    return store.digest(PAWS, *presets.files(preset.stem), *read)


class Study:
    """Runs and keeps measurements. `arguments` are those of parser().

    Settings are keys of the GPU with their values; a name that begins with dashes is an option of `paws compare`.
    `places` has the launch descriptions of kernels that are no workloads of the project; their folder's name must
    change with their contents."""

    def __init__(self, arguments: argparse.Namespace, preset: pathlib.Path = PRESET,
                 places: dict[str, pathlib.Path] | None = None):
        if not PAWS.exists():
            sys.exit(f"{arguments.command}: {PAWS} is missing: cmake --build build --target paws")
        self.command = arguments.command
        self.size = arguments.size
        self.jobs = arguments.jobs
        self.preset = preset
        self.places = places or {}
        self.results = arguments.results / f"{fingerprint(preset)}-{self.size or 'default'}"
        self.store = store.Store(self.results)

    def measure(self, settings: dict[str, object], scheduler: str, kernel: str, queues: bool = False
                ) -> dict[str, float]:
        """The numbers of a run by name (docs/reference/statistics.md); from the results if they are there."""
        place = self.places.get(kernel)
        known_as = f"{place.parent.name}/{kernel}" if place else kernel
        point = json.dumps([known_as, scheduler, sorted(settings.items()), queues])
        row_key = f"{kernel.replace('/', '-')}_{store.digest(point)}"
        row = self.store.find(row_key)
        if row is None:
            with tempfile.TemporaryDirectory() as folder:
                output = pathlib.Path(folder) / "result.json"
                command = [self.results / "paws", "compare", place or kernel, "--engine", "model",
                           "--jobs", "1", "--gpu", self.results / self.preset.name,
                           "--schedulers", scheduler, "--json", output]
                for key, value in settings.items():
                    command += [key, value] if key.startswith("--") else ["--set", f"{key}={value}"]
                if self.size:
                    command += ["--size", self.size]
                if queues:
                    command += ["--queues"]
                run = subprocess.run(command, capture_output=True, text=True)
                if run.returncode != 0:
                    raise RuntimeError(f"{kernel}, {scheduler}: {run.stderr.strip()}")
                found = json.loads(output.read_text())[0]
                row = {name: value for name, value in found.items()
                       if isinstance(value, (int, float)) and name != "host_seconds"}
            self.store.keep(row_key, row)
        return row

    def rows(self, points: dict[tuple, dict[str, object]], kernels: tuple[str, ...] = KERNELS,
             queues: bool = False) -> dict:
        """The numbers by (*point, kernel), of points that end with a scheduler, with their settings; `queues`: those
        of the queues, too."""
        self.results.mkdir(parents=True, exist_ok=True)
        for source in (self.preset, PAWS):  # copies, so that the project may be changed meanwhile
            if not (self.results / source.name).exists():
                shutil.copy2(source, self.results / source.name)
        wanted = [(*point, kernel) for point in points for kernel in kernels]
        found = {}

        def do(run: tuple) -> dict[str, float]:
            *point, kernel = run
            return self.measure(points[tuple(point)], point[-1], kernel, queues)

        try:
            for run, row in pool.as_they_end(do, wanted, self.jobs):
                found[run] = row
                print(f"\r{len(found)} of {len(wanted)}", end="", file=sys.stderr)
        except RuntimeError as failure:
            sys.exit(f"\n{self.command}: {failure}")
        print(file=sys.stderr)
        return found

    def measure_all(self, points: dict[tuple, dict[str, object]]) -> dict:
        """Cycles of the fourteen kernels by (*point, kernel), of points as in rows()."""
        return {point: row["cycles"] for point, row in self.rows(points).items()}


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios))


def measured() -> str:
    """A line for the page: when, and of which commit."""
    return f"Measured {datetime.date.today().isoformat()}{COMMIT}."


def write_table(name: str, columns: Iterable[str], rows: Iterable[Iterable], folder: pathlib.Path = TABLES) -> None:
    """A CSV file of every run."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_between(page: pathlib.Path, command: str, text: str) -> None:
    """Puts `text` between the two marks of the page that name the command; where a command writes several parts of a
    page, `command` has the part's name behind it."""
    begin, end = f"<!-- {command} writes from here -->", "<!-- to here -->"
    before, rest = page.read_text().split(begin)
    page.write_text(before + begin + "\n" + text + "\n" + end + rest.split(end, 1)[1])
