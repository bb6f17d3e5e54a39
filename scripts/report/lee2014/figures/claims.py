# SPDX-License-Identifier: MIT
"""The paper's claims as tables: claim, section, the paper's value, ours, verdict. paper.toml lists them; here they are
measured and judged."""

import collections
import functools
from collections.abc import Callable

from lib import presets
from lib.estimate import Estimate
from report import claim_table, verdict
from report.claim_table import Row, always
from report.lee2014 import paper, plan, types
from report.lee2014.data import Results
from report.section import Section
from report.verdict import Reading

_TITLES = {"sweep": "Types of kernels", "why": "Why more blocks stop helping", "limits": "Numbers of blocks",
           "lcs": "LCS", "bcs": "BCS", "mcke": "Two kernels on a core", "comparison": "LCS and BCS against others"}
_GROUPS = {"all": "all kernels", "2D": "two-dimensional kernels", "I": "type I", "I+II": "types I and II",
           "III+IV": "types III and IV", "most": "the largest of all"}
_MEASURES = {"l1_misses": "L1 miss rate", "l2_misses": "L2 miss rate", "idle": "IDLE cycles",
             "mem_stall": "MEM_STALL cycles", "core_stall": "CORE_STALL cycles", "latency": "latency of loads",
             "energy": "energy", "occupancy": "live warps"}
_PHRASES = {"more": "{} above {}", "less": "{} below {}", "at most": "{} against {}"}
_SPEEDS = {"more": "{} faster than {}", "less": "{} slower than {}", "alike": "{} as fast as {}",
           "no more": "{} no faster than {}", "reaches": "{} against {}", "slight": "{} little faster or slower than {}"}
_RARELY = 0.1  # of what the block has issued that ends first
_KINDS = {"rises": ("I", "II"), "falls": ("III", "IV"), "I or II": ("I", "II")}
_SAID = {"rises": "more blocks, more speed", "falls": "too many blocks, less speed", "I or II": "type I or II with BCS"}


def _of_kinds(kernel: str, kinds: list[str], wanted: tuple[str, ...]) -> tuple[str, str]:
    """Name with the types found, and verdict."""
    found = ", ".join(kind for kind, _ in collections.Counter(kinds).most_common())
    return f"{paper.label(kernel)} ({found})", always([kind in wanted for kind in kinds])


def _type(results: Results, claim: dict, kernels: list[str]) -> Reading:
    wanted, on = _KINDS.get(claim["is"], (claim["is"],)), claim.get("on", plan.GPU)
    found = {}
    for kernel in kernels:
        kinds = ([types.kind(list(results.paired_sweep(kernel, seed).values())) for seed in results.seeds]
                 if on == "BCS" else results.kinds(kernel, on))
        name, told = _of_kinds(kernel, kinds, wanted)
        found[name] = told
    return verdict.count(found)


def _range(numbers: list[int]) -> str:
    return str(numbers[0]) if len(set(numbers)) == 1 else f"{min(numbers)} to {max(numbers)}"


def _limit(results: Results, claim: dict, kernels: list[str]) -> Reading:
    """Of the limits of LCS; of each launch and perturbation one."""
    found = {}
    for kernel in kernels:
        limits = results.limits(kernel, claim["of"])
        words = f"{paper.label(kernel)} {_range(limits)}"
        if claim["is"] == "higher":
            before = results.limits(kernel, claim["over"])
            words += f" after {_range(before)}"
            seeds = [results.limit_of(kernel, claim["of"], seed) > results.limit_of(kernel, claim["over"], seed)
                     for seed in results.seeds]
            found[words] = always(seeds)
            continue
        fits = {"equal": lambda limit: limit == claim.get("limit"),
                "near": lambda limit, best=results.opt(kernel): abs(limit - best) <= 1,
                "whole": lambda limit, most=results.t_max(kernel): limit == most}[claim["is"]]
        if claim["is"] == "near":
            words += f" of {results.opt(kernel)}"
        found[words] = always([fits(limit) for limit in limits])
    return Reading("; ".join(found), verdict.every(list(found.values()))) if len(found) < 3 else verdict.count(found)


def _issued(results: Results, claim: dict, kernels: list[str]) -> Reading:
    """What the two youngest blocks have issued when the first one ends; of the one run of Fig. 8."""
    issued = [numbers[-1] for numbers in results.counts().values()]
    shares = [number / max(issued) for number in issued[-2:]]
    told = always([all(share < _RARELY for share in shares)])
    return Reading(" and ".join(f"{100 * share:.0f} %" for share in shares) + " of the oldest block's", told)


def _wave(results: Results, claim: dict, kernels: list[str]) -> Reading:
    """Blocks that start at once, of all."""
    cores = presets.values(plan.GPU)["cores"]
    shares = [100 * cores * results.t_max(kernel) / results.row(kernel, "GTO", results.seeds[0])["blocks"]
              for kernel in kernels]
    return Reading(" and ".join(f"{share:.0f} %" for share in shares),
                   always([round(share) == claim["percent"] for share in shares]))


def _energy(results: Results, claim: dict, kernels: list[str]) -> Reading:
    return Reading("no model of energy", verdict.UNMODELLED)


def _compared(results: Results, claim: dict, kernels: list[str]) -> Reading:
    """A group as a mean; of a list each kernel counts."""
    measure, relation = claim.get("measure", "speed"), claim.get("is", "more")

    def compare(which: list[str]):
        return results.compare(which, claim["of"], claim["over"], measure)

    percent = claim.get("percent", 0.0)

    def judge(value: Estimate, which: list[str]) -> str:
        return verdict.because(verdict.judge(value, relation, percent), [
            verdict.judge(results.compare(which, premise["of"], premise["over"], measure), premise.get("is", "more"))
            for premise in claim.get("because", ())])
    if claim["kernels"] == "most":
        kernel = max(kernels, key=lambda kernel: compare([kernel]).mean)
        value = compare([kernel])
        return Reading(f"{paper.label(kernel)}: {verdict.show(value, relation, percent)}", judge(value, [kernel]))
    if isinstance(claim["kernels"], str):
        value = compare(kernels)
        return Reading(verdict.show(value, relation, percent), judge(value, kernels))
    values = {kernel: compare([kernel]) for kernel in kernels}
    shown = "; ".join(f"{paper.label(kernel)} {verdict.show(value, relation, percent)}" for kernel, value in values.items())
    return Reading(shown, verdict.every([judge(value, [kernel]) for kernel, value in values.items()]))


_SPECIAL: dict[str, Callable[[Results, dict, list[str]], Reading]] = {
    "type": _type, "limit": _limit, "issued": _issued, "wave": _wave, "energy": _energy}


def _kernels(results: Results, claim: dict) -> list[str]:
    """Those of the claim that have results."""
    which = claim["kernels"]
    if isinstance(which, list):
        return [kernel for kernel in which if kernel in results.kernels + results.pairs]
    if which == "most":
        return paper.group("2D" if claim["of"].startswith("BCS") else "all", results.kernels)
    return paper.group(which, results.kernels)


def read(results: Results, claim: dict) -> Reading:
    """What is found of a claim."""
    kernels = _kernels(results, claim)
    if not kernels:
        return Reading("no results", verdict.UNKNOWN)
    return _SPECIAL.get(claim.get("measure", "speed"), _compared)(results, claim, kernels)


def _whom(claim: dict) -> str:
    which = claim["kernels"]
    return _GROUPS[which] if isinstance(which, str) else ", ".join(map(paper.label, which))


def _words(claim: dict) -> str:
    """The claim as a sentence."""
    measure, relation = claim.get("measure", "speed"), claim.get("is", "more")
    if measure == "type":
        where = " on the M2050" if claim.get("on") == plan.HARDWARE else ""
        return f"{_whom(claim)}: {_SAID.get(relation, f'type {relation}')}{where}"
    if measure == "limit":
        said = {"equal": f"T of {claim['of']} is {claim.get('limit')}", "near": f"T of {claim['of']} is at most one away "
                "from the best", "whole": f"T of {claim['of']} is T_max",
                "higher": f"T of {claim['of']} is higher than that of {claim.get('over')}"}[relation]
        return f"{_whom(claim)}: {said}"
    if measure == "issued":
        return f"{_whom(claim)}: the two youngest blocks rarely issue while LCS monitors"
    if measure == "wave":
        return f"{_whom(claim)}: blocks that start at once, of all"
    pair = claim["of"], claim["over"]
    if measure == "speed":
        return f"{_whom(claim)}: {_SPEEDS[relation].format(*pair)}"
    if claim["over"] == "1 block":
        return f"{_whom(claim)}: {_MEASURES[measure]} {'higher' if relation == 'more' else 'lower'} with all blocks than with one"
    return f"{_whom(claim)}: {_MEASURES[measure]} of {_PHRASES[relation].format(*pair)}"


@functools.cache
def rows(results: Results) -> dict[str, list[Row]]:
    """By the keys of _TITLES."""
    return claim_table.rows(paper.CLAIMS, _words, functools.partial(read, results), 0)


def counts(results: Results) -> dict[str, int]:
    """Claims by verdict."""
    return claim_table.counts(rows(results).values())


def section(results: Results) -> Section:
    notes = [
        claim_table.reading_rules(results.perturbed) +
        "'As fast' and 'no faster' mean within 1 %, 'little' and 'slight' within 3 %. A claim about several kernels must hold "
        "for each of them; one about a group is about its geometric mean. "
        "A type, or a number of blocks, holds if it is found under every perturbation, and cannot be told if it is found "
        "under some of them.",
        "Types I to IV of a group are the paper's, not those found here. Speeds within 2 % count as the same for a type. "
        "BP's two kernels are run, and counted, apart.",
        "The energy of a chip is not modelled. The MEM_STALL cycles are those "
        "in which every decoded instruction waits for an operand, be it from memory or from an arithmetic unit "
        "(docs/reference/statistics.md, state 2).",
        "A MUM with the paper's texture cache is not here: its tree is read through the L1."]
    return claim_table.section(_TITLES, rows(results), notes)
