"""Fig. 13: active warps on a core over time, the intra-block tail effect of LUD."""

import matplotlib.pyplot as plt

from report import draw, paper, plan
from report.data import COLUMNS, Machine, Results
from report.section import Picture, Section, Table

LAUNCH = 3  # of LUD: the first launch of the internal kernel, which the paper's Table II describes


def internal(results: Results, scheduler: str, machine: Machine) -> list[tuple[int, int]]:
    """(cycle since the launch's first sample, live warps) of core 0."""
    rows = [row for row in results.samples("lud", scheduler, machine) if row["launch"] == LAUNCH]
    return [(row["cycle"] - rows[0]["cycle"], row["warps"]) for row in rows]


def tail(points: list[tuple[int, int]]) -> int:
    """Cycles in which fewer warps are live than the core holds, from the first full moment until
    the last warps come: while blocks that wait could use the places of warps that have ended."""
    most = max(warps for _, warps in points)
    full = [cycle for cycle, warps in points if warps == most]
    return sum(later - cycle for (cycle, warps), (later, _) in zip(points, points[1:])
               if full[0] <= cycle < full[-1] and warps < most)


def _order(cycles: dict[str, int]) -> str:
    expected = (cycles["gto"] > cycles["rr"]) == (paper.FIGURE_13["gto"] > paper.FIGURE_13["rr"])
    return ("the paper's order" if expected else
            "not the paper's order: here GTO loses no more than RR")


def section(results: Results) -> Section:
    figure, axes = plt.subplots(len(plan.READY), len(COLUMNS), figsize=(9, 3.6), sharex=True, sharey=True,
                                squeeze=False)
    table, orders = [], []
    for row, ready in zip(axes, plan.READY):
        cycles = {}
        for panel, (key, policy, rule) in zip(row, COLUMNS):
            points = internal(results, f"two-level:{policy}", Machine(ready, rule))
            panel.fill_between([cycle for cycle, _ in points], [warps for _, warps in points],
                               step="post", color=draw.COLOURS[key])
            panel.set_title(f"{draw.NAMES[key]}, ready {ready}")
            cycles[key] = tail(points)
        row[0].set_ylabel("live warps")
        table.append([str(ready), *(str(cycles[key]) for key, *_ in COLUMNS)])
        orders.append(f"with a ready queue of {ready} {_order(cycles)}")
    for panel in axes[-1]:
        panel.set_xlabel("cycle of the launch")
    picture = Picture("fig13", "Fig. 13: live warps on core 0 in LUD's first internal launch, two-level.",
                      draw.svg(figure, "fig13"))
    text = [
        "The tail is the time with fewer live warps than the core holds while blocks are still to come. "
        f"The paper reads about {paper.FIGURE_13['rr']} cycles for RR and {paper.FIGURE_13['gto']} for "
        f"GTO off its figure, for six blocks. Here: {'; '.join(orders)}.",
        "The default size of LUD gives a core about eleven blocks in this launch, two rounds; the paper's "
        "127 × 127 blocks give 168 rounds, and --size full runs them.",
    ]
    return Section("fig13", "Fig. 13: the intra-block tail effect", text, [
        picture, Table(["ready", *(draw.NAMES[key] for key, *_ in COLUMNS)], table,
                       "Cycles of tail in this launch")])
