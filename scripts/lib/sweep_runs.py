# SPDX-License-Identifier: MIT
"""The runs of a sweep (scripts/sweep): which there are, what each depends on, and one run.

The results are in a folder, each under a hash of the program, the machine, the workload's files and the other words of its
command; those of runs that failed are in `failed` below it, and are tried again. `plan.json` there has the commands.

  python3 -m lib.sweep_runs PLAN KEY    # one run; a workflow's job
"""

import csv
import dataclasses
import functools
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator

from lib.places import ROOT
from lib.store import Store, digest

PAWS = pathlib.Path(os.environ.get("PAWS") or ROOT / "build" / "paws")
_BUILD = pathlib.Path(os.environ["PAWS_PREFIX"]) / "lib" / "paws" if "PAWS_PREFIX" in os.environ else PAWS.parent


class Refused(Exception):
    """What is asked for cannot be run."""


class Interrupted(Exception):
    """A run was, by a signal."""


@functools.cache
def paws(*words: str | pathlib.Path) -> str:
    """What the program prints. Raises Refused with its message."""
    done = subprocess.run([PAWS, *words], capture_output=True, text=True)
    if done.returncode != 0:
        said = done.stderr.strip().removeprefix("paws: ").removesuffix("\nRun with --help for more information.")
        raise Refused(said or f"paws ended with status {done.returncode}")
    return done.stdout


@dataclasses.dataclass(frozen=True)
class Sweep:
    """What is asked for. `common`: words of `paws compare` that all runs have."""
    kernels: tuple[str, ...]
    schedulers: tuple[str, ...]
    settings: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)  # values by key
    seeds: int = 0
    gpu: str = "m2090"
    common: tuple[str, ...] = ()

    def combinations(self) -> list[tuple[str, ...]]:
        """Of values, in the order of the keys."""
        return list(itertools.product(*self.settings.values()))

    def set_words(self, values: tuple[str, ...]) -> list[str]:
        return [word for key, value in zip(self.settings, values) for word in ("--set", f"{key}={value}")]


@dataclasses.dataclass(frozen=True)
class Run:
    kernel: str
    values: tuple[str, ...]  # a combination
    scheduler: str
    seed: int  # 0: not perturbed


def runs(sweep: Sweep) -> Iterator[Run]:
    for kernel, values, scheduler in itertools.product(sweep.kernels, sweep.combinations(), sweep.schedulers):
        for seed in range(min(1, sweep.seeds), sweep.seeds + 1):
            yield Run(kernel, values, scheduler, seed)


def command(sweep: Sweep, run: Run) -> list[str]:
    """Words of `paws`, but for the output."""
    perturbed = ["--set", f"noise.seed={run.seed}"] if run.seed else []
    return ["compare", run.kernel, "--schedulers", run.scheduler, "--gpu", sweep.gpu, "--jobs", "1", *sweep.common,
            *sweep.set_words(run.values), *perturbed]


def check(sweep: Sweep) -> None:
    """Raises Refused for what the program would refuse of any run. Simulates nothing."""
    seeds = ["--seeds", str(sweep.seeds)] if sweep.seeds else []
    for values in sweep.combinations():
        paws("compare", *sweep.kernels, "--schedulers", ",".join(sweep.schedulers), "--gpu", sweep.gpu, "--dry-run", *seeds,
             *sweep.common, *sweep.set_words(values))


def machines(sweep: Sweep) -> dict[tuple[str, ...], str]:
    """The whole GPU as TOML, by combination of values."""
    return {values: paws("gpu", sweep.gpu, *sweep.set_words(values)) for values in sweep.combinations()}


def value_of(machine: str, key: str) -> object:
    """Of a key of the GPU: 16384, whether 16K or 16384 was said."""
    return functools.reduce(lambda table, name: table[name], key.split("."), tomllib.loads(machine))


def _named(value: object) -> Iterator[str]:
    """Texts of a launch description, but for files that it writes."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _named(inner) if key != "save" else ()
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner)


@functools.cache
def workload(kernel: str) -> str:
    """Digest of a launch description or a trace, and of all files that it names."""
    file = pathlib.Path(kernel)
    if not file.is_file():
        file = ROOT / "workloads" / kernel / f"{kernel}.toml"
    if file.suffix == ".toml":
        names = _named(tomllib.loads(file.read_text()))
    else:
        names = iter(file.read_text().splitlines() if file.suffix == ".g" else ())
    places = (folder / name for name in names if name and len(name) < 256 for folder in (file.parent, _BUILD / "workloads"))
    return digest(file, *dict.fromkeys(place for place in places if place.is_file()))


def keys(sweep: Sweep) -> dict[str, Run]:
    """All runs by the hash of what their results depend on."""
    program, by_values = digest(PAWS), machines(sweep)
    return {digest(program, by_values[run.values], workload(run.kernel), json.dumps(command(sweep, run))): run
            for run in runs(sweep)}


def simulate(words: list[str], folder: pathlib.Path, key: str) -> dict:
    """Runs and keeps. The result: `row`, the line of CSV by name, `seconds`, and `status`, 0 if all is well. Raises
    Interrupted."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        table = pathlib.Path(scratch) / "row.csv"
        with subprocess.Popen([PAWS, *words, "--csv", table], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
                              ) as process:
            children.add(process)
            said = process.communicate()[1].strip()
            children.discard(process)
        if process.returncode in (130, 143):
            raise Interrupted
        if table.exists():
            with table.open(newline="") as file:
                row = next(csv.DictReader(file))
        else:
            row = {"failure": said or f"paws ended with status {process.returncode}"}
    result = {"row": row, "seconds": time.monotonic() - start, "status": process.returncode}
    of_failures = Store(folder / "failed")
    if process.returncode:
        result["row"]["failure"] = row["failure"] or said.removeprefix("paws: ")
        of_failures.keep(key, result)
    else:
        Store(folder).keep(key, result)
        of_failures.file(key).unlink(missing_ok=True)
    return result


children: set[subprocess.Popen] = set()  # simulations that run now


def main() -> None:
    plan, key = sys.argv[1:]
    job = json.loads(pathlib.Path(plan).read_text())
    os.chdir(job["folder"])  # that of the user, which files are named from
    result = simulate(job["runs"][key], pathlib.Path(plan).parent, key)
    if result["status"]:
        sys.exit(f"{' '.join(job['runs'][key])}: {result['row']['failure']}")


if __name__ == "__main__":
    main()
