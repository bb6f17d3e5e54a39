# SPDX-License-Identifier: MIT
"""The committed results in synth/results. A library has a CSV file with the rows of every set, and a Markdown page with a
section for each set that has more (areas of parts, power); so have its layouts. Some sets have a plot."""

import csv
import io
import itertools
import pathlib
import re

from flow import measurements, tables
from flow.configurations import Configuration, Set
from flow.figures import Results
from flow.paths import RESULTS

# The set whose layouts are drawn.
PICTURED = "layout_front"


def _file(chosen: Set, results: Results) -> str:
    """Name, without its ending, of the files that a set is in."""
    return chosen.name if chosen.fpga else results.cell_library.key + ("_layouts" if chosen.layout else "")


def with_rows(table: str, name: str, rows: str) -> str:
    """A table (CSV, in order of the column `set`) in which the set `name` has the rows of another one."""
    kept = [row for row in csv.DictReader(io.StringIO(table)) if row["set"] != name]
    new = [{"set": name} | row for row in csv.DictReader(io.StringIO(rows))]
    found = sorted(kept + new, key=lambda row: row["set"])  # stable: a set keeps the order of its rows
    columns = list(kept[0]) if kept else ["set"]
    for before, column in itertools.pairwise(new[0]):
        if column not in columns:
            columns.insert(columns.index(before) + 1, column)
    columns = [column for column in columns if any(row.get(column) for row in found)]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({column: row.get(column) for column in columns} for row in found)
    return out.getvalue()


def with_section(page: str, title: str, name: str, section: str) -> str:
    """A page with this title, in which the section `name` is another one; sections are in order of their names."""
    sections = dict(re.findall(r"^## (.+)\n\n([^\0]*?)(?=\n## |\Z)", page, re.MULTILINE)) | {name: section}
    return "\n".join([title, *(f"## {each}\n\n{text}" for each, text in sorted(sections.items()))])


def _read(path: pathlib.Path) -> str:
    return path.read_text() if path.exists() else ""


def _title(member: Configuration) -> str:
    """Of a picture."""
    return f"{member.level} {member.policies or 'PAWS'}"  # an ordered scheduler has one policy


def pictures(chosen: Set, results: Results) -> list[pathlib.Path]:
    """The folders of a set's layouts, one for each seed, with a picture of each as layout.png."""
    from flow.layout import picture

    folders = []
    for member in chosen.members:
        for number, folder in enumerate(measurements.layout_folders(member, results, chosen.layout), 1):
            saved = measurements.saved_layout(member, results, chosen.layout, number)
            picture.draw([(f"{_title(member)}, layout {number}", saved)], folder / "layout.png")
            folders.append(folder)
    return folders


def write(sets: list[Set], results: Results) -> None:
    """Writes the tables of these sets, and their figures unrounded for scripts."""
    from flow import plots  # needs matplotlib, which --help does not
    from flow.layout import picture

    RESULTS.mkdir(exist_ok=True)
    for chosen in sets:
        file = _file(chosen, results)
        name = chosen.name if chosen.fpga else f"{results.cell_library.key}_{chosen.name}"
        plots.draw(chosen, results, RESULTS / f"{name}.svg")
        if chosen.name == PICTURED:
            picture.draw([(_title(member), measurements.saved_layout(member, results, chosen.layout))
                          for member in chosen.members], RESULTS / f"{name}.png")
        if found := tables.beyond_csv(chosen, results):
            laid_out = ", laid out" if chosen.layout else ""
            title = (f"# {results.cell_library.title}{laid_out}\n\nFigures of `scripts/synth`, by set. The column `set` "
                     f"of [{file}.csv]({file}.csv) has the rest.\n")
            section = "\n".join([f"{chosen.question}.\n", *map(tables.markdown, found)])
            page = RESULTS / f"{file}.md"
            page.write_text(with_section(_read(page), title, chosen.name, section))
        rows = (tables.fpga_csv(chosen.members, results) if chosen.fpga else
                tables.layout_csv(chosen, results) if chosen.layout else tables.mapping_csv(chosen, results))
        table = RESULTS / f"{file}.csv"
        table.write_text(with_rows(_read(table), chosen.name, rows))
