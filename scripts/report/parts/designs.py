# SPDX-License-Identifier: MIT
"""The schedulers among which an architect chooses (scripts/study choice): how each is built, and how it is simulated.

Clock, area and energy are those of the set `layout` of synth/results. Every build is for 24 warps and has clock gates.
"""

import dataclasses
import functools
import statistics

from report.parts import synthesis_rows

LIBRARY, SET = "osu018", "layout"
REFERENCE = "two-level:rr"  # the clock of the cores is the nominal one for it


@dataclasses.dataclass(frozen=True)
class Design:
    """`built` are the parameters that tell it from the others of its table, `settings` the simulator's."""

    name: str
    title: str  # in tables
    scheduler: str  # the simulator's
    top: str
    built: tuple[tuple[str, int], ...]
    settings: tuple[tuple[str, object], ...] = ()

    @property
    def two_level(self) -> bool:
        return self.top == "paws_two_level"


def _single(name: str, title: str, scheduler: str, **built: int) -> Design:
    return Design(name, title, scheduler, "paws_single_level", tuple(built.items()))


def _two(scheduler: str, **built: int) -> Design:
    return Design(scheduler, f"`{scheduler}`", scheduler, "paws_two_level", tuple(built.items()))


DESIGNS = (
    _single("single:rr", "`single:rr`", "single:rr", POLICIES=1),
    _single("single:gto", "`single:gto`, search", "single:gto", POLICIES=2, PICKER=3),
    _single("single:gto-order", "`single:gto`, order", "single:gto", POLICIES=2, PICKER=1),
    _single("single:cggty", "`single:cggty`, search", "single:cggty", POLICIES=32, PICKER=3),
    Design("single:paws-ordered", "`single:paws-ordered`, codes of 4 bits", "single:paws-ordered", "paws_ordered",
           (("PHASE_W", 4), ("LENGTH_W", 4)), (("phases.code", 4), ("scheduler.phase_bits", 4))),
    _two("two-level:rr", POLICIES=1),
    _two("two-level:gto", POLICIES=2),
    Design("two-level:paws", "`two-level:paws`, codes of 3 bits", "two-level:paws", "paws_two_level",
           (("POLICIES", 4), ("PHASE_W", 3), ("LENGTH_W", 3)), (("phases.code", 3), ("scheduler.phase_bits", 3))),
)
BASE = next(design for design in DESIGNS if design.name == REFERENCE)


@functools.cache
def build(design: Design) -> synthesis_rows.Layout:
    """Raises ValueError if the table has no such build, or several."""
    return synthesis_rows.layouts(LIBRARY, SET, design.top, dict(design.built))


def clock(design: Design) -> float:
    """MHz, the mean of its layouts."""
    return statistics.fmean(build(design).mhz)


def area(design: Design) -> float:
    """um2 of the core, the mean of its layouts."""
    return statistics.fmean(build(design).core_um2)


def core_clock(design: Design, nominal: float) -> float:
    """MHz of the cores of a machine, of which `nominal` is the clock."""
    return round(nominal * clock(design) / clock(BASE), 1)
