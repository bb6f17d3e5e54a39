# SPDX-License-Identifier: MIT
"""Where the PAWS paper contradicts itself, what it leaves open, and what of its related work is not compared."""

from report.paws.data import Results
from report.section import Section, Table

_CONTRADICTIONS = (
    ("35 kernels (abstract)", "13 of the SDK and 17 of Rodinia (V-A); Table II has 14", "the 14 of Table II"),
    ("3 to 45 phases (III-A)", "five kernels with 2 (Table II)", "both are judged"),
    ("a distance of 512 cycles covers 98 % of the kernels (IV-B2)", "CFD 985 and DXTC 1159, of 14 (Table II)",
     "lengths saturate to 9 bits"),
    ("512 cycles (IV-B2)", "12.5 % of code, which are 8 bits for each instruction", "9 bits, 14.1 %"),
    ("BP-K1's last phase has 16 cycles (V-E)", "its shortest has 26 (Table II)", "both are judged"),
    ("DWT, DXTC and HIST are always faster under GTO (V-B1)", "they are comparable in two levels (V-B1)", "both are judged"),
    ("single level: PAWS matches RR on type B (V-B3)", "it is 3 % slower on CFD (V-D)", "both are judged"),
    ("PAWS is 9 % faster than GTO on type B (V-B2)", "8.9 % (V-B3)", "9 %"),
    ("active is sorted by the *distance* of the next phase (IV-B2)", "two levels use the *length* (IV-B2)",
     "the length; the rest of the phase is a reading"),
    ("GTO always takes the oldest warp (I, IV-B2)", "GPGPU-Sim's GTO, which was run, stays with a warp",
     "greedy, then oldest; `single:oldest` is a reading"),
    ("branches and barriers are long operations (footnote 1)", "a long operation has a destination register (IV-B1)",
     "loads and atomics cut phases; a warp that waits at a barrier leaves ready; branches are a reading"),
    ("each basic block starts a phase (IV-B1)", "Table II has far fewer phases than blocks",
     "program order; blocks are a reading"))
# Of Section VI, by its numbers.
_NOT_COMPARED = (
    ("[10] CAWS", "gives slow warps more time", "it needs to know beforehand which warps of a block are slow"),
    ("[17] Chen et al., \"closest\"", "leaves a fetch group only at marked instructions, behind short phases",
     "its paper is not one of ours; PAWS says that its own choice has the same effect"),
    ("[20] dynamic warp subdivision", "splits a warp at branches and at misses",
     "a scheduler here has one entry for a warp; docs/evidence/narasiman2011.md compares formation of warps"),
    ("[21] micro-kernels", "cuts kernels into small ones at branches", "it changes the program, not the scheduler"),
    ("[24] Perf-Sat", "finds a number of blocks by pipeline stalls",
     "docs/evidence/lee2014.md compares other throttles"))


def section(results: Results) -> Section:
    return Section("contradictions", "Contradictions, and what is not compared",
                   ["Contradictions are shown as they are. docs/evidence/readings.md has what else the text can mean."], [
                       Table(["the paper says", "it also says", "here"], [list(row) for row in _CONTRADICTIONS],
                             "Contradictions"),
                       Table(["related work", "what it does", "why it is not here"], [list(row) for row in _NOT_COMPARED],
                             "Related work of Section VI that is not compared")], main=True)
