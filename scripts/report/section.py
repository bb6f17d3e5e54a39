# SPDX-License-Identifier: MIT
"""A section of the report: one of the paper's results, or one of ours."""

import dataclasses
import html


def escaped(words: str) -> str:
    """As HTML, without a line break between a number and its %."""
    return html.escape(words).replace(" %", "\u00a0%")


@dataclasses.dataclass
class Table:
    head: list[str]
    rows: list[list[str]]
    caption: str = ""

    def to_html(self) -> str:
        def line(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{escaped(cell)}</{tag}>" for cell in cells) + "</tr>"
        caption = f"<caption>{escaped(self.caption)}</caption>" if self.caption else ""
        return (f'<div class="table"><table>{caption}<thead>{line(self.head, "th")}</thead><tbody>'
                + "".join(line(row, "td") for row in self.rows) + "</tbody></table></div>")

    def to_markdown(self) -> str:
        def line(cells):
            return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
        caption = f"{self.caption}:\n\n" if self.caption else ""
        return caption + line(self.head) + "|" + "---|" * len(self.head) + "\n" + "".join(
            map(line, self.rows))


@dataclasses.dataclass
class Picture:
    name: str
    caption: str
    svg: str


@dataclasses.dataclass
class Section:
    name: str  # of the anchor
    title: str
    text: list[str]  # paragraphs: agreement and departure
    parts: list[Table | Picture] = dataclasses.field(default_factory=list)
    main: bool = False  # also on docs/evidence/results.md


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
