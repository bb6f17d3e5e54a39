# SPDX-License-Identifier: MIT
"""The speed of the policies over the number of rounds of blocks, and the part of a run that a gain is in."""

import dataclasses
import itertools

import matplotlib.pyplot as plt

from report import draw, store
from lib.estimate import Estimate, estimate
from report.paws import grids, paper, plan
from report.paws.data import Results
from report.section import Picture, Section, Table, percent, percent_of

SIZE = "full"
_POLICIES = ("gto", "paws")
_LINES = {"single": "-", "two-level": "--"}
_BESIDE = 1.06  # the place of an interval to that of the next one, for the same grid
_ALIKE = 1.01  # what a doubling may change a speed by
_PARTS = {"steady": "steady state", "start": "start-up and first round", "tail": "tail"}
_LITTLE = 0.5  # percent of the time, below which a part is not named


@dataclasses.dataclass(frozen=True)
class Gain:
    """Speed against RR of the level, and what is gained in each part, in percent of the policy's own time; None if a
    run has no steady state."""
    speed: Estimate
    parts: dict[str, Estimate] | None


def gain(results: Results, kernel: str, grid: grids.Grid, level: str, policy: str) -> Gain:
    """The cycles that the policy saves are those of its three parts, which sum to the run's (grids.cost)."""
    seeds = plan.measured(plan.grid_seeds(grid))
    rows = {name: {seed: results.on_grid(kernel, grid, f"{level}:{name}", seed) for seed in seeds}
            for name in (policy, "rr")}
    speed = results.compare(lambda seed: rows["rr"][seed]["cycles"], lambda seed: rows[policy][seed]["cycles"], seeds)
    costs = {name: [grids.cost(row) for row in found.values()] for name, found in rows.items()}
    if None in costs[policy] + costs["rr"]:
        return Gain(speed, None)
    return Gain(speed, {part: estimate([
        100 * (getattr(its, part) - getattr(mine, part)) / (mine.steady + mine.start + mine.tail)
        for mine, its in zip(costs[policy], costs["rr"])]) for part in _PARTS})


def alike_from(speeds: dict[grids.Grid, list[float]]) -> grids.Grid:
    """The first grid from which on no step to the next one changes a speed by more than a doubling may."""
    every = list(speeds)
    first = every[-1]
    for grid, larger in reversed(list(zip(every, every[1:]))):
        steps = [one / other for one, other in zip(speeds[grid], speeds[larger])]
        if any(max(step, 1 / step) > _ALIKE for step in steps):
            break
        first = grid
    return first


def _where(found: Gain) -> str:
    """In words: the parts that make the gain, the largest first."""
    if found.parts is None:
        return "a core is never full, or only for a short time"
    parts = sorted(found.parts.items(), key=lambda part: -abs(part[1].mean))
    named = [f"{value.mean:+.1f} {_PARTS[part]}".replace("-", "\u2212") for part, value in parts
             if abs(value.mean) >= _LITTLE]
    return ", ".join(named) or "no part"


def _picture(kernel: str, gains: dict[tuple[grids.Grid, str, str], Gain], first: grids.Grid) -> Picture:
    name = f"grids-{kernel}"
    every = grids.grids(kernel)
    figure, axes = plt.subplots(figsize=(4.3, 2.2))
    for index, (level, policy) in enumerate(itertools.product(plan.LEVELS, _POLICIES)):
        speeds = [gains[grid, level, policy].speed for grid in every]
        places = [grid.rounds * _BESIDE ** (index - 1.5) for grid in every]
        axes.plot(places, [speed.mean for speed in speeds], _LINES[level], marker=".", color=draw.COLOURS[policy],
                  label=f"{draw.NAMES[policy]}, {level}")
        for place, speed in zip(places, speeds):
            draw.interval(axes, place, speed)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xscale("log", base=2)
    axes.set_xticks([grid.rounds for grid in every], [grid.words for grid in every], rotation=60)
    axes.minorticks_off()
    axes.set_xlabel("rounds of blocks; the last one is the paper's grid")
    axes.set_ylabel("speed, RR = 1")
    figure.legend(*axes.get_legend_handles_labels(), ncols=2, **draw.ABOVE)
    last = every[-1]
    words = "; ".join(f"{draw.NAMES[policy]} {percent(gains[last, level, policy].speed.mean)} in {_level(level)}"
                      f" ({_where(gains[last, level, policy])})" for level in plan.LEVELS for policy in _POLICIES)
    return Picture(name, f"{paper.label(kernel)}: speed against RR of the same level over the number of rounds. With the "
                   f"paper's grid: {words}. {_from(first, last)}",
                   draw.svg(figure, name), committed=False)


def _from(first: grids.Grid, last: grids.Grid) -> str:
    if first == last:
        return "The step to the paper's grid still changes a speed by more than 1 %."
    return f"From {first.words} round{'' if first.words == '1' else 's'} on no step changes a speed by more than 1 %."


def _level(level: str) -> str:
    return "the single level" if level == "single" else "two levels"


def _line(kernel: str, gains: dict[tuple[grids.Grid, str, str], Gain], first: grids.Grid) -> list[str]:
    last = grids.grids(kernel)[-1]
    found = [gains[last, level, policy] for level in plan.LEVELS for policy in _POLICIES]
    cells = [cell for one in found for cell in (percent_of(one.speed), _where(one))]
    return [paper.label(kernel), last.words, "–" if first == last else first.words, *cells]


def _study(results: Results) -> Section:
    pictures, rows = [], []
    for kernel in plan.KERNELS:
        every = grids.grids(kernel)
        gains = {(grid, level, policy): gain(results, kernel, grid, level, policy) for grid in every
                 for level in plan.LEVELS for policy in _POLICIES}
        first = alike_from({grid: [gains[grid, level, policy].speed.mean for level in plan.LEVELS
                                   for policy in _POLICIES] for grid in every})
        rows.append(_line(kernel, gains, first))
        if len(every) > 1:
            pictures.append(_picture(kernel, gains, first))
    columns = [f"{draw.NAMES[policy]}, {level}" for level in plan.LEVELS for policy in _POLICIES]
    table = Table(["kernel", "the paper's rounds", "within 1 % from", *(cell for name in columns for cell in (name, "made of"))],
                  rows, "The paper's grids: speed against RR of the same level, and the parts of the gain in percent of the "
                  "policy's time. 'Within 1 % from': the rounds from which on no step to the next grid changes a speed by "
                  "more than 1 %; –: no grid smaller than the paper's has this property")
    return Section("grids", "Grids: does the gain grow with the number of blocks?", _text(), [table, *pictures], main=True,
                   notes=_notes())


def _text() -> list[str]:
    return ["A round is as many blocks of the paper's kernel as fit on all cores. In a grid of few rounds, the first round "
            "and the tail take a large part of the time. So a gain there says little about a large grid. The table has the "
            "speeds with the paper's grids, and says in which part of the run each gain is. The figures of the whole report "
            "have the speeds over the number of rounds."]


def _notes() -> list[str]:
    return ["All grids are the full size with fewer blocks, so a block does the same work in each grid. Beyond "
            f"{grids.MOST} rounds, only the paper's grid is run. "
            f"Up to {plan.CHEAP} rounds each number is the mean of {plan.SEEDS} perturbed runs with a 95 % interval, "
            f"and of {plan.FULL_SEEDS} beyond, and for the paper's grid.",
            "The statistics separate start-up (until a core is full), steady state (blocks wait) and tail (no block waits). "
            "The rate of the steady state is the number of instructions per cycle after the first round. The steady state's "
            "part of the gain is the gain that the whole run would have at this rate, as in an endless grid. The other two "
            "parts come from the additional cycles that a run takes because it begins and ends. The three parts sum to the "
            "gain. Launches of a run are taken together. If a kernel has less than a quarter of its instructions after the "
            "first round, the first round belongs to its steady state."]


def section(results: Results) -> Section:
    """The study is of size full, whatever the size of the report."""
    runs = plan.grid_runs()
    there = sum(store.path(run, SIZE).exists() for run in runs)
    if there == len(runs):
        return _study(results if results.size == SIZE else Results(SIZE, plan.FULL_SEEDS))
    missing = (f"{there} of {len(runs)} runs of the study of grids are there." if there else
               "There are no results of the study of grids.")
    return Section("grids", "Grids: does the gain grow with the number of blocks?",
                   [*_text(), f"{missing} ./scripts/reproduce --size full makes them."])
