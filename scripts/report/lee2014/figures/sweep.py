# SPDX-License-Identifier: MIT
"""Table 2, Fig. 1 and Fig. 4: speed over the number of blocks per core, and the types of kernels."""

import collections

import matplotlib.pyplot as plt

from report import draw
from lib.estimate import Estimate
from report.lee2014 import paper, plan
from report.lee2014.data import Results
from report.section import Picture, Section, Table, percent_of


def lines(axes, speeds: list[Estimate], **style) -> None:
    """Speeds with 1, 2, ... blocks with their intervals."""
    axes.plot(range(1, len(speeds) + 1), [speed.mean for speed in speeds], marker="o", markersize=2.5, linewidth=1, **style)
    for number, speed in enumerate(speeds, 1):
        draw.interval(axes, number, speed)


def _seen(results: Results, kernels: list[str], gpu: str) -> str:
    return "; ".join(f"{paper.label(kernel)}: " + ", ".join(f"{each.mean:.2f}"
                                                            for each in results.sweep_estimates(kernel, gpu))
                     for kernel in kernels)


def _drawn(results: Results, name: str, caption: str, groups: dict[str, list[str]], gpu: str) -> Picture:
    """A panel for each group of kernels."""
    figure, rows = plt.subplots(1, len(groups), figsize=(9, 2.9), sharey=True, squeeze=False)
    for axes, (title, kernels) in zip(rows[0], groups.items()):
        for kernel in kernels:
            lines(axes, results.sweep_estimates(kernel, gpu), label=paper.label(kernel))
        axes.set_title(title)
        axes.set_xticks(range(1, plan.MOST + 1))
        axes.set_xlabel("blocks per core, at most")
        axes.axhline(1, color="black", linewidth=0.4)
        axes.legend(fontsize=7, loc="lower right", ncols=2 if len(kernels) > 4 else 1)
    rows[0][0].set_ylabel("speed, T_max = 1")
    everything = [kernel for kernels in groups.values() for kernel in kernels]
    return Picture(name, caption, draw.svg(figure, name), f"{_seen(results, everything, gpu)}.")


def _kind(results: Results, kernel: str, gpu: str = plan.GPU) -> str:
    return ", ".join(kind for kind, _ in collections.Counter(results.kinds(kernel, gpu)).most_common())


def table_2(results: Results) -> Table:
    """The paper's table with ours beside it."""
    rows = []
    for kernel in results.kernels:
        entry = paper.KERNELS[kernel]
        row = results.row(kernel, "GTO", results.seeds[0])
        shapes = ", ".join(dict.fromkeys(str(each["threads_per_block"]) for each in row["kernels"]))
        best, speed = results.best(kernel)
        rows.append([entry["label"], str(entry["kernels"]), str(entry["blocks"]), entry["shape"], entry["type"],
                     str(row["launches"]), str(row["blocks"]), shapes, str(results.t_max(kernel)), _kind(results, kernel),
                     str(results.opt(kernel)), f"{best}: {percent_of(speed)}"])
    return Table(["kernel", "launches, paper", "blocks, paper", "shape, paper", "type, paper", "launches", "blocks in all",
                  "threads per block", "T_max", "type here", "OPT", "fastest limit and its speed"], rows,
                 "Table 2 and ours. OPT: the fewest blocks with which the speed is within 2 % of the largest")


def _moved(results: Results) -> list[str]:
    """Where OPT is not what the runs with the best limit were made for."""
    other = [f"{paper.label(kernel)} {results.opt(kernel)} instead of {paper.KERNELS[kernel]['opt']}"
             for kernel in results.kernels if results.opt(kernel) != paper.KERNELS[kernel]["opt"]]
    return [f"The runs with the limit OPT were made for another one (scripts/report/lee2014/paper.toml): {', '.join(other)}."
            ] if other else []


def section(results: Results) -> Section:
    groups = {f"type {kind} in the paper": [kernel for kernel in results.kernels if paper.KERNELS[kernel]["type"] == kind]
              for kind in paper.TYPES}
    same = [kernel for kernel in results.kernels if set(results.kinds(kernel)) == {paper.KERNELS[kernel]["type"]}]
    hardware = [kernel for kernel in plan.ON_HARDWARE if kernel in results.kernels]
    kinds = "; ".join(f"{paper.label(kernel)} {_kind(results, kernel, plan.HARDWARE)}" for kernel in hardware)
    text = [
        f"{len(same)} of {len(results.kernels)} kernels have the paper's type under every perturbation. The best limit of each "
        "kernel gains " + percent_of(results.best_speed(results.kernels)) + " in the mean over as many blocks as fit.",
        "The text gives no numbers for Fig. 1 and 4. It says that MADD and BLK get faster with more blocks on a Tesla M2050, "
        "and that EIP, KMN and BFS get slower beyond some number; and it gives the type of each kernel. Ours with preset "
        f"{plan.HARDWARE}, the same chip: {kinds}."]
    notes = ["The warp scheduler is GTO in all runs of both figures. The paper's Fig. 1 is of hardware, whose scheduler is "
             "not known. There it limits the blocks by shared memory; here by --blocks limit:N, as in its Fig. 4.",
             "The paper's grids are larger than ours; ours have at least four rounds of blocks on 28 cores, but for MUM and "
             "EIP, whose few rounds are the paper's. docs/reference/kernels.md says how the kernels differ.",
             "The paper's KMN and MUM read through a texture cache, ours through the L1, and the L2 here has lines of 128 bytes "
             "instead of 256. Both bear on types III and IV, which are those that caches make.",
             *_moved(results)]
    return Section("fig4", "Table 2, Fig. 1 and 4: speed over the number of blocks", text, [
        table_2(results),
        _drawn(results, "fig4", "Fig. 4: speed with at most so many blocks per core, preset lee28.", groups, plan.GPU),
        _drawn(results, "fig1", f"Fig. 1: the same on preset {plan.HARDWARE}, the chip of the Tesla M2050.",
               {"": hardware}, plan.HARDWARE)], main=True, notes=notes)
