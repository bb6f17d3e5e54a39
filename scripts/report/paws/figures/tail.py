# SPDX-License-Identifier: MIT
"""Fig. 13: active warps on a core over time, the intra-block tail effect of LUD."""

import matplotlib.pyplot as plt

from report import draw
from lib.estimate import Estimate, estimate
from report.paws import paper, plan
from report.paws.data import Results
from report.section import Picture, Section, Table, against, number_of

LAUNCH = 3  # of LUD: the first launch of the internal kernel, which the paper's Table II describes
Points = list[tuple[int, int]]  # (cycle since the launch's first sample, live warps) of core 0
_LOST = "#e9b3b3"


def internal(results: Results, policy: str, seed: int) -> Points:
    rows = [row for row in results.samples(plan.TAIL_KERNEL, f"two-level:{policy}", seed)
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
    figure, axes = plt.subplots(1, len(plan.POLICIES), sharex=True, sharey=True, figsize=(9, 2.1))
    shown = 0.0
    for panel, policy in zip(axes, plan.POLICIES):
        points = internal(results, policy, 0)
        first, last = counted(points)
        cycles, warps = zip(*points)
        panel.fill_between(cycles, max(warps), step="post", color=_LOST, linewidth=0,
                           where=[first <= cycle <= last for cycle in cycles])
        panel.fill_between(cycles, warps, step="post", color=draw.COLOURS[policy], linewidth=0)
        panel.set_title(draw.NAMES[policy])
        panel.set_xlabel("cycle of the launch")
        shown = max(shown, min(1.5 * last, cycles[-1]))
    axes[0].set_ylabel("live warps")
    axes[0].set_xlim(0, shown)
    return Picture("fig13", "Fig. 13: live warps on core 0 in LUD's first internal launch, two-level, "
                   "unperturbed runs. Red: empty places in the cycles that count.",
                   draw.svg(figure, "fig13"))


def section(results: Results) -> Section:
    tails = {policy: [tail(internal(results, policy, seed)) for seed in results.seeds] for policy in plan.POLICIES}
    table = [["paper", str(paper.FIGURE_13["rr"]), str(paper.FIGURE_13["gto"]), ""],
             ["here", *(number_of(estimate(tails[policy])) for policy in plan.POLICIES)]]
    words = "; ".join(f"{draw.NAMES[policy]}: {against(_difference(tails, policy), 0, 'longer', 'shorter')}"
                      for policy in plan.POLICIES[1:])
    text = [
        "The tail is the time in which a core has fewer live warps than it can hold, while blocks still wait. The "
        f"paper reads about {paper.FIGURE_13['rr']} cycles for RR and {paper.FIGURE_13['gto']} for GTO from its "
        "figure, for the six blocks that a core holds. It says that PAWS is affected as well. "
        f"Compared with RR's tail: {words}.",
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
        _picture(results), Table(["two-level", *(draw.NAMES[policy] for policy in plan.POLICIES)], table,
                                 "Cycles of tail in this launch, core 0")], main=True, notes=notes)


def _difference(tails: dict[str, list[int]], policy: str) -> Estimate:
    """Of a tail and RR's, perturbation by perturbation."""
    return estimate([mine - its for mine, its in zip(tails[policy], tails["rr"])])
