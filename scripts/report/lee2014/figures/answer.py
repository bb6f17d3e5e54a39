# SPDX-License-Identifier: MIT
"""What a reader comes for: does the paper hold? Three sentences, one figure, and the verdicts by number."""

from report import claim_table, mean_bars, verdict
from lib.estimate import Estimate
from report.lee2014 import paper
from report.lee2014.data import Results
from report.lee2014.figures import claims
from report.section import Picture, Section, percent_of

# The paper's means: what, of which kernels, over what, percent.
_MEANS = (("LCS", "all", "GTO", 7), ("LCS", "III+IV", "GTO", 23), ("LCS", "I+II", "GTO", 0), ("BCS+GTO", "2D", "GTO", 3),
          ("BCS+SCA", "2D", "GTO", 15), ("LCS+BCS", "all", "GTO", 16), ("LCS+BCS", "all", "CCWS", 13),
          ("LCS+BCS", "all", "DYNCTA", 14))
_OF = {"all": "", "2D": ", two-dimensional", "III+IV": ", types III and IV", "I+II": ", types I and II"}


def _mean(results: Results, of: str, which: str, over: str) -> Estimate:
    return results.compare(paper.group(which, results.kernels), of, over)


def _picture(results: Results) -> Picture:
    return mean_bars.picture(
        [(f"{of} over {over}{_OF[which]}", theirs, _mean(results, of, which, over)) for of, which, over, theirs in _MEANS],
        "Mean speeds: the paper's and ours. The groups are the paper's types. For types I and II it says 'very little "
        "improvement or slight degradation', drawn as 0.", "speed, the other = 1", 0.12)


def section(results: Results) -> Section:
    found = claims.counts(results)
    lcs, kinds, both = (percent_of(_mean(results, *words)) for words in (("LCS", "all", "GTO"), ("LCS", "III+IV", "GTO"),
                                                                         ("LCS+BCS", "all", "GTO")))
    sca = percent_of(_mean(results, "BCS+SCA", "2D", "GTO"))
    best = percent_of(results.best_speed(results.kernels))
    text = [
        f"Fewer blocks than fit: LCS changes the mean speed by {lcs} (in the paper +7 %), on kernels of types III and IV by "
        f"{kinds} (+23 %), and the best limit of each kernel by {best}.",
        f"Blocks in pairs: BCS with SCA changes the mean speed of two-dimensional kernels by {sca} (in the paper +15 %), and "
        f"LCS+BCS that of all by {both} (+16 %)" + ("." if results.perturbed else "; noise is not measured.")]
    text.insert(1, f"{verdict.how_far(found)}: of the paper's {sum(found.values())} claims {verdict.in_words(found)}.")
    return Section("answer", "Does the paper hold?", text,
                   [claim_table.by_verdict(found, results.perturbed), _picture(results)], main=True)
