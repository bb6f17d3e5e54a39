# SPDX-License-Identifier: MIT
"""What a reader comes for: does the paper hold? Three sentences, one figure, and the verdicts by number."""

from report import claim_table, mean_bars, verdict
from report.narasiman2011 import paper
from report.narasiman2011.data import Results
from report.narasiman2011.figures import claims
from report.narasiman2011.figures.speed import PAPER
from report.section import Picture, Section, percent_of

# Means: setup, group, and the paper's percent; None: it says "not much benefit", or has no number.
_MEANS = (*((setup, "all", theirs) for setup, theirs in PAPER.items()), ("LWM", "divergent", None), ("LWM", "idle", None),
          ("2Lev", "divergent", None), ("2Lev", "idle", None), ("DWF", "all", None))
_OF = {"all": "", "divergent": ", divergent", "idle": ", idle"}


def _picture(results: Results) -> Picture:
    return mean_bars.picture(
        [(f"{setup}{_OF[group]}", theirs, results.compare(paper.group(group, results.kernels), setup, "baseline"))
         for setup, group, theirs in _MEANS],
        "Mean speeds over the baseline: the paper's, where it has a number, and ours. The groups are the paper's.",
        "speed, baseline = 1", 0.15)


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
    return Section("answer", "Does the paper hold?", text,
                   [claim_table.by_verdict(found, results.perturbed), _picture(results)], main=True)
