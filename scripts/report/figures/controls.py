"""Negative controls: PAWS with random, inverted and measured keys."""

import math

import matplotlib.pyplot as plt

from report import draw, paper, plan
from report.data import Estimate, Machine, Results, ratio
from report.section import Picture, Section, Table, percent_of

_COLOURS = {"random": "#bdbdbd", "inverted": "#e08a8a", "measured": "#74b98a"}


def _machines() -> list[tuple[str, Machine]]:
    return [("single", Machine(6)), ("two-level", Machine(6)), ("two-level", Machine(3))]


def _title(level: str, machine: Machine) -> str:
    return level if level == "single" else f"{level}, ready queue {machine.ready}"


def _picture(results: Results) -> Picture:
    figure, rows = plt.subplots(3, 1, figsize=(9, 5.6), sharex=True)
    for axes, (level, machine) in zip(rows, _machines()):
        for index, keys in enumerate(plan.KEYS[1:]):
            for x, kernel in enumerate((*plan.KERNELS, None)):
                value = _against_static(results, [kernel] if kernel else list(plan.KERNELS), level,
                                        machine, keys)
                at = x + (0.5 if kernel is None else 0) + 0.27 * (index - 1)
                axes.bar(at, value.mean - 1, 0.25, bottom=1, color=_COLOURS[keys],
                         label=f"{keys} keys" if x == 0 else None)
                draw.interval(axes, at, value)
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_title(_title(level, machine))
        axes.set_ylabel("PAWS, own keys = 1")
        axes.margins(x=0.01)
    rows[-1].set_xticks([*range(len(plan.KERNELS)), len(plan.KERNELS) + 0.5],
                        [*map(paper.label, plan.KERNELS), "mean"])
    rows[0].legend(loc="upper center", bbox_to_anchor=(0.5, 1.5), ncols=3)
    return Picture("controls", "Speed of PAWS with other keys relative to PAWS with the static phase "
                   "lengths (single level: distances).", draw.svg(figure, "controls"))


def _against_static(results: Results, kernels: list[str], level: str, machine: Machine,
                    keys: str) -> Estimate:
    """Speed with these keys relative to the static ones, mean of the kernels."""
    samples = []
    for seed in results.seeds:
        ratios = [results.cycles(kernel, f"{level}:paws", machine, seed)
                  / results.cycles(kernel, f"{level}:paws", machine, seed, keys) for kernel in kernels]
        samples.append(math.prod(ratios) ** (1 / len(ratios)))
    return ratio(samples)


def section(results: Results) -> Section:
    rows, text = [], []
    for level, machine in _machines():
        line = [_title(level, machine)]
        for keys in plan.KEYS[1:]:
            every = [_against_static(results, [kernel], level, machine, keys)
                     for kernel in plan.KERNELS]
            mean = _against_static(results, list(plan.KERNELS), level, machine, keys)
            line.append(f"{percent_of(mean)} ({sum(value.above(1) for value in every)} faster, "
                        f"{sum(value.below(1) for value in every)} slower)")
        rows.append(line)
    for level, machine in _machines():
        means = {keys: _against_static(results, list(plan.KERNELS), level, machine, keys)
                 for keys in plan.KEYS[1:]}
        worse = [keys for keys in ("random", "inverted") if means[keys].below(1)]
        if len(worse) == 2:
            verdict = "the key matters: random and inverted keys both cost speed beyond the noise"
        elif worse:
            verdict = f"{worse[0]} keys cost speed beyond the noise, the other control does not"
        else:
            verdict = ("neither random nor inverted keys are slower beyond the noise: the length as key "
                       "does not show, and keeping warps apart in whatever order would do as well")
        measured = means["measured"]
        verdict += "; with keys measured at run time PAWS is " + (
            "faster" if measured.above(1) else "slower" if measured.below(1) else "as fast as before")
        text.append(f"{_title(level, machine).capitalize()}: {verdict}.")
    return Section("controls", "Negative controls: does the key matter?", text,
                   [_picture(results), Table(["PAWS", *(f"{keys} keys" for keys in plan.KEYS[1:])], rows,
                                             "Speed relative to PAWS with static keys, mean of the "
                                             "fourteen kernels, and kernels that differ beyond the noise")],
                   main=True)
