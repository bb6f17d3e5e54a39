"""The PAWS report's kernels on its machine, the Tesla C2050."""

import matplotlib.pyplot as plt

from report import draw, plan
from report.data import COLUMNS, PANELS, Machine, Results, machines, panel_title
from report.section import Picture, Section, Table, percent_of

_LABELS = {"vectoradd": "vectorAdd", "bp_k1": "backprop, K1", "bp_k2": "backprop, K2",
           "hotspot": "hotspot", "bfs": "bfs", "lud": "lud"}
# What the PAWS report sees in the single level ("trends are similar" in two levels): kernels, the
# faster policy, the slower one. Its figures' values are not in its text.
_OBSERVATIONS = [(("vectoradd", "bp_k1", "bp_k2"), "gto", "rr"), (("vectoradd",), "paws", "rr"),
                 (("bp_k1", "bp_k2"), "rr", "paws"), (("hotspot", "bfs", "lud"), "rr", "gto")]


_CELLS = [(level, machine) for level in plan.LEVELS for machine in machines(level)]


def section(main: Results) -> Section:
    results = Results(main.size, main.perturbed, "c2050")
    figure, rows = plt.subplots(1, 3, figsize=(9, 2.7), sharey=True)
    for axes, (level, ready) in zip(rows, PANELS):
        for index, (key, policy, rule) in enumerate(COLUMNS[1:]):
            for x, kernel in enumerate(plan.REPORT_KERNELS):
                value = results.speed(kernel, f"{level}:{policy}", "rr", Machine(ready, rule))
                at = x + 0.27 * (index - 1)
                axes.bar(at, value.mean - 1, 0.25, bottom=1, color=draw.COLOURS[key],
                         label=draw.NAMES[key] if x == 0 else None)
                draw.interval(axes, at, value)
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_xticks(range(len(plan.REPORT_KERNELS)),
                        [_LABELS[kernel].replace(", ", "\n") for kernel in plan.REPORT_KERNELS],
                        fontsize=6)
        axes.set_title(panel_title(level, ready))
    rows[0].set_ylabel("speed, RR = 1")
    figure.legend(*rows[0].get_legend_handles_labels(), **draw.ABOVE, ncols=3)
    table, held, asked = [], 0, 0
    for kernels, faster, slower in _OBSERVATIONS:
        for kernel in kernels:
            cells = []
            for level, machine in _CELLS:
                value = results.speed(kernel, f"{level}:{faster}", slower, machine)
                verdict = "yes" if value.above(1) else "reverse" if value.below(1) else "noise"
                counted = (level, machine) == ("single", Machine())
                asked += counted
                held += counted and verdict == "yes"
                cells.append(f"{percent_of(value)}, {verdict}")
            table.append([_LABELS[kernel], f"{faster.upper()} over {slower.upper()}", *cells])
    text = [
        f"Of {asked} orders that the PAWS report names for the single level, {held} are found here beyond "
        "the noise. The report gives its results as bars without numbers and says of two levels that the "
        "trends are similar, so orders are all there is to compare.",
        "14 cores at 1150 MHz with a DRAM clock of 1500 MHz (preset c2050). The kernels are this "
        "project's, of the sizes of workloads/README.md; backprop is two kernels.",
    ]
    return Section("c2050", "The PAWS report's kernels on the Tesla C2050", text, [
        Picture("c2050", "Speed relative to round robin, preset c2050.", draw.svg(figure, "c2050")),
        Table(["kernel", "the PAWS report: faster", *(
            f"{panel_title(level, machine.ready)}, {machine.rule}" for level, machine in _CELLS)], table,
              "Orders that the PAWS report names, and ours: by how much, and whether beyond the noise")])
