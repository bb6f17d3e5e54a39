# SPDX-License-Identifier: MIT
"""A real kernel's decisions, as the ports of a scheduler in every cycle (docs/guide/traces.md)."""

import os
import pathlib
import subprocess
import sys

from flow import tools
from flow.configurations import Configuration, rtl_defaults
from flow.errors import FlowError
from flow.paths import BUILD, ROOT
from lib import policies, store

KERNEL = "bp_k1"  # fills all warps of a scheduler
CYCLES = 20_000
# The simulator's settings for the parameters that decide. The others change no decision, as long as
# the host keeps its promises and a length fits its port.
_SETTINGS = {"READY": "scheduler.ready", "PHASE_W": "scheduler.phase_bits", "PRECISION": "scheduler.key_precision",
             "AGE_LIMIT": "scheduler.age_limit", "COMPARES": "scheduler.compares",
             "TIE_ARRIVAL": "scheduler.tie_by_arrival", "WAKE_OLDEST": "scheduler.wake_oldest"}
_CODE_W = 5  # a port of this width or less has codes of lengths
_FLAGS = ("TIE_ARRIVAL", "WAKE_OLDEST")  # the simulator takes true and false for these


def scheduler(configuration: Configuration) -> str:
    """The scheduler that a build is: its own policy, PAWS where there are several."""
    for policy in policies.read():
        if policy.rtl_module == configuration.top:
            return policy.scheduler
    level = policies.level_of(configuration.top)
    built = policies.built(level, configuration.parameters()["POLICIES"])
    return f"{level}:{built[0] if len(built) == 1 else 'paws'}"


def settings(configuration: Configuration) -> dict[str, int | str]:
    """What the simulated machine changes for a scheduler like this; a core with other than 24 warps per
    scheduler has threads, blocks and registers in proportion."""
    changed: dict[str, int | str] = {
        _SETTINGS[name]: ("false", "true")[value] if name in _FLAGS else value
        for name, value in configuration.changed if name in _SETTINGS}
    length = configuration.parameters().get("LENGTH_W", 16)
    if length <= _CODE_W:
        changed["phases.code"] = length
    warps = configuration.parameters()["WARPS"]
    usual = rtl_defaults(configuration.top)["WARPS"]
    if warps != usual:
        changed |= {"core.warps": 2 * warps, "core.threads": 64 * warps, "core.blocks": 8 * warps // usual,
                    "core.registers": 32768 * warps // usual}
    return changed


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
    named = scheduler(configuration)
    changed = settings(configuration)
    title = "_".join([KERNEL, named.replace(":", "_"), *(
        f"{name.split('.')[1]}={value}" for name, value in changed.items()
        if name.startswith(("scheduler.", "phases.")) or name == "core.warps")])
    folder = BUILD / "recordings"
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"{title}_{store.digest(program)}"
    ports = stem.with_suffix(".ports")
    if ports.exists():
        return ports
    print(f"synth: recording {title}", file=sys.stderr)
    trace = stem.with_suffix(".dec")
    tools.run([str(program), "run", KERNEL, "--scheduler", named, "--engine", "model",
               *(word for name, value in changed.items() for word in ("--set", f"{name}={value}")),
               "--decisions", str(trace)], stem.with_suffix(".log"))
    text = tools.run([str(program), "decisions", str(trace), "--ports", "--scheduler", "0",
                      "--to", str(CYCLES - 1)], stem.with_suffix(".log"))
    trace.unlink()
    partial = stem.with_suffix(".partial")
    partial.write_text(text)
    partial.rename(ports)
    return ports
