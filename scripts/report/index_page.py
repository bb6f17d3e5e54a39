# SPDX-License-Identifier: MIT
"""report/index.html: what is said first of each paper, and where its page is."""

import json
import pathlib

from report import page, papers, paths
from report.section import Section, Table

_TITLE = "Papers on scheduling in GPUs, reproduced"


def _answer(paper: papers.Paper) -> pathlib.Path:
    """What its page says first, kept for the index."""
    return paths.REPORT / f"{paper.page}.answer.json"


def _kept(paper: papers.Paper) -> dict | None:
    """None if the page is gone."""
    there = _answer(paper).exists() and (paths.REPORT / f"{paper.page}.html").exists()
    return json.loads(_answer(paper).read_text()) if there else None


def write(paper: papers.Paper, answer: Section, made: str) -> pathlib.Path:
    """Renews the index with the first section of a paper's page; `made`: what that was made from. Returns its file."""
    table = next((page.table(part) for part in answer.parts if isinstance(part, Table)), "")
    _answer(paper).write_text(json.dumps({"text": answer.text, "table": table, "made": made}))
    file = paths.REPORT / "index.html"
    file.write_text(page.index(_TITLE, "Each page compares a paper's claims and figures with the results of this "
                               "project's simulator.", [(each, _kept(each)) for each in papers.ALL.values()]))
    return file
