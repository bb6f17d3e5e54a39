# SPDX-License-Identifier: MIT
"""Fig. 5: two toy kernels, drawn from real runs as a timeline per fetch group."""

import matplotlib.pyplot as plt

from report import draw
from lib.estimate import Estimate, estimate, ratio
from report.paws import plan, toys
from report.paws.data import Results
from report.section import Picture, Section, Table, against, number_of, percent_of

GROUP = 6  # warps: the ready queue
_COLOURS = ["#9ecae1", "#fdae6b", "#74c476"]
_ISSUE = 2  # cycles that an instruction of 32 threads takes
_GAP = 25  # cycles without an issue of the group that the drawing closes


def stretches(issues: dict[str, list[list[int]]], group: int) -> list[tuple[int, int, int]]:
    """(phase, first cycle, last cycle) in which the group's warps issue, in order."""
    warps = [warp for warp in issues if int(warp) // GROUP == group]
    every = sorted((cycle, phase) for warp in warps for cycle, phase in issues[warp])
    found: list[list[int]] = []
    for phase in sorted({phase for _, phase in every}):
        for cycle in (cycle for cycle, of in every if of == phase):
            if found and found[-1][0] == phase and cycle - found[-1][2] <= _GAP:
                found[-1][2] = cycle
            else:
                found.append([phase, cycle, cycle])
    return sorted((tuple(entry) for entry in found), key=lambda entry: entry[1])


def order(issues: dict[str, list[list[int]]]) -> list[tuple[int, int]]:
    """(group, phase) in the order of their first issues."""
    first = {}
    for warp, entries in issues.items():
        for cycle, phase in entries:
            key = (int(warp) // GROUP + 1, phase)
            first[key] = min(cycle, first.get(key, cycle))
    return sorted(first, key=first.get)


def choice(issues: dict[str, list[list[int]]]) -> tuple[int, int] | None:
    """(group, phase) chosen after the first phase of groups 1 to 3, markers 1, 2 (a) and 5, 6 (b) of
    the figure; None if the schedule does not begin with those."""
    found = order(issues)
    return found[3] if sorted(found[:3]) == [(1, 1), (2, 1), (3, 1)] and len(found) > 3 else None


def exposed(issues: dict[str, list[list[int]]]) -> int:
    """Cycles from the first issue to the last beyond those that an issue takes."""
    cycles = sorted(cycle for entries in issues.values() for cycle, _ in entries)
    return sum(max(0, later - cycle - _ISSUE) for cycle, later in zip(cycles, cycles[1:]))


def _picture(results: Results, name: str, letter: str) -> Picture:
    figure, rows = plt.subplots(3, 1, figsize=(9, 3.6), sharex=True)
    for axes, scheduler in zip(rows, plan.TWO_LEVEL):
        row = results.toy(name, scheduler)
        for group in range(4):
            for phase, first, last in stretches(row["issues"], group):
                axes.broken_barh([(first, last - first + 2)], (3.1 - group, 0.8),
                                 facecolor=_COLOURS[phase - 1])
                if last - first > 80:
                    axes.text((first + last) / 2, 3.5 - group, str(phase), ha="center", va="center",
                              fontsize=7)
        axes.set_yticks([3.5, 2.5, 1.5, 0.5], ["FG 1", "FG 2", "FG 3", "FG 4"])
        axes.set_title(f"{scheduler}: {row['cycles']} cycles")
    rows[-1].set_xlabel("cycle")
    return Picture(f"fig5{letter}", f"Fig. 5({letter}): phases "
                   f"{', '.join(_words(name))}; scheduler 0 of a core, fetch groups of {GROUP} warps in "
                   "launch order. A bar shows that the group issues instructions of that phase.",
                   draw.svg(figure, f"fig5{letter}"))


def _words(name: str) -> list[str]:
    names = {toys.MEDIUM: "medium", toys.SHORT: "short", toys.LONG: "long"}
    return [names[phase] for phase in toys.TOYS[name]]


def _speed(results: Results, name: str, faster: str, slower: str) -> Estimate:
    """Of a policy relative to another one."""
    return ratio([results.toy(name, f"two-level:{slower}", seed)["cycles"]
                  / results.toy(name, f"two-level:{faster}", seed)["cycles"] for seed in results.seeds])


def _agreement(results: Results, letter: str, name: str) -> str:
    """The order of selections, and who is faster, against the paper."""
    found = {policy: choice(results.toy(name, f"two-level:{policy}")["issues"]) for policy in plan.POLICIES}
    words = [f"{policy.upper()} " + ("continues with group {}, phase {}".format(*chosen) if chosen else
                                     "does not begin with these phases")
             for policy, chosen in found.items()]
    wanted = {"rr": (4, 1), "gto": (1, 2)}
    same = sum(all(choice(results.toy(name, f"two-level:{policy}", seed)["issues"]) == asked
                   for policy, asked in wanted.items()) for seed in results.seeds)
    text = (f"({letter}) In the paper, after the first phase of groups 1 to 3, RR continues with group 4, phase 1, "
            f"and GTO with group 1, phase 2. In the drawing here, {', '.join(words)}. The order of RR and GTO is "
            f"that of the paper in {same} of {len(results.seeds)} "
            f"{'perturbed runs' if results.perturbed else 'runs'}. ")
    better, other = ("gto", "rr") if letter == "a" else ("rr", "gto")
    value = _speed(results, name, better, other)
    text += (f"In the paper, {better.upper()} is faster than {other.upper()}. Here it is {percent_of(value)} "
             f"against {other.upper()}: {against(value, 1, 'as in the paper', 'the reverse of the paper')}.")
    paws = {over: _speed(results, name, "paws", over) for over in ("rr", "gto")}
    return text + " The paper does not draw PAWS in this figure. PAWS is " + ", ".join(
        f"{percent_of(value)} against {over.upper()} ({against(value, 1, 'faster', 'slower')})"
        for over, value in paws.items()) + "."


def _row(results: Results, letter: str, name: str, policy: str) -> list[str]:
    runs = [results.toy(name, f"two-level:{policy}", seed) for seed in results.seeds]
    return [f"({letter})", policy.upper(), number_of(estimate([run["cycles"] for run in runs])),
            number_of(estimate([exposed(run["issues"]) for run in runs]))]


def section(results: Results) -> Section:
    toy = list(zip("ab", toys.TOYS))
    text = [*(_agreement(results, letter, name) for letter, name in toy),
            "The paper explains the differences by latency that no phase covers. The table shows this latency: the "
            f"cycles in which no warp issues, beyond the {_ISSUE} cycles that an issue takes."]
    notes = ["The paper gives no phase lengths. The lengths here are chosen so that three medium phases cover a load "
             "and three short phases do not. They are not tuned further. The instruction cache always hits, because "
             "the figure has no instruction fetch. The drawings show the unperturbed runs."]
    table = Table(["Fig. 5", "two-level", "cycles", "of these without an issue"],
                  [_row(results, letter, name, policy) for letter, name in toy for policy in plan.POLICIES],
                  "Scheduler 0 of the one core")
    return Section("fig5", "Fig. 5: two schedules", text,
                   [*(_picture(results, name, letter) for letter, name in toy), table], main=True, notes=notes)
