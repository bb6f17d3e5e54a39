# SPDX-License-Identifier: MIT
"""What a reader comes for: does the paper hold? Four sentences, one figure, and the verdicts by number."""

import matplotlib.pyplot as plt
from matplotlib.patches import Patch

from report import draw, verdict
from lib.estimate import Estimate
from report.paws import paper, plan, sizes
from report.paws.data import Results
from report.paws.figures import claims
from report.paws.figures.speed import grouped
from report.section import Picture, Section, Table, percent, percent_of

_POLICIES = ("gto", "paws")
_HEIGHT = 0.155  # of a bar, inches


def _verdicts(results: Results, others: dict[str, Results]) -> str:
    found = claims.counts(results)
    text = (f"{verdict.how_far(found)}: with kernels of {sizes.NAMES[results.size]}, of the paper's {sum(found.values())} "
            f"claims {verdict.in_words(found)}")
    for size, other in others.items():
        noise = "" if other.perturbed else " (one run each, noise not measured)"
        text += f"; with {sizes.NAMES[size]}{noise}, {verdict.in_words(claims.counts(other))}"
    return f"{text}."


def _average(results: Results, kind: str, policy: str, over: str) -> str:
    """The paper's average of each level beside ours."""
    found = []
    for level in plan.LEVELS:
        claim = next(claim for claim in paper.AVERAGES if (claim["level"], claim["kernels"], claim["policy"],
                                                           claim["over"]) == (level, kind, policy, over))
        reading = claims.read(results, claim)
        where = "in the single level" if level == "single" else "in two levels"
        found.append(f"{reading.ours.partition(',')[0]} {where} (in the paper {claim['percent']:+g} %: {reading.verdict})")
    return " and ".join(found)


def _sentences(results: Results, others: dict[str, Results]) -> list[str]:
    """The first says what a reader came for."""
    means = {(level, over): percent_of(results.mean_speed(plan.KERNELS, f"{level}:paws", over))
             for level in plan.LEVELS for over in ("rr", "gto")}
    return [
        f"In the mean of the kernels, the speed of PAWS is {means['single', 'rr']} against RR and {means['single', 'gto']} "
        f"against GTO in a single level, and {means['two-level', 'rr']} and {means['two-level', 'gto']} in two levels "
        f"({sizes.NAMES[results.size]}" + "".join(
            f"; {percent_of(other.mean_speed(plan.KERNELS, 'single:paws', 'gto'))} against single-level GTO with "
            f"{sizes.NAMES[size]}" for size, other in others.items()) + ").",
        _verdicts(results, others),
        "Where the paper finds GTO faster than RR (type A), the speed of PAWS against RR is "
        f"{_average(results, 'A', 'paws', 'rr')}.",
        "Where the paper finds RR faster than GTO (type B), the speed of RR against GTO is "
        f"{_average(results, 'B', 'rr', 'gto')}" + ("." if results.perturbed else "; noise is not measured.")]


def _bar(axes, y: float, value: Estimate, **style) -> None:
    axes.barh(y, value.mean - 1, 0.86, left=1, **style)
    if value.low is not None:
        axes.hlines(y, value.low, value.high, colors="black", linewidth=0.9, zorder=3)
    right = value.mean >= 1
    end = max(1, value.mean, value.high or 0) if right else min(1, value.mean, value.low or 1)
    axes.annotate(percent(value.mean), (end, y), (3 if right else -3, 0), textcoords="offset points", va="center",
                  ha="left" if right else "right")


def _styles(policy: str, number: int) -> list[dict]:
    """Of the paper's bar and of ours, one of each size. Without colours they differ by filling and hatching."""
    paper_bar = {"facecolor": "none", "edgecolor": draw.PAPER, "linewidth": 1}
    ours = [{"facecolor": draw.COLOURS[policy], "linewidth": 0},
            {"facecolor": "white", "edgecolor": draw.COLOURS[policy], "hatch": "//////", "linewidth": 0.6}]
    return [paper_bar, *ours[:number]]


def _picture(by_size: dict[str, Results]) -> Picture:
    """The paper's averages against RR beside ours, from the top on: level, type, policy."""
    names = ["paper", *(sizes.NAMES[size] for size in by_size)]
    rows = len(plan.LEVELS) * (1 + len("AB") * len(_POLICIES) * (len(names) + 0.5))
    figure, axes = plt.subplots(figsize=(4.3, _HEIGHT * rows + 0.6))
    y, ticks, labels, seen = 0.0, [], [], []
    for level in plan.LEVELS:
        axes.text(0, y, level, transform=axes.get_yaxis_transform(), weight="bold", va="center",
                  bbox={"facecolor": "white", "linewidth": 0, "pad": 1})
        y += 1.2
        for kind, kernels in grouped(level).items():
            for policy in _POLICIES:
                values = [Estimate(paper.average(level, kind, policy)), *(
                    results.mean_speed(kernels, f"{level}:{policy}", "rr") for results in by_size.values())]
                ticks.append(y + (len(values) - 1) / 2)
                labels.append(f"{policy.upper()}, type {kind}")
                styles = dict(zip(names, _styles(policy, len(by_size))))
                for name, value in zip(names, values):
                    _bar(axes, y, value, **styles[name])
                    y += 1
                seen.append(f"{level}, type {kind}, {policy.upper()}: " + ", ".join(
                    f"{name} {percent_of(value)}" for name, value in zip(names, values)))
                y += 0.5
        y += 0.3
    axes.axvline(1, color="black", linewidth=0.6)
    axes.set_yticks(ticks, labels)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(y - 0.8, -0.8)
    axes.margins(x=0.21)
    axes.spines.left.set_visible(False)
    axes.set_xlabel("speed, RR of the same level = 1")
    figure.legend([Patch(**style) for style in _styles("paws", len(by_size))], names, **draw.ABOVE, ncols=len(names))
    return Picture("answer", "Mean speed against RR: the paper's averages and ours, over the kernels that have type A "
                   "or B in the paper. For type B the paper's averages follow from its speeds against GTO.",
                   draw.svg(figure, "answer"), f"{'; '.join(seen)}.")


def _missing(size: str) -> str:
    """Why there is no verdict at a size."""
    found, wanted = sizes.there(size)
    if found == 0:
        return f"There are no results of {sizes.NAMES[size]}: ./scripts/reproduce --size {size} makes them"
    return (f"Of {sizes.NAMES[size]}, {found} of {wanted} runs are there: ./scripts/reproduce --size {size} makes the "
            "others")


def _counts(by_size: dict[str, Results | None]) -> Table:
    """A row for each verdict, a column for each size."""
    head, columns, missing = [], [], []
    for size, results in by_size.items():
        if results is None:
            head.append(sizes.NAMES[size])
            columns.append(dict.fromkeys(verdict.ALL, "\u2013"))
            missing.append(f". {_missing(size)}")
            continue
        head.append(sizes.NAMES[size] + ("" if results.perturbed else ", one run each"))
        columns.append({told: verdict.marked(str(number), told) for told, number in claims.counts(results).items()})
    return Table(["verdict", *head], [[verdict.marked(told, told), *(column[told] for column in columns)]
                                      for told in verdict.ALL],
                 "The claims of the paper's text by verdict" + "".join(missing))


def section(results: Results) -> Section:
    by_size = sizes.shown(results)
    there = {size: found for size, found in by_size.items() if found}
    others = {size: found for size, found in there.items() if found is not results}
    return Section("answer", "Does the paper hold?", _sentences(results, others), [_counts(by_size), _picture(there)],
                   main=True)
