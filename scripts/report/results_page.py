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


def write(sections: list[Section], size: str, perturbed: int) -> pathlib.Path:
    """`perturbed`: runs of each measurement. Pictures of pages before are removed. Returns the page."""
    folder, command = paths.GENERATED / paths.RESULTS[size], "scripts/reproduce"
    if size != "default":
        command += f" --size {size}"
    link = folder.relative_to(paths.EVIDENCE)
    folder.mkdir(parents=True, exist_ok=True)
    for picture in folder.glob("*.svg"):
        picture.unlink()
    text = _HEAD.format(command=command, size=sizes.NAMES[size])
    for section in sections:
        if not section.main:
            continue
        text += f"\n## {section.title}\n" + _paragraphs(section.text)
        for part in section.parts:
            if isinstance(part, Picture):
                (folder / f"{part.name}.svg").write_text(part.svg + "\n")
                words = f"{part.caption} {part.seen}".strip()
                text += f"![{words}]({link}/{part.name}.svg)\n\n*{part.caption}*\n\n"
            else:
                text += part.to_markdown() + "\n"
        if section.notes:
            text += "### How this is measured and read\n" + _paragraphs(section.notes)
    text += _METHOD.format(command=command, noise=page.noise(perturbed))
    file = paths.EVIDENCE / f"{paths.RESULTS[size]}.md"
    file.write_text(text.rstrip() + "\n")
    return file
