# SPDX-License-Identifier: MIT
"""report/index.html: what is said first of each paper, and where its page is."""

import html as escape
import json
import pathlib

from report import page, papers, paths
from report.section import Section, Table, escaped

_TITLE = "Papers on scheduling in GPUs, reproduced"


def _answer(paper: papers.Paper) -> pathlib.Path:
    """What its page says first, kept for the index."""
    return paths.REPORT / f"{paper.page}.answer.json"


def _part(paper: papers.Paper) -> str:
    """The verdict first, what the paper is about last: a phone shows a few lines. A page that is gone has no link."""
    name, about = escape.escape(paper.title), f"<p>{escape.escape(paper.about)}</p>"
    if not (_answer(paper).exists() and (paths.REPORT / f"{paper.page}.html").exists()):
        return (f"<section>\n<h2>{name}</h2>\n<p>There is no page yet: ./scripts/reproduce --paper {paper.name} makes it.</p>"
                f"\n{about}</section>")
    kept = json.loads(_answer(paper).read_text())
    return (f'<section>\n<h2><a href="{paper.page}.html">{name}</a></h2>\n'
            + "".join(f"<p>{escaped(text)}</p>\n" for text in kept["text"]) + kept["table"]
            + f"\n{about}\n<p>{escape.escape(kept['made'])}</p></section>")


def write(paper: papers.Paper, answer: Section, made: str) -> pathlib.Path:
    """Renews the index with the first section of a paper's page; `made`: what that was made from. Returns its file."""
    table = next((part.to_html() for part in answer.parts if isinstance(part, Table)), "")
    _answer(paper).write_text(json.dumps({"text": answer.text, "table": table, "made": made}))
    file = paths.REPORT / "index.html"
    file.write_text(page.plain(_TITLE, "Each page compares a paper's claims and figures with the results of this "
                               "project's simulator.", "\n".join(map(_part, papers.ALL.values()))))
    return file
