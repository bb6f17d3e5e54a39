# SPDX-License-Identifier: MIT
"""Fig. 19: LCS and BCS against other schedulers and throttles."""

from report.lee2014 import paper
from report.lee2014.data import Results
from report.lee2014.figures import bars
from report.section import Section, Table, percent_of

_SETUPS = ("CCWS", "TLV", "DYNCTA", "LCS", "LCS+BCS")


def section(results: Results) -> Section:
    groups = {name: paper.group(name, results.kernels) for name in ("all", "2D", "III+IV")}
    picture = bars.speeds(results, "fig19", "Fig. 19: speed relative to GTO.", results.kernels, _SETUPS, "GTO",
                          {"all": (groups["all"], {"LCS": 8, "LCS+BCS": 16}), "2D": (groups["2D"], {}),
                           "III and IV": (groups["III+IV"], {})})
    table = Table(["", *_SETUPS], [
        [name.replace("+", " and "), *(percent_of(results.compare(kernels, setup, "GTO")) for setup in _SETUPS)]
        for name, kernels in groups.items() if kernels], "Fig. 19: mean speeds relative to GTO")
    better = {name: percent_of(results.compare(groups["all"], "LCS+BCS", name)) for name in ("CCWS", "DYNCTA", "TLV")}
    text = [f"LCS+BCS changes the mean speed by {better['CCWS']} against CCWS (in the paper +13 %), {better['DYNCTA']} against "
            f"DYNCTA (+14 %) and {better['TLV']} against TLV (no number)."]
    notes = ["CCWS is after the authors' source, DYNCTA with the thresholds of its paper as far as they are known, and TLV the "
             "two-level round robin of Narasiman et al. with fetch groups of eight warps "
             "(docs/reference/block_scheduling.md)."]
    return Section("fig19", "Fig. 19: against CCWS, TLV and DYNCTA", text, [picture, table], main=True, notes=notes)
