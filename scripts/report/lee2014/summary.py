# SPDX-License-Identifier: MIT
"""Means with their intervals as rows: speeds, limits and miss rates by kernel or group."""

from lib.estimate import Estimate
from report.lee2014 import paper, setups
from report.lee2014.data import Results

NAMES = ("measure", "kernel", "of", "over", "mean", "low", "high")
_GROUPS = ("all", "2D", "I", "I+II", "III+IV")
_RATES = ("l1_misses", "l2_misses")
_FIG_17 = ("BCS+GTO", "BCS+SCA")  # whose miss rates are given for single kernels too


def _row(measure: str, kernel: str, of: str, over: str, value: Estimate) -> dict:
    return {"measure": measure, "kernel": kernel, "of": of, "over": over,
            **{name: None if number is None else round(number, 5) for name, number in
               (("mean", value.mean), ("low", value.low), ("high", value.high))}}


def rows(results: Results) -> list[dict]:
    groups = {name: paper.group(name, results.kernels) for name in _GROUPS} | {kernel: [kernel]
                                                                               for kernel in results.kernels}
    found = [_row(measure, name, setup, "GTO", results.compare(kernels, setup, "GTO", measure))
             for setup in (*setups.SETUPS, *setups.BEST) if setup != "GTO" for measure in ("speed", *_RATES)
             for name, kernels in groups.items() if kernels and (measure == "speed" or name in _GROUPS or setup in _FIG_17)]
    found += [_row("speed", kernel, f"limit {number}", "GTO", value) for kernel in results.kernels
              for number, value in enumerate(results.sweep_estimates(kernel), 1)]
    found += [_row("limit", kernel, setup, "", results.limit(kernel, setup)) for kernel in results.kernels
              for setup in ("LCS", "LCS, to the nearest", "LCS, rounded up", "LCS+BCS")]
    found += [_row("speed", kernel, setup, "GTO", results.compare([kernel], setup, "GTO"))
              for setup, (cell, _) in setups.ABLATIONS.items()
              for kernel in paper.group(setups.CELLS[cell].only, results.kernels)]
    return found + [_row("speed", pair, setup, "CKE", results.compare([pair], setup, "CKE")) for pair in results.pairs
                    for setup in ("mCKE", "mCKE, T of ours", "mCKE, the rest taken")]
