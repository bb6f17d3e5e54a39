"""A real kernel's decisions, as the ports of a scheduler in every cycle (docs/traces.md)."""

import hashlib
import os
import pathlib
import subprocess
import sys

from flow import tools
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.paths import BUILD, ROOT

KERNEL = "bp_k1"  # fills all 24 warps of a scheduler
CYCLES = 20_000
_POLICY = {1: "rr", 2: "gto", 4: "paws", 8: "oldest"}
# What a recording with the simulator's defaults can drive: these do not change the decisions.
_FREE = {"POLICIES", "SORTER", "PICKER"}


def fits(configuration: Configuration) -> bool:
    """Whether the recorded decisions are this scheduler's."""
    return all(name in _FREE for name, _ in configuration.changed)


def policy(configuration: Configuration) -> str:
    """The policy that a build runs: its own, PAWS where there are several."""
    return _POLICY.get(configuration.parameters()["POLICIES"], "paws")


def _program() -> pathlib.Path:
    program = pathlib.Path(os.environ.get("PAWS", ROOT / "build" / "paws"))
    if not program.exists():
        print("synth: building paws, which runs the kernel for the power figures", file=sys.stderr)
        for command in (["setup"], ["build", "release", "paws"]):
            done = subprocess.run([str(ROOT / "scripts" / command[0]), *command[1:]], check=False)
            if done.returncode != 0:
                raise FlowError(f"scripts/{' '.join(command)} failed; it is needed for the power figures")
    return program


def record(configuration: Configuration) -> pathlib.Path:
    """The file with one line per cycle; made by the simulator if it is not there."""
    program = _program()
    level = "two-level" if configuration.top == "paws_two_level" else "single"
    scheduler = f"{level}:{policy(configuration)}"
    digest = hashlib.sha256(program.read_bytes()).hexdigest()[:12]
    folder = BUILD / "recordings"
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"{KERNEL}_{scheduler.replace(':', '_')}_{digest}"
    ports = stem.with_suffix(".ports")
    if ports.exists():
        return ports
    print(f"synth: recording {KERNEL} under {scheduler}", file=sys.stderr)
    trace = stem.with_suffix(".dec")
    tools.run([str(program), "run", KERNEL, "--scheduler", scheduler, "--engine", "model",
               "--decisions", str(trace)], stem.with_suffix(".log"))
    text = tools.run([str(program), "decisions", str(trace), "--ports", "--scheduler", "0",
                      "--to", str(CYCLES - 1)], stem.with_suffix(".log"))
    trace.unlink()
    partial = stem.with_suffix(".partial")
    partial.write_text(text)
    partial.rename(ports)
    return ports
