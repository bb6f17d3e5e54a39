"""One job of the workflow: python3 -m report.simulate SIZE RUN."""

import json
import pathlib
import subprocess
import sys
import tempfile

from report import paths, plan, store


def _paws(*words: str) -> None:
    command = [str(paths.PAWS), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip() or done.stdout.strip()}")


def simulate(run: plan.Run, size: str) -> list[dict]:
    """The rows of a run: the statistics of each scheduler, and its samples if it has any."""
    words = store.arguments(run, size)
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "rows.json"
        samples = pathlib.Path(folder) / "samples.csv"
        if not run.sample:
            _paws("compare", *words, "--schedulers", ",".join(run.schedulers), "--jobs", "1",
                  "--json", str(output))
            rows = json.loads(output.read_text())
        else:
            rows = []
            for scheduler in run.schedulers:
                _paws("run", *words, "--scheduler", scheduler, "--threads", "1", "--json", str(output),
                      "--sample", str(samples), "--interval", str(run.sample), "--sample-core", "0")
                rows.append({**json.loads(output.read_text()), "samples": samples.read_text()})
    for row in rows:
        del row["per_launch"]
    return rows


def main() -> None:
    size, name = sys.argv[1:]
    run = plan.find(name)
    key, file = store.parts(run, size), store.path(run, size)
    store.keep(run, size, simulate(run, size), key, file)


if __name__ == "__main__":
    main()
