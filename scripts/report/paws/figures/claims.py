# SPDX-License-Identifier: MIT
"""The paper's claims as tables: claim, section, the paper's value, ours with every size of the kernels, verdict.

paper.toml lists the claims; here they are measured and judged.
"""

import contextlib
import functools
import itertools
import math
import statistics
from collections.abc import Callable, Iterable

from report import claim_table, store, verdict
from report.claim_table import Row
from lib.estimate import Estimate, estimate, ratio
from report.paws import paper, plan, sizes
from report.paws.data import Results
from report.paws.figures import statements, tail
from report.paws.figures.speed import grouped
from report.section import Cell, Section, Table, number_of, percent_of
from report.verdict import Reading

_TITLES = {"averages": "Average speeds", "types": "The faster policy of RR and GTO for each kernel",
           "closeness": "PAWS against the better policy of RR and GTO", "kernels": "Single kernels",
           "idle": "Scheduler idle time", "load": "Instructions in flight on a core",
           "breakdown": "Cycles with only computation or only memory in flight",
           "phases": "Phases and code", "schedules": "Fetch groups and schedules"}
_TYPES = {"AA": ("V-B1", "GTO is faster at both levels"),
          "AB": ("V-B1", "GTO is faster in the single level, RR in two levels"),
          "BB": ("V-B2", "RR is faster at both levels")}
_FIELDS = {"idle": "idle_fraction", "alu_load": "alu_load", "memory_load": "memory_load"}
_PHRASES = {
    "speed": {"more": "{} faster than {}", "less": "{} slower than {}", "alike": "{} as fast as {}",
              "no more": "{} no faster than {}", "reaches": "{} reaches {}",
              "less at two levels": "the lead of {} over {} is smaller in two levels"},
    "idle": {"more": "{} idles more than {}", "less": "{} idles less than {}",
             "alike": "{} idles as much as {}",
             "less at two levels": "the extra idle time of {} over {} is smaller in two levels"},
    "alu_load": {"more": "ALU load of {} above {}'s", "less": "ALU load of {} below {}'s",
                 "alike": "ALU load of {} as high as {}'s"},
    "memory_load": {"more": "memory load of {} above {}'s", "less": "memory load of {} below {}'s"}}
_FOUND = {"found A": "A", "found B": "B"}  # kernels by the type that they have here
_ORDER = {1: verdict.HOLDS, -1: verdict.REVERSE, 0: verdict.UNKNOWN}
_ABOUT = 5.0  # how many points "about 20 %" reaches to either side


def _kernels(results: Results, claim: dict, level: str) -> list[str]:
    which = claim["kernels"]
    if isinstance(which, list):
        if missing := [kernel for kernel in which if kernel not in plan.KERNELS]:
            raise store.Missing(f"there are no results of {', '.join(map(paper.label, missing))}")
        return which
    if which == "all":
        return list(plan.KERNELS)
    if which in "AB":
        return grouped(level)[which]
    return [kernel for kernel in plan.KERNELS
            if results.found_type(kernel, level) == _FOUND[which]]


class _Measured:
    """A claim's measure."""

    def __init__(self, results: Results, claim: dict) -> None:
        self.results, self.claim = results, claim

    def value(self, kernels: list[str], level: str, policy: str, seed: int) -> float:
        """Mean over kernels: geometric of speeds, arithmetic of shares (as Fig. 12 has it)."""
        if policy == "middle":
            return math.sqrt(self.value(kernels, level, "rr", seed)
                             * self.value(kernels, level, "gto", seed))
        rows = [self.results.row(kernel, f"{level}:{policy}", seed) for kernel in kernels]
        measure = self.claim.get("measure", "speed")
        if measure == "speed":
            return 1 / statistics.geometric_mean([row["cycles"] for row in rows])
        return statistics.fmean([row[_FIELDS[measure]] for row in rows])

    def compare(self, groups: dict[str, list[str]], policy: str, over: str) -> Estimate:
        """Of one policy relative to another. `groups`: kernels by level."""
        def mean(name: str, seed: int) -> float:
            return statistics.geometric_mean([self.value(kernels, level, name, seed)
                                              for level, kernels in groups.items()])
        return self.results.compare_repeated(lambda seed: mean(policy, seed), lambda seed: mean(over, seed))

    def lessened(self, groups: dict[str, list[str]], policy: str, over: str) -> Estimate:
        """The relation of two policies in a single level relative to that in two."""
        def relation(level: str, seed: int) -> float:
            return (self.value(groups[level], level, policy, seed)
                    / self.value(groups[level], level, over, seed))
        return self.results.compare_repeated(lambda seed: relation("single", seed),
                                             lambda seed: relation("two-level", seed))

    def no_better(self, groups: dict[str, list[str]]) -> bool:
        """Whether the better of RR and GTO, to which PAWS is to be closer, cannot be told."""
        return self.claim["over"] == "middle" and self.compare(groups, "gto", "rr").side() == 0

    def premises(self, groups: dict[str, list[str]]) -> list[str]:
        """Verdicts on what the claim rests on (`because`): that one policy is faster than another."""
        return [verdict.judge(self.compare(groups, premise["policy"], premise["over"]), "more")
                for premise in self.claim.get("because", ())]


def _read_each(measured: _Measured, level: str, kernels: list[str], policies: list[str]) -> Reading:
    """Every kernel and every policy counts. A few are shown as numbers, many by name."""
    claim = measured.claim
    relation = claim.get("is", "more")
    values, judged, without = {}, [], []
    for kernel, policy in itertools.product(kernels, policies):
        name = paper.label(kernel) if len(kernels) > 1 else policy.upper()
        if measured.no_better({level: [kernel]}):
            without.append(name)
        else:
            values[name] = measured.compare({level: [kernel]}, policy, claim["over"])
            judged.append(kernel)
    percent = claim.get("percent", 0.0)
    verdicts = {name: verdict.because(verdict.judge(value, relation, percent), measured.premises({level: [kernel]}))
                for (name, value), kernel in zip(values.items(), judged)}
    if len(kernels) > 1:
        return verdict.count(verdicts, without)
    return Reading(" and ".join(verdict.show(value, relation, percent) for value in values.values()),
                   verdict.every(list(verdicts.values())))


def _read_mean(measured: _Measured, groups: dict[str, list[str]]) -> Reading:
    claim = measured.claim
    relation, policy, over = claim.get("is", "more"), claim["policy"], claim["over"]
    if not all(groups.values()):
        return Reading("no kernel", verdict.UNKNOWN)
    if relation == "less at two levels":
        means = [percent_of(measured.compare({level: kernels}, policy, over))
                 for level, kernels in groups.items()]
        return Reading(", then ".join(means),
                       verdict.judge(measured.lessened(groups, policy, over), relation, claim.get("percent", 0.0)))
    if measured.no_better(groups):
        return Reading("RR = GTO", verdict.UNKNOWN)
    value = measured.compare(groups, policy, over)
    count = f" ({sum(map(len, groups.values()))})" if claim["kernels"] in _FOUND else ""
    percent = claim.get("percent", 0.0)
    return Reading(verdict.show(value, relation, percent) + count,
                   verdict.because(verdict.judge(value, relation, percent), measured.premises(groups)))


def read(results: Results, claim: dict) -> Reading:
    """A claim of paper.toml, of one level or of the mean of both."""
    levels = plan.LEVELS if claim["level"] == "both" else [claim["level"]]
    groups = {level: _kernels(results, claim, level) for level in levels}
    measured = _Measured(results, claim)
    if claim["kernels"] == "all" or isinstance(claim["kernels"], list):
        return _read_each(measured, claim["level"], groups[claim["level"]], _policies(claim))
    return _read_mean(measured, groups)


def _policies(claim: dict) -> list[str]:
    return claim["policy"] if isinstance(claim["policy"], list) else [claim["policy"]]


def _words(claim: dict) -> str:
    """The claim as a sentence."""
    policies, over = " and ".join(map(str.upper, _policies(claim))), claim["over"].upper()
    measure, relation = claim.get("measure", "speed"), claim.get("is", "more")
    kernels = claim["kernels"]
    if isinstance(kernels, list):
        of = ", ".join(map(paper.label, kernels))
    elif kernels == "all":
        of = "every kernel"
    else:
        of = f"kernels of type {_FOUND[kernels]} here" if kernels in _FOUND else f"type {kernels}"
    where = "both levels" if claim["level"] == "both" else claim["level"]
    if claim["over"] == "middle":
        said = f"{policies} is closer to the better of RR and GTO"
    else:
        said = _PHRASES[measure][relation].format(policies, over)
    return f"{where}, {of}: {said}"


def _paper(claim: dict) -> str:
    if "paper" in claim:
        return claim["paper"]
    if "percent" in claim:
        sign = "" if claim.get("is") == "reaches" else "+"
        return f"{claim['percent']:{sign}g} %".replace("-", "\u2212")
    if claim["kernels"] == "all" or isinstance(claim["kernels"], list) and len(claim["kernels"]) > 1:
        return "all"
    return "no number"


def _row(results: Results, claim: dict) -> Row:
    return Row(_words(claim), claim["text"], _paper(claim), read(results, claim))


def _types(results: Results) -> list[Row]:
    """Kernels by the types that the paper gives them in the single level and in two levels."""
    rows = []
    for types, (text, words) in _TYPES.items():
        kernels = [kernel for kernel in plan.KERNELS
                   if "".join(paper.group(kernel, level) for level in plan.LEVELS) == types]
        if not kernels:
            continue
        verdicts = {}
        for kernel in kernels:
            found = [results.found_type(kernel, level) for level in plan.LEVELS]
            verdicts[paper.label(kernel)] = verdict.every([
                verdict.HOLDS if here == there else verdict.UNKNOWN if here == "="
                else verdict.REVERSE for here, there in zip(found, types)])
        rows.append(Row(f"{', '.join(map(paper.label, kernels))}: {words}", text, "all", verdict.count(verdicts)))
    return rows


def _breakdown(results: Results) -> list[Row]:
    """Fig. 10: under every scheduler the claim has to hold."""
    def alone(row: dict, part: str) -> float:
        return 100 * row[f"active_cycles_{part}_only"] / row["active_core_cycles"]

    def measure(kernel: str, number: Callable[[dict], float]) -> list[Estimate]:
        return [estimate([number(results.row(kernel, scheduler, seed)) for seed in results.seeds])
                for scheduler in plan.SINGLE + plan.TWO_LEVEL]

    def span(values: list[Estimate]) -> str:
        means = [value.mean for value in values]
        return f"{min(means):.0f} to {max(means):.0f} %"

    rows = []
    for kernel, claim in paper.BREAKDOWN.items():
        if kernel not in plan.KERNELS:
            continue
        mine = claim["intensive"]
        other = "memory" if mine == "compute" else "compute"
        lead = measure(kernel, lambda row: alone(row, mine) - alone(row, other))
        compute, memory = (measure(kernel, lambda row: alone(row, part)) for part in ("compute", "memory"))
        label = paper.label(kernel)
        rows.append(Row(f"{label}: {mine} intensive, under all six schedulers", "V-D", "no number", Reading(
            f"computation {span(compute)}, memory {span(memory)}", verdict.every([_ORDER[value.side(0)] for value in lead]))))
        if "alone" in claim:
            least, most = claim["alone"] - _ABOUT, claim["alone"] + _ABOUT
            rows.append(Row(f"{label}: computation alone, under all six schedulers", "V-D", f"around {claim['alone']} %", Reading(
                span(compute), verdict.every([
                    verdict.HOLDS if value.above(least) and value.below(most)
                    else verdict.FAILS if value.below(least) or value.above(most)
                    else verdict.UNKNOWN for value in compute]))))
    return rows


def _tail(results: Results) -> Row:
    """Fig. 13."""
    cycles = {policy: [tail.tail(tail.internal(results, policy, seed)) for seed in results.seeds] for policy in ("rr", "gto")}
    longer = ratio([gto / rr for rr, gto in zip(cycles["rr"], cycles["gto"])])
    means = ", ".join(f"{policy.upper()} {number_of(estimate(found))}" for policy, found in cycles.items())
    theirs = paper.FIGURE_13
    return Row(f"two-level, {paper.label(plan.TAIL_KERNEL)}: GTO's tail longer than RR's, cycles", "V-E",
               f"RR {theirs['rr']}, GTO {theirs['gto']}",
               Reading(means, verdict.sized(longer, 100 * (theirs["gto"] / theirs["rr"] - 1))))


def _possible(results: Results, claims: Iterable[dict]) -> list[Row]:
    """Rows of the claims, without those that need results that are missing."""
    rows = []
    for claim in claims:
        with contextlib.suppress(store.Missing):
            rows.append(_row(results, claim))
    return rows


@functools.cache
def rows(results: Results) -> dict[str, list[Row]]:
    """By the keys of _TITLES."""
    groups = {"averages": [], "types": _types(results)}
    for name, claims in paper.CLAIMS.items():
        groups[name] = _possible(results, (
            {**claim, "level": level} for claim in claims
            for level in (plan.LEVELS if claim["level"] == "each" else [claim["level"]])))
    # Once more over the kernels that are of the type here: where RR is the better one, to reach GTO
    # says little.
    groups["closeness"] += _possible(results, (
        {**claim, "kernels": f"found {claim['kernels']}"} for claim in paper.CLAIMS["closeness"]
        if claim["level"] in plan.LEVELS and claim["kernels"] in "AB"))
    if plan.TAIL_KERNEL in plan.KERNELS:
        groups["kernels"].append(_tail(results))
    groups["breakdown"] = _breakdown(results)
    groups["phases"], groups["schedules"] = statements.of_phases(), statements.of_runs(results)
    return groups


def _table(title: str, by_size: dict[str, list[Row]]) -> Table:
    """A column for each size; claims that one size lacks stay empty there."""
    readings = {size: {row.claim: row.reading for row in rows} for size, rows in by_size.items()}
    first = {row.claim: row for rows in reversed(by_size.values()) for row in rows}

    def cell(reading: Reading | None) -> Cell:
        return verdict.marked(f"{reading.verdict}: {reading.ours}", reading.verdict) if reading else ""
    return Table(["claim", "paper", *(sizes.NAMES[size] for size in by_size), "section"], [
        [row.claim, row.paper, *(cell(found.get(row.claim)) for found in readings.values()), row.section]
        for row in first.values()], title)


def counts(results: Results) -> dict[str, int]:
    """Claims by verdict."""
    return claim_table.counts(rows(results).values())


def _notes(results: Results, groups: dict[str, list[Row]]) -> list[str]:
    """How the claims are judged, and what is not."""
    told = sum(map(len, groups.values()))
    notes = [
        "A claim about each of the two levels counts twice.",
        claim_table.reading_rules(results.perturbed) + "'As fast', 'as much', 'as "
        "high', 'matches' and 'no faster' mean within 1 %, which Section V-A calls comparable. A claim about "
        "several kernels or policies must hold for each of them. 'Not' names the kernels for which it does not "
        "hold, and 'open' those for which it cannot be told.",
        "PAWS is closer to the better policy if it lies on that policy's side of the geometric mean of RR and "
        "GTO. The numbers of these claims are relative to this mean. If RR and GTO cannot be told apart (RR = "
        "GTO), neither policy is the better one.",
        "Means are over the kernels that have the type in the paper (A: GTO is faster than RR; B: RR is faster). "
        "Some of these kernels have another type here. For them it means little if PAWS reaches the policy that the "
        "paper calls the better one. So closeness is judged again for the kernels that have the type here, with "
        "their number in brackets. The same runs selected these kernels.",
        "The abstract does not say which level its four numbers are for. They are read as means of both levels, "
        "because they are near these means. For DWT, DXTC and HIST, the paper says that GTO is always faster, "
        "and also that GTO is comparable to RR in two levels. Both claims are judged as they stand.",
    ]
    if results.perturbed:
        notes.append(f"There are {told} verdicts, each with its own 95 % intervals. So about one in twenty "
                     "comparisons without a difference will seem to show one.")
    notes.append("A number that is no gain, as a length, is as the paper's from a half to twice of it. Statements on phases are "
                 "of the compiler, and the same for all sizes.")
    return notes


def section(results: Results) -> Section:
    """Those of this size, and beside them those of the other sizes that a reader sees, as far as they are there."""
    there = {size: found for size, found in sizes.shown(results).items() if found}
    groups = rows(results)
    text = [" ".join(f"With {sizes.NAMES[size]}, of {sum(counts(found).values())} claims of the paper's text "
                     f"{verdict.in_words(counts(found))}." for size, found in there.items())]
    return Section("claims", "The paper's claims", text,
                   [_table(title, {size: rows(found)[name] for size, found in there.items()}) for name, title in _TITLES.items()],
                   main=True, notes=_notes(results, groups))
