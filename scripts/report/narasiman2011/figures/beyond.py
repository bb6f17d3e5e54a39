# SPDX-License-Identifier: MIT
"""Beyond the paper: another memory, large warps in the order of PAWS, and programs as long as the paper's."""

from report.narasiman2011 import memory, paper, setups
from report.narasiman2011.data import Results
from report.section import Section, Table, against, percent_of

_OTHER, _LONG = ", other memory", ", long"
_SETUPS = ("2Lev", "LWM", "LWM+2Lev", "PAWS", "LWM+PAWS")
_GROUPS = {"all": "all", "divergent": "divergent", "idle": "idle"}


def _of(results: Results, setup: str, over: str, group: str = "all"):
    return results.compare(paper.group(group, results.kernels), setup, over)


def section(results: Results) -> Section:
    there = [group for group in _GROUPS if paper.group(group, results.kernels)]
    rows = [[words, group, *(percent_of(_of(results, setup + suffix, "baseline" + suffix, group)) for setup in _SETUPS)]
            for words, suffix in ((f"that of the paper, preset {setups.GPU}", ""), (f"that of {memory.NAME}", _OTHER))
            for group in there]
    kernels = [[paper.label(kernel), *(percent_of(results.compare([kernel], setup + suffix, "baseline" + suffix))
                                       for suffix in ("", _OTHER) for setup in _SETUPS)] for kernel in results.kernels]
    alone, large = _of(results, "PAWS", "baseline"), _of(results, "LWM+PAWS", "LWM")
    both = _of(results, "LWM+2Lev" + _OTHER, "baseline" + _OTHER)
    text = [
        "Does phase awareness add to large warps? PAWS in place of round robin changes the mean speed by "
        f"{percent_of(alone)} with warps of 32 threads, and by {percent_of(large)} with large warps "
        f"({against(large, 1, 'a gain', 'a loss')}). Both together are "
        f"{percent_of(_of(results, 'LWM+PAWS', 'baseline'))} over the baseline, and "
        f"{percent_of(_of(results, 'LWM+PAWS', 'LWM+2Lev'))} over large warps with fetch groups.",
        f"With the memory of {memory.NAME}, which has an L2, longer latencies and more bandwidth, large warps with "
        f"fetch groups are {percent_of(both)} over the baseline with this memory "
        f"({against(both, 1, 'a gain', 'a loss')}), and with the paper's "
        f"{percent_of(_of(results, 'LWM+2Lev', 'baseline'))}."]
    long = [[group, *(percent_of(_of(results, setup + suffix, "baseline" + suffix, group)) for suffix in ("", _LONG)
                      for setup in _SETUPS[:3])] for group in there]
    long += [[paper.label(kernel), *(percent_of(results.compare([kernel], setup + suffix, "baseline" + suffix))
                                     for suffix in ("", _LONG) for setup in _SETUPS[:3])] for kernel in results.kernels]
    text.append("With as many instructions as the paper's programs have, 100 to 160 million each (sort and bfs about "
                "20 million), the mean speed is "
                + ", ".join(f"{percent_of(_of(results, setup + _LONG, 'baseline' + _LONG))} with {setup}"
                            for setup in _SETUPS[:3])
                + "; with the 2 to 6 million of the default sizes it is "
                + ", ".join(percent_of(_of(results, setup, "baseline")) for setup in _SETUPS[:3]) + ".")
    variants = {"as in Table 1": "", **{name: f", {name}" for name in setups.DRAM}}
    dram = [[name, group, *(percent_of(_of(results, setup + suffix, "baseline" + suffix, group)) for setup in _SETUPS[:3])]
            for name, suffix in variants.items() for group in there]
    ready = f", {next(iter(setups.DRAM))}"
    text.append("With a DRAM that chooses the transfer whose data can come first instead of the oldest one, the mean speed is "
                + ", ".join(f"{percent_of(_of(results, setup + ready, 'baseline' + ready))} with {setup}"
                            for setup in _SETUPS[:3])
                + ". Fetch groups come to a row of DRAM at different times (Fig. 13), which costs a scheduler most that "
                "serves in the order of arrival.")
    return Section("beyond", "Beyond the paper: another memory, PAWS, and long programs", text, [
        Table(["memory", "benchmarks", *_SETUPS], rows, "Mean speed over the baseline with the same memory"),
        Table(["benchmarks", *_SETUPS[:3], *(f"{setup}, long" for setup in _SETUPS[:3])], long,
              "Speed over the baseline with programs of 2 to 6 million and of 100 to 160 million instructions (sort "
              "and bfs about 20 million)"),
        Table(["DRAM", "benchmarks", *_SETUPS[:3]], dram,
              "Mean speed over the baseline with the same DRAM, where Table 1 is silent or illegible"),
        Table(["benchmark", *_SETUPS, *(f"{setup}, {memory.NAME}" for setup in _SETUPS)], kernels,
              "Speeds of single benchmarks over the baseline with the same memory", committed=False)], main=True, notes=[
            f"The core is the same barrel with either memory. That of {memory.NAME} has L1, crossbar, L2, DRAM and "
            "clock of that preset, all of it for one core: sixteen cores share it there.",
            "PAWS selects the warp with the shortest phase, greedily; the lengths of phases are those of the kernel, "
            "and do not depend on the size of a warp."])
