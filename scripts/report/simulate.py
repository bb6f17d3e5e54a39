# SPDX-License-Identifier: MIT
"""One job of the workflow: python3 -m report.simulate SIZE SET RUN."""

import json
import pathlib
import subprocess
import sys
import tempfile

from report import paths, sets, store, timelines
from report.run import Run

_INTERRUPTED = (130, 143)  # exit status of paws
_OF_A_LAUNCH = ("kernel_name", "gpu_sim_cycle", "block_limits")  # what is kept of each


class Failed(Exception):
    """The run gave no results, and would give none if it were repeated."""


def _paws(*words: str) -> None:
    command = [str(paths.PAWS), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return
    said = done.stderr.strip() or done.stdout.strip()
    if done.returncode in _INTERRUPTED:
        sys.exit(f"{' '.join(command)}\n{said}")
    raise Failed(said or f"paws ended with status {done.returncode}")


def simulate(run: Run, size: str) -> list[dict]:
    """The rows of a run: the statistics of each scheduler, and its samples if it has any. Raises Failed if one
    of its simulations has no result or a wrong one."""
    words = store.arguments(run, size)
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "rows.json"
        samples = pathlib.Path(folder) / "samples.csv"
        timeline = pathlib.Path(folder) / "timeline.json"
        if not run.sample and not run.timeline:
            _paws("compare", *words, "--schedulers", ",".join(run.schedulers), "--jobs", "1",
                  "--json", str(output))
            rows = json.loads(output.read_text())
        else:
            rows = []
            for scheduler in run.schedulers:
                call = ["run", *words, "--scheduler", scheduler, "--threads", "1",
                        "--json", str(output)]
                if run.sample:
                    _paws(*call, "--sample", str(samples), "--interval", str(run.sample),
                          "--sample-core", "0")
                    more = {"samples": samples.read_text()}
                else:
                    reader, cores = timelines.READERS[run.timeline]
                    _paws(*call, "--timeline", str(timeline), "--trace-core", cores)
                    more = {run.timeline: reader(timeline)}
                rows.append({**json.loads(output.read_text()), **more})
    for row in rows:
        row["per_launch"] = [{name: launch.get(name) for name in _OF_A_LAUNCH} for launch in row.get("per_launch", [])]
    return rows


def main() -> None:
    size, which, name = sys.argv[1:]
    run = sets.find(which, name)
    key, file = store.parts(run, size), store.path(run, size)
    try:
        rows = simulate(run, size)
    except Failed as failed:
        store.keep_failure(run, size, str(failed))
        sys.exit(f"{run.name}: {failed}")
    store.keep(run, size, rows, key, file)


if __name__ == "__main__":
    main()
