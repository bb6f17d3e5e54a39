"""Negative controls: PAWS with random, inverted and measured keys."""

import math

import matplotlib.pyplot as plt

from report import draw, paper, plan
from report.data import PANELS, Estimate, Machine, Results, panel_title, ratio
from report.section import Picture, Section, Table, percent_of

_COLOURS = {"random": "#bdbdbd", "inverted": "#e08a8a", "measured": "#74b98a"}


_RULES = {"order": "phases in program order", "blocks": "phases cut at basic blocks as well"}


def _picture(results: Results, rule: str) -> Picture:
    name = f"controls-{rule}"
    figure, rows = plt.subplots(len(PANELS), 1, figsize=(9, 5.6), sharex=True)
    for axes, (level, ready) in zip(rows, PANELS):
        machine = Machine(ready, rule)
        for index, keys in enumerate(plan.KEYS[1:]):
            for x, kernel in enumerate((*plan.KERNELS, None)):
                value = _against_static(results, [kernel] if kernel else list(plan.KERNELS), level,
                                        machine, keys)
                at = x + (0.5 if kernel is None else 0) + 0.27 * (index - 1)
                axes.bar(at, value.mean - 1, 0.25, bottom=1, color=_COLOURS[keys],
                         label=f"{keys} keys" if x == 0 else None)
                draw.interval(axes, at, value)
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_title(panel_title(level, ready))
        axes.set_ylabel("PAWS, own keys = 1")
        axes.margins(x=0.01)
    rows[-1].set_xticks([*range(len(plan.KERNELS)), len(plan.KERNELS) + 0.5],
                        [*map(paper.label, plan.KERNELS), "mean"])
    rows[0].legend(loc="upper center", bbox_to_anchor=(0.5, 1.5), ncols=3)
    return Picture(name, "Speed of PAWS with other keys relative to PAWS with the static phase "
                   f"lengths (single level: distances); {_RULES[rule]}.", draw.svg(figure, name))


def _against_static(results: Results, kernels: list[str], level: str, machine: Machine,
                    keys: str) -> Estimate:
    """Speed with these keys relative to the static ones, mean of the kernels."""
    samples = []
    for seed in results.seeds:
        ratios = [results.cycles(kernel, f"{level}:paws", machine, seed)
                  / results.cycles(kernel, f"{level}:paws", machine, seed, keys) for kernel in kernels]
        samples.append(math.prod(ratios) ** (1 / len(ratios)))
    return ratio(samples)


def _verdict(means: dict[str, Estimate]) -> str:
    worse = [keys for keys in ("random", "inverted") if means[keys].below(1)]
    if len(worse) == 2:
        verdict = "the key matters: random and inverted keys both cost speed beyond the noise"
    elif worse:
        verdict = f"{worse[0]} keys cost speed beyond the noise, the other control does not"
    else:
        verdict = ("neither random nor inverted keys are slower beyond the noise: the length as key does "
                   "not show, and keeping warps apart in whatever order would do as well")
    measured = means["measured"]
    return verdict + "; with keys measured at run time PAWS is " + (
        "faster" if measured.above(1) else "slower" if measured.below(1) else "as fast as before")


def section(results: Results) -> Section:
    rows, text = [], []
    kernels = list(plan.KERNELS)
    for rule, words in _RULES.items():
        for level, ready in PANELS:
            machine = Machine(ready, rule)
            means = {keys: _against_static(results, kernels, level, machine, keys)
                     for keys in plan.KEYS[1:]}
            line = [panel_title(level, ready), rule]
            for keys, mean in means.items():
                every = [_against_static(results, [kernel], level, machine, keys)
                         for kernel in kernels]
                line.append(f"{percent_of(mean)} ({sum(value.above(1) for value in every)} faster, "
                            f"{sum(value.below(1) for value in every)} slower)")
            rows.append(line)
            text.append(f"{panel_title(level, ready).capitalize()}, {words}: {_verdict(means)}.")
    table = Table(["PAWS", "phases cut", *(f"{keys} keys" for keys in plan.KEYS[1:])], rows,
                  "Speed relative to PAWS with static keys, mean of the fourteen kernels, and kernels that "
                  "differ beyond the noise")
    return Section("controls", "Negative controls: does the key matter?", text,
                   [*(_picture(results, rule) for rule in _RULES), table], main=True)
