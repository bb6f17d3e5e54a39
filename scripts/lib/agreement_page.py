# SPDX-License-Identifier: MIT
"""The tables and the figure of docs/evidence/agreement.md."""

from lib.agreement import GTO, GUARDED, REFERENCE, RR, Comparison, Facts
from lib.kernel_study import measured, write_between
from lib.places import EVIDENCE, GENERATED

COMMAND = "scripts/check agreement --update"
PAGE = EVIDENCE / "agreement.md"
FIGURE = GENERATED / "agreement.svg"
ENOUGH = 3  # kernels from which on a correlation says something


def percent(value: float) -> str:
    return f"{100 * value:+.1f} %"


def table(columns: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def summary(facts: Facts, ours: dict, kernels: list[str]) -> list[str]:
    """Markdown: how near the two are, over the kernels."""
    count = len(kernels)
    rows = []
    for parameters in facts.description["parameters"]:
        for variant in facts.variants:
            pair = Comparison(facts, ours, variant, parameters, kernels)
            row = [parameters, variant, *(f"{pair.error(scheduler):.1f} %" for scheduler in GUARDED)]
            if count >= ENOUGH:
                row += [*(f"{pair.ipc_correlation(scheduler):.3f}" for scheduler in GUARDED),
                        f"{pair.same_sign()} of {count}", f"{pair.lead_order():.2f}", f"{pair.same_best()} of {count}"]
            rows.append(row)
    columns = ["GPGPU-Sim", "here", "cycles, RR", "cycles, GTO"]
    if count >= ENOUGH:
        columns += ["IPC, RR", "IPC, GTO", "same sign", "order", "same best"]
    return table(columns, rows)


def ipc_and_leads(facts: Facts, ours: dict) -> list[str]:
    """Markdown: IPC under RR and the lead of GTO, of both; here of the variants that the figure shows."""
    variants = facts.variants[:2]

    def runs_of(scheduler: str, kernel: str) -> list:
        return [facts.runs[REFERENCE, scheduler, kernel],
                *(ours[variant, scheduler, kernel] for variant in variants)]

    sides = (f"GPGPU-Sim, {REFERENCE}", *(f"here, {variant}" for variant in variants))
    columns = ["kernel", *(f"IPC, {side}" for side in sides), *(f"GTO over RR, {side}" for side in sides)]
    rows = []
    for kernel in facts.kernels:
        rr, gto = (runs_of(scheduler, kernel) for scheduler in (RR, GTO))
        rows.append([kernel, *(f"{run.ipc:.1f}" for run in rr),
                     *(percent(slow.cycles / fast.cycles - 1) for slow, fast in zip(rr, gto))])
    return table(columns, rows)


def tables(facts: Facts, ours: dict) -> str:
    return "\n".join([
        *summary(facts, ours, facts.kernels), "",
        "*Cycles*: mean of the absolute differences. *IPC*: correlation r of the logarithms. *Same sign*: kernels",
        "on which GTO gains over RR, or loses, in both. *Order*: Spearman's correlation of GTO over RR. *Same best*:",
        "kernels on which the same of the three schedulers takes the fewest cycles.", "",
        "### Every kernel", "Thread instructions per cycle under RR, and how much faster GTO is:", "",
        *ipc_and_leads(facts, ours)])


def write(facts: Facts, ours: dict) -> None:
    """The figure, and the tables between the marks of the page."""
    from lib import agreement_plot
    FIGURE.write_text(agreement_plot.plot(facts, ours))
    write_between(PAGE, COMMAND, f"{tables(facts, ours)}\n\n{measured()}")
