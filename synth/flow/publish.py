# SPDX-License-Identifier: MIT
"""The committed results in synth/results, per library and set: a CSV file, a Markdown page of what it has not (areas of
parts, power), and for some sets a plot."""

import pathlib

from flow import measurements, tables
from flow.configurations import Configuration, Set
from flow.figures import Results
from flow.paths import RESULTS

# The set whose layouts are drawn.
PICTURED = "layout_front"


def _name(chosen: Set, results: Results) -> str:
    return chosen.name if chosen.fpga else f"{results.cell_library.key}_{chosen.name}"


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
        name = _name(chosen, results)
        plots.draw(chosen, results, RESULTS / f"{name}.svg")
        if chosen.name == PICTURED:
            picture.draw([(_title(member), measurements.saved_layout(member, results, chosen.layout))
                          for member in chosen.members], RESULTS / f"{name}.png")
        if found := tables.beyond_csv(chosen, results):
            title = f"{chosen.question}. {results.cell_library.title}. Area and clocks are in [{name}.csv]({name}.csv).\n"
            (RESULTS / f"{name}.md").write_text("\n".join([title, *map(tables.markdown, found)]))
        csv = (tables.fpga_csv(chosen.members, results) if chosen.fpga else
               tables.layout_csv(chosen, results) if chosen.layout else tables.mapping_csv(chosen, results))
        (RESULTS / f"{name}.csv").write_text(csv)
