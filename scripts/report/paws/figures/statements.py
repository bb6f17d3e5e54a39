# SPDX-License-Identifier: MIT
"""What the paper's text says of phases, code size and fetch groups, as rows of the table of claims."""

import functools
import pathlib
import re
import tempfile
from collections.abc import Sequence

from lib.estimate import Estimate, ratio
from report import verdict
from report.claim_table import Row
from report.paws import paper, plan
from report.paws.data import Results
from report.paws.figures import phases, tail
from report.section import percent_of
from report.verdict import Reading

_SIZE = 2.0         # "as the paper" reaches from a half to twice its number
_SHORT = 20         # cycles (V-B1)
_FIELD = 512        # cycles (IV-B)
_LAST = {"lud": 7, "km": 14, "bp_k1": 16}  # V-E: length of the last phase
_FIRST_IS_SHORTEST = ("bp_k2", "dwt", "hist256", "mco")  # V-B1
_FETCH_GROUP = 6    # warps


def near(ours: float, theirs: float) -> str:
    """On a number of the paper."""
    share = ours / theirs
    return verdict.HOLDS if 1 / _SIZE <= share <= _SIZE else verdict.SMALLER if share < 1 else verdict.LARGER


def _so(holds: bool) -> str:
    return verdict.HOLDS if holds else verdict.FAILS


@functools.cache
def _annotated(kernel: str) -> float:
    """Percent of code that a length for each phase, and each jump target inside one, adds."""
    with tempfile.TemporaryDirectory() as folder:
        text = phases.paws("annotate", kernel, "-o", str(pathlib.Path(folder) / "out.ptx"))
    return float(re.search(r"length per phase and jump target +\d+ bits ([\d.]+) %", text)[1])


def _of_each(holds: dict[str, bool]) -> Reading:
    return verdict.count({paper.label(kernel): _so(so) for kernel, so in holds.items()})


def _mixed(lengths: Sequence[int]) -> bool:
    """Whether short phases are in both halves."""
    half = len(lengths) // 2
    return all(any(length < _SHORT for length in part) for part in (lengths[:half], lengths[half:]))


def of_phases() -> list[Row]:
    """Of the compiler alone: nothing is simulated."""
    lengths = {kernel: phases.lengths(kernel, plan.RULES[0]) for kernel in plan.KERNELS}
    counts = [len(found) for found in lengths.values()]
    rows = [
        Row("the number of phases in a kernel varies from 3 to 45", "III-A", "3 to 45",
            Reading(f"{min(counts)} to {max(counts)}", _so(min(counts) >= 3 and max(counts) <= 45))),
        Row(f"a distance of {_FIELD} cycles covers the kernels", "IV-B2", "98 % of them",
            _of_each({kernel: max(found) <= _FIELD for kernel, found in lengths.items()})),
        Row("lengths make the code larger by less than 1 %", "IV-B2", "< 1 %",
            _of_each({kernel: _annotated(kernel) < 1 for kernel in plan.KERNELS})),
        Row("distances of 9 bits in 8 bytes make the code larger", "IV-B2", "12.5 %, which are 8 bits",
            Reading("14.1 %", near(14.1, 12.5))),
        Row("the shortest phase comes first", "V-B1", "all", _of_each(
            {kernel: lengths[kernel][0] == min(lengths[kernel]) for kernel in _FIRST_IS_SHORTEST if kernel in lengths}))]
    if "srad" in lengths:
        first, *middle, last = lengths["srad"]
        rows.append(Row("SRAD: two short phases in the middle", "V-B1", "2", Reading(
            f"{' and '.join(map(str, middle))} cycles between {first} and {last}",
            _so(len(middle) == 2 and max(middle) < min(first, last)))))
    rows.append(Row(f"B+T: phases below {_SHORT} cycles all over the code", "V-B1", "all", _of_each(
        {kernel: _mixed(lengths[kernel]) for kernel in ("bt_k1", "bt_k2") if kernel in lengths})))
    if "heartwall" in lengths:
        heart, instructions = lengths["heartwall"], phases.phases("heartwall")["instructions"]
        rows += [Row("Heart: instructions", "V-B2", "1523", Reading(f"{instructions}", near(instructions, 1523))),
                 Row("Heart: several phases above 100 cycles", "V-B2", "several",
                     Reading(f"{sum(length > 100 for length in heart)} of {len(heart)}", _so(sum(x > 100 for x in heart) > 2)))]
    if "cfd" in lengths:
        mean = sum(lengths["cfd"]) / len(lengths["cfd"])
        rows.append(Row("CFD: average length of a phase", "V-B2", "290", Reading(f"{mean:.0f}", near(mean, 290))))
    rows.append(Row("LUD, KM, BP-K1: a short phase at the end", "V-E", ", ".join(map(str, _LAST.values())), verdict.count(
        {f"{paper.label(kernel)} ({lengths[kernel][-1]})": _so(near(lengths[kernel][-1], theirs) == verdict.HOLDS)
         for kernel, theirs in _LAST.items() if kernel in lengths})))
    return rows


def _idle_part(results: Results, kernel: str, part: str) -> Estimate:
    """Share of the cycles without instructions of the other kind in flight, under two-level GTO against RR."""
    def share(policy: str, seed: int) -> float:
        row = results.row(kernel, f"two-level:{policy}", seed)
        return (row[f"active_cycles_{part}_only"] + row["active_cycles_neither"]) / row["active_core_cycles"]
    return ratio([share("gto", seed) / share("rr", seed) for seed in results.seeds])


def of_runs(results: Results) -> list[Row]:
    """Of the simulated schedules."""
    rows = []
    if "bt_k2" in plan.KERNELS:
        change = _idle_part(results, "bt_k2", "memory")
        rows.append(Row("two-level, B+T-K2: GTO has fewer cycles without ALU instructions than RR", "III-C1", "no number",
                        Reading(percent_of(change), verdict.judge(change, "less"))))
    if "cfd" in plan.KERNELS:
        change = _idle_part(results, "cfd", "compute")
        rows.append(Row("two-level, CFD: GTO has more cycles without memory instructions than RR", "III-C2", "no number",
                        Reading(percent_of(change), verdict.judge(change, "more"))))
    levels = {policy: results.faster(plan.KERNELS, lambda kernel, seed, name=policy: results.cycles(
        kernel, f"two-level:{name}", seed), lambda kernel, seed, name=policy: results.cycles(kernel, f"single:{name}", seed))
        for policy in ("rr", "gto")}
    rows.append(Row("a ready queue of 6 loses less than 1 % against a single level ([7])", "VI-A", "< 1 %", Reading(
        ", ".join(f"{policy.upper()} {percent_of(value)}" for policy, value in levels.items()),
        verdict.every([verdict.judge(value, "no less") for value in levels.values()]))))
    if plan.TAIL_KERNEL in plan.KERNELS:
        warps = [live for _, live in tail.internal(results, "gto", 0)]
        most = max(warps)
        full = warps.index(most)
        left = next((live for live in warps[full:] if live < most), most)
        rows.append(Row(f"two-level GTO, {paper.label(plan.TAIL_KERNEL)}: the first warps that end are one fetch group", "V-E",
                        "48, then 42 warps", Reading(f"{most}, then {left}", near(most - left or 0.1, _FETCH_GROUP))))
    rows.append(Row("for 16 other kernels all policies are within 1 %", "V-A", "all", Reading(
        "the paper does not name them", verdict.UNKNOWN)))
    return rows
