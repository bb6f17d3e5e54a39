# SPDX-License-Identifier: MIT
"""What a reader comes for: does the paper hold? Some sentences, one figure, and the verdicts by number."""

from report import claim_table, mean_bars, verdict
from lib.estimate import Estimate
from report.narasiman2011 import paper, setups
from report.narasiman2011.data import Results
from report.narasiman2011.figures import claims
from report.narasiman2011.figures.speed import PAPER
from report.section import Picture, Section, percent, percent_of

# Means: setup, group, and the paper's percent; None: it says "not much benefit", or has no number.
_MEANS = (*((setup, "all", theirs) for setup, theirs in PAPER.items()), ("LWM", "divergent", None), ("LWM", "idle", None),
          ("2Lev", "divergent", None), ("2Lev", "idle", None), ("DWF", "all", None))
LONG = ", long"  # of setups.SETUPS
_OF = {"all": "", "divergent": ", divergent", "idle": ", idle"}


def _picture(results: Results) -> Picture:
    return mean_bars.picture(
        [(f"{setup}{_OF[group]}", theirs,
          results.compare(paper.group(group, results.kernels), f"{setup}{suffix}", f"baseline{suffix}"))
         for setup, group, theirs in _MEANS for suffix in [LONG if setup in PAPER else ""]],
        "Mean speeds over the baseline: the paper's, where it has a number, and ours, with programs as long as the paper's (DWF: "
        "with short ones). The groups are the paper's.",
        "speed, baseline = 1", 0.15)


def section(results: Results) -> Section:
    found = claims.counts(results)

    def speed(setup: str, suffix: str) -> Estimate:
        return results.compare(results.kernels, setup + suffix, f"baseline{suffix}")
    lwm, groups, both = (percent_of(speed(setup, LONG)) for setup in PAPER)
    short = ", ".join(percent_of(speed(setup, "")) for setup in PAPER)
    dram = [speed("LWM+2Lev", f", {name}").mean for name in setups.DRAM]
    dwf = percent_of(speed("DWF", ""))
    text = [
        f"With programs as long as the paper's, large warps of 256 threads change the mean speed by {lwm} (in the paper +7.6 %), "
        f"fetch groups of eight warps by {groups} (+10.1 %), and both by {both} (+17.0 %).",
        f"With programs of 2 to 6 million instructions these are {short}; with other DRAM settings than the one taken, where "
        f"Table 1 is silent, both gain {percent(min(dram))} to {percent(max(dram))}. Three of the twelve benchmarks were written "
        "anew after first results (docs/reference/kernels.md).",
        f"Dynamic warp formation, with the better priority for each benchmark, changes it by {dwf} (below the baseline)"
        + ("." if results.perturbed else "; noise is not measured.")]
    text.insert(1, f"{verdict.how_far(found)}: of the paper's {sum(found.values())} claims {verdict.in_words(found)}.")
    return Section("answer", "Does the paper hold?", text,
                   [claim_table.by_verdict(found, results.perturbed), _picture(results)], main=True)
