# SPDX-License-Identifier: MIT
"""Table 3 and Fig. 18: two kernels at once, each on its own cores or both on every core."""

from report import bars, store
from report.bars import Mean
from report.lee2014 import paper
from report.lee2014.data import Results
from report.section import Section, Table, number_of, percent_of

_SETUPS = ("mCKE", "mCKE, T of ours")
_GAINS = {"kmn_srad": 27.0, "cp_lps": 20.0, "cp_madd": 0.0}  # percent, of the text


def _found(results: Results, kernel: str) -> str:
    if kernel not in results.kernels:
        return "?"
    limits = results.limits(kernel, "LCS")
    return str(limits[0]) if len(set(limits)) == 1 else f"{min(limits)}–{max(limits)}"


def _table_3(results: Results) -> Table:
    rows = []
    for pair in results.pairs:
        entry = paper.PAIRS[pair]
        kinds = "-".join(paper.KERNELS[kernel]["type"] for kernel in entry["kernels"])
        gain = f"{_GAINS[pair]:+g} %" if pair in _GAINS else ""
        rows.append([entry["label"], kinds, ", ".join(map(str, entry["limits"])),
                     ", ".join(_found(results, kernel) for kernel in entry["kernels"]),
                     ", ".join(str(paper.KERNELS[kernel]["t"]) for kernel in entry["kernels"]),
                     gain, *(percent_of(results.compare([pair], setup, "CKE")) for setup in _SETUPS),
                     number_of(results.field("cycles", pair, "CKE"))])
    return Table(["pair", "types, paper", "limits, paper", "T of LCS here", "limits of ours", "gain, paper",
                  "mCKE with the paper's limits", "mCKE with limits of ours", "cycles under CKE"], rows, "Table 3 and ours")


def section(results: Results) -> Section:
    if not results.pairs:
        raise store.Missing("there are no results of any pair")
    picture = bars.picture(
        "fig18", "Fig. 18: speed of mCKE relative to CKE, with the limits of the paper's Table 3 and with those of LCS here.",
        {pair: paper.label(pair) for pair in results.pairs}, _SETUPS, lambda pair, setup: results.compare([pair], setup, "CKE"),
        {"mean": Mean(lambda setup: results.compare(results.pairs, setup, "CKE"))}, "speed, CKE = 1", marks=_GAINS)
    means = [percent_of(results.compare(results.pairs, setup, "CKE")) for setup in _SETUPS]
    text = [f"With the paper's limits mCKE changes the mean speed by {means[0]} against CKE, with the limits that LCS finds here "
            f"by {means[1]}. The paper's text has three numbers: KMN-SRAD up to +27 %, CP-LPS +20 %, CP-MADD minimal."]
    if "km" in results.kernels:
        alone = results.sweep_estimates("km")[paper.PAIRS["kmn_srad"]["limits"][0] - 1]
        text.append("A pair gains if both kernels stay fast with the limits that they have beside each other, and "
                    f"loses if one of them does not. The paper gives KMN one block, with which it has {alone.mean:.2f} "
                    "of its speed here.")
    notes = ["The time of a pair is that until both kernels have ended. Under CKE a core has blocks of one kernel at a "
             "time, with the limit of LCS, and an empty core takes the other kernel when its own has no block left. "
             "What mCKE gains thus depends on how long each kernel runs beside the other, and so on the grids, which "
             "are not the paper's."]
    return Section("fig18", "Table 3 and Fig. 18: two kernels on a core (mCKE)", text, [_table_3(results), picture], main=True,
                   notes=notes)
