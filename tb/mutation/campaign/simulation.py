# SPDX-License-Identifier: MIT
"""Faults under the random hosts of the ordinary suite."""

import dataclasses
import os
import pathlib
import subprocess
from collections.abc import Iterable, Iterator

from .configurations import Campaign
from .errors import CampaignError
from .faults import Fault
from .netlist import Interface, wrapper
from .tools import ROOT, yosys


@dataclasses.dataclass(frozen=True)
class Kill:
    policy: str
    host: str
    cycle: int


def build(campaign: Campaign, interface: Interface, function: pathlib.Path, faults: list[Fault],
          work: pathlib.Path) -> pathlib.Path:
    """The engine that carries all of `faults`."""
    width = max(fault.id for fault in faults).bit_length()
    commands = "\n".join(fault.command(control=f"-ctrl fault {width} {fault.id}") for fault in faults)
    source, library = work / "faults.v", work / "faults.so"
    yosys(f"read_json {function}\n{commands}\nopt_clean\nwrite_verilog -noattr {source}\n")
    with source.open("a") as output:
        output.write(wrapper(campaign, interface, width))
    command = ["bash", str(ROOT / "engine/build_engine.sh"), str(library), str(work / "engine"),
               "faults", campaign.top, "-O1", "CHECKED=1", f"NETLIST={source}",
               *(f"{name}={value}" for name, value in {
                   **campaign.parameters, "PRECISION": campaign.phase_bits, "POLICIES": campaign.policy_mask,
                   "PAIR_W": campaign.pair_bits}.items())]
    done = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise CampaignError(f"the engine cannot be built: {done.stdout.strip().splitlines()[-1]}")
    return library


def run(program: pathlib.Path, library: pathlib.Path, campaign: Campaign, faults: Iterable[int],
        cycles: int, seed: int) -> Iterator[tuple[int, Kill | None]]:
    """What `cycles` cycles per policy make of each fault, as soon as it is known."""
    command = [program, library, campaign.engine, campaign.level, campaign.warps, campaign.ready,
               campaign.phase_bits, campaign.age_limit, cycles, *(policy.name for policy in campaign.policies)]
    with subprocess.Popen(list(map(str, command)), text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=os.environ | {"PAWS_SEED": str(seed)}) as process:
        # Few enough numbers for the pipe to take them all at once.
        process.stdin.write("".join(f"{fault}\n" for fault in faults))
        process.stdin.close()
        for line in process.stdout:
            fault, verdict, *details = line.split()
            yield int(fault), Kill(details[0], details[1], int(details[2])) if verdict == "killed" \
                else None
        message = process.stderr.read().strip()
    if process.returncode != 0:
        raise CampaignError(message or f"mutation_run ended with {process.returncode}")
