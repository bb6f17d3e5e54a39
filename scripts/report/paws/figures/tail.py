# SPDX-License-Identifier: MIT
"""Fig. 13: active warps on a core over time, the intra-block tail effect of LUD."""

import matplotlib.pyplot as plt

from report import draw
from lib.estimate import Estimate, estimate
from report.paws import paper, plan
from report.paws.data import Machine, Results
from report.section import Picture, Section, Table, against, number_of

LAUNCH = 3  # of LUD: the first launch of the internal kernel, which the paper's Table II describes
Points = list[tuple[int, int]]  # (cycle since the launch's first sample, live warps) of core 0
_LOST = "#e9b3b3"


def internal(results: Results, policy: str, machine: Machine, seed: int) -> Points:
    rows = [row for row in results.samples(plan.TAIL_KERNEL, f"two-level:{policy}", machine, seed)
            if row["launch"] == LAUNCH]
    return [(row["cycle"] - rows[0]["cycle"], row["warps"]) for row in rows]


def counted(points: Points) -> tuple[int, int]:
    """First and last cycle that count: from the first full moment until warps of as many blocks as
    the core holds have come, the paper's six of LUD, or, if there are fewer, the last ones."""
    most = max(warps for _, warps in points)
    first = last = next(cycle for cycle, warps in points if warps == most)
    came = 0
    for (cycle, warps), (later, then) in zip(points, points[1:]):
        if cycle >= first and then > warps and came < most:
            came += then - warps
            last = later
    return first, last


def tail(points: Points) -> int:
    """Cycles that count in which fewer warps are live than the core holds, while blocks that wait could use
    the places of warps that have ended."""
    most = max(warps for _, warps in points)
    first, last = counted(points)
    return sum(later - cycle for (cycle, warps), (later, _) in zip(points, points[1:])
               if first <= cycle < last and warps < most)


def _picture(results: Results) -> Picture:
    figure, axes = plt.subplots(len(results.ready_queues), len(results.columns), sharex=True, sharey=True,
                                squeeze=False, figsize=(9, 0.6 + 1.5 * len(results.ready_queues)))
    shown = 0.0
    for row, ready in zip(axes, results.ready_queues):
        for panel, (key, policy, rule) in zip(row, results.columns):
            points = internal(results, policy, Machine(ready, rule), 0)
            first, last = counted(points)
            cycles, warps = zip(*points)
            panel.fill_between(cycles, max(warps), step="post", color=_LOST, linewidth=0,
                               where=[first <= cycle <= last for cycle in cycles])
            panel.fill_between(cycles, warps, step="post", color=draw.COLOURS[key], linewidth=0)
            panel.set_title(f"{draw.NAMES[key]}, ready {ready}")
            shown = max(shown, min(1.5 * last, cycles[-1]))
        row[0].set_ylabel("live warps")
    for panel in axes[-1]:
        panel.set_xlim(0, shown)
        panel.set_xlabel("cycle of the launch")
    return Picture("fig13", "Fig. 13: live warps on core 0 in LUD's first internal launch, two-level, "
                   "unperturbed runs. Red: empty places in the cycles that count.",
                   draw.svg(figure, "fig13"))


def section(results: Results) -> Section:
    table = [["paper", str(paper.FIGURE_13["rr"]), str(paper.FIGURE_13["gto"]),
              *[""] * (len(results.columns) - 2)]]
    orders = []
    for ready in results.ready_queues:
        tails = {key: [tail(internal(results, policy, Machine(ready, rule), seed))
                       for seed in results.seeds] for key, policy, rule in results.columns}
        table.append([f"ready {ready}", *(number_of(estimate(tails[key])) for key, *_ in results.columns)])
        words = [f"{draw.NAMES[key]}: {against(_difference(tails, key), 0, 'longer', 'shorter')}"
                 for key, *_ in results.columns[1:]]
        orders.append(f"Compared with RR's tail, ready queue {ready}: {'; '.join(words)}.")
    text = [
        "The tail is the time in which a core has fewer live warps than it can hold, while blocks still wait. The "
        f"paper reads about {paper.FIGURE_13['rr']} cycles for RR and {paper.FIGURE_13['gto']} for GTO from its "
        "figure, for the six blocks that a core holds. It says that PAWS is affected as well. "
        + " ".join(orders),
    ]
    notes = [
        "The cycles that count begin when the core is full. They end when new warps have taken the places of as many "
        "warps as the core holds (six blocks), or when the last new warps arrive. The samples are "
        f"{plan.SAMPLE_INTERVAL} cycles apart. If one warp ends and another arrives between two samples, this is not "
        "seen, so more than six blocks may count. With the default size, a core gets about eleven blocks in this "
        "launch, and five of them take the place of another block. The paper's 127 × 127 blocks (--size full) "
        "give 168 rounds.",
    ]
    return Section("fig13", "Fig. 13: the intra-block tail effect", text, [
        _picture(results), Table(["two-level", *(draw.NAMES[key] for key, *_ in results.columns)], table,
                                 "Cycles of tail in this launch, core 0")], notes=notes)


def _difference(tails: dict[str, list[int]], key: str) -> Estimate:
    """Of a tail and RR's, perturbation by perturbation."""
    return estimate([mine - its for mine, its in zip(tails[key], tails["rr"])])
