"""Fig. 10 to 12: execution-time breakdown, ALU and memory load, scheduler idle time."""

import matplotlib.pyplot as plt

from report import draw, paper, plan
from report.data import MACHINES, Estimate, Machine, Results, estimate
from report.figures.speed import grouped
from report.section import Picture, Section, Table

EXAMPLES = ("bp_k1", "bt_k2", "heartwall", "cfd")  # the paper's, two of type A and two of type B
_PARTS = {"compute_only": ("only computation", "#d98032"), "both": ("both", "#8c6bb1"),
          "memory_only": ("only memory", "#2b6cb5"), "neither": ("neither", "#d9d9d9")}
SCHEDULERS = plan.SINGLE + plan.TWO_LEVEL


def _ticks(axes) -> None:
    axes.set_xticks([0, 1, 2, 3.4, 4.4, 5.4], [draw.NAMES[name] for name in plan.POLICIES] * 2)
    for x, level in ((1, "single"), (4.4, "two-level")):
        axes.text(x, -0.2, level, ha="center", va="top", transform=axes.get_xaxis_transform())


_X = [0, 1, 2, 3.4, 4.4, 5.4]


def _breakdown(results: Results, machine: Machine) -> Picture:
    name = f"fig10-{machine.ready}"
    figure, rows = plt.subplots(1, 4, figsize=(9, 2.5), sharey=True)
    for axes, kernel in zip(rows, EXAMPLES):
        base = [0.0] * 6
        for part, (label, colour) in _PARTS.items():
            shares = []
            for scheduler in SCHEDULERS:
                row = results.row(kernel, scheduler, machine)
                shares.append(100 * row[f"active_cycles_{part}"] / row["active_core_cycles"])
            axes.bar(_X, shares, 0.8, bottom=base, color=colour, label=label)
            base = [a + b for a, b in zip(base, shares)]
        axes.set_title(f"{paper.label(kernel)} (type {paper.group(kernel, 'single')})")
        _ticks(axes)
    rows[0].set_ylabel("% of a core's active cycles")
    figure.legend(*rows[0].get_legend_handles_labels(), **draw.ABOVE, ncols=4)
    return Picture(name, "Fig. 10: cycles with instructions of a kind in flight, ready queue "
                   f"{machine.ready}.", draw.svg(figure, name))


def _loads(results: Results, machine: Machine) -> Picture:
    name = f"fig11-{machine.ready}"
    figure, rows = plt.subplots(1, 4, figsize=(9, 2.5))
    for axes, kernel in zip(rows, EXAMPLES):
        for offset, field, colour, label in ((-0.2, "alu_load", "#d98032", "ALU"),
                                             (0.2, "memory_load", "#2b6cb5", "memory")):
            for x, scheduler in zip(_X, SCHEDULERS):
                value = results.statistic(field, kernel, scheduler, machine)
                axes.bar(x + offset, value.mean, 0.38, color=colour, label=label if x == 0 else None)
                draw.interval(axes, x + offset, value)
        axes.set_title(paper.label(kernel))
        _ticks(axes)
    rows[0].set_ylabel("instructions in flight on a core, mean")
    figure.legend(*rows[0].get_legend_handles_labels(), **draw.ABOVE, ncols=2)
    return Picture(name, f"Fig. 11: ALU and memory load, ready queue {machine.ready}.",
                   draw.svg(figure, name))


def idle_change(results: Results, kernels: list[str], scheduler: str, machine: Machine) -> Estimate:
    """Scheduler idle time against RR of the level, in percent: the mean over kernels of idle
    cycles, as shares of the execution time, the one mean relative to the other."""
    level = scheduler.partition(":")[0]

    def mean(which: str, seed: int) -> float:
        return sum(results.row(kernel, which, machine, seed)["idle_fraction"]
                   for kernel in kernels) / len(kernels)
    return estimate([100 * (mean(scheduler, seed) / mean(f"{level}:rr", seed) - 1)
                     for seed in results.seeds])


def _idle(results: Results) -> tuple[Picture, Table]:
    figure, rows = plt.subplots(1, 3, figsize=(9, 2.5), sharey=True)
    lines = []
    for axes, (level, ready) in zip(rows, (("single", 6), ("two-level", 6), ("two-level", 3))):
        x, ticks, labels = 0.0, [], []
        for entry in (entry for entry in paper.IDLE if entry["level"] == level):
            kind = entry["type"]
            for key, policy, rule in (("gto", "gto", "order"), ("paws", "paws", "order"),
                                      ("paws-blocks", "paws", "blocks")):
                machine = Machine(ready, rule)
                value = idle_change(results, grouped(level)[kind], f"{level}:{policy}", machine)
                axes.bar(x, value.mean, 0.8, color=draw.COLOURS[key],
                         label=draw.NAMES[key] if kind == "A" else None)
                draw.interval(axes, x, value)
                axes.plot([x - 0.4, x + 0.4], [entry[policy]] * 2, color=draw.PAPER, linewidth=2)
                interval = "" if value.low is None else f" ±{(value.high - value.low) / 2:.1f}"
                lines.append([f"{level}, type {kind}", draw.NAMES[key],
                              "" if level == "single" else str(ready), f"{entry[policy]:+.2f} %",
                              f"{value.mean:+.1f} %{interval}"])
                x += 1
            ticks.append(x - 2)
            labels.append(f"type {kind}")
            x += 0.8
        axes.axhline(0, color="black", linewidth=0.6)
        axes.set_xticks(ticks, labels)
        axes.set_title(level if level == "single" else f"{level}, ready queue {ready}")
    rows[0].set_ylabel("idle time, RR = 0, %")
    rows[0].plot([], [], color=draw.PAPER, linewidth=2, label="paper")
    figure.legend(*rows[0].get_legend_handles_labels(), **draw.ABOVE, ncols=4)
    picture = Picture("fig12", "Fig. 12: scheduler idle time against RR, by the paper's types.",
                      draw.svg(figure, "fig12"))
    return picture, Table(["kernels", "policy", "ready", "paper", "ours"], lines,
                          "Fig. 12: scheduler idle time against RR of the same level")


def section(results: Results) -> Section:
    machines = [machine for machine in MACHINES if machine.rule == plan.RULES[0]]
    parts: list = []
    for machine in machines:
        parts += [_breakdown(results, machine), _loads(results, machine)]
    picture, table = _idle(results)
    dominant = {kernel: max(_PARTS, key=lambda part: results.row(kernel, "single:rr")
                            [f"active_cycles_{part}"]) for kernel in EXAMPLES}
    signs = sum(_agrees(entry, results) for entry in paper.IDLE)
    text = [
        "Under single-level RR most of the time " + ", ".join(
            f"{paper.label(kernel)} has {_PARTS[part][0]} in flight"
            for kernel, part in dominant.items()) + ". The paper calls BP-K1 and Heart compute "
        "intensive, B+T-K2 and CFD memory intensive; a memory instruction counts here from its issue to "
        "its last register or acknowledgement, shared memory included, which makes 'memory' larger.",
        f"Of the four pairs of idle times in the text the signs of GTO and PAWS agree in {signs} (ready "
        "queue 6, phases in program order; 'comparable' as within 2 %). Single bars of Fig. 10 to 12 "
        "are not in the paper's text, so only these averages are compared as numbers.",
    ]
    return Section("fig10", "Fig. 10 to 12: where the time goes", text, [*parts, picture, table])


def _agrees(entry: dict, results: Results) -> bool:
    def sign(percent: float) -> int:
        return 0 if abs(percent) <= 2 else (1 if percent > 0 else -1)
    level, kernels = entry["level"], grouped(entry["level"])[entry["type"]]
    return all(sign(idle_change(results, kernels, f"{level}:{policy}", Machine()).mean)
               == sign(entry[policy]) for policy in ("gto", "paws"))
