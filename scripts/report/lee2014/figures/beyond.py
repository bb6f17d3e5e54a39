# SPDX-License-Identifier: MIT
"""Beyond the paper: PAWS beside its schedulers, and negative controls."""

import statistics

from report.lee2014 import paper
from report.lee2014.data import Results
from report.section import Section, Table, against, percent_of

# By block scheduler: setups with GTO and PAWS in a single level, and in two levels.
_ROWS = {"as many blocks as fit": ("GTO", "PAWS", "two-level GTO", "two-level PAWS"),
         "the best number (OPT)": ("OPT", "OPT, PAWS", "OPT, two-level GTO", "OPT, two-level PAWS"),
         "LCS": ("LCS", "LCS, PAWS", "LCS, two-level GTO", "LCS, two-level PAWS"),
         "BCS": ("BCS+GTO", "BCS, PAWS", "BCS, two-level GTO", "BCS, two-level PAWS")}
# What is compared with what it controls, over which kernels, and what it tells.
_CONTROLS = (("T at random", "LCS", "all", "whether the monitor's T is better than any"),
             ("T at random", "GTO", "all", "what a limit as such gains"),
             ("pairs at random, SCA", "BCS+SCA", "2D", "whether the neighbourhood of the pair is what gains"),
             ("SCA without BCS", "GTO", "2D", "what the warp scheduler gains without pairs"),
             ("BCS+SCA", "SCA without BCS", "2D", "what the pairs add to it"))


def _phases(results: Results) -> tuple[list[str], Table]:
    """PAWS with each block scheduler."""
    rows = []
    for name, (gto, paws, two_gto, two_paws) in _ROWS.items():
        for group in ("2D",) if name == "BCS" else ("all", "2D"):
            kernels = paper.group(group, results.kernels)
            rows.append([name, "two-dimensional" if group == "2D" else "all",
                         *(percent_of(results.compare(kernels, setup, "GTO")) if setup != "GTO" else "0"
                           for setup in (gto, paws, two_gto, two_paws)),
                         percent_of(results.compare(kernels, paws, gto)),
                         percent_of(results.compare(kernels, two_paws, two_gto))])
    whole = paper.group("all", results.kernels)
    alone, right = (results.compare(whole, *words) for words in (("PAWS", "GTO"), ("OPT, PAWS", "OPT")))
    text = [f"Does phase awareness still gain when the number of blocks is right? With as many blocks as fit, the mean speed of "
            f"PAWS against GTO is {percent_of(alone)}; with the best number of each kernel it is {percent_of(right)} "
            f"({against(right, 1, 'a gain', 'a loss')}). In two levels it is "
            f"{percent_of(results.compare(whole, 'two-level PAWS', 'two-level GTO'))} and "
            f"{percent_of(results.compare(whole, 'OPT, two-level PAWS', 'OPT, two-level GTO'))}."]
    shares = [100 * statistics.fmean(results.limit(kernel, setup).mean / results.t_max(kernel) for kernel in whole)
              for setup in ("LCS", "LCS, PAWS")]
    text.append(f"LCS finds limits of {shares[0]:.0f} % of T_max under GTO and of {shares[1]:.0f} % under PAWS in the "
                "mean: PAWS is less greedy, so the blocks issue more alike when the first one ends. So with LCS the "
                f"two differ by {percent_of(results.compare(whole, 'LCS, PAWS', 'LCS'))}.")
    return text, Table(["blocks", "kernels", "GTO", "PAWS", "two-level GTO", "two-level PAWS", "PAWS over GTO",
                        "the same in two levels"], rows,
                       "Speeds relative to single-level GTO with as many blocks as fit, means; the last two columns compare "
                       "PAWS with GTO under the same block scheduler. Ready queue of 6 warps in two levels")


def _controls(results: Results) -> Table:
    rows = []
    for of, over, group, tells in _CONTROLS:
        value = results.compare(paper.group(group, results.kernels), of, over)
        rows.append([of, over, "two-dimensional" if group == "2D" else group, percent_of(value),
                     against(value, 1, "faster", "slower"), tells])
    return Table(["of", "over", "kernels", "speed", "", "tells"], rows, "Negative controls")


def _kernels(results: Results) -> Table:
    setups = ("PAWS", "OPT", "OPT, PAWS", "LCS, PAWS", "LCS+BCS", "LCS+BCS, PAWS", "SCA without BCS")
    return Table(["kernel", *setups], [[paper.label(kernel), *(percent_of(results.compare([kernel], setup, "GTO"))
                                                               for setup in setups)] for kernel in results.kernels],
                 "Speeds of single kernels relative to GTO with as many blocks as fit", committed=False)


def section(results: Results) -> Section:
    text, table = _phases(results)
    random, pairs = (results.compare(paper.group(group, results.kernels), of, over) for of, over, group, _ in
                     (_CONTROLS[0], _CONTROLS[2]))
    text.append(f"A T drawn at random is {percent_of(random)} against LCS ({against(random, 1, 'faster', 'slower')}), and pairs "
                f"drawn at random {percent_of(pairs)} against those of neighbours ({against(pairs, 1, 'faster', 'slower')}).")
    notes = ["OPT is the limit of the sweep under GTO (Fig. 4), the fewest blocks with which a kernel is as fast as it gets, "
             "also for PAWS. The sweep chose it, so it is not a scheduler that could be built. T at random is drawn from 1 to "
             "T_max per launch, from another seed in each perturbed run.",
             "BCS needs blocks with threads in y, so its rows are of the two-dimensional kernels alone."]
    return Section("beyond", "Beyond the paper: PAWS, the best limit, and controls", text,
                   [table, _controls(results), _kernels(results)], main=True, notes=notes)
