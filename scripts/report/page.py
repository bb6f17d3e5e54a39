# SPDX-License-Identifier: MIT
"""The report as one HTML page that needs nothing else: the answer, the results, and last the method."""

import html as escape

from report import papers, paths
from report.section import Section, escaped

LIMIT = 3_000_000  # bytes of the report
_STYLE, _SCRIPT = ((paths.SCRIPTS / "report" / name).read_text() for name in ("page.css", "filter.js"))
_SIZES = {"default": "their default sizes", "full": "the paper's grids",
          "small": "the smallest sizes, which are for trials only and give no result"}


def _section(section: Section) -> str:
    parts = [f'<section id="{section.name}">\n<h2>{escape.escape(section.title)}</h2>']
    parts += [f"<p>{escaped(paragraph)}</p>" for paragraph in section.text]
    if section.see_also:
        parts.append(f'<p>See also <a href="{section.see_also}">{section.see_also}</a>.</p>')
    parts += [part.to_html() for part in section.parts]
    if section.notes:
        parts.append("<h3>How this is measured and read</h3>")
        parts += [f"<p>{escaped(paragraph)}</p>" for paragraph in section.notes]
    return "\n".join(parts) + "\n</section>"


def noise(perturbed: int, most: int = 0) -> str:
    """What a measurement is made of, in words. `most`: perturbed runs of the measurement that has the most, if they differ."""
    if perturbed == 0:
        return "from one run each without a perturbation, so that any difference is 'beyond the noise'"
    if most > perturbed:
        return (f"means of {perturbed} perturbed runs with 95 % intervals, speeds and claims of {perturbed} to {most} runs, as "
                "many as their variance asks for")
    return f"means of {perturbed} perturbed runs with 95 % intervals"


def _links(names: list[str]) -> str:
    return ", ".join(f'<a href="{name}">{name}</a>' for name in names)


def _method(paper: papers.Paper, size: str, perturbed: int, most: int, numbers: str) -> str:
    return f"""<section id="method">
<h2>Method and data</h2>
<p>{paper.machine} The kernels have {_SIZES[size]}; the
numbers are {escaped(noise(perturbed, most))}. Red marks are the paper's numbers. The simulator is not tuned to remove
differences from the paper. docs/guide/reproduction.md explains the measurements, and docs/reference/glossary.md the
words.</p>
<p>All numbers: {_links([f"{numbers}.csv", f"{numbers}.json"])}. Means and intervals:
{_links([f"{numbers}-summary.csv", f"{numbers}-summary.json"])}.</p>
</section>"""


def html(sections: list[Section], size: str, perturbed: int, numbers: str, made_from: str = "",
         paper: papers.Paper = papers.PAWS, most: int = 0) -> str:
    """The page. The first section comes before the contents. `perturbed`, `most`: runs of each measurement (noise()); `numbers`:
    the files with them, without their ending; `made_from`: for its foot."""
    first, *others = map(_section, sections)
    contents = "".join(f'<li><a href="#{name}">{escape.escape(title)}</a></li>' for name, title in
                       [*((section.name, section.title) for section in sections[1:]), ("method", "Method and data")])
    return plain(paper.title, paper.about, f"""{first}
<nav aria-label="Contents"><ol>{contents}</ol></nav>
{"".join(others)}
{_method(paper, size, perturbed, most, numbers)}
<footer><p>{escape.escape(made_from)}</p></footer>""")


def plain(title: str, about: str, body: str) -> str:
    """A page with this body, in the form of all pages."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape.escape(title)}</title>
<style>
{_STYLE}</style>
</head>
<body>
<h1>{escape.escape(title)}</h1>
<p class="about">{escape.escape(about)}</p>
{body}
<script>
{_SCRIPT}</script>
</body>
</html>
"""
