# SPDX-License-Identifier: MIT
"""A line on the terminal: runs done, and the time that the others will take."""

import subprocess
import time

from lib.progress import Line, duration
from report import store
from report.run import Run

# Seconds of one simulation of a kernel relative to the others', before any has been measured: thread
# instructions in millions (workloads/README.md).
_WEIGHT = {"bp_k1": 36.7, "bp_k2": 55.1, "bt_k1": 28.3, "bt_k2": 22.1, "heartwall": 37.9, "km": 81.5,
           "lud": 38.6, "srad": 73.7, "cfd": 36.7, "dwt": 100.6, "dxtc": 62.3, "fwt": 53.6,
           "hist256": 21.2, "mco": 40.1}
# The same with the paper's grids.
_FULL = {"bp_k1": 1570, "bp_k2": 705, "bt_k1": 1450, "bt_k2": 943, "heartwall": 12900, "km": 428, "lud": 504,
         "srad": 524, "cfd": 174, "dwt": 268, "dxtc": 1994, "fwt": 572, "hist256": 371, "mco": 430}
_START = 0.3  # of a simulation, in the same unit as its start-up costs


def weight(run: Run, size: str) -> float:
    work = run.work or (_FULL if size == "full" else _WEIGHT).get(run.kernel, 10) * run.share
    return len(run.schedulers) * (work + _START)


def watch(process: subprocess.Popen, runs: list[Run], size: str) -> None:
    """Until the process ends: on a terminal a line kept up to date, else one a minute."""
    left = {run: store.path(run, size) for run in runs}
    left = {run: file for run, file in left.items() if not file.exists()}
    total, done, count = sum(weight(run, size) for run in left), 0.0, len(left)
    line = Line()
    while True:
        ended = process.poll() is not None
        for run in [run for run, file in left.items() if file.exists()]:
            del left[run]
            done += weight(run, size)
        spent = time.monotonic() - line.start
        text = f"reproduce: {count - len(left)} of {count} runs, {duration(spent)}"
        if done and not ended:
            text += f", {duration(spent * (total - done) / done)} left"
        line.show(text, ended)
        if ended:
            break
        time.sleep(1 if line.terminal else 2)
