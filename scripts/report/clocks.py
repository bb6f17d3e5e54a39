# SPDX-License-Identifier: MIT
"""Clock and area of the schedulers, from a table of scripts/synth, and the core clocks that follow.

The schedulers are RR, GTO and PAWS, each built alone for 24 warps. The clock of the cores is the nominal
one times a scheduler's Fmax over that of a reference. Crossbar, L2 and DRAM have clocks of their own.
"""

import dataclasses
import functools
import sys

from lib import policies, presets
from report.parts import synthesis_rows

LIBRARY, SET = "osu018", "policies"
NOTIONS = {"ports": "Fmax with the ports' budget",
           "registered": "Fmax with registers at the ports",
           "registers": "Fmax between registers"}
# Which scheduler's Fmax is the nominal clock: RR of the same level, or one for all.
OWN, ONE = "RR of its level", "two-level RR"
PER_CORE = 2  # schedulers
# Cores to compare areas with, in gate equivalents (two-input NANDs).
CORES = {
    # 1.84 mm2 in NanGate 45 nm, whose NAND2_X1 has 0.798 um2.
    "Nyuzi": 1.84e6 / 0.798,
    # 3.0 thousand million transistors for 16 cores and all the rest; four make a NAND.
    "Fermi": 3.0e9 / 16 / 4,
}

_WARPS = 24
_PAIR_W = "3"  # of SCA: pairs among eight block slots
# By top module and POLICIES, of builds with one policy.
_SCHEDULERS = {(policy.top, policy.bit): policy.scheduler
               for level in policies.LEVELS for policy in policies.in_rtl(level)}
_OPTIONS = ("AGE_LIMIT", "HELD_LENGTH")  # not built
_DELAYS = ("reg_reg_ns", "in_reg_ns", "reg_out_ns", "in_out_ns")


@dataclasses.dataclass(frozen=True)
class Build:
    """A scheduler as synthesized."""
    fmax: dict[str, float]  # MHz, by notion
    gates: float            # gate equivalents


@functools.cache
def read_builds(name: str) -> dict[tuple[str, int | None], Build]:
    """The schedulers of a set of scripts/synth by name and ready queue; a single level has none."""
    builds = {}
    try:
        rows = synthesis_rows.table(LIBRARY, name)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    for row in rows:
        scheduler = _SCHEDULERS.get((row["top"], int(row["POLICIES"])))
        if not scheduler or row["WARPS"] != str(_WARPS):
            continue
        if any(row.get(option) not in (None, "", "0") for option in _OPTIONS):
            continue
        if row.get("PAIR_W") not in (None, "", _PAIR_W):
            continue
        which = scheduler, int(row["READY"]) if row.get("READY") else None
        if which in builds:
            sys.exit(f"{LIBRARY}, {name}: {which[0]} for {_WARPS} warps is there twice")
        longest = max(float(row[delay] or 0) for delay in _DELAYS)
        builds[which] = Build({"ports": float(row["fmax_mhz"]), "registered": 1000 / longest,
                               "registers": 1000 / float(row["reg_reg_ns"])}, float(row["ge"]))
    return builds


def build(scheduler: str, ready: int) -> Build:
    """A scheduler with a ready queue of this size, if it has one."""
    which = scheduler, ready if scheduler.startswith("two-level:") else None
    builds = read_builds(SET)
    if which not in builds:
        sys.exit(f"{LIBRARY}, {SET}: {scheduler} for {_WARPS} warps, ready queue {ready}, is missing: "
                 "scripts/synth --set policies")
    return builds[which]


@functools.cache
def nominal() -> float:
    """MHz of the cores of the preset."""
    return presets.values("m2090")["core"]["clock_mhz"]


def base_of(scheduler: str, reference: str) -> str:
    """The scheduler whose Fmax is the nominal clock."""
    return f"{scheduler.partition(':')[0]}:rr" if reference == OWN else "two-level:rr"


def core_clock(scheduler: str, ready: int, notion: str, reference: str = OWN) -> float:
    """MHz of the cores under a scheduler."""
    fmax = build(scheduler, ready).fmax[notion]
    return round(nominal() * fmax / build(base_of(scheduler, reference), ready).fmax[notion], 1)
