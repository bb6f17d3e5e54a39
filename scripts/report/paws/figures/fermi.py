# SPDX-License-Identifier: MIT
"""The PAWS report's kernels on its machine, the Tesla C2050."""

import collections

import matplotlib.pyplot as plt

from report import draw, verdict
from report.paws import plan
from report.paws.data import Results
from report.section import Picture, Section, Table

_LABELS = {"vectoradd": "vectorAdd", "bp_k1": "backprop, K1", "bp_k2": "backprop, K2",
           "hotspot": "hotspot", "bfs": "bfs", "lud": "lud"}
# What the PAWS report sees in the single level ("trends are similar" in two levels): kernels, policy,
# relation (verdict.judge), the other policy. Its figures' values are not in its text.
_OBSERVATIONS = [(("vectoradd", "bp_k1", "bp_k2"), "gto", "more", "rr"),
                 (("vectoradd",), "paws", "more", "rr"),
                 (("vectoradd",), "paws", "alike", "gto"),
                 (("bp_k1", "bp_k2"), "paws", "less", "rr"),
                 (("hotspot", "bfs", "lud"), "gto", "less", "rr"),
                 (("hotspot", "bfs", "lud"), "paws", "alike", "rr")]
_WORDS = {"more": "faster than", "less": "slower than", "alike": "close to"}


def section(main: Results) -> Section:
    results = Results(main.size, main.perturbed, "c2050")
    figure, rows = plt.subplots(1, len(plan.LEVELS), figsize=(9, 2.7), sharey=True)
    for axes, level in zip(rows, plan.LEVELS):
        for index, policy in enumerate(plan.POLICIES[1:]):
            for x, kernel in enumerate(plan.REPORT_KERNELS):
                value = results.speed(kernel, f"{level}:{policy}", "rr")
                at = x + 0.4 * (index - 0.5)
                axes.bar(at, value.mean - 1, 0.37, bottom=1, color=draw.COLOURS[policy],
                         label=draw.NAMES[policy] if x == 0 else None)
                draw.interval(axes, at, value)
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_xticks(range(len(plan.REPORT_KERNELS)),
                        [_LABELS[kernel].replace(", ", "\n") for kernel in plan.REPORT_KERNELS],
                        fontsize=6)
        axes.set_title(level)
    rows[0].set_ylabel("speed, RR = 1")
    figure.legend(*rows[0].get_legend_handles_labels(), **draw.ABOVE, ncols=3)
    table, found = [], collections.Counter()
    for kernels, policy, relation, over in _OBSERVATIONS:
        for kernel in (kernel for kernel in kernels if kernel in plan.REPORT_KERNELS):
            cells = []
            for level in plan.LEVELS:
                value = results.speed(kernel, f"{level}:{policy}", over)
                told = verdict.judge(value, relation)
                if level == "single":
                    found[told] += 1
                cells.append(verdict.marked(f"{told}: {verdict.show(value, relation)}", told))
            table.append([_LABELS[kernel], f"{policy.upper()} {_WORDS[relation]} {over.upper()}", *cells])
    text = [
        f"The PAWS report makes {len(table)} statements about kernels at the single level. They say which of two "
        "policies is faster, and where PAWS is close to the better policy. Here "
        f"{verdict.in_words(found)}. "
        + ("" if results.perturbed else "The noise is not measured. ")
        + "'Close' means within 1 %. The report shows its results as bars without numbers. For two levels it says "
        "only that the trends are similar.",
    ]
    notes = [
        "The machine has 14 cores at 1150 MHz and a DRAM clock of 1500 MHz (preset c2050). The kernels belong to this "
        "project and have the sizes in workloads/README.md. Backprop has two kernels.",
    ]
    return Section("c2050", "The PAWS report's kernels on the Tesla C2050", text, [
        Picture("c2050", "Speed relative to round robin, preset c2050.", draw.svg(figure, "c2050")),
        Table(["kernel", "the PAWS report", *plan.LEVELS], table,
              "Statements of the PAWS report, and our results: how much faster the first policy is than the second")],
        notes=notes)
