# SPDX-License-Identifier: MIT
"""Claims of a paper as rows of tables: claim, the paper's value, ours with its verdict, section."""

import dataclasses
from collections.abc import Callable, Iterable

from report import page, verdict
from report.section import Section, Table, percent
from report.verdict import Reading


@dataclasses.dataclass(frozen=True)
class Row:
    """A claim and what is found of it."""
    claim: str
    section: str
    paper: str
    reading: Reading


def table(title: str, rows: list[Row]) -> Table:
    return Table(["claim", "paper", "here", "section"], [
        [row.claim, row.paper, verdict.marked(f"{row.reading.verdict}: {row.reading.ours}", row.reading.verdict),
         row.section] for row in rows], title)


def counts(groups: Iterable[list[Row]]) -> dict[str, int]:
    """Claims by verdict."""
    found = [row.reading.verdict for group in groups for row in group]
    return {word: found.count(word) for word in verdict.ALL}


def by_verdict(found: dict[str, int], perturbed: int) -> Table:
    """Their numbers as a table."""
    return Table(["verdict", "claims"], [[verdict.marked(told, told), verdict.marked(str(number), told)]
                                         for told, number in found.items()],
                 f"The claims of the paper's text by verdict, {page.noise(perturbed)}")


def rows(claims: dict[str, list[dict]], words: Callable[[dict], str], read: Callable[[dict], Reading],
         digits: int = 1) -> dict[str, list[Row]]:
    """Of the groups of a paper.toml: what is claimed in words, the paper's value, and ours."""
    def theirs(claim: dict) -> str:
        return claim.get("paper") or (percent(1 + claim["percent"] / 100, digits) if "percent" in claim else "no number")
    return {name: [Row(words(claim), claim["text"], theirs(claim), read(claim)) for claim in group]
            for name, group in claims.items()}


def section(titles: dict[str, str], groups: dict[str, list[Row]], notes: list[str]) -> Section:
    """Of groups with titles by the same names."""
    found = counts(groups.values())
    return Section("claims", "The paper's claims",
                   [f"Of {sum(found.values())} claims of the paper's text, {verdict.in_words(found)}."],
                   [table(title, groups[name]) for name, title in titles.items()], main=True, notes=notes)


def always(hits: list[bool]) -> str:
    """A verdict on what is so or not under each perturbation."""
    return verdict.HOLDS if all(hits) else verdict.UNKNOWN if any(hits) else verdict.FAILS


def reading_rules(perturbed: int) -> str:
    """How a verdict comes about, in words. `perturbed`: runs of each measurement."""
    noise = "" if perturbed else (
        "The noise is not measured: each number comes from one run, and each verdict is that of this run. ")
    return noise + ("docs/guide/reproduction.md has the rules of the verdicts; behind our number stands which part of the "
                    "paper's it is. ")
