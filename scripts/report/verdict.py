# SPDX-License-Identifier: MIT
"""Whether a claim holds, and in which size: judged by intervals, not by means."""

import dataclasses
import math
from collections.abc import Sequence

from lib.estimate import Estimate
from report.section import Marked, percent_of

ALL = (HOLDS, SMALLER, LARGER, REASON, NONE, FAILS, REVERSE, UNKNOWN, UNMODELLED) = (
    "as the paper", "same direction, smaller", "same direction, larger", "for another reason", "no difference",
    "does not hold", "opposite", "cannot be told", "not modelled")
SAME_DIRECTION = (HOLDS, SMALLER, LARGER)
_AGAINST = (NONE, FAILS, REVERSE)
_SIGNS = {HOLDS: ("\u2713", "holds"), SMALLER: ("\u2193", "smaller"), LARGER: ("\u2191", "larger"),
          REASON: ("\u2260", "reason"), NONE: ("=", "none"), FAILS: ("\u2717", "fails"), REVERSE: ("\u21c4", "reverse"),
          UNKNOWN: ("?", "open"), UNMODELLED: ("\u2013", "unmodelled")}
ALIKE = 1.01   # what the PAWS paper calls comparable (Section V-A)
SLIGHT = 1.03  # what we take for a slight loss, or very little gain
_SIZE = 2.0    # "as the paper" reaches from a half to twice its number
# Relations of paper.toml for which a number of the paper is a size.
_SIZED = ("more", "less", "less at two levels")
_RANGES = {"more": (1, math.inf), "less": (0, 1), "less at two levels": (1, math.inf), "alike": (1 / ALIKE, ALIKE),
           "slight": (1 / SLIGHT, SLIGHT), "no more": (0, ALIKE), "no less": (1 / ALIKE, math.inf)}


@dataclasses.dataclass(frozen=True)
class Reading:
    """What is found of a claim on one machine."""
    ours: str
    verdict: str


def marked(words: str, verdict: str) -> Marked:
    """Words that say a verdict, or what it is about, with its sign and its colour."""
    return Marked(words, *_SIGNS[verdict])


def _bounds(value: Estimate) -> tuple[float, float]:
    return (value.mean, value.mean) if value.low is None else (value.low, value.high)


def sized(value: Estimate, percent: float) -> str:
    """On a ratio of which the paper says that it is 1 + percent / 100: what the whole interval says."""
    low, high = sorted(math.copysign(1, percent) * (bound - 1) for bound in _bounds(value))
    paper = abs(percent) / 100
    if high < 0:
        return REVERSE
    if low <= 0:
        return NONE if high < paper / _SIZE else UNKNOWN
    if high < paper / _SIZE:
        return SMALLER
    return LARGER if low > paper * _SIZE else HOLDS


def judge(value: Estimate, relation: str, percent: float = 0.0) -> str:
    """Whether the interval of a ratio lies inside or outside of what is claimed of it: a `relation` of paper.toml, and its size
    where the paper has one. "Opposite" is said of orders alone."""
    if relation in _SIZED and percent:
        return sized(value, percent)
    least, most = {"reaches": (percent / 100, math.inf), "at most": (0, percent / 100)}.get(relation) or _RANGES[relation]
    if value.above(least) and value.below(most):
        return HOLDS
    if value.below(least) or value.above(most):
        return REVERSE if 1 in (least, most) else FAILS
    return UNKNOWN


def because(told: str, premises: Sequence[str]) -> str:
    """On a claim that rests on others: it does not hold for the paper's reason if one of these does not."""
    return REASON if told in SAME_DIRECTION and any(each not in SAME_DIRECTION for each in premises) else told


def every(verdicts: Sequence[str]) -> str:
    """On a claim about several things, each with a verdict of its own."""
    found = set(verdicts)
    if len(found) == 1:
        return verdicts[0]
    if found.intersection(_AGAINST):
        return FAILS
    if not found or UNKNOWN in found:
        return UNKNOWN
    return next(told for told in (REASON, SMALLER, LARGER) if told in found)


_IN_WORDS = {HOLDS: "as the paper says", SMALLER: "in the same direction and smaller", LARGER: "in the same direction and larger",
             REASON: "so for another reason", NONE: "without a difference here", FAILS: "not so", REVERSE: "the opposite",
             UNKNOWN: "open because of noise", UNMODELLED: "not modelled"}


def in_words(counts: dict[str, int]) -> str:
    """Claims by verdict, as "3 are as the paper says and 1 not so"; verdicts that no claim has are not named."""
    parts = [f"{counts[told]} {words}" for told, words in _IN_WORDS.items() if counts.get(told)]
    said = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    return said.replace(" ", " are ", 1)


_SHARES = ((2 / 3, "For the most part"), (1 / 3, "In part"), (0, "Hardly"))


def how_far(counts: dict[str, int]) -> str:
    """The share of the claims that hold in size, in words; or that noise leaves most of them open."""
    number = sum(counts.values())
    if 2 * counts.get(UNKNOWN, 0) > number:
        return "It cannot be told"
    return next(words for least, words in _SHARES if counts.get(HOLDS, 0) >= least * number)


def count(verdicts: dict[str, str], without: Sequence[str] = ()) -> Reading:
    """On several things by name. `without`: those to which the claim does not apply, since RR and GTO cannot be told apart."""
    text = f"{sum(told in SAME_DIRECTION for told in verdicts.values())} of {len(verdicts)}"
    lists = {"not": [name for name, told in verdicts.items() if told in _AGAINST],
             "open": [name for name, told in verdicts.items() if told == UNKNOWN],
             REASON: [name for name, told in verdicts.items() if told == REASON],
             "RR = GTO": without}
    text += "".join(f"; {word}: {', '.join(names)}" for word, names in lists.items() if names)
    return Reading(text, every(list(verdicts.values())))


def show(value: Estimate, relation: str, percent: float = 0.0) -> str:
    """A ratio as the claim speaks of it; beside the paper's number, of which share of it ours is."""
    if relation in ("reaches", "at most"):
        interval = "" if value.low is None else f" ±{50 * (value.high - value.low):.1f}"
        return f"{100 * value.mean:.1f} %{interval}"
    if relation not in _SIZED or not percent:
        return percent_of(value)
    return f"{percent_of(value)}, {100 * (value.mean - 1) / percent:.2f} of it".replace("-", "\u2212")
