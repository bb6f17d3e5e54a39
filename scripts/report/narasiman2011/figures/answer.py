# SPDX-License-Identifier: MIT
"""What a reader comes for: does the paper hold? Three sentences, one figure, and the verdicts by number."""

import matplotlib.pyplot as plt
from matplotlib.patches import Patch

from report import draw, page, verdict
from report.estimate import Estimate
from report.narasiman2011 import paper
from report.narasiman2011.data import Results
from report.narasiman2011.figures import claims
from report.narasiman2011.figures.speed import PAPER
from report.section import Picture, Section, Table, percent, percent_of

# Means: setup, group, and the paper's percent; None: it says "not much benefit", or has no number.
_MEANS = (*((setup, "all", theirs) for setup, theirs in PAPER.items()), ("LWM", "divergent", None), ("LWM", "idle", None),
          ("2Lev", "divergent", None), ("2Lev", "idle", None), ("DWF", "all", None))
_OF = {"all": "", "divergent": ", divergent", "idle": ", idle"}


def _picture(results: Results) -> Picture:
    figure, axes = plt.subplots(figsize=(4.3, 0.42 * len(_MEANS) + 0.6))
    ticks, labels, seen = [], [], []
    styles = ({"facecolor": "none", "edgecolor": draw.PAPER, "linewidth": 1}, {"facecolor": draw.COLOURS["paws"]})
    for place, (setup, group, theirs) in enumerate(_MEANS):
        values = (None if theirs is None else Estimate(1 + theirs / 100),
                  results.compare(paper.group(group, results.kernels), setup, "baseline"))
        for shift, (value, style) in enumerate(zip(values, styles)):
            if value is None:
                continue
            y = 2.5 * place + shift
            axes.barh(y, value.mean - 1, 0.9, left=1, **style)
            if value.low is not None:
                axes.hlines(y, value.low, value.high, colors="black", linewidth=0.9, zorder=3)
            right = value.mean >= 1
            end = max(1, value.high or value.mean) if right else min(1, value.low or value.mean)
            axes.annotate(percent(value.mean), (end, y), (3 if right else -3, 0), textcoords="offset points", va="center",
                          ha="left" if right else "right")
        ticks.append(2.5 * place + (0.5 if theirs is not None else 1))
        labels.append(f"{setup}{_OF[group]}")
        seen.append(labels[-1] + (f": paper {percent(values[0].mean)}, here" if values[0] else ":") + f" {percent_of(values[1])}")
    axes.axvline(1, color="black", linewidth=0.6)
    axes.set_yticks(ticks, labels)
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    left, right = axes.get_xlim()
    axes.set_xlim(left - 0.25 * (right - left), right + 0.15 * (right - left))  # room for the numbers
    axes.spines.left.set_visible(False)
    axes.set_xlabel("speed, baseline = 1")
    figure.legend([Patch(**style) for style in styles], ["paper", "here"], **draw.ABOVE, ncols=2)
    return Picture("answer",
                   "Mean speeds over the baseline: the paper's, where it has a number, and ours. The groups are the paper's.",
                   draw.svg(figure, "answer"), f"{'; '.join(seen)}.")


def section(results: Results) -> Section:
    found = claims.counts(results)
    lwm, groups, both, dwf = (percent_of(results.compare(results.kernels, setup, "baseline"))
                              for setup in ("LWM", "2Lev", "LWM+2Lev", "DWF"))
    text = [
        f"{verdict.how_far(found)}: of the paper's {sum(found.values())} claims {verdict.in_words(found)}.",
        f"Large warps of 256 threads change the mean speed by {lwm} (in the paper +7.6 %), fetch groups of eight warps "
        f"by {groups} (+10.1 %), and both by {both} (+17.0 %).",
        f"Dynamic warp formation, with the better priority for each benchmark, changes it by {dwf} (below the baseline)"
        + ("." if results.perturbed else "; noise is not measured.")]
    table = Table(["verdict", "claims"], [[verdict.marked(told, told), verdict.marked(str(number), told)]
                                          for told, number in found.items()],
                  f"The claims of the paper's text by verdict, {page.noise(results.perturbed)}")
    return Section("answer", "Does the paper hold?", text, [table, _picture(results)], main=True)
