# SPDX-License-Identifier: MIT
"""What a reader comes for: does the paper hold? Three sentences, one figure, and the verdicts by number."""

import matplotlib.pyplot as plt
from matplotlib.patches import Patch

from report import draw, page, verdict
from report.estimate import Estimate
from report.lee2014 import paper
from report.lee2014.data import Results
from report.lee2014.figures import claims
from report.section import Picture, Section, Table, percent, percent_of

# The paper's means: what, of which kernels, over what, percent.
_MEANS = (("LCS", "all", "GTO", 7), ("LCS", "III+IV", "GTO", 23), ("LCS", "I+II", "GTO", 0), ("BCS+GTO", "2D", "GTO", 3),
          ("BCS+SCA", "2D", "GTO", 15), ("LCS+BCS", "all", "GTO", 16), ("LCS+BCS", "all", "CCWS", 13),
          ("LCS+BCS", "all", "DYNCTA", 14))
_OF = {"all": "", "2D": ", two-dimensional", "III+IV": ", types III and IV", "I+II": ", types I and II"}


def _mean(results: Results, of: str, which: str, over: str) -> Estimate:
    return results.compare(paper.group(which, results.kernels), of, over)


def _picture(results: Results) -> Picture:
    figure, axes = plt.subplots(figsize=(4.3, 0.42 * len(_MEANS) + 0.6))
    ticks, labels, seen = [], [], []
    styles = ({"facecolor": "none", "edgecolor": draw.PAPER, "linewidth": 1}, {"facecolor": draw.COLOURS["paws"]})
    for place, (of, which, over, theirs) in enumerate(_MEANS):
        values = (Estimate(1 + theirs / 100), _mean(results, of, which, over))
        for shift, (value, style) in enumerate(zip(values, styles)):
            y = 2.5 * place + shift
            axes.barh(y, value.mean - 1, 0.9, left=1, **style)
            if value.low is not None:
                axes.hlines(y, value.low, value.high, colors="black", linewidth=0.9, zorder=3)
            right = value.mean >= 1
            end = max(1, value.high or value.mean) if right else min(1, value.low or value.mean)
            axes.annotate(percent(value.mean), (end, y), (3 if right else -3, 0), textcoords="offset points", va="center",
                          ha="left" if right else "right")
        ticks.append(2.5 * place + 0.5)
        labels.append(f"{of} over {over}{_OF[which]}")
        seen.append(f"{labels[-1]}: paper {percent(values[0].mean)}, here {percent_of(values[1])}")
    axes.axvline(1, color="black", linewidth=0.6)
    axes.set_yticks(ticks, labels)
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    left, right = axes.get_xlim()
    axes.set_xlim(left - 0.25 * (right - left), right + 0.12 * (right - left))  # room for the numbers
    axes.spines.left.set_visible(False)
    axes.set_xlabel("speed, the other = 1")
    figure.legend([Patch(**style) for style in styles], ["paper", "here"], **draw.ABOVE, ncols=2)
    return Picture("answer", "Mean speeds: the paper's and ours. The groups are the paper's types. For types I and II it says "
                   "'very little improvement or slight degradation', drawn as 0.", draw.svg(figure, "answer"),
                   f"{'; '.join(seen)}.")


def section(results: Results) -> Section:
    found = claims.counts(results)
    lcs, kinds, both = (percent_of(_mean(results, *words)) for words in (("LCS", "all", "GTO"), ("LCS", "III+IV", "GTO"),
                                                                         ("LCS+BCS", "all", "GTO")))
    sca = percent_of(_mean(results, "BCS+SCA", "2D", "GTO"))
    best = percent_of(results.best_speed(results.kernels))
    text = [
        f"{verdict.how_far(found)}: of the paper's {sum(found.values())} claims {verdict.in_words(found)}.",
        f"Fewer blocks than fit: LCS changes the mean speed by {lcs} (in the paper +7 %), on kernels of types III and IV by "
        f"{kinds} (+23 %), and the best limit of each kernel by {best}.",
        f"Blocks in pairs: BCS with SCA changes the mean speed of two-dimensional kernels by {sca} (in the paper +15 %), and "
        f"LCS+BCS that of all by {both} (+16 %)" + ("." if results.perturbed else "; noise is not measured.")]
    table = Table(["verdict", "claims"], [[verdict.marked(told, told), verdict.marked(str(number), told)]
                                          for told, number in found.items()],
                  f"The claims of the paper's text by verdict, {page.noise(results.perturbed)}")
    return Section("answer", "Does the paper hold?", text, [table, _picture(results)], main=True)
