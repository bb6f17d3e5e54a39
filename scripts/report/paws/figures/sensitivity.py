# SPDX-License-Identifier: MIT
"""Does the ranking of the policies survive other machines?"""

import itertools

import matplotlib.pyplot as plt

from report import draw
from lib.estimate import Estimate
from report.paws import plan
from report.paws.data import Results
from report.section import Picture, Section, Table, percent_of

PRESET = plan.Variant("preset", "", (), ())
Order = tuple[str, str]  # the faster policy and the slower one


def mean(results: Results, variant: plan.Variant, level: str, policy: str, over: str = "rr") -> Estimate:
    """Speed of one policy relative to another on that machine, mean of the kernels."""
    return results.variant_speed(variant, plan.KERNELS, f"{level}:{policy}", over)


def ranking(results: Results, variant: plan.Variant, level: str) -> set[Order]:
    """The pairs of policies whose order is beyond the noise. Not a list from the fastest on, since
    of A, B and C it may be that A and C alone can be told apart."""
    orders = set()
    for first, second in itertools.combinations(plan.POLICIES, 2):
        side = mean(results, variant, level, first, second).side()
        if side:
            orders.add((first, second) if side > 0 else (second, first))
    return orders


def changes(base: set[Order], here: set[Order]) -> dict[str, set[Order]]:
    """What has become of the orders of `base`, and orders that it does not have either way."""
    turned = {(slower, faster) for faster, slower in base} & here
    return {"reversed": turned,
            "lost": {(faster, slower) for faster, slower in base - here if (slower, faster) not in here},
            "new": here - base - turned}


def _words(orders: set[Order]) -> str:
    return (", ".join(f"{faster.upper()} > {slower.upper()}" for faster, slower in sorted(orders))
            or "no order")


def _picture(results: Results, level: str, variants: list[plan.Variant]) -> Picture:
    name = f"sensitivity-{level}"
    figure, axes = plt.subplots(figsize=(9, 3.2))
    for index, policy in enumerate(("gto", "paws")):
        for x, variant in enumerate(variants):
            value = mean(results, variant, level, policy)
            at = x + 0.4 * index - 0.2
            axes.bar(at, value.mean - 1, 0.38, bottom=1, color=draw.COLOURS[policy],
                     label=draw.NAMES[policy] if x == 0 else None)
            draw.interval(axes, at, value)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks(range(len(variants)), [variant.name for variant in variants], rotation=60,
                    ha="right")
    axes.set_ylabel(f"speed, {level} RR = 1")
    figure.legend(*axes.get_legend_handles_labels(), ncols=2, **draw.ABOVE)
    return Picture(name, f"Mean speed of the fourteen kernels, relative to {level} RR on the same machine.",
                   draw.svg(figure, name))


def section(results: Results) -> Section:
    text, parts = [], []
    for level in plan.LEVELS:
        variants = [variant for variant in plan.VARIANTS
                    if any(name.startswith(level) for name in variant.schedulers)]
        base = ranking(results, PRESET, level)
        changed: dict[str, list[str]] = {}
        rows = []
        for variant in [PRESET, *variants]:
            here = ranking(results, variant, level)
            change = changes(base, here)
            for kind, orders in change.items():
                changed.setdefault(kind, []).extend(
                    f"{_words({order})} ({variant.name})" for order in sorted(orders))
            rows.append([variant.group, variant.name, percent_of(mean(results, variant, level, "gto")),
                         percent_of(mean(results, variant, level, "paws")),
                         percent_of(mean(results, variant, level, "paws", "gto")), _words(here),
                         "; ".join(f"{kind}: {_words(orders)}" for kind, orders in change.items() if orders)])
        text.append(f"{level.capitalize()}, on the preset: {_words(base)}. On the {len(variants)} other "
                    "machines: " + "; ".join(f"{kind}: {', '.join(found) or 'none'}" for kind, found in changed.items())
                    + ".")
        parts += [_picture(results, level, [PRESET, *variants]),
                  Table(["changed", "machine", "GTO over RR", "PAWS over RR", "PAWS over GTO", "orders",
                         "against the preset"], rows, level)]
    notes = ["An order says which of two policies is faster, by the mean speed of all kernels"
             + (" and beyond the noise. An order is lost if it can no longer be told; the reason may be only the "
                "noise of that machine. An order is new if it could not be told on the preset. About one in twenty "
                "comparisons without a difference will seem to show one. "
                if results.perturbed else "; the noise is not measured. ")
             + "Each machine changes one thing. A change of latencies changes the machine and the phase lengths "
             "together. 'latencies-alike' gives all arithmetic a latency of four cycles, so that a phase length "
             "counts instructions."]
    return Section("sensitivity", "Sensitivity: do the orders of the policies hold on other machines?", text, parts,
                   notes=notes)
