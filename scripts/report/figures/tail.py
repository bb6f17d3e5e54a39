"""Fig. 13: active warps on a core over time, the intra-block tail effect of LUD."""

import matplotlib.pyplot as plt

from report import draw, paper
from report.data import Results
from report.section import Picture, Section

SCHEDULERS = ("two-level:gto", "two-level:rr", "two-level:paws")
LAUNCH = 3  # of LUD: the first launch of the internal kernel, which the paper's Table II describes


def internal(results: Results, scheduler: str) -> list[tuple[int, int]]:
    """(cycle since the launch's first sample, live warps) of core 0."""
    rows = [row for row in results.samples("lud", scheduler) if row["launch"] == LAUNCH]
    return [(row["cycle"] - rows[0]["cycle"], row["warps"]) for row in rows]


def tail(points: list[tuple[int, int]]) -> int:
    """Cycles in which fewer warps are live than the core holds, from the first full moment until
    the last warps come: while blocks that wait could use the places of warps that have ended."""
    most = max(warps for _, warps in points)
    full = [cycle for cycle, warps in points if warps == most]
    return sum(later - cycle for (cycle, warps), (later, _) in zip(points, points[1:])
               if full[0] <= cycle < full[-1] and warps < most)


def section(results: Results) -> Section:
    runs = {scheduler: internal(results, scheduler) for scheduler in SCHEDULERS}
    figure, rows = plt.subplots(1, 3, figsize=(9, 2.2), sharex=True, sharey=True)
    for axes, (scheduler, points) in zip(rows, runs.items()):
        axes.fill_between([cycle for cycle, _ in points], [warps for _, warps in points], step="post",
                          color=draw.COLOURS[scheduler.partition(":")[2]])
        axes.set_title(scheduler)
        axes.set_xlabel("cycle of the launch")
    rows[0].set_ylabel("live warps")
    picture = Picture("fig13", "Fig. 13: live warps on core 0 in LUD's first internal launch, ready queue "
                      "6.", draw.svg(figure, "fig13"))
    cycles = {scheduler: tail(points) for scheduler, points in runs.items()}
    expected = (cycles["two-level:gto"] > cycles["two-level:rr"]) == (
        paper.FIGURE_13["gto"] > paper.FIGURE_13["rr"])
    text = [
        "Cycles with fewer live warps than the core holds while blocks are still to come: " + ", ".join(
            f"{scheduler} {count}" for scheduler, count in cycles.items()) +
        f". The paper reads about {paper.FIGURE_13['rr']} for RR and {paper.FIGURE_13['gto']} for GTO off "
        "its figure, for six blocks. " +
        ("The order is the same." if expected else "The order is not the paper's: here GTO loses no more "
         "than RR."),
        "The default size of LUD gives a core about eleven blocks in this launch, two rounds; the paper's "
        "127 × 127 blocks give 168 rounds, and --size full runs them.",
    ]
    return Section("fig13", "Fig. 13: the intra-block tail effect", text, [picture])
