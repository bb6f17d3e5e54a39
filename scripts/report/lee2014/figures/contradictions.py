# SPDX-License-Identifier: MIT
"""Where the paper contradicts itself, and what is found here."""

import collections

from report.lee2014 import paper, plan
from report.lee2014.data import Results
from report.section import Section, Table, percent_of


def _mean(results: Results, of: str) -> str:
    return percent_of(results.compare(paper.group("all", results.kernels), of, "GTO"))


def _limits(results: Results, kernel: str, setup: str) -> str:
    if kernel not in results.kernels:
        return "no results"
    return ", ".join(map(str, sorted(set(results.limits(kernel, setup)))))


def _kinds(results: Results, kernel: str, gpu: str = plan.GPU) -> str:
    if kernel not in results.kernels:
        return "no results"
    return ", ".join(kind for kind, _ in collections.Counter(results.kinds(kernel, gpu)).most_common())


def section(results: Results) -> Section:
    rounded = " / ".join(_limits(results, "lps", setup) for setup in ("LCS", "LCS, to the nearest", "LCS, rounded up"))
    rows = [
        ["Equation 1 rounds T down (4.1)", "its example is ⌊10/4⌋ = 3, which is rounded up (4.1, Fig. 7)",
         f"all three are run; LPS rounded down / to the nearest / up: {rounded}"],
        ["the sum of Equation 1 is over the blocks of a core", "it runs from 0 to T_max, one term too many",
         "the blocks that are resident when the first one ends"],
        ["max(inst) is that of the block that ends first (4.1)",
         "a block with other branches can have issued more before it ends",
         "the largest count, whose block it may be"],
        ["T of LPS is 3 (4.1, Fig. 8)", "T of LPS is 5 (Table 3)", f"T of LPS is {_limits(results, 'lps', 'LCS')}"],
        ["for type I T is T_max (4.1)", "T of MMUL, type I, is 2, below the best, 3 (5.1)",
         f"T of MMUL is {_limits(results, 'matmul', 'LCS')}"
         + (f", the best {results.opt('matmul')}" if "matmul" in results.kernels else "")],
        ["LCS gains 7 % (5.1)", "LCS gains 8 % (5.4)", _mean(results, "LCS")],
        ["LCS+BCS gains 16 % (5.4)", "LCS+BCS gains 15 % (5.4)", _mean(results, "LCS+BCS")],
        ["BFS gets slower with more blocks (1, Fig. 1)", "BFS is of type II, which saturates (Table 2)",
         f"type {_kinds(results, 'bfs', plan.HARDWARE)} on preset {plan.HARDWARE}, {_kinds(results, 'bfs')} on {plan.GPU}"],
        ["VADD has 8182 blocks (Table 2)", "8192 blocks of 256 threads are 2²¹ elements, the power of two next to it",
         "the default size has 1024"],
        ["CONV has 18432 blocks of 16 × 8 (Table 2)", "in the CUDA SDK the 18432 blocks, along the rows, have 16 × 4 threads, "
         "and those of 16 × 8 are 9216", "16 × 4 and 16 × 8, as in the SDK"]]
    return Section("contradictions", "Where the paper contradicts itself",
                   ["These are shown as they are. Claims that contradict each other are both judged above."],
                   [Table(["the paper says", "it also says", "here"], rows, "Contradictions")], main=True)
