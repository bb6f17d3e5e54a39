# SPDX-License-Identifier: MIT
"""Runs the programs that a campaign needs."""

import os
import pathlib
import subprocess

from .errors import CampaignError

ROOT = pathlib.Path(__file__).resolve().parents[3]


def rtl_sources() -> list[str]:
    """Of the schedulers, in order, relative to the root."""
    return [f"rtl/{name}" for name in (ROOT / "rtl" / "paws.f").read_text().split()]


def yosys(script: str, *, errors: str = "") -> str:
    """Runs the commands of `script`, in the root, and returns what they print. Warnings that match
    `errors` are errors. Throws CampaignError."""
    command = [os.environ.get("YOSYS", "yosys"), "-Q", "-T"]
    if errors:
        command += ["-e", errors]
    try:
        # Commands on the command line may not be longer than the system allows.
        done = subprocess.run([*command, "-s", "/dev/stdin"], input=script, cwd=ROOT, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError:
        raise CampaignError(f"{command[0]} is not installed (scripts/setup)") from None
    if done.returncode != 0:
        last = [line for line in done.stdout.splitlines() if line.strip()][-1:]
        raise CampaignError(f"yosys: {last[0] if last else 'failed'}")
    return done.stdout
