# SPDX-License-Identifier: MIT
"""Made-up results of the page on Narasiman et al. for tests."""

import functools

from report.narasiman2011 import build, closed, controls, setups, toys
from report.narasiman2011.data import Results
from report.section import Section
from tests.report import made_up
from tests.report.made_up import number

# Every figure of its page, by its name. One that gets lost fails the tests.
FIGURES = {"answer", "fig1", "speeds", *(f"fig{number}" for number in range(9, 15))}
AROUND = 12  # cycles before the first selection and after the last one
LOST = 0.3   # of the second group of a starving run: hidden under round robin alone


def lanes(counts: dict[int, int], cycles: int) -> dict[str, int]:
    """Cycles with so many active lanes, by the statistic's name; in the others there is none."""
    return {"cycles_lanes_0": cycles - sum(counts.values()),
            **{f"cycles_lanes_{count}": counts.get(count, 0) for count in range(1, 33)}}


def _row(name: str, scheduler: str, cycles: int) -> dict:
    full, part = 300 + number(name, scheduler, "full"), 200 + number(name, scheduler, "part")
    return {"scheduler": scheduler, "cycles": cycles, "core_cycles": cycles, "retired_ipc": 20000 / cycles,
            "retired_threads": 20000, "load_latency": 200.0 + number(name, scheduler, "latency"),
            "cycles_frozen": number(name, "frozen"), "selected_instructions": 900,
            "group_switches": 100 + number(name, "switches"), "premature_group_switches": number(name, "premature"),
            "Row_Buffer_Locality": 0.5 + number(name, "rows") / 1000, **lanes({32: full, 9: part, 27: 40}, cycles)}


def _computing(cycles: int, subwarps: int, lanes_each: int = 32) -> dict:
    return {"cycles": cycles + AROUND, "core_cycles": cycles + AROUND, "sub_warps_packed": subwarps,
            **lanes({lanes_each: subwarps}, cycles + AROUND)}


def _toys() -> dict[str, dict[str, dict]]:
    """Rows by run and scheduler of toy kernels that do as they should."""
    found: dict[str, dict[str, dict]] = {}
    for compute, later in toys.FIGURE_8:
        for group in toys.GROUPS_8:
            found[toys.figure_8(compute, later, group).name] = {
                scheduler: _computing((count := closed.figure_8(toys.WARPS_8, size, compute, later))[0], count[0] - count[1])
                for scheduler, size in ((setups.RR, toys.WARPS_8), (setups.GROUP, group))}
        found[toys.alone(compute, later).name] = {setups.RR: _computing(2 * compute * 7 + later + 1, 2 * compute + 1)}
    for warps, rows in toys.FILLED:
        for length in toys.LENGTHS:
            subwarps = (length + 1) * warps * rows
            cycles = length * 7 + 1 if (warps, rows) == (1, 1) else round(subwarps / closed.filled(warps, rows))
            found[toys.filled(warps, rows, length).name] = {setups.RR: _computing(cycles, subwarps)}
    for once, each in ((False, 14), (True, 7)):
        for length in toys.LENGTHS:
            found[toys.jumps(once, length).name] = {setups.RR: _computing(each * length, length)}
    for spins, loads in ((toys.SPINS, toys.LOADS), (toys.SPINS, 0), (0, toys.LOADS)):
        alone = 30 * spins + 200 * loads
        found[toys.starving(spins, loads).name] = {
            scheduler: _computing(int(alone * (1 - LOST)) if scheduler == setups.RR and spins and loads else alone, 100)
            for scheduler in (setups.RR, setups.GROUP)}
    for kernel in controls.KNOWN:
        for rows in (1, controls.ROWS):
            found[controls.known(kernel, rows).name] = {setups.RR: _computing(5000, 4000, 16)}
    for rows in controls.RANDOM_ROWS:
        arms = controls.TURNS * controls.THREADS // (32 * rows)
        for share in controls.SHARES:
            subwarps = 1000 + round(arms * controls.drawn_subwarps(rows, share))
            found[controls.random(rows, share).name] = {setups.RR: _computing(9000, subwarps, 20)}
    return found


TOYS = _toys()


@functools.cache
def rows(name: str) -> dict[str, dict]:
    """Statistics of a run of this name, by scheduler."""
    if name in TOYS:
        return {scheduler: {"scheduler": scheduler, **row} for scheduler, row in TOYS[name].items()}
    return {scheduler: _row(name, scheduler, 1000 + number(name, scheduler) % 40)
            for scheduler in (setups.RR, setups.GROUP, setups.PAWS, setups.READY)}


results = functools.partial(made_up.of_paper, Results, rows)


@functools.cache
def report(perturbed: int) -> list[Section]:
    """All sections of its page from made-up results."""
    with results():
        return [section(Results("small", perturbed)) for section in build.REPORT.sections]
