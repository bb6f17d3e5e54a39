# SPDX-License-Identifier: MIT
"""What the choices cost that the paper leaves open."""

from report import store
from report.lee2014 import paper
from report.lee2014.data import Results
from report.section import Section, Table, against, percent_of

# What is changed, against what, for which kernels, and the choice in words.
_ROWS = (("BCS+SCA, keep", "BCS+SCA", "2D", "a group of SCA is left only if neither of its warps can issue"),
         ("BCS+SCA, pairs within rows", "BCS+SCA", "2D", "no pair crosses a row of the grid (distributor.row)"),
         ("BCS+SCA, odd place used", "BCS+SCA", "odd", "the last place of an odd T_max takes blocks one by one "
          "(distributor.single)"),
         ("LCS, each core", "LCS", "all", "each core has the T of its own monitor (distributor.scope)"),
         ("LCS, T remembered", "LCS", "launches", "T of a kernel's first launch holds for the others (distributor.remember)"),
         ("mCKE, the rest taken", "mCKE", "pairs", "a kernel takes the place of the one that has no block left "
          "(distributor.expand)"))


def section(results: Results) -> Section:
    rows, single = [], []
    for of, over, group, words in _ROWS:
        kernels = list(results.pairs) if group == "pairs" else paper.group(group, results.kernels)
        if not kernels:
            raise store.Missing(f"there are no results for '{words}'")
        value = results.compare(kernels, of, over)
        rows.append([words, over, str(len(kernels)), percent_of(value), against(value, 1, "faster", "slower")])
        single += [[words, paper.label(kernel), percent_of(change)] for kernel in kernels
                   if abs((change := results.compare([kernel], of, over)).mean - 1) > 0.01 and change.side()]
    text = ["The paper leaves these choices open. The table has the mean speed if one of them is made the other way; the second "
            "one, if there are any, the kernels that it changes by more than 1 %, beyond the noise."]
    tables = [Table(["the other way", "against", "kernels", "speed", ""], rows, "Ablations")]
    if single:
        tables.append(Table(["the other way", "kernel", "speed"], single, "Ablations: single kernels"))
    return Section("ablations", "Choices that the paper leaves open", text, tables, main=True)
