"""Fig. 5: two toy kernels, drawn from real runs as a timeline per fetch group."""

import matplotlib.pyplot as plt

from report import draw, plan, toys
from report.data import Results
from report.section import Picture, Section

GROUP = 6  # warps: the ready queue
_COLOURS = ["#9ecae1", "#fdae6b", "#74c476"]
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
                              fontsize=6)
        axes.set_yticks([3.5, 2.5, 1.5, 0.5], ["FG 1", "FG 2", "FG 3", "FG 4"])
        axes.set_title(f"{scheduler}: {row['cycles']} cycles")
    rows[-1].set_xlabel("cycle")
    return Picture(f"fig5{letter}", f"Fig. 5({letter}): phases "
                   f"{', '.join(_words(name))}; scheduler 0 of a core, fetch groups of {GROUP} warps in "
                   "launch order. A bar: the group issues instructions of that phase.",
                   draw.svg(figure, f"fig5{letter}"))


def _words(name: str) -> list[str]:
    names = {toys.MEDIUM: "medium", toys.SHORT: "short", toys.LONG: "long"}
    return [names[phase] for phase in toys.TOYS[name]]


def section(results: Results) -> Section:
    text = ["The paper gives no lengths. Ours are chosen so that three medium phases cover a load and three "
            "short ones do not, and are then left alone; the instruction cache always hits, because the "
            "figure leaves fetching out."]
    for letter, name in zip("ab", toys.TOYS):
        orders = {scheduler: order(results.toy(name, scheduler)["issues"])
                  for scheduler in plan.TWO_LEVEL}
        # Markers 1, 2 (a) and 5, 6 (b): after three groups' first phase.
        chosen = {scheduler: found[3] for scheduler, found in orders.items()}
        asked = {"two-level:rr": (4, 1), "two-level:gto": (1, 2)}
        agree = all(chosen[scheduler] == wanted for scheduler, wanted in asked.items())
        cycles = {scheduler: results.toy(name, scheduler)["cycles"] for scheduler in plan.TWO_LEVEL}
        better = "gto" if letter == "a" else "rr"
        other = "rr" if better == "gto" else "gto"
        won = cycles[f"two-level:{better}"] < cycles[f"two-level:{other}"]
        text.append(
            f"({letter}) After the medium phase of groups 1 to 3, " + ", ".join(
                f"{scheduler.partition(':')[2].upper()} turns to group {group}, phase {phase}"
                for scheduler, (group, phase) in chosen.items()) +
            f": {'the paper' if agree else 'not the paper'}'s order of RR and GTO. "
            f"{better.upper()} is to be the faster of the two here and "
            f"{'is' if won else 'is not'} ({cycles['two-level:rr']} cycles under RR, "
            f"{cycles['two-level:gto']} under GTO, {cycles['two-level:paws']} under PAWS)." +
            ("" if won or letter == "b" else " RR's exposed latency is there as in the paper, but GTO "
             "leaves group 4's last load to the end, where nothing is left to cover it.") +
            ("" if won or letter == "a" else " The loads that GTO puts off are still covered here."))
    return Section("fig5", "Fig. 5: two schedules", text,
                   [_picture(results, name, letter) for letter, name in zip("ab", toys.TOYS)])
