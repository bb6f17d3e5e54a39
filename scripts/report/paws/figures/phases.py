# SPDX-License-Identifier: MIT
"""Fig. 4 and Table II: the phases of vectorAdd and of the fourteen kernels."""

import dataclasses
import functools
import json
import pathlib
import re
import subprocess
import tempfile
import tomllib

import matplotlib.pyplot as plt

from report import draw, paths, store
from report.paws import paper, plan
from report.paws.data import Results
from report.section import Picture, Section, Table

# Which of a PTX file's kernels is Table II's, where there are several.
KERNEL_OF = {"bp_k1": "layer_forward", "bp_k2": "adjust_weights", "bt_k1": "find_range",
             "bt_k2": "find_key", "heartwall": "heartwall", "km": "nearest_centre",
             "lud": "lud_internal", "cfd": "compute_flux", "dwt": "haar",
             "dxtc": "dxtc_compress", "fwt": "fwt_batch1", "hist256": "histogram256",
             "mco": "option_values"}


def _ptx(kernel: str) -> pathlib.Path:
    return paths.PTX / tomllib.loads(store.description(kernel).read_text())["ptx"]


def paws(command: str, kernel: str, *words: str) -> str:
    """What a command of the program prints of a workload's kernel."""
    which = ["--kernel", KERNEL_OF[kernel]] if kernel in KERNEL_OF else []
    return subprocess.run([str(paths.PAWS), command, str(_ptx(kernel)), *which, *words], check=True,
                          capture_output=True, text=True).stdout


@functools.cache
def phases(kernel: str, rule: str = "order") -> dict:
    """What `paws phases` reports of a workload's kernel."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "phases.json"
        paws("phases", kernel, "--json", str(output), *(["--set", plan.CUT] if rule == "blocks" else []))
        return json.loads(output.read_text())[0]


@dataclasses.dataclass(frozen=True)
class Instruction:
    latency: int
    phase: int
    long: bool  # its results end a phase
    text: str

    @property
    def registers(self) -> list[str]:
        return re.findall(r"%\w+", self.text)


def listing(kernel: str) -> list[Instruction]:
    """The kernel's instructions in program order, as `paws phases --verbose` lists them."""
    # Program counter, line, block, latency, phase, length, distance, a star if long, instruction.
    row = re.compile(r" *\d+ +\d+ +\d+ +(\d+) +(\d+) +\d+ +\d+ +(\*?)(\S.*)")
    found = map(row.fullmatch, paws("phases", kernel, "--verbose").splitlines())
    return [Instruction(int(line[1]), int(line[2]), line[3] == "*", line[4]) for line in found if line]


def lengths(kernel: str, rule: str) -> list[int]:
    return [phase["length"] for phase in phases(kernel, rule)["phases"]]


def _picture(ours: dict[str, list[int]]) -> Picture:
    """Table II as marks: every phase of ours, the paper's longest and shortest."""
    figure, axes = plt.subplots(figsize=(9, 2.7))
    for x, (kernel, lengths) in enumerate(ours.items()):
        axes.plot([x] * len(lengths), lengths, "o", color=draw.COLOURS["paws"], markersize=4,
                  alpha=0.5, markeredgewidth=0, label=None if x else "phases here")
        entry = paper.KERNELS[kernel]
        axes.plot([x + 0.25] * 2, [entry["shortest"], entry["longest"]], "_-", color=draw.PAPER,
                  linewidth=1, label=None if x else "the paper's shortest and longest")
    axes.set_yscale("log")
    axes.set_ylabel("phase length, cycles")
    axes.set_xticks(range(len(ours)), [f"{paper.label(kernel)}\n{len(lengths)} | "
                                       f"{paper.KERNELS[kernel]['phases']}"
                                       for kernel, lengths in ours.items()])
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.16), ncols=2)
    return Picture("table2", "Lengths of the phases under the default rule. Below each kernel name: "
                   "phases here | in the paper.", draw.svg(figure, "table2"))


def _figure_4(code: list[Instruction]) -> Picture:
    """The code with its phases, as the paper has it, and the lengths beside the paper's."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), width_ratios=[3, 2])
    of_phase = {phase: [line for line in code if line.phase == phase] for phase in
                sorted({line.phase for line in code})}
    colours = ["#dbe7f3", "#fde3c8"]
    top = 0
    for phase, lines in of_phase.items():
        colour = colours[phase % 2]
        left.axhspan(top - 0.5, top + len(lines) - 0.5, color=colour, linewidth=0)
        for y, line in enumerate(lines, top):
            left.text(0.01, y, line.text, va="center", family="monospace", fontsize=7)
            left.text(0.62, y, str(line.latency), va="center", ha="right", fontsize=7)
        length = sum(line.latency for line in lines)
        left.text(0.68, top + len(lines) / 2 - 0.5, f"phase {phase}, length {length}", va="center")
        top += len(lines)
    left.text(0.62, -1, "latency", va="center", ha="right", fontsize=7)
    left.set_xlim(0, 1)
    left.set_ylim(top - 0.5, -1.6)
    left.axis("off")
    ours = [sum(line.latency for line in lines) for lines in of_phase.values()]
    for y, lengths in enumerate((ours, paper.FIGURE_4["phases"])):
        start = 0
        for phase, length in enumerate(lengths, 1):
            right.barh(y, length, left=start, color=colours[phase % 2], edgecolor="black", linewidth=0.6)
            right.text(start + length / 2, y, str(length), ha="center", va="center")
            start += length
    right.set_yticks([0, 1], ["here", "paper"])
    right.get_yticklabels()[1].set_color(draw.PAPER)
    right.set_ylim(1.6, -0.6)
    right.set_xlabel("length of the phases, cycles")
    return Picture("fig4", "Fig. 4: the phases of vectorAdd, here and in the paper.",
                   draw.svg(figure, "fig4"))


def _on_figure_4(code: list[Instruction]) -> str:
    """The phases of vectorAdd against the paper's, in words."""
    numbers = sorted({line.phase for line in code})
    first, *later = ([line for line in code if line.phase == phase] for phase in numbers)
    theirs = paper.FIGURE_4["phases"]
    ours = [sum(line.latency for line in lines) for lines in (first, *later)]
    text = (f"vectorAdd (Fig. 4) has {len(ours)} phases of {' and '.join(map(str, ours))} cycles here. In the "
            f"paper it has {len(theirs)} phases of {' and '.join(map(str, theirs))} cycles. ")
    wide = sum(line.latency for line in first if re.search(r"64|\.wide", line.text.split()[0]))
    text += (f"Here, {wide} of the {ours[0]} cycles of the first phase are for 64-bit instructions, because an "
             "address has 64 bits. ")
    if later:
        begins = later[0][0]
        loaded = {line.registers[0] for line in first if line.long and line.registers}
        alike = begins.text.startswith("add") and set(begins.registers[1:]) <= loaded
        text += (f"The second phase begins with {begins.text}. " + (
            "As in the paper, this is the addition that reads the two loaded values. " if alike else
            "In the paper it begins with the addition that reads the two loaded values. "))
        text += "The latencies of this phase are " + ", ".join(
            f"{line.text.split()[0]} {line.latency}" for line in later[0]) + "; the paper gives none."
    return text


def section(results: Results) -> Section:
    found = {rule: {kernel: lengths(kernel, rule) for kernel in paper.KERNELS} for rule in plan.RULES}
    ours, cut = found["order"], found["blocks"]
    rows = []
    for kernel, entry in paper.KERNELS.items():
        rows.append([entry["label"], str(entry["phases"]), str(len(ours[kernel])),
                     str(len(cut[kernel])), str(entry["longest"]), str(max(ours[kernel])),
                     str(max(cut[kernel])), str(entry["shortest"]), str(min(ours[kernel])),
                     str(min(cut[kernel]))])
    equal, near = ({rule: sum(abs(len(its[kernel]) - paper.KERNELS[kernel]["phases"]) <= most for kernel in its)
                    for rule, its in found.items()} for most in (0, 1))
    nearer = max(plan.RULES, key=near.get) if near["order"] != near["blocks"] else None
    code = listing("vectoradd")
    text = [
        _on_figure_4(code),
        f"Under the default rule (in program order over scheduled code), {equal['order']} of {len(ours)} kernels "
        f"have as many phases as in the paper, and {near['order']} differ by at most one. The paper's text also cuts "
        f"at every basic block. Under this rule, these numbers are {equal['blocks']} and {near['blocks']}. " + (
            "So the paper's Table II is nearer to phases " + {"order": "in program order.",
                                                              "blocks": "cut at blocks."}[nearer]
            if nearer else "So the numbers of phases do not show how the paper's Table II was made.") +
        " docs/evidence/machine.md explains the differences for each kernel.",
    ]
    table = Table(["kernel", "phases: paper", "order", "blocks", "longest: paper", "order", "blocks",
                   "shortest: paper", "order", "blocks"], rows,
                  "Table II: numbers and lengths of phases in the paper, here in program order, and here also "
                  "cut at basic blocks")
    return Section("table2", "Fig. 4 and Table II: phases", text, [_figure_4(code), _picture(ours), table],
                   main=True)
