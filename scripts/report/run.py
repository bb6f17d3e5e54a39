# SPDX-License-Identifier: MIT
"""One job of the workflow. The golden model decides: it agrees with the RTL in every cycle."""

import dataclasses

SIZES = ("default", "small", "full")  # of the kernels


@dataclasses.dataclass(frozen=True)
class Run:
    """`name` is unique among the runs of all papers and names the file of its results."""
    name: str
    kernel: str
    schedulers: tuple[str, ...]
    settings: tuple[str, ...] = ()
    gpu: str = "m2090"
    sample: int = 0     # cycles between samples of core 0; 0: none
    timeline: str = ""  # what is read from a timeline of the run (timelines.READERS)
    definitions: tuple[str, ...] = ()  # of the launch description's size: name=integer
    share: float = 1  # of the work of the size, about
    work: float = 0   # of one simulation, as progress weighs it, if its table does not have it
    blocks: str = "rr"      # block scheduler
    throttle: str = "none"
