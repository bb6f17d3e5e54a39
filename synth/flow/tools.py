# SPDX-License-Identifier: MIT
"""Running the tools: one place that turns their failures into messages."""

import functools
import pathlib
import re
import shutil
import signal
import subprocess

from flow.errors import FlowError, IllegalParameter

PACKAGES = {"yosys": "yosys", "sta": "opensta", "nextpnr-ice40": "nextpnr-ice40", "graywolf": "graywolf",
            "qrouter": "qrouter", "magic": "magic", "iverilog": "iverilog"}
LAYOUT = ("graywolf", "qrouter", "magic", "iverilog")


def require(*programs: str) -> None:
    """Raises FlowError naming the packages of the programs that are missing."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        raise FlowError(f"{', '.join(missing)} not found: install "
                        f"{' '.join(sorted({PACKAGES[p] for p in missing}))} (scripts/setup --synth)")


# On a busy machine a tool takes so many times its processor time, at most.
_BUSY = 50


def run(command: list[str], log: pathlib.Path, seconds: int = 1800, folder: pathlib.Path | None = None) -> str:
    """Runs a tool, in `folder` if one is given, keeps what it prints in `log` and returns it. Raises FlowError if it fails or
    takes more than so many seconds of processor time, IllegalParameter if a parameter is why."""
    unfinished = f"{command[0]} did not finish within {seconds} s of processor time (log: {log})"
    try:
        done = subprocess.run(["sh", "-c", 'ulimit -S -t "$0" && exec "$@"', str(seconds), *command], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_BUSY * seconds, errors="replace",
                              check=False, cwd=folder)
    except subprocess.TimeoutExpired:
        raise FlowError(unfinished) from None
    log.write_text(done.stdout)
    if done.returncode == -signal.SIGXCPU:
        raise FlowError(unfinished)
    if done.returncode != 0:
        if refused := re.search(r"ERROR: (paws_\w+: .*?)\.?$", done.stdout, re.MULTILINE):
            raise IllegalParameter(refused[1])
        last = "\n".join(done.stdout.splitlines()[-12:])
        raise FlowError(f"{command[0]} failed with status {done.returncode} (log: {log}):\n{last}")
    return done.stdout


@functools.cache
def versions() -> dict[str, str]:
    """Yosys's and OpenSTA's versions, which are part of every result's key."""
    require("yosys", "sta")
    yosys = subprocess.run(["yosys", "-V"], capture_output=True, text=True, check=True).stdout
    sta = subprocess.run(["sta", "-version"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         check=False).stdout
    return {"yosys": " ".join(yosys.split()[:2]), "sta": f"OpenSTA {sta.strip()}"}


@functools.cache
def layout_versions() -> dict[str, str]:
    """Of the packages that lay out, which are part of a layout's key."""
    require(*LAYOUT)
    names = [PACKAGES[tool] for tool in LAYOUT] + ["qflow-tech-osu018"]
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names], capture_output=True, text=True,
                           check=False).stdout
    return dict(line.split() for line in found.splitlines())
