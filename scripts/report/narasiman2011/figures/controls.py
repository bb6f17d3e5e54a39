# SPDX-License-Identifier: MIT
"""Negative controls: branches of which it is known what large warps can gain."""

import math

from report import verdict
from report.narasiman2011 import closed, controls
from report.narasiman2011.data import Results, active
from report.narasiman2011.setups import LANES
from report.section import Section, Table, percent

_WORDS = {"odd_lanes": ("threads with an odd number take the branch: the same lanes of every row", "nothing"),
          "odd_rows": ("every other row of 32 threads takes the branch: warps of the baseline do not diverge", "nothing"),
          "row_trips": ("each row leaves the loop later than the one before it", "nothing, and it may lose")}
_SURE = 2  # standard errors


def subwarps(results: Results, rows: int, share: int) -> float:
    """Of an arm that threads take at random, mean, by the sub-warps of runs in which none, some and all take it."""
    none, some, everyone = (results.toy(controls.random(rows, each))["sub_warps_packed"] for each in (0, share, 1000))
    return rows * (some - none) / (everyone - none)


def _random(results: Results) -> tuple[list[list], int]:
    """Rows of the table, and how many of them agree."""
    table, hits = [], 0
    for rows in controls.RANDOM_ROWS:
        masks = controls.TURNS * controls.THREADS // (LANES * rows)
        for share in controls.SHARES[1:-1]:
            mean, spread = closed.subwarps(rows, share / 1000)
            drawn, found = controls.drawn_subwarps(rows, share), subwarps(results, rows, share)
            fits = abs(found - drawn) < 1e-9
            hits += fits
            table.append([str(rows), f"{share / 10:g} %", f"{rows * share / 1000:.2f}",
                          f"{mean:.3f} ±{_SURE * spread / math.sqrt(masks):.3f}", f"{drawn:.3f}",
                          verdict.marked(f"{found:.3f}", verdict.HOLDS if fits else verdict.FAILS)])
    return table, hits


def section(results: Results) -> Section:
    rows = []
    for kernel in controls.KNOWN:
        small, large = (results.toy(controls.known(kernel, each)) for each in (1, controls.ROWS))
        rows.append([_WORDS[kernel][0], f"{active(small):.1f}", f"{active(large):.1f}",
                     percent(small["cycles"] / large["cycles"]),
                     _WORDS[kernel][1]])
    table, hits = _random(results)
    text = [f"Of {len(table)} random branches {hits} have exactly the sub-warps of the masks that are drawn: the "
            "largest population of a column. In the mean these are the largest of 32 binomial numbers.",
            "Large warps gain nothing where the active threads stand in the same lanes of every row, and where warps "
            "of 32 threads do not diverge. A thread never leaves its lane."]
    return Section("controls", "Negative controls", text, [
        Table(["which threads", "threads of a warp, baseline", "of a sub-warp, LWM", "speed of LWM",
               "large warps can gain"], rows,
              "Branches with known masks; LWM over the baseline, one run each without perturbations"),
        Table(["rows", "threads that take the branch", "if all lanes were full", "binomial",
               "of the masks drawn", "found"], table,
              "Random masks: sub-warps of a large warp, mean")], main=True, notes=[
            "The kernels are in workloads/large_warps. Binomial is the mean of the largest population of a column, "
            f"each of which is binomial, with {_SURE} standard errors of the mean over so many masks. What is found "
            "follows from the sub-warps of three runs, in which none, some and all threads take the branch."])
