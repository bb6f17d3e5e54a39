# SPDX-License-Identifier: MIT
"""Means and intervals behind the figures, one per row."""

from report import clocks
from lib.estimate import Estimate
from report.paws import grids, paper, plan, times
from report.paws.data import Results
from report.paws.figures import grids as figures_grids
from report.paws.figures import phases

_STATISTICS = ("cycles", "alu_load", "memory_load", "idle_fraction")  # docs/reference/statistics.md
_MEAN = "mean"  # of the kernels; in the place of a kernel's name

# Of every row; what does not apply is empty. "over": relative to this; "phases": the rule by which they are cut, in Table II;
# "clock": the notion of Fmax that the core follows; "blocks", "rounds": the grid, if it is not
# that of the size; "low", "high": the 95 % interval of the perturbations.
NAMES = ("measure", "kernel", "scheduler", "over", "phases", "keys", "machine", "clock",
         "blocks", "rounds", "mean", "low", "high", "paper")


def _row(measure: str, value: Estimate, **where) -> dict:
    return dict.fromkeys(NAMES) | {"measure": measure, "mean": value.mean, "low": value.low,
                                   "high": value.high} | where


def _groups(kernels: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {kernel: (kernel,) for kernel in kernels} | {_MEAN: kernels}


def _speeds(results: Results, kernels: tuple[str, ...], keys_there: tuple[str, ...] = plan.KEYS) -> list[dict]:
    rows = []
    for scheduler in plan.SINGLE + plan.TWO_LEVEL:
        level, _, policy = scheduler.partition(":")
        for over in plan.POLICIES[:plan.POLICIES.index(policy)]:
            every_keys = keys_there if policy == "paws" else plan.KEYS[:1]
            rows += [_row("speed", results.mean_speed(group, scheduler, over, keys), scheduler=scheduler,
                          kernel=name, over=f"{level}:{over}", keys=keys if policy == "paws" else None)
                     for keys in every_keys for name, group in _groups(kernels).items()]
    return rows


def _statistics(results: Results, kernels: tuple[str, ...]) -> list[dict]:
    return [_row(name, results.statistic(name, kernel, scheduler), scheduler=scheduler, kernel=kernel)
            for scheduler in plan.SINGLE + plan.TWO_LEVEL for name in _STATISTICS for kernel in kernels]


def _times(results: Results) -> list[dict]:
    return [_row("speed in time", times.in_time(results, group, scheduler, notion), scheduler=scheduler,
                 kernel=name, over=f"{scheduler.partition(':')[0]}:rr", clock=notion)
            for scheduler in plan.SINGLE + plan.TWO_LEVEL if not scheduler.endswith(":rr")
            for notion in plan.TIME_NOTIONS for name, group in _groups(plan.KERNELS).items()]


def _builds() -> list[dict]:
    rows = []
    for scheduler in plan.SINGLE + plan.TWO_LEVEL:
        build = clocks.build(scheduler, plan.READY)
        rows.append(_row("area, gate equivalents", Estimate(build.gates), scheduler=scheduler))
        rows += [_row(f"area, share of a {core} core", Estimate(clocks.PER_CORE * build.gates / gates), scheduler=scheduler)
                 for core, gates in clocks.CORES.items()]
        rows += [_row("Fmax, MHz", Estimate(fmax), scheduler=scheduler, clock=notion) for notion, fmax in build.fmax.items()]
    return rows


def _table_2() -> list[dict]:
    rows = []
    for kernel, entry in paper.KERNELS.items():
        for rule in plan.RULES:
            lengths = [phase["length"] for phase in phases.phases(kernel, rule)["phases"]]
            rows += [_row(measure, Estimate(value), kernel=kernel, phases=rule, paper=theirs)
                     for measure, value, theirs in (
                         ("phases", len(lengths), entry["phases"]),
                         ("longest phase, cycles", max(lengths), entry["longest"]),
                         ("shortest phase, cycles", min(lengths), entry["shortest"]))]
    return rows


def of_report(results: Results) -> list[dict]:
    return (_table_2() + _speeds(results, plan.KERNELS) + _statistics(results, plan.KERNELS) + _times(results) + _builds())


def _grids(results: Results) -> list[dict]:
    """Speed over the number of rounds, and the parts of the gain in percent of the policy's time."""
    rows = []
    for kernel in plan.KERNELS:
        for grid in grids.grids(kernel):
            for level in plan.LEVELS:
                for policy in plan.POLICIES[1:]:
                    found = figures_grids.gain(results, kernel, grid, level, policy)
                    where = {"kernel": kernel, "scheduler": f"{level}:{policy}",
                             "over": f"{level}:rr", "blocks": grid.blocks, "rounds": grid.rounds}
                    rows.append(_row("speed", found.speed, **where))
                    rows += [_row(f"gain, {part}, %", value, **where) for part, value in (found.parts or {}).items()]
    return rows


def of_full(results: Results) -> list[dict]:
    """Of what plan.full_runs() runs."""
    return (_speeds(results, plan.KERNELS, plan.KEYS[:1]) + _statistics(results, plan.KERNELS) + _grids(results))


def of_sensitivity(results: Results) -> list[dict]:
    rows = []
    for variant in plan.VARIANTS:
        for level in plan.LEVELS:
            if not any(name.startswith(f"{level}:") for name in variant.schedulers):
                continue
            for policy in plan.POLICIES[1:]:
                for name, group in _groups(plan.KERNELS).items():
                    value = results.variant_speed(variant, group, f"{level}:{policy}", "rr")
                    rows.append(_row("speed", value, kernel=name,
                                     scheduler=f"{level}:{policy}", over=f"{level}:rr",
                                     machine=variant.name))
    return rows
