# SPDX-License-Identifier: MIT
"""Fig. 8: what the blocks of a core issue until the first one ends."""

import matplotlib.pyplot as plt

from report import draw
from report.lee2014.data import Results
from report.section import Picture, Section, Table
from report.timelines import STEP


def section(results: Results) -> Section:
    counts = results.counts()
    figure, axes = plt.subplots(figsize=(5.5, 2.8))
    for number, (block, issued) in enumerate(counts.items()):
        axes.plot([STEP * place / 1000 for place in range(len(issued))], issued, linewidth=1, label=f"{number} (block {block})")
    axes.set_xlabel("thousand cycles")
    axes.set_ylabel("warp instructions issued")
    axes.legend(fontsize=7, title="of the core")
    last = [issued[-1] for issued in counts.values()]
    quotient = sum(last) / max(last)
    youngest = " and ".join(f"{100 * each / max(last):.0f} %" for each in last[-2:])
    text = ["In the paper LPS has eight blocks, of which 6 and 7 hardly issue, and T is 3. Here, when the first block ends, the "
            f"counts of the {len(last)} blocks add up to {quotient:.2f} times the largest one, so T is {int(quotient)} (rounded "
            f"down). The two youngest have {youngest} of the largest count."]
    table = Table(["block of the core", *map(str, range(len(last)))],
                  [["issued", *map(str, last)], ["of the largest", *(f"{100 * each / max(last):.0f} %" for each in last)]],
                  "LPS: warp instructions of the blocks of core 0 when the first one ends; one run without perturbations")
    picture = Picture("fig8", "Fig. 8: warp instructions that each block of core 0 has issued, LPS under GTO, until the first "
                      "one ends.", draw.svg(figure, "fig8"), f"At the end: {', '.join(map(str, last))}.")
    return Section("fig8", "Fig. 8: what LCS measures", text, [picture, table], main=True)
