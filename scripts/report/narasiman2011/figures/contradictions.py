# SPDX-License-Identifier: MIT
"""Where the paper contradicts itself, and what it leaves open."""

from report.narasiman2011 import paper
from report.narasiman2011.data import Results
from report.narasiman2011.figures import hardware
from report.section import Section, Table, percent_of

# What the paper does not say or what can be read in two ways, what is taken here, and why.
_OPEN = (
    ("which thread of a column goes first (Fig. 7 is lost)", "the lowest row; the number of sub-warps does not depend on it"),
    ("rows without an active thread, where sub-warps are rows", "left out: a warp of the baseline would not run there"),
    ("for which instructions sub-warps are rows (\"accesses global memory\")", "loads, stores and atomics on global or generic "
     "addresses, and instructions that work on warps of 32 threads"),
    ("predicates (the paper's x86 has none)",
     "sub-warps are formed of all threads on the path: in decode the predicate is not known"),
    ("which jumps are done with their first sub-warp", "unguarded branches, as in the text; their threads all count as retired"),
    ("the way of a branch that runs first", "the taken one"),
    ("when a group is left (\"all warps in the fetch group are stalled\")", "in any cycle in which none of it can be selected: "
     "Section 3.2.1 calls switches of small groups premature"),
    ("where a group begins", "at its lowest slot: a pointer for each group would be storage, which the paper says is not needed"),
    ("which warps form a group", "consecutive slots"),
    ("large warps and blocks (the paper's threads are in none)", "a large warp has threads of one block; missing rows are empty"),
    ("when a load writes its registers, and outstanding lines", "when its last line comes; no limit of lines"),
    ("stores that miss", "the line is fetched, and the warp waits, as for a load (\"an access\")"),
    ("latencies of units", "none: every instruction has the seven stages"),
    ("the clock; bandwidth and row buffer, illegible in part", "1 GHz, 81 GB/s and rows of 4 KB"),
    ("how a conflict takes 300 cycles, a hit 100", "200 cycles of the bank, 100 of the way; banks work side by side"),
    ("16 registers for a thread", "no limit: PTX needs more, and all 1024 threads stay resident"),
    ("shared memory (x86 has none)", "in one cycle, as private memory; conflicts of banks hold the pipeline up"),
    ("which mean", "geometric, of cycles; the arithmetic one beside it"),
    ("barriers that a part of a large warp reaches", "an error of the kernel, since PTX does not allow it"))


def section(results: Results) -> Section:
    divergent = [paper.label(kernel) for kernel in results.kernels
                 if results.statistic("active", kernel, "baseline").mean <= 30]
    table_2 = [entry["label"] for entry in paper.KERNELS.values() if entry["branch"] != "low"]

    def mean(setup: str) -> str:
        return percent_of(results.compare(results.kernels, setup, "baseline"))
    rows = [
        ["\"the leftmost five benchmarks\" suffer from branches (1, Fig. 1)",
         "\"the leftmost 4 benchmarks\" are branch-intensive (6.1, "
         f"Fig. 9); Table 2 has {', '.join(table_2)}", f"{len(divergent)}: {', '.join(divergent) or 'none'}"],
        ["both together gain 17.0 % (abstract, 6.1)", "19.1 % (abstract of the conference version, which is not compared here)",
         mean("LWM+2Lev")],
        ["a jump done with its first sub-warp saves 7 cycles (3.1.2)",
         "the next selection can be 7 cycles sooner, but the large "
         "warp itself waits for the whole pipeline (3.1.1)",
         "7 cycles of both, if all eight rows are active (Fig. 8 and closed forms)"],
        ["fetch groups starve no warp, since both levels are fair (4)", "a group is left only when all of it is stalled (3.2), "
         "which need never be", "a group of eight that computes keeps the next one waiting (C17)"],
        ["a large warp costs 768 bits (3.3)", "each sub-warp has the row of every thread (3.1.1, Fig. 7), which goes down the "
         "pipeline with it", f"{hardware.row_bits()} bits for the rows (C13)"]]
    return Section("contradictions", "Contradictions and silent points",
                   ["Contradictions are shown as they are. Where the paper is silent, the table has what is taken here."], [
                       Table(["the paper says", "it also says", "here"], rows, "Contradictions"),
                       Table(["left open", "here"], [list(row) for row in _OPEN], "Silent points")], main=True)
