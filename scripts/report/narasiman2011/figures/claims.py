# SPDX-License-Identifier: MIT
"""The paper's claims as tables: claim, section, the paper's value, ours, verdict. paper.toml lists them; here they are
measured and judged."""

import collections
import functools
from collections.abc import Callable, Sequence

from report import claim_table, store, verdict
from report.claim_table import Row, always
from report.narasiman2011 import paper
from report.narasiman2011.data import Results
from report.narasiman2011.figures import exact, hardware
from report.section import Section
from report.verdict import Reading

_TITLES = {"baseline": "The baseline", "speeds": "Large warps, fetch groups, and both",
           "warps": "Size of a warp, and optimizations",
           "groups": "Size of a fetch group", "hardware": "Hardware"}
_GROUPS = {"all": "all benchmarks", "divergent": "the four divergent ones", "idle": "the seven idle ones"}
_SPEEDS = {"more": "{} faster than {}", "less": "{} slower than {}", "alike": "{} as fast as {}",
           "no more": "{} no faster than {}"}
_SENTENCES = {
    "jump": "a jump of a full large warp of 256 that is done with its first sub-warp saves 7 cycles",
    "structures": "large warps of 256 have a copy of the mask, and two buffers for the ways of a branch",
    "storage": "these are all the storage that large warps need",
    "group_storage": "fetch groups need no storage, and simple logic",
    "register_file": "a register file with a decoder for each lane costs little",
    "starvation": "fetch groups starve no warp"}
_NO_RESULTS = Reading("no results", verdict.UNKNOWN)


def _names(setups: str | list[str]) -> list[str]:
    return [setups] if isinstance(setups, str) else setups


def _said(names: Sequence[str]) -> str:
    """Names as a list in words."""
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]


def _share(results: Results, claim: dict, kernels: list[str]) -> Reading:
    """Of the cycles, about what the paper says."""
    words, told = [], []
    for kernel in kernels:
        value = results.statistic(claim["measure"], kernel, claim["of"])
        low, high = ((claim["percent"] + sign * claim["within"]) / 100 for sign in (-1, 1))
        told.append(verdict.HOLDS if value.above(low) and value.below(high) else
                    verdict.FAILS if value.below(low) or value.above(high) else verdict.UNKNOWN)
        half = "" if value.low is None else f" ±{50 * (value.high - value.low):.1f}"
        words.append(f"{paper.label(kernel)} {100 * value.mean:.1f} %{half}")
    return Reading("; ".join(words), verdict.every(told))


def _class(results: Results, claim: dict, kernels: list[str]) -> Reading:
    """Of Table 2."""
    found = {}
    for kernel in kernels:
        classes = results.classes(kernel, claim["class"])
        here = "/".join(word for word, _ in collections.Counter(classes).most_common())
        found[f"{paper.label(kernel)} ({here})"] = always(
            [each == paper.KERNELS[kernel][claim["class"]] for each in classes])
    return verdict.count(found)


def _same(results: Results, claim: dict, kernels: list[str]) -> Reading:
    """The cycles are the same, each for itself."""
    return verdict.count({paper.label(kernel): always([results.same_cycles(kernel, claim["of"], claim["over"])])
                          for kernel in kernels})


def _compared(results: Results, claim: dict, kernels: list[str]) -> Reading:
    """A group as a mean; of a list each benchmark counts. Of several setups each counts."""
    measure, relation, percent = claim.get("measure", "speed"), claim.get("is", "more"), claim.get("percent", 0.0)
    groups = {_GROUPS[claim["kernels"]]: kernels} if isinstance(claim["kernels"], str) else {
        paper.label(kernel): [kernel] for kernel in kernels}
    ofs, overs = _names(claim["of"]), _names(claim["over"])
    words, told = [], []
    for name, its in groups.items():
        for of in ofs:
            for over in overs:
                value = results.compare(its, of, over, measure)
                told.append(verdict.because(verdict.judge(value, relation, percent), [
                    verdict.judge(results.compare(its, premise["of"], premise["over"], measure), "more")
                    for premise in claim.get("because", ())]))
                parts = [name] if len(groups) > 1 else []
                parts += [of] if len(ofs) > 1 else []
                parts += [f"over {over}"] if len(overs) > 1 else []
                words.append(" ".join([*parts, verdict.show(value, relation, percent)]))
    return Reading("; ".join(words), verdict.every(told))


_SPECIAL: dict[str, Callable[[Results, dict, list[str]], Reading]] = {
    "idle": _share, "class": _class, "same": _same,
    **{name: lambda results, claim, kernels, read=read: read(results) for name, read in (
        ("jump", exact.jump), ("starvation", exact.starvation), ("structures", hardware.structures),
        ("storage", hardware.storage),
        ("group_storage", hardware.group_storage), ("register_file", hardware.register_file))}}


def read(results: Results, claim: dict) -> Reading:
    """What is found of a claim."""
    which = claim.get("kernels", "all")
    kernels = paper.group(which, results.kernels) if isinstance(which, str) else [
        kernel for kernel in which if kernel in results.kernels]
    if "kernels" in claim and not kernels:
        return _NO_RESULTS
    try:
        return _SPECIAL.get(claim.get("measure", "speed"), _compared)(results, claim, kernels)
    except store.Missing:  # of a toy kernel
        return _NO_RESULTS


def _words(claim: dict) -> str:
    """The claim as a sentence."""
    measure = claim.get("measure", "speed")
    if measure in _SENTENCES:
        return f"{claim['id']}: {_SENTENCES[measure]}"
    which = claim["kernels"]
    whom = _GROUPS[which] if isinstance(which, str) else ", ".join(map(paper.label, which))
    if measure == "class":
        return f"{claim['id']}: {whom}: intensity of {'divergent branches' if claim['class'] == 'branch' else 'idle cycles'}"
    of = _said(_names(claim["of"]))
    if measure == "idle":
        return f"{claim['id']}: {whom}: cycles of the {of} in which no lane is active"
    over = _said(_names(claim["over"]))
    if measure == "same":
        return f"{claim['id']}: {whom}: {of} has the cycles of {over}"
    if measure == "locality":
        return f"{claim['id']}: {whom}: {of} finds no fewer open rows in DRAM than {over}"
    return f"{claim['id']}: {whom}: {_SPEEDS[claim.get('is', 'more')].format(of, over)}"


@functools.cache
def rows(results: Results) -> dict[str, list[Row]]:
    """By the keys of _TITLES."""
    return claim_table.rows(paper.CLAIMS, _words, functools.partial(read, results))


def counts(results: Results) -> dict[str, int]:
    """Claims by verdict."""
    return claim_table.counts(rows(results).values())


def section(results: Results) -> Section:
    notes = [
        claim_table.reading_rules(results.perturbed) +
        "'As fast', 'no faster' and 'no fewer' mean within 1 %. A claim about a list of benchmarks, or about several "
        "setups, must hold for each of them; one about a group is about its geometric mean. Numbers from C1 on count "
        "what the paper claims; a claim of several parts has several rows.",
        "Speed is the cycles of the other ÷ its own, for the same work: instructions per cycle would count the threads of a jump "
        "that is done with its first sub-warp, which take no cycle.",
        "The four divergent benchmarks are the paper's leftmost, the seven idle ones those that Table 2 calls medium or high. "
        "They are the paper's groups, not those found here. LWM is LWM256, 2Lev is 2Lev8, and LWM+2Lev is LWM256+2Lev2. A size "
        "without a number behind 2Lev stands for the fetch group that is best in the mean. DWF is the better of its two "
        "priorities for each benchmark."]
    return claim_table.section(_TITLES, rows(results), notes)
