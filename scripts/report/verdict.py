# SPDX-License-Identifier: MIT
"""Whether a claim holds: judged by intervals, not by means."""

import dataclasses
import math
from collections.abc import Sequence

from lib.estimate import Estimate
from report.section import Marked, percent_of

HOLDS, UNKNOWN, FAILS, REVERSE = ALL = ("holds", "cannot be told", "does not hold", "the reverse")
_SIGNS = {HOLDS: ("\u2713", "holds"), UNKNOWN: ("?", "open"), FAILS: ("\u2717", "fails"),
          REVERSE: ("\u21c4", "reverse")}
ALIKE = 1.01  # what the PAWS paper calls comparable (Section V-A)


@dataclasses.dataclass(frozen=True)
class Reading:
    """What is found of a claim on one machine."""
    ours: str
    verdict: str


def marked(words: str, verdict: str) -> Marked:
    """Words that say a verdict, or what it is about, with its sign and its colour."""
    return Marked(words, *_SIGNS[verdict])


def judge(value: Estimate, relation: str, percent: float = 0.0) -> str:
    """Whether the interval of a ratio lies inside or outside of what is claimed of it: a `relation`
    of paper.toml. "The reverse" is said of orders alone."""
    least, most = {"more": (1, math.inf), "less": (0, 1), "less at two levels": (1, math.inf),
                   "alike": (1 / ALIKE, ALIKE), "no more": (0, ALIKE), "no less": (1 / ALIKE, math.inf),
                   "reaches": (percent / 100, math.inf), "at most": (0, percent / 100)}[relation]
    if value.above(least) and value.below(most):
        return HOLDS
    if value.below(least) or value.above(most):
        return REVERSE if 1 in (least, most) else FAILS
    return UNKNOWN


def every(verdicts: Sequence[str]) -> str:
    """On a claim about several things, each with a verdict of its own."""
    if not verdicts:
        return UNKNOWN
    for same in (HOLDS, REVERSE):
        if all(verdict == same for verdict in verdicts):
            return same
    return FAILS if FAILS in verdicts or REVERSE in verdicts else UNKNOWN


def in_words(counts: dict[str, int]) -> str:
    """Claims by verdict."""
    return (f"{counts[HOLDS]} hold, {counts[UNKNOWN]} cannot be told, {counts[FAILS]} do not hold, and "
            f"{counts[REVERSE]} are reversed")


_SHARES = ((2 / 3, "For the most part"), (1 / 3, "In part"), (0, "Hardly"))


def how_far(counts: dict[str, int]) -> str:
    """The share of the claims that hold, in words; or that noise leaves most of them open."""
    number = sum(counts.values())
    if 2 * counts[UNKNOWN] > number:
        return "It cannot be told"
    return next(words for least, words in _SHARES if counts[HOLDS] >= least * number)


def count(verdicts: dict[str, str], without: Sequence[str] = ()) -> Reading:
    """On several things by name. `without`: those to which the claim does not apply, since RR and
    GTO cannot be told apart."""
    text = f"{sum(verdict == HOLDS for verdict in verdicts.values())} of {len(verdicts)}"
    lists = {"not": [name for name, verdict in verdicts.items() if verdict in (FAILS, REVERSE)],
             "open": [name for name, verdict in verdicts.items() if verdict == UNKNOWN],
             "RR = GTO": without}
    text += "".join(f"; {word}: {', '.join(names)}" for word, names in lists.items() if names)
    return Reading(text, every(list(verdicts.values())))


def show(value: Estimate, relation: str) -> str:
    """A ratio as the claim speaks of it."""
    if relation not in ("reaches", "at most"):
        return percent_of(value)
    interval = "" if value.low is None else f" ±{50 * (value.high - value.low):.1f}"
    return f"{100 * value.mean:.1f} %{interval}"
