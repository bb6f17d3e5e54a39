# SPDX-License-Identifier: MIT
"""Results on disk, each under a key of all that it depends on.

build-report/<size>/<run>.<key>.json holds a run's results and, in words, what its key is made of. So an
interrupted workflow continues, a changed program or configuration makes new results without ever
showing an old one for it, and what is out of date can be named with the reason.
"""

import dataclasses
import functools
import json
import pathlib
import tomllib

from lib import presets
from lib.store import digest as digest_of
from lib.store import write
from report import paths
from report.run import Run


@functools.cache
def program() -> str:
    """Digest of the simulator."""
    return digest_of(paths.PAWS)


@functools.cache
def _scripts() -> str:
    """Of those that start the simulator and read what it writes."""
    return digest_of(*(paths.SCRIPTS / "report" / name for name in ("simulate.py", "timelines.py")))


@functools.cache
def _preset(gpu: str) -> str:
    return digest_of(*presets.files(gpu))


def description(kernel: str) -> pathlib.Path:
    """The launch description of a workload, or of one given by its path from the root."""
    if kernel.endswith(".toml"):
        return paths.ROOT / kernel
    return paths.WORKLOADS / kernel / f"{kernel}.toml"


@functools.cache
def _workload(kernel: str) -> str:
    file = description(kernel)
    words = tomllib.loads(file.read_text())
    named = [words["ptx"]] if "ptx" in words else [module["ptx"] for module in words["module"]]
    return digest_of(file, *(paths.PTX / ptx if (paths.PTX / ptx).exists() else file.parent / ptx for ptx in named))


def arguments(run: Run, size: str) -> list[str]:
    """Of `paws run` and `paws compare`, but for schedulers and output."""
    name = run.kernel if not run.kernel.endswith(".toml") else str(description(run.kernel))
    words = [name, "--gpu", run.gpu, "--engine", "model"]
    for setting in run.settings:
        words += ["--set", setting]
    for definition in run.definitions:
        words += ["--define", definition]
    if run.blocks != Run.blocks:
        words += ["--blocks", run.blocks]
    if run.throttle != Run.throttle:
        words += ["--throttle", run.throttle]
    return words + ([] if size == "default" else ["--size", size])


def parts(run: Run, size: str) -> dict[str, str]:
    """What the results depend on."""
    return {
        "program": program(),
        "script": _scripts(),
        "GPU preset": _preset(run.gpu),
        "kernel": _workload(run.kernel),
        "configuration": " ".join([*arguments(run, size), *run.schedulers, str(run.sample),
                                   str(run.timeline)])
                            .replace(f"{paths.ROOT}/", ""),
    }


def path(run: Run, size: str) -> pathlib.Path:
    """Where the results of the run are, or will be."""
    key = digest_of(json.dumps(parts(run, size), sort_keys=True))[:12]
    return paths.CACHE / size / f"{run.name}.{key}.json"


def digest(runs: list[Run], size: str) -> str:
    """Of the keys of all these runs: two reports with the same one are made of the same results."""
    names = sorted(str(path(run, size).relative_to(paths.CACHE)) for run in runs)
    return digest_of(*names)[:12]


def keep(run: Run, size: str, rows: list[dict], key: dict[str, str], file: pathlib.Path) -> None:
    """Stores results whole or not at all, and drops those that they replace."""
    write(file, {"run": run.name, "size": size, "key": key, "rows": rows})
    _failure(run, size).unlink(missing_ok=True)
    for other in _stored(run, size):
        if other != file:
            other.unlink(missing_ok=True)


class Missing(Exception):
    """A figure needs results that no run has given."""


def read(run: Run, size: str) -> list[dict]:
    """One row per scheduler: the statistics by name (docs/reference/statistics.md). Raises Missing if the run
    has given no results."""
    if not path(run, size).exists():
        raise Missing(f"there are no results of {run.name}: {failure(run, size) or 'it was not run'}")
    return json.loads(path(run, size).read_text())["rows"]


def _failure(run: Run, size: str) -> pathlib.Path:
    return path(run, size).with_suffix(".failed")


def keep_failure(run: Run, size: str, cause: str) -> None:
    """Why the run gave no results; there is no file of results, so that it is tried again next time."""
    file = _failure(run, size)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(cause + "\n")


def failure(run: Run, size: str) -> str:
    """Why the run gave no results when it was tried last, as it is now; empty if that is not known."""
    file = _failure(run, size)
    return file.read_text().strip() if file.exists() else ""


def forget_failures(runs: list[Run], size: str) -> None:
    """Before they are tried again."""
    for run in runs:
        _failure(run, size).unlink(missing_ok=True)


def _stored(run: Run, size: str) -> list[pathlib.Path]:
    file = path(run, size)
    return sorted(file.parent.glob(f"{run.name.rpartition('/')[2]}.*.json"))


@dataclasses.dataclass(frozen=True)
class Status:
    state: str  # "fresh", "stale" or "missing"
    changed: tuple[str, ...] = ()  # stale: what is no longer as it was


def status(run: Run, size: str) -> Status:
    if path(run, size).exists():
        return Status("fresh")
    now = parts(run, size)
    for file in _stored(run, size):
        then = json.loads(file.read_text())["key"]
        return Status("stale", tuple(part for part in now if now[part] != then.get(part)))
    return Status("missing")
