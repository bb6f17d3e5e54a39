# SPDX-License-Identifier: MIT
"""What a sweep has found: a table of every run, means with intervals, a picture."""

import csv
import dataclasses
import io
import math
import re
from collections.abc import Callable

from lib import sweep_runs
from lib.estimate import Estimate, estimate, ratio
from lib.sweep_runs import Run, Sweep

Rows = dict[Run, dict[str, str]]  # lines of `paws compare --csv` by name
MEAN = "geometric mean"


def round_robin(scheduler: str) -> str:
    """Of the same level."""
    return scheduler.partition(":")[0] + ":rr"


def good(rows: Rows) -> Rows:
    """Without the runs that failed."""
    return {run: row for run, row in rows.items() if not row["failure"]}


def speed(rows: Rows, run: Run, other: Run) -> float | None:
    """Cycles of the other run ÷ those of the run; None if there are not both."""
    if run not in rows or other not in rows:
        return None
    return int(rows[other]["cycles"]) / int(rows[run]["cycles"])


def to_csv(sweep: Sweep, rows: Rows) -> str:
    """A line per run: what was set, then every statistic."""
    machines = sweep_runs.machines(sweep)
    well = good(rows)
    lines = []
    for run, row in rows.items():
        relative = speed(well, run, dataclasses.replace(run, scheduler=round_robin(run.scheduler)))
        lines.append({"kernel": run.kernel, "scheduler": run.scheduler,
                      **{key: sweep_runs.value_of(machines[run.values], key) for key in sweep.settings},
                      "noise_seed": row.get("noise_seed", run.seed),
                      **{f"gpu.{name}" if name in sweep.settings else name: value for name, value in row.items()
                         if name not in ("scheduler", "noise_seed")},
                      "speed_vs_rr": "" if relative is None else repr(relative)})
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for line in lines for name in line)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


@dataclasses.dataclass(frozen=True)
class Mean:
    """Of the runs that differ in the seed alone. None: not all of them are there."""
    kernel: str
    values: tuple[str, ...]
    scheduler: str
    cycles: Estimate | None  # None for the mean of kernels, too
    vs_rr: Estimate | None
    vs_first: Estimate | None  # relative to the first combination of values


def means(sweep: Sweep, rows: Rows) -> list[Mean]:
    rows = good(rows)
    seeds = range(min(1, sweep.seeds), sweep.seeds + 1)
    first = sweep.combinations()[0]

    def of(kernels: tuple[str, ...], values: tuple[str, ...], scheduler: str, other: Callable[[Run], Run]) -> Estimate | None:
        samples = []
        for seed in seeds:
            runs = [Run(kernel, values, scheduler, seed) for kernel in kernels]
            speeds = [speed(rows, run, other(run)) for run in runs]
            if None in speeds:
                return None
            samples.append(math.exp(math.fsum(map(math.log, speeds)) / len(speeds)))
        return ratio(samples)

    found = []
    groups = [((kernel,), kernel) for kernel in sweep.kernels]
    if len(sweep.kernels) > 1:
        groups.append((sweep.kernels, MEAN))
    for kernels, name in groups:
        for values in sweep.combinations():
            for scheduler in sweep.schedulers:
                runs = [Run(kernels[0], values, scheduler, seed) for seed in seeds]
                whole = len(kernels) == 1 and all(run in rows for run in runs)
                found.append(Mean(
                    name, values, scheduler, estimate([int(rows[run]["cycles"]) for run in runs]) if whole else None,
                    of(kernels, values, scheduler, lambda run: dataclasses.replace(run, scheduler=round_robin(run.scheduler))),
                    of(kernels, values, scheduler, lambda run: dataclasses.replace(run, values=first))))
    return found


def _number(value: Estimate | None) -> str:
    if value is None:
        return "-"
    return f"{value.mean:.0f}" + (f" ± {value.high - value.mean:.0f}" if value.low is not None else "")


def _ratio(value: Estimate | None) -> str:
    if value is None:
        return "-"
    if value.low is None:
        return f"{value.mean:.3f}"
    return f"{value.mean:.3f} ({value.low:.3f}-{value.high:.3f}){'' if value.side() else ' ='}"


def cells(sweep: Sweep, found: list[Mean]) -> list[list[str]]:
    """The head and a line per mean. What does not vary has no column."""
    varied = [number for number, values in enumerate(sweep.settings.values()) if len(values) > 1]
    compared = any(mean.vs_rr for mean in found)
    keys = list(sweep.settings)
    head = ["kernel", *(keys[number] for number in varied), "scheduler", "cycles",
            *(["vs RR"] if compared else []), *(["vs first"] if varied else [])]
    return [head, *([mean.kernel, *(mean.values[number] for number in varied), mean.scheduler, _number(mean.cycles),
                     *([_ratio(mean.vs_rr)] if compared else []), *([_ratio(mean.vs_first)] if varied else [])]
                    for mean in found)]


def markdown(lines: list[list[str]]) -> str:
    head, *rest = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---"] * len(head), *rest))


def latex(lines: list[list[str]]) -> str:
    """Needs no package."""
    def escaped(cell: str) -> str:
        plain = re.sub(r"[&%$#_{}]", r"\\\g<0>", cell.replace("\\", "/"))
        return re.sub(r"[\^~]", r"\\\g<0>{}", plain).replace("±", r"$\pm$")

    head, *rest = [f"{' & '.join(map(escaped, line))} \\\\\n" for line in lines]
    return f"\\begin{{tabular}}{{{'l' * len(lines[0])}}}\n\\hline\n{head}\\hline\n{''.join(rest)}\\hline\n\\end{{tabular}}\n"


def picture(sweep: Sweep, found: list[Mean], kind: str) -> bytes:
    """A panel per kernel with a line per scheduler over the settings; of one setting, one panel over the kernels. Speeds
    against RR where it was run, else cycles. `kind`: svg or png."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    over_kernels = len(sweep.combinations()) == 1
    compared = all(mean.vs_rr for mean in found)
    found = [mean for mean in found if compared or mean.kernel != MEAN]
    panels = [""] if over_kernels else list(dict.fromkeys(mean.kernel for mean in found))
    varied = [number for number, values in enumerate(sweep.settings.values()) if len(values) > 1]
    columns = min(4, len(panels))
    lines = math.ceil(len(panels) / columns)
    with plt.rc_context({"svg.hashsalt": "sweep", "svg.fonttype": "none", "font.size": 8}):
        figure, axes = plt.subplots(lines, columns, squeeze=False, figsize=(max(4, 3 * columns), 2.6 * lines),
                                    constrained_layout=True)
        for spare in axes.flat[len(panels):]:
            spare.remove()
        for panel, axis in zip(panels, axes.flat):
            for scheduler in sweep.schedulers:
                means_of = [mean for mean in found if mean.scheduler == scheduler and panel in ("", mean.kernel)]
                labels = [mean.kernel if over_kernels else "\n".join(mean.values[number] for number in varied)
                          for mean in means_of]
                points = [(label, mean.vs_rr if compared else mean.cycles) for label, mean in zip(labels, means_of)]
                points = [(label, value) for label, value in points if value]
                half = [[value.mean - (value.mean if end is None else end) for _, value in points for end in [value.low]],
                        [(value.mean if end is None else end) - value.mean for _, value in points for end in [value.high]]]
                axis.errorbar([label for label, _ in points], [value.mean for _, value in points], half, label=scheduler,
                              marker="o", markersize=3, capsize=2, linewidth=0 if over_kernels else 1, elinewidth=1)
            axis.set_title(panel)
            axis.set_ylabel("speed vs RR" if compared else "cycles")
            axis.set_xlabel("" if over_kernels else "\n".join(list(sweep.settings)[number] for number in varied))
        axes.flat[0].legend(fontsize=6)
        drawn = io.BytesIO()
        figure.savefig(drawn, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {"Software": None})
        plt.close(figure)
    return drawn.getvalue()
