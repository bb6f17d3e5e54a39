# SPDX-License-Identifier: MIT
"""docs/evidence/results.md, and a page beside it for the paper's grids: the answer, the table of claims and the main
figures, and last the method."""

import pathlib

from report import page, paths, sizes
from report.section import Picture, Section

_HEAD = """# The paper's results, reproduced

<!-- Made by {command}; do not edit. -->

This page compares the claims and the main figures of the PAWS paper with the results of this project's
simulator. It is for readers of the paper. The kernels have {size}.
"""
_METHOD = """
## Method
This command writes the page, and the whole report with all figures (`report/index.html`):
```
./{command}
```
The numbers are {noise}.
[reproduction.md](../guide/reproduction.md) explains the measurements, and the [glossary](../reference/glossary.md) the words.
"""


def _paragraphs(texts: list[str]) -> str:
    return "".join(f"{text}\n\n" for text in texts)


def _folder(size: str) -> pathlib.Path:
    return paths.GENERATED / paths.RESULTS[size]


def _page(size: str) -> pathlib.Path:
    return paths.EVIDENCE / f"{paths.RESULTS[size]}.md"


def _written(section: Section, size: str) -> str:
    """The section as it stands in the page. Its pictures are written beside the page."""
    folder = _folder(size)
    link = folder.relative_to(paths.EVIDENCE)
    text = f"\n## {section.title}\n" + _paragraphs(section.text)
    for part in section.parts:
        if isinstance(part, Picture):
            (folder / f"{part.name}.svg").write_text(part.svg + "\n")
            words = f"{part.caption} {part.seen}".strip()
            text += f"![{words}]({link}/{part.name}.svg)\n\n*{part.caption}*\n\n"
        else:
            text += part.to_markdown() + "\n"
    if section.notes:
        text += "### How this is measured and read\n" + _paragraphs(section.notes)
    return text


def rewrite(section: Section, size: str) -> pathlib.Path | None:
    """Puts the section, which the page of this size has, in the place of the one that stands there. Returns the page;
    None if there is none."""
    file = _page(size)
    if not file.exists():
        return None
    before, title, rest = file.read_text().partition(f"\n## {section.title}\n")
    if not title:
        raise ValueError(f"{file} has no section '{section.title}'")
    rest = rest[rest.index("\n## "):]
    file.write_text(before + _written(section, size) + rest)
    return file


def write(sections: list[Section], size: str, perturbed: int) -> pathlib.Path:
    """`perturbed`: runs of each measurement. Pictures of pages before are removed. Returns the page."""
    folder, command = _folder(size), "scripts/reproduce"
    if size != "default":
        command += f" --size {size}"
    folder.mkdir(parents=True, exist_ok=True)
    for picture in folder.glob("*.svg"):
        picture.unlink()
    text = _HEAD.format(command=command, size=sizes.NAMES[size])
    for section in sections:
        if section.main:
            text += _written(section, size)
    text += _METHOD.format(command=command, noise=page.noise(perturbed))
    file = _page(size)
    file.write_text(text.rstrip() + "\n")
    return file
