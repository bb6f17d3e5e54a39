# SPDX-License-Identifier: MIT
"""The sets of runs of all papers by name. scripts/reproduce makes one at a time."""

import functools

from report import plan
from report.lee2014 import plan as lee2014_plan
from report.run import Run

SETS = plan.SETS | lee2014_plan.SETS


@functools.cache
def _by_name() -> dict[str, Run]:
    return {run.name: run for runs in SETS.values() for run in runs()}


def find(name: str) -> Run:
    """The run of this name. KeyError if there is none."""
    return _by_name()[name]
