# SPDX-License-Identifier: MIT
"""The committed results: Markdown tables, CSV and plots in synth/results, one file per library and set."""

from flow import tables
from flow.configurations import Set
from flow.figures import Results
from flow.paths import RESULTS


def _name(chosen: Set, results: Results) -> str:
    return chosen.name if chosen.fpga else f"{results.cell_library.key}_{chosen.name}"


def write(sets: list[Set], results: Results) -> None:
    """Writes the tables of these sets, and their figures unrounded for scripts."""
    from flow import plots  # needs matplotlib, which --help does not

    RESULTS.mkdir(exist_ok=True)
    for chosen in sets:
        text = f"{chosen.question}. {'iCE40 hx8k' if chosen.fpga else results.cell_library.title}.\n"
        for table in tables.of_set(chosen, results):
            text += "\n" + tables.markdown(table)
        name = _name(chosen, results)
        for picture in plots.of_set(chosen, results, RESULTS, name):
            text += f"\n![{chosen.question}]({picture})\n"
        (RESULTS / f"{name}.md").write_text(text)
        csv = tables.fpga_csv(chosen.members, results) if chosen.fpga else tables.mapping_csv(chosen, results)
        (RESULTS / f"{name}.csv").write_text(csv)
