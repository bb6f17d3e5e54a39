# SPDX-License-Identifier: MIT
"""Fig. 12, 13 and 14: what LCS gains, the limits that it finds, and what stands for the energy."""

from report.lee2014 import paper
from report.lee2014.data import Results
from report.lee2014.figures import bars
from report.section import Section, Table, number_of, percent_of

_ROUNDED = ("LCS", "LCS, to the nearest", "LCS, rounded up")
_COUNTS = {"speed": "speed", "warps": "warps × cycles", "requests": "requests of the cores", "dram": "lines read from DRAM"}


def _limits(results: Results) -> Table:
    """Fig. 13, with the paper's numbers where its text has them."""
    theirs = {kernel: str(limit) for pair in paper.PAIRS.values() for kernel, limit in zip(pair["kernels"], pair["limits"])}
    theirs |= {"lps": "3 (Fig. 8), 5 (Table 3)", "matmul": "2, OPT 3"}
    rows = []
    for kernel in results.kernels:
        best, speed = results.best(kernel)
        rows.append([paper.label(kernel), paper.KERNELS[kernel]["type"], str(results.t_max(kernel)), str(results.opt(kernel)),
                     f"{best}: {percent_of(speed)}", theirs.get(kernel, ""),
                     *(number_of(results.limit(kernel, setup), 1) for setup in _ROUNDED),
                     *(percent_of(results.compare([kernel], setup, "GTO")) for setup in _ROUNDED)])
    return Table(["kernel", "type in the paper", "T_max", "OPT", "fastest limit", "T, paper", "T, rounded down", "to the nearest",
                  "up", "speed, rounded down", "to the nearest", "up"], rows,
                 "Fig. 13: T_max, the best number of blocks and what LCS finds; means over launches and runs")


def _counts(results: Results) -> Table:
    """Instead of Fig. 14."""
    groups = {name: paper.group(name, results.kernels) for name in ("all", "I", "II", "III", "IV")}
    return Table(["kernels", *_COUNTS.values()], [
        [f"type {name}" if name != "all" else name, *(percent_of(results.compare(kernels, "LCS", "GTO", measure))
                                                      for measure in _COUNTS)] for name, kernels in groups.items() if kernels],
        "Instead of Fig. 14: LCS against GTO, counts. None of them is energy")


def section(results: Results) -> Section:
    groups = {name: paper.group(name, results.kernels) for name in ("all", "I+II", "III+IV")}
    picture = bars.speeds(results, "fig12",
                          "Fig. 12: speed of LCS relative to GTO with as many blocks as fit, by the rounding of T.",
                          results.kernels, _ROUNDED, "GTO",
                          {"all": (groups["all"], {"LCS": 7}), "I and II": (groups["I+II"], {"LCS": 0}),
                           "III and IV": (groups["III+IV"], {"LCS": 23})})
    kinds = {name: [kernel for kernel in results.kernels if set(results.kinds(kernel)) <= set(name.split("+"))]
             for name in ("I+II", "III+IV")}
    here = "; ".join(f"types {name.replace('+', ' and ')}: {percent_of(results.compare(its, 'LCS', 'GTO'))} ({len(its)} kernels)"
                     for name, its in kinds.items() if its)
    below = [kernel for kernel in results.kernels if results.limit(kernel, "LCS").mean < results.opt(kernel) - 0.5]
    others = [kernel for kernel in results.kernels if kernel not in below]
    why = "; ".join(f"{words} ({len(its)} kernels): {percent_of(results.compare(its, 'LCS', 'GTO'))}" for words, its in
                    (("T below OPT", below), ("T at OPT or above", others)) if its)
    text = [
        f"The mean speed of LCS against GTO is {percent_of(results.compare(groups['all'], 'LCS', 'GTO'))} with T rounded down, "
        f"{percent_of(results.compare(groups['all'], _ROUNDED[1], 'GTO'))} to the nearest and "
        f"{percent_of(results.compare(groups['all'], _ROUNDED[2], 'GTO'))} up. The best limit of each kernel gives "
        f"{percent_of(results.best_speed(results.kernels))}.",
        f"By the types that the kernels have here under every perturbation: {here}.",
        f"The mean speed by what LCS finds: {why}. T counts what the blocks issue until the first one ends. Under GTO "
        "the youngest issue least, whether or not they are needed, so T is often too low; and it gains where fewer "
        "blocks are faster, which is so for few kernels here.",
        "There is no model of power here, so Fig. 14 cannot be reproduced. The last table shows counts that energy depends on, "
        "and no more: the paper's saving is mostly that of registers and shared memory that are switched off."]
    return Section("fig12", "Fig. 12 to 14: fewer blocks (LCS)", text, [picture, _limits(results), _counts(results)], main=True)
