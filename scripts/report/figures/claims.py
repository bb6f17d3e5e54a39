"""The paper's claims as a table: claim, paper, ours, holds or not."""

from report import paper, plan
from report.data import Machine, Results, machines
from report.figures.speed import grouped
from report.section import Section, Table, percent_of


def _verdict(value, least: float) -> str:
    """Whether an Estimate of a ratio is at least so much."""
    if value.mean >= least:
        return "holds"
    return "within the noise" if value.high is not None and value.high >= least else "does not hold"


def _gain(value) -> str:
    """Whether the sign of a gain that the paper claims is there beyond the noise."""
    if value.above(1):
        return "holds"
    return "the reverse" if value.below(1) else "within the noise"


def _where(level: str, machine: Machine) -> str:
    words = [f"ready {machine.ready}"] if level == "two-level" else []
    return ", ".join(words + [f"cut: {machine.rule}"])


def rows(results: Results) -> list[list[str]]:
    table = []
    for average in paper.AVERAGES:
        level, kind = average["level"], average["type"]
        kernels = grouped(level)[kind]
        for machine in machines(level):
            if average["policy"] != "paws" and machine.rule != plan.RULES[0]:
                continue
            value = results.mean_speed(kernels, f"{level}:{average['policy']}", average["over"],
                                       machine)
            table.append([f"{level}, type {kind}: {average['policy'].upper()} is faster than "
                          f"{average['over'].upper()}", _where(level, machine),
                          f"{average['percent']:+.1f} %", percent_of(value), _gain(value)])
    for claim in paper.CLOSENESS:
        level, kind = claim["level"], claim["type"]
        for machine in machines(level):
            value = results.mean_speed(grouped(level)[kind], f"{level}:paws", claim["to"], machine)
            table.append([f"{level}, type {kind}: PAWS reaches {claim['to'].upper()}",
                          _where(level, machine), f"{claim['percent']:.0f} %",
                          f"{100 * value.mean:.1f} %", _verdict(value, claim["percent"] / 100)])
    for level in plan.LEVELS:
        for machine in machines(level):
            closer = [kernel for kernel in plan.KERNELS if _closer_to_better(results, kernel, level,
                                                                             machine)]
            near = [kernel for kernel in plan.KERNELS
                    if behind(results, kernel, level, machine) <= 1.01]
            table.append([f"{level}: PAWS is always closer to the better of the two",
                          _where(level, machine), "every kernel",
                          f"{len(closer)} of {len(plan.KERNELS)} (within 1 %: {len(near)})",
                          "holds" if len(closer) == len(plan.KERNELS) else "does not hold"])
    return table


def behind(results: Results, kernel: str, level: str, machine: Machine) -> float:
    """Speed of the better of RR and GTO relative to PAWS."""
    return max(1 / results.speed(kernel, f"{level}:paws", over, machine).mean
               for over in ("rr", "gto"))


def _closer_to_better(results: Results, kernel: str, level: str, machine: Machine) -> bool:
    """PAWS is no slower than the mean of RR's and GTO's speeds (all relative to RR)."""
    gto = results.speed(kernel, f"{level}:gto", "rr", machine).mean
    paws = results.speed(kernel, f"{level}:paws", "rr", machine).mean
    return paws >= (1 + gto) / 2


def section(results: Results) -> Section:
    table = rows(results)
    count = {word: sum(row[-1] == word for row in table)
             for word in ("holds", "within the noise", "does not hold", "the reverse")}
    text = [
        f"Of {len(table)} readings of the paper's claims {count['holds']} hold here, "
        f"{count['within the noise']} cannot be told from noise, {count['does not hold']} do not hold, "
        f"and in {count['the reverse']} the sign is the reverse. Each claim stands once for every "
        "reading of the paper that can matter to it: ready queue of 6 or 3 warps per scheduler, "
        "phases cut in program order or also at basic blocks.",
        "A gain holds when the interval lies above zero, whatever its size; compare the columns for "
        "that. The types are the paper's. That PAWS reaches another policy is judged by the mean "
        "against the paper's percentage; that it is closer to the better one, by the middle between "
        "the two. Where a kernel is not of the paper's type here, to reach the policy that the paper "
        "calls the better one says little.",
    ]
    return Section("claims", "The paper's claims", text,
                   [Table(["claim", "machine", "paper", "ours", "verdict"], table)], main=True)
