# SPDX-License-Identifier: MIT
"""Fig. 9, 11, 12, 13 and 14: instructions per cycle, and speeds over size of a warp, optimizations and fetch groups."""

from collections.abc import Sequence

from report import bars
from report.bars import Mean
from report.narasiman2011 import paper
from report.narasiman2011.data import Results
from report.narasiman2011.figures.utilization import FIVE
from report.section import Picture, Section, Table, number_of, percent_of

_GROUPS = ("all", "divergent", "idle")
_NAMES = {"all": "mean", "divergent": "divergent", "idle": "idle"}
PAPER = {"LWM": 7.6, "2Lev": 10.1, "LWM+2Lev": 17.0}  # percent over the baseline (Section 6.1)


def _labels(results: Results) -> dict[str, str]:
    return {kernel: paper.label(kernel) for kernel in results.kernels}


def _speeds(results: Results, name: str, caption: str, setups: Sequence[str], marks: dict[str, float] | None = None,
            over: str = "baseline") -> Picture:
    """Bars of speeds over another setup, with the means of the paper's groups."""
    means = {_NAMES[group]: Mean(lambda setup, group=group: results.compare(paper.group(group, results.kernels), setup, over),
                                 (marks or {}) if group == "all" else {})
             for group in _GROUPS if paper.group(group, results.kernels)}
    return bars.picture(name, caption, _labels(results), setups,
                        lambda kernel, setup: results.compare([kernel], setup, over), means, f"speed, {over} = 1")


def _means(results: Results, setups: Sequence[str], caption: str, over: str = "baseline", committed: bool = False) -> Table:
    """By the paper's groups, and of all the arithmetic mean. Most stand beside a picture with the same means."""
    rows = [[_NAMES[group], *(percent_of(results.compare(paper.group(group, results.kernels), setup, over)) for setup in setups)]
            for group in _GROUPS if paper.group(group, results.kernels)]
    rows.append(["arithmetic mean", *(percent_of(results.arithmetic(results.kernels, setup, over)) for setup in setups)])
    return Table(["", *setups], rows, caption, committed)


def overall(results: Results) -> Section:
    setups = FIVE[1:]
    picture = bars.picture(
        "fig9", f"Fig. 9: instructions per cycle, of 32 at most: {', '.join(FIVE)}.", _labels(results), FIVE,
        lambda kernel, setup: results.statistic("ipc", kernel, setup),
        {"mean": Mean(lambda setup: results.mean("ipc", results.kernels, setup))}, "instructions per cycle",
        shown=lambda value: number_of(value, 2), base=0)
    kinds = ", ".join(f"{paper.label(kernel)} {results.chosen('DWF', kernel).removeprefix('DWF, ')}"
                      for kernel in results.kernels)
    speeds = {setup: percent_of(results.compare(results.kernels, setup, "baseline")) for setup in setups}
    best = {setup: max(results.kernels, key=lambda kernel, setup=setup: results.compare([kernel], setup, "baseline").mean)
            for setup in ("LWM", "2Lev")}
    text = [f"The mean speed is {speeds['LWM']} with large warps (in the paper +7.6 %), {speeds['2Lev']} with fetch "
            f"groups (+10.1 %), {speeds['LWM+2Lev']} with both (+17.0 %), and {speeds['DWF']} with dynamic warp "
            "formation (no number: below the baseline). " + " ".join(
                f"{setup} gains most on {paper.label(kernel)}, {percent_of(results.compare([kernel], setup, 'baseline'))}."
                for setup, kernel in best.items())]
    formed = ("DWF, majority", "DWF, PDOM", "LWM")
    return Section("fig9", "Fig. 9: large warps, fetch groups, and both", text, [
        picture, _speeds(results, "speeds", "Speed over the baseline.", setups, PAPER),
        _means(results, setups, "Mean speed over the baseline"),
        _means(results, formed, "Ways to form warps: mean speed over the baseline", committed=True)], main=True, notes=[
            "Thread block compaction (Fung and Aamodt, HPCA 2011) was as fast as large warps on these benchmarks: a mean of "
            "+8.4 % ±0.7 beside +8.5 % ±0.8. It is no longer in the simulator, since no paper here compares with it; commit "
            "ee2e9220 is the last one that has it.",
            f"The better priority of DWF, by benchmark: {kinds}.",
            "Instructions count the threads of a jump that is done with its first sub-warp, so that counts do not depend on the "
            "setup and may exceed 32 per cycle. The graphics of Fig. 9 are lost; the text gives the means alone."])


def sizes(results: Results) -> Section:
    setups = ("LWM64", "LWM128", "LWM", "LWM512")
    wide = percent_of(results.compare(results.kernels, "LWM512", "LWM256, blocks of 512"))
    best = max(setups, key=lambda setup: results.compare(results.kernels, setup, "baseline").mean)
    text = [f"The best mean has {best if best != 'LWM' else 'LWM256'}: "
            + ", ".join(f"{setup if setup != 'LWM' else 'LWM256'} "
                        f"{percent_of(results.compare(results.kernels, setup, 'baseline'))}" for setup in setups)
            + f". With the same blocks LWM512 is {wide} against LWM256."]
    return Section("fig11", "Fig. 11: size of a large warp", text, [
        _speeds(results, "fig11", "Fig. 11: speed of large warps over warps of 32 threads, round robin.", setups),
        _means(results, setups, "Fig. 11: mean speed over the baseline")], main=True, notes=[
            "A large warp never spans blocks, which have barriers of their own. So LWM512 has blocks of 512 threads, and is "
            "compared with the baseline with such blocks; the others have blocks of 256. The paper's threads are in no blocks."])


def optimizations(results: Results) -> Section:
    setups = ("LWM, by rows", "LWM, jump once", "LWM")
    once, rows, both = (percent_of(results.compare(results.kernels, setup, "LWM, neither")) for setup in
                        ("LWM, jump once", "LWM, by rows", "LWM"))
    text = [f"Jumps that are done with their first sub-warp change the mean speed by {once} (in the paper about +1 %), "
            f"and accesses to global memory by rows by {rows} (not much benefit); both by {both}."]
    return Section("fig12", "Fig. 12: the two optimizations of large warps", text, [
        _speeds(results, "fig12", "Fig. 12: speed over large warps of 256 threads with neither optimization; LWM has both.",
                setups,
                over="LWM, neither"),
        _means(results, setups, "Fig. 12: mean speed over large warps with neither", "LWM, neither")], main=True)


def groups(results: Results) -> Section:
    setups = ("2Lev1", "2Lev2", "2Lev4", "2Lev", "2Lev16", "ready queue of 8")
    shown = {setup: "2Lev8" if setup == "2Lev" else setup for setup in setups}
    best = max(setups[:-1], key=lambda setup: results.compare(results.kernels, setup, "baseline").mean)
    text = [f"The best mean has {shown[best]}: " + ", ".join(
        f"{shown[setup]} {percent_of(results.compare(results.kernels, setup, 'baseline'))}" for setup in setups[:-1])
            + ". Two-level round robin with a ready queue of 8 warps, whose members change when one stalls, has "
            f"{percent_of(results.compare(results.kernels, setups[-1], 'baseline'))}."]
    switches = Table(["benchmark", *(shown[setup] for setup in setups[:-1])], [
        [paper.label(kernel), *(f"{1000 * results.statistic('switches', kernel, setup).mean:.0f}, "
                                f"{1000 * results.statistic('premature', kernel, setup).mean:.0f}" for setup in setups[:-1])]
        for kernel in results.kernels],
        "Switches of the fetch group in 1000 selections, and those among them while a warp of the group was in the pipeline "
        "(premature, Section 3.2.1)", committed=False)
    memory = Table(["benchmark", "speed of 2Lev8", "open rows, baseline", "2Lev8", "latency of loads, baseline", "2Lev8"], [
        [paper.label(kernel), percent_of(results.compare([kernel], "2Lev", "baseline")),
         *(f"{100 * results.statistic('locality', kernel, setup).mean:.0f} %" for setup in ("baseline", "2Lev")),
         *(f"{results.statistic('latency', kernel, setup).mean:.0f}" for setup in ("baseline", "2Lev"))]
        for kernel in results.kernels],
        "What fetch groups change in the memory: transfers that find their DRAM row open, and cycles of a load that misses")
    slow = [kernel for kernel in results.kernels if results.compare([kernel], "2Lev", "baseline").below(0.99)]
    fewer = [kernel for kernel in slow if results.statistic("locality", kernel, "2Lev").mean
             < results.statistic("locality", kernel, "baseline").mean]
    if slow:
        text.append(f"2Lev8 loses more than 1 % on {', '.join(map(paper.label, slow))}; on {len(fewer)} of these {len(slow)} "
                    "fewer transfers find their DRAM row open: the groups come to a row at different times.")
    return Section("fig13", "Fig. 13: size of a fetch group", text, [
        _speeds(results, "fig13",
                "Fig. 13: speed of fetch groups over round robin, warps of 32 threads. A group of 32 is round robin.",
                setups), _means(results, setups, "Fig. 13: mean speed over the baseline"), memory, switches],
        main=True, notes=[
            "A ready queue is what later papers call two-level scheduling: warps leave it when they stall, and others enter."])


def interaction(results: Results) -> Section:
    setups = ("2Lev", "LWM64+2Lev", "LWM128+2Lev", "LWM+2Lev", "LWM512+2Lev")
    chosen = ", ".join(results.chosen(setup) for setup in ("LWM64+2Lev", "LWM128+2Lev", "LWM512+2Lev"))
    best = max(setups, key=lambda setup: results.compare(results.kernels, setup, "baseline").mean)
    alone = {setup: percent_of(results.compare(results.kernels, setup, "LWM"))
             for setup in ("LWM+2Lev1", "LWM+2Lev", "LWM+2Lev4")}
    text = [f"The best mean has {best}: " + ", ".join(
        f"{setup} {percent_of(results.compare(results.kernels, setup, 'baseline'))}" for setup in setups) + ".",
            f"Fetch groups of the four large warps, against round robin: of one {alone['LWM+2Lev1']}, of two "
            f"{alone['LWM+2Lev']}, of all four {alone['LWM+2Lev4']}."]
    return Section("fig14", "Fig. 14: large warps with fetch groups", text, [
        _speeds(results, "fig14", "Fig. 14: speed over the baseline, each size of a warp with its best fetch group.", setups),
        _means(results, setups, "Fig. 14: mean speed over the baseline")], main=True,
        notes=[f"The groups that are best in the mean, by the same runs: 2Lev8, {chosen}, and LWM256+2Lev2, which the "
               "paper gives. LWM512 is compared with the baseline with blocks of 512 threads."])
