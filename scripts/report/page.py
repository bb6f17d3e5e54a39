# SPDX-License-Identifier: MIT
"""The report as one HTML page that needs nothing else: the answer, the results, and last the method."""

import jinja2
import markupsafe

from report import papers, paths
from report.section import Section, Table

LIMIT = 3_000_000  # bytes of the report
_HERE = paths.SCRIPTS / "report"
_STYLE, _SCRIPT = ((_HERE / name).read_text() for name in ("page.css", "filter.js"))
_SIZES = {"default": "their default sizes", "full": "the paper's grids",
          "small": "the smallest sizes, which are for trials only and give no result"}


def _unbroken(words: str) -> markupsafe.Markup:
    """Escaped, without a line break between a number, its % and its interval."""
    return markupsafe.Markup(str(markupsafe.escape(words)).replace(" %", "\u00a0%").replace("% ±", "%\u00a0±"))


def _labelled(svg: str, words: str) -> markupsafe.Markup:
    """A drawing with words for those who do not see it."""
    return markupsafe.Markup(svg.replace("<svg ", f'<svg role="img" aria-label="{markupsafe.escape(words)}" ', 1))


_TEMPLATES = jinja2.Environment(loader=jinja2.FileSystemLoader(_HERE), autoescape=True, trim_blocks=True,
                                undefined=jinja2.StrictUndefined)
_TEMPLATES.filters.update(unbroken=_unbroken, labelled=_labelled)
_TEMPLATES.globals.update(style=markupsafe.Markup(_STYLE), script=markupsafe.Markup(_SCRIPT))


def noise(perturbed: int, most: int = 0) -> str:
    """What a measurement is made of, in words. `most`: perturbed runs of the measurement that has the most, if they differ."""
    if perturbed == 0:
        return "from one run each without a perturbation, so that any difference is 'beyond the noise'"
    if most > perturbed:
        return (f"means of {perturbed} perturbed runs with 95 % intervals, speeds and claims of {perturbed} to {most} runs, as "
                "many as their variance asks for")
    return f"means of {perturbed} perturbed runs with 95 % intervals"


def html(sections: list[Section], size: str, perturbed: int, numbers: str, made_from: str = "",
         paper: papers.Paper = papers.PAWS, most: int = 0) -> str:
    """The page. The first section comes before the contents. `perturbed`, `most`: runs of each measurement (noise()); `numbers`:
    the files with them, without their ending; `made_from`: for its foot."""
    return _TEMPLATES.get_template("report.html").render(
        title=paper.title, about=paper.about, sections=sections, machine=paper.machine, size=_SIZES[size],
        noise=noise(perturbed, most), numbers=numbers, made_from=made_from)


def index(title: str, about: str, answers: list[tuple[papers.Paper, dict | None]]) -> str:
    """The page of all papers: of each what its page says first, None if it has no page."""
    return _TEMPLATES.get_template("index.html").render(title=title, about=about, papers=answers)


def table(of: Table) -> str:
    """As an element of a page."""
    return _TEMPLATES.get_template("parts.html").module.table(of)
