"""Does the ranking of the policies survive other machines?"""

import math

import matplotlib.pyplot as plt

from report import draw, plan
from report.data import Estimate, Results, ratio
from report.section import Picture, Section, Table, percent_of

PRESET = plan.Variant("preset", "", (), ())


def mean(results: Results, variant: plan.Variant, scheduler: str) -> Estimate:
    """Speed against RR of the level on that machine, geometric mean of the kernels."""
    level = scheduler.partition(":")[0]

    def cycles(kernel: str, name: str, seed: int) -> int:
        return results.variant_row(variant, kernel, name, seed)["cycles"]
    return ratio([math.prod(cycles(kernel, f"{level}:rr", seed) / cycles(kernel, scheduler, seed)
                            for kernel in plan.KERNELS) ** (1 / len(plan.KERNELS))
                  for seed in results.seeds])


def ranking(results: Results, variant: plan.Variant, level: str) -> str:
    """The policies from the fastest on, by their means; = between those whose order is noise."""
    speeds = {"RR": Estimate(1, 1, 1), **{name.upper(): mean(results, variant, f"{level}:{name}")
                                          for name in ("gto", "paws")}}
    order = sorted(speeds, key=lambda name: -speeds[name].mean)
    text = order[0]
    for faster, slower in zip(order, order[1:]):
        apart = speeds[faster].low is None or speeds[faster].low > speeds[slower].high
        text += (" > " if apart else " = ") + slower
    return text


def _contradicts(here: str, there: str) -> bool:
    """Whether one ranking puts two policies apart in the other order than the other one does."""
    def above(text: str) -> set[tuple[str, str]]:
        groups = [group.split(" = ") for group in text.split(" > ")]
        return {(high, low) for i, group in enumerate(groups) for high in group
                for later in groups[i + 1:] for low in later}
    return any((low, high) in above(there) for high, low in above(here))


def _picture(results: Results, level: str, variants: list[plan.Variant]) -> Picture:
    name = f"sensitivity-{level}"
    figure, axes = plt.subplots(figsize=(9, 3.2))
    for index, policy in enumerate(("gto", "paws")):
        for x, variant in enumerate(variants):
            value = mean(results, variant, f"{level}:{policy}")
            at = x + 0.4 * index - 0.2
            axes.bar(at, value.mean - 1, 0.38, bottom=1, color=draw.COLOURS[policy],
                     label=draw.NAMES[policy] if x == 0 else None)
            draw.interval(axes, at, value)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks(range(len(variants)), [variant.name for variant in variants], rotation=60,
                    ha="right")
    axes.set_ylabel(f"speed, {level} RR = 1")
    figure.legend(*axes.get_legend_handles_labels(), ncols=2, **draw.ABOVE)
    return Picture(name, f"Mean speed of the fourteen kernels relative to {level} RR on the same machine.",
                   draw.svg(figure, name))


def section(results: Results) -> Section:
    text, parts = [], []
    for level in plan.LEVELS:
        variants = [PRESET] + [variant for variant in plan.VARIANTS
                               if any(name.startswith(level) for name in variant.schedulers)]
        base = ranking(results, PRESET, level)
        rows, changed = [], []
        for variant in variants:
            here = ranking(results, variant, level)
            if _contradicts(here, base):
                changed.append(variant.name)
            rows.append([variant.group, variant.name,
                         percent_of(mean(results, variant, f"{level}:gto")),
                         percent_of(mean(results, variant, f"{level}:paws")), here])
        text.append(f"{level.capitalize()}: on the preset {base}. " + (
            f"The order of two policies is turned round, beyond the noise, by {', '.join(changed)}."
            if changed else f"None of the {len(variants) - 1} other machines turns the order of two "
            "policies round beyond the noise."))
        parts += [_picture(results, level, variants),
                  Table(["changed", "machine", "GTO over RR", "PAWS over RR", "ranking"], rows, level)]
    text.append("One thing is changed at a time. Latencies change the machine and the phases' lengths "
                "together; 'alike' gives all arithmetic four cycles, so that a phase's length counts its "
                "instructions.")
    return Section("sensitivity", "Sensitivity: does the ranking survive?", text, parts)
