# SPDX-License-Identifier: MIT
"""The sets of runs of all papers by name. scripts/reproduce makes one at a time."""

from report.lee2014 import plan as lee2014_plan
from report.narasiman2011 import plan as narasiman2011_plan
from report.paws import plan as paws_plan
from report.run import Run

SETS = paws_plan.SETS | lee2014_plan.SETS | narasiman2011_plan.SETS


def find(which: str, name: str) -> Run:
    """The run of this name in a set. KeyError if there is none."""
    return {run.name: run for run in SETS[which]()}[name]
