# SPDX-License-Identifier: MIT
"""A section of the report: one of the paper's results, or one of ours."""

import dataclasses

_LONG = 12  # rows from which on a table can be filtered


@dataclasses.dataclass(frozen=True)
class Marked:
    """Words in a colour, after a sign of the same meaning, for those who see no colours or do not read all."""
    words: str
    sign: str
    colour: str  # a class of page.css

    def __str__(self) -> str:
        return f"{self.sign} {self.words}"


Cell = str | Marked


@dataclasses.dataclass
class Table:
    head: list[Cell]
    rows: list[list[Cell]]
    caption: str = ""
    committed: bool = True  # else in the whole report alone, not in a page of docs/evidence

    @property
    def filtered(self) -> bool:
        """Whether filter.js lets a reader choose its rows."""
        return len(self.rows) >= _LONG or any(isinstance(cell, Marked) for row in self.rows for cell in row)

    def to_markdown(self) -> str:
        def line(cells):
            return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |\n"
        caption = f"{self.caption}:\n\n" if self.caption else ""
        return caption + line(self.head) + "|" + "---|" * len(self.head) + "\n" + "".join(
            map(line, self.rows))


@dataclasses.dataclass
class Picture:
    name: str
    caption: str
    svg: str
    seen: str = ""  # what is seen, for those who do not see it, if the caption does not say it
    committed: bool = True  # else in the whole report alone, not in a page of docs/evidence


@dataclasses.dataclass
class Section:
    name: str  # of the anchor
    title: str
    text: list[str]  # paragraphs: agreement and departure
    parts: list[Table | Picture] = dataclasses.field(default_factory=list)
    main: bool = False  # also on docs/evidence/results.md
    notes: list[str] = dataclasses.field(default_factory=list)  # paragraphs after the parts: method and caveats
    see_also: str = ""  # a page beside this one


def percent(ratio: float, digits: int = 1) -> str:
    """Of a ratio near 1: how much more or less."""
    return f"{100 * (ratio - 1):+.{digits}f} %".replace("-", "\u2212")


def percent_of(value, digits: int = 1) -> str:
    """Of an Estimate of a ratio, with its interval."""
    text = percent(value.mean, digits)
    if value.low is not None:
        text += f" ±{50 * (value.high - value.low):.{digits}f}"
    return text


def number_of(value, digits: int = 0) -> str:
    """Of an Estimate, with its interval."""
    text = f"{value.mean:.{digits}f}"
    if value.low is not None:
        text += f" ±{(value.high - value.low) / 2:.{digits}f}"
    return text


def against(value, even: float, more: str, less: str) -> str:
    """What an Estimate says against a number: more, less, or that the noise leaves it open."""
    if value.low is None:
        words = more if value.mean > even else less if value.mean < even else "neither more nor less"
        return f"{words} in the one run, noise not measured"
    return more if value.above(even) else less if value.below(even) else "cannot be told from noise"
