# SPDX-License-Identifier: MIT
"""The committed pages, docs/evidence/results.md and those beside it: the answer, the table of claims and the main
figures, and last the method."""

import dataclasses
import pathlib

from report import page, paths
from report.section import Picture, Section


@dataclasses.dataclass(frozen=True)
class Page:
    name: str     # of the page in docs/evidence, and of the folder with its pictures
    title: str
    about: str    # what it compares, for whom
    command: str  # that writes it
    report: str   # the whole report, which the command writes too


_HEAD = """# {page.title}

<!-- Made by {page.command}; do not edit. -->

{page.about}
"""
_METHOD = """
## Method
This command writes the page, and the whole report with all figures (`{page.report}`):
```
./{page.command}
```
The numbers are {noise}.
[reproduction.md](../guide/reproduction.md) explains the measurements, and the [glossary](../reference/glossary.md) the words.
"""


def _paragraphs(texts: list[str]) -> str:
    return "".join(f"{text}\n\n" for text in texts)


def _folder(of: Page) -> pathlib.Path:
    return paths.GENERATED / of.name


def _file(of: Page) -> pathlib.Path:
    return paths.EVIDENCE / f"{of.name}.md"


def _written(section: Section, of: Page) -> str:
    """The section as it stands in the page. Its pictures are written beside the page."""
    folder = _folder(of)
    link = folder.relative_to(paths.EVIDENCE)
    text = f"\n## {section.title}\n" + _paragraphs(section.text)
    for part in section.parts:
        if not part.committed:
            continue
        if isinstance(part, Picture):
            (folder / f"{part.name}.svg").write_text(part.svg + "\n")
            words = f"{part.caption} {part.seen}".strip()
            text += f"![{words}]({link}/{part.name}.svg)\n\n*{part.caption}*\n\n"
        else:
            text += part.to_markdown() + "\n"
    if section.notes:
        text += "### How this is measured and read\n" + _paragraphs(section.notes)
    return text


def write(sections: list[Section], of: Page, perturbed: int, most: int = 0) -> pathlib.Path:
    """`perturbed`, `most`: runs of each measurement (page.noise). Pictures of pages before are removed. Returns
    the page's file."""
    folder = _folder(of)
    folder.mkdir(parents=True, exist_ok=True)
    for picture in folder.glob("*.svg"):
        picture.unlink()
    text = _HEAD.format(page=of)
    for section in sections:
        if section.main:
            text += _written(section, of)
    text += _METHOD.format(page=of, noise=page.noise(perturbed, most))
    file = _file(of)
    file.write_text(text.rstrip() + "\n")
    return file
