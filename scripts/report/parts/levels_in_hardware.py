# SPDX-License-Identifier: MIT
"""One level and two in hardware: clock, area and power from synth/results, and time (scripts/study ready).

The builds of which cycles become time are the two-level schedulers of the set `ready`, which have all policies, and
single-level GTO built alone. The clock of the cores is the nominal one for the two-level scheduler with the usual ready
queue, and in proportion to Fmax for the others. Crossbar, L2 and DRAM keep their clocks.
"""

import dataclasses
import functools

from lib import presets
from lib.kernel_study import KERNELS, PRESET, markdown, mean
from report.parts.ready_findings import SHOWN
from report.parts.ready_queue import ONE, USUAL, change
from report.parts.synthesis_rows import Row, power, read

NOTIONS = ("ports_mhz", "registered_mhz")  # of Row
_HOSTS = {"ports_mhz": "a host that issues in the same cycle as its inputs",
          "registered_mhz": "a host with registers at the ports"}
_WARPS = 24  # of a scheduler
_COUNTS = (24, 48, 64)  # of warps, for the growth of the clock
_LIBRARIES = {"osu018": "OSU 0.18 µm", "asap7": "ASAP7"}
_CODES = {"rr": 1, "gto": 2, "paws": 4}  # POLICIES of a build with one policy, by which the tables of power name it


@dataclasses.dataclass(frozen=True)
class Build:
    scheduler: str
    ready: int | None
    row: Row


@functools.cache
def builds() -> tuple[Build, ...]:
    """Those that are compared in time, the single level first. Raises StopIteration if a table lacks one."""
    one = next(row for row in read("osu018", "policies")
               if row.level == "single" and row.built == ("gto",) and row.warps == _WARPS)
    two = sorted((row for row in read("osu018", "ready") if row.level == "two-level"), key=lambda row: row.ready)
    return (Build(ONE, None, one), *(Build(SHOWN, row.ready, row) for row in two))


def core_clock(build: Build, notion: str) -> float:
    """MHz of the cores."""
    usual = next(other for other in builds() if other.ready == USUAL)
    nominal = presets.values(PRESET.stem)["core"]["clock_mhz"]
    return round(nominal * getattr(build.row, notion) / getattr(usual.row, notion), 1)


def _clocks(library: str) -> list[list[str]]:
    rows = {(row.level, row.warps): row for row in read(library, "warps")}
    found = []
    for warps in _COUNTS:
        two, one = rows["two-level", warps], rows["single", warps]
        found.append([_LIBRARIES[library], str(warps), *(f"{getattr(row, notion):.0f}" for notion in NOTIONS
                                                         for row in (two, one)),
                      f"{two.area_um2:,.0f}", f"{one.area_um2:,.0f}", f"{two.area_um2 / one.area_um2:.2f}"])
    return found


def _policies() -> list[list[str]]:
    """Each policy alone, at both levels."""
    plain, gated = power("osu018", "policies"), power("osu018", "clock_gates")
    found = []
    for row in read("osu018", "policies"):
        if row.warps != _WARPS or row.ready not in (None, USUAL) or len(row.built) != 1 or row.built[0] not in _CODES:
            continue
        gates, level = ("CLOCK_GATES=4", "two-level") if row.ready else ("CLOCK_GATES=1", "single-level")
        code = f"POLICIES={_CODES[row.built[0]]}"
        found.append([f"`{row.level}:{row.built[0]}`", f"{row.ports_mhz:.0f}", f"{row.registered_mhz:.0f}",
                      f"{row.area_um2:,.0f}", f"{plain[f'{level} {code}']:.2f}",
                      f"{gated[f'{level} {gates} {code}']:.2f}"])
    return found


def tables() -> str:
    """Clock and area over the number of warps, and each policy alone with its power."""
    return (markdown(["library", "warps", "two-level, MHz", "single level, MHz", "two-level, registers at the ports, MHz",
                      "single level, registers at the ports, MHz", "two-level, µm²", "single level, µm²",
                      "area, two-level ÷ single"], [line for library in _LIBRARIES for line in _clocks(library)])
            + f"\n\nEach policy built alone, OSU 0.18 µm, {_WARPS} warps, ready queue {USUAL}:\n\n"
            + markdown(["scheduler", "clock, MHz", "with registers at the ports, MHz", "area, µm²",
                        "dynamic power at 100 MHz, mW", "with clock gates, mW"], _policies()))


def _against_one(times: dict, notion: str, ready: int) -> float:
    """Time over that of the single level, geometric mean of the fourteen kernels."""
    return mean([times[notion, ready, kernel] / times[notion, None, kernel] for kernel in KERNELS])


def time_table(times: dict) -> str:
    """Microseconds become ratios; `times` is by notion of the clock, ready queue and kernel."""
    lines = []
    for build in builds():
        cells = [f"`{build.scheduler}`" + (f", ready {build.ready}" if build.ready else "")]
        for notion in NOTIONS:
            cells += [f"{getattr(build.row, notion):.0f}", f"{core_clock(build, notion):.0f}",
                      change(_against_one(times, notion, build.ready))]
        lines.append([*cells, f"{build.row.area_um2:,.0f}"])
    return markdown(["build", "clock, MHz", "core, MHz", "time", "clock with registers at the ports, MHz", "core, MHz",
                     "time", "area, µm²"], lines)


def words(times: dict) -> str:
    """The findings in time, as a list."""
    sizes = [build.ready for build in builds() if build.ready]
    lines = []
    for notion, host in _HOSTS.items():
        best = min(sizes, key=lambda ready: _against_one(times, notion, ready))
        percent = 100 * (_against_one(times, notion, best) - 1)
        more = "more" if percent > 0 else "less"
        side = "as much time as" if abs(percent) < 0.05 else f"{abs(percent):.1f} % {more} time than"
        lines.append(f"* **Time, {host}:** the best ready queue is {best}. With it, `{SHOWN}` takes {side} `{ONE}`.")
    one, two = (next(build.row for build in builds() if build.ready == ready) for ready in (None, USUAL))
    size = "larger" if two.area_um2 > one.area_um2 else "smaller"
    lines.append(f"* **Area:** the two-level build with a ready queue of {USUAL} is the {size} one: "
                 f"{two.area_um2 / one.area_um2:.1f} times single-level GTO.")
    return "\n".join(lines)
