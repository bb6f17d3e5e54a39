# SPDX-License-Identifier: MIT
"""Where PAWS is not within 1 % of the better of RR and GTO: why."""

import functools

from lib.estimate import Estimate, estimate
from report.paws import paper, plan
from report.paws.data import Results
from report.paws.figures import phase_graph
from report.paws.figures.phases import phases
from report.section import Picture, Section, Table, number_of, percent

PAGE = "why.html"  # beside the report
_TITLE = "Where PAWS is not within 1 % of the better policy, and why"
_NEAR = 1.01
_STATES = {"no_instruction": "no warp has an instruction (all warps fetch, wait at a barrier or have "
                             "ended)",
           "operand": "warps wait for operands", "pipeline": "units are busy",
           "outside_ready": "warps that could issue are outside the ready queue"}
# Statistics that may go along with a loss: name, by how much PAWS's must exceed the other's, and
# the sentence. A limit is a factor if it is above 1, else a difference; below 0: fall short of it.
_CAUSES = (
    ("L1D_total_cache_miss_rate", 0.01, "the L1 misses {:.1%} instead of {:.1%} of its accesses"),
    ("L2_total_cache_miss_rate", 0.01, "the L2 misses {:.1%} instead of {:.1%} of its accesses"),
    ("L1I_total_cache_miss_rate", 0.005, "{:.1%} instead of {:.1%} of the fetches miss the instruction "
                                         "cache"),
    ("load_latency", 1.03, "a load beyond the L1 takes {:.0f} cycles instead of {:.0f}"),
    ("gpgpu_n_shmem_bkconflict", 1.03, "shared memory needs {:.0f} instead of {:.0f} passes for bank "
                                       "conflicts"),
    ("operand_conflict_cycles", 1.03, "conflicts in the register banks take {:.0f} instead of {:.0f} "
                                      "cycles"),
    ("Row_Buffer_Locality", -0.01, "{:.1%} instead of {:.1%} of the lines hit an open DRAM row"),
)
_SEVERAL_KERNELS = ("lud", "dxtc", "hist256", "mco")  # phases of a number are not of one kernel


def better_of(results: Results, kernel: str, level: str) -> str:
    return min(("rr", "gto"), key=lambda policy: results.speed(
        kernel, f"{level}:paws", policy).mean)


def _live(samples: phase_graph.Samples) -> float:
    most = max(row["warps"] for row in samples)
    rows = [row["warps"] for row in samples if row["warps"] > 0]
    return 100 * sum(rows) / len(rows) / most


def _phase_shares(samples: phase_graph.Samples) -> list[float]:
    """Share of all live warps, over time, that stand in each phase."""
    names = [name for name in samples[0] if name.startswith("phase_")]
    total = sum(row["warps"] for row in samples) or 1
    return [sum(row[name] for row in samples) / total for name in names]


def _idle_end(samples: phase_graph.Samples) -> float:
    """Share of the run after the last moment with a full core."""
    most = max(row["warps"] for row in samples)
    full = max(row["cycle"] for row in samples if row["warps"] == most)
    return 1 - full / samples[-1]["cycle"]


def _worse_counters(results: Results, kernel: str, schedulers: tuple[str, str]) -> list[str]:
    """What is worse in the mean of PAWS's runs than in that of the better policy's, in words."""
    found = []
    for name, limit, words in _CAUSES:
        mine, its = ([results.row(kernel, scheduler, seed)[name] for seed in results.seeds]
                     for scheduler in schedulers)
        sign = -1 if limit < 0 else 1
        means = estimate(mine).mean, estimate(its).mean
        far = means[0] > limit * means[1] if limit > 1 else sign * (means[0] - means[1]) > abs(limit)
        # Seed by seed, since both policies are perturbed in the same way.
        if far and estimate([sign * (one - other) for one, other in zip(mine, its)]).above(0):
            found.append(words.format(*means).replace("%", " %"))
    return found


def _worse_samples(graphs: list[phase_graph.Samples]) -> list[str]:
    """What is worse on core 0 in PAWS's unperturbed run, the first, than in the other's, in words."""
    found = []
    live = [_live(graph) for graph in graphs]
    if live[0] < live[1] - 1:
        found.append(f"the core is {live[0]:.0f} % full instead of {live[1]:.0f} % (a cause can be the intra-block "
                     "tail effect: the warps of a block end far apart)")
    ends = [_idle_end(graph) for graph in graphs]
    if ends[0] > ends[1] + 0.02:
        found.append(f"the core is not full in the last {100 * ends[0]:.0f} % instead of {100 * ends[1]:.0f} % of "
                     "the run")
    crowd = [phase_graph.at_once(graph) for graph in graphs]
    if crowd[0] > crowd[1] + 0.02:
        found.append(f"{100 * crowd[0]:.0f} % instead of {100 * crowd[1]:.0f} % of the warps are in the most "
                     "crowded phase")
    return found


def _longer_phase(kernel: str, graphs: list[phase_graph.Samples]) -> list[str]:
    """The phase in which PAWS's warps stand longest compared to the other's, in words, if by a point."""
    shares = [_phase_shares(graph) for graph in graphs]
    gains = [mine - its for mine, its in zip(*shares)]
    phase = max(range(len(gains)), key=lambda index: gains[index])
    if gains[phase] < 0.01 or kernel in _SEVERAL_KERNELS:
        return []
    length = phases(kernel, plan.RULES[0])["phases"][phase]["length"]
    return [f"the warps spend {100 * shares[0][phase]:.0f} % instead of "
            f"{100 * shares[1][phase]:.0f} % of their time in phase {phase + 1} (length {length})"]


def _extra(results: Results, kernel: str, schedulers: tuple[str, str]) -> dict[str, Estimate]:
    """By state, PAWS's scheduler cycles beyond the other's, in percent of all of the other's."""
    def one(state: str, seed: int) -> float:
        paws, other = (results.row(kernel, name, seed) for name in schedulers)
        more = paws[f"scheduler_cycles_{state}"] - other[f"scheduler_cycles_{state}"]
        return 100 * more / other["scheduler_cycles"]
    return {state: estimate([one(state, seed) for seed in results.seeds]) for state in _STATES}


def _explain(results: Results, kernel: str, level: str, better: str) -> tuple[str, list[str]]:
    """Sentences, and a row of the table."""
    names = (f"{level}:paws", f"{level}:{better}")
    value = results.speed(kernel, names[0], better)
    lost = percent(1 / value.mean).lstrip("+")
    extra = _extra(results, kernel, names)
    graphs = [results.samples(kernel, name) for name in names]
    certain = "" if value.low is None or value.below(1) else "; noise can explain this"
    text = f"{paper.label(kernel)}: {better.upper()} is {lost} ahead of PAWS{certain}. "
    more = {state: share for state, share in extra.items() if share.above(0)}
    if more:
        state = max(more, key=lambda name: more[name].mean)
        text += (f"The largest part of PAWS's extra scheduler cycles ({number_of(more[state], 1)} % of the run) is "
                 f"cycles in which {_STATES[state]}.")
    else:
        text += ("No scheduler state takes more cycles under PAWS" +
                 (" beyond the noise." if results.perturbed else "."))
    counters = _worse_counters(results, kernel, names)
    if counters:
        text += f" Under PAWS: {'; '.join(counters)}."
    shown = results.cycles(kernel, names[0]) > results.cycles(kernel, names[1])
    seen = _worse_samples(graphs) + _longer_phase(kernel, graphs) if shown else []
    if seen:
        text += f" On core 0 in the unperturbed run under PAWS: {'; '.join(seen)}."
    if not shown:
        text += " The unperturbed run, the only one with samples, does not show the loss."
    if not counters and not seen:
        text += (" This comparison shows no reason: no worse value is seen under PAWS for caches, DRAM rows and "
                 "bank conflicts" + (", occupancy of the core and crowding in one phase." if shown else "."))

    def mean(name: str, scheduler: str) -> float:
        return results.statistic(name, kernel, scheduler).mean
    row = [paper.label(kernel), level, better.upper(), lost,
           *(f"{extra[name].mean:+.1f}" for name in _STATES),
           *(f"{mine:.0f} | {its:.0f}" for mine, its in (
               [_live(graph) for graph in graphs],
               [100 * phase_graph.at_once(graph) for graph in graphs],
               [mean("load_latency", name) for name in names],
               [100 * mean("L1D_total_cache_miss_rate", name) for name in names]))]
    return text, row


@functools.cache
def _explained(results: Results) -> tuple[str, list[list[str]], list[Picture]]:
    """In how many combinations PAWS is behind; a row of the table and a graph of each, with its explanation."""
    rows, pictures, pairs = [], [], 0
    for level in plan.LEVELS:
        for kernel in plan.KERNELS:
            pairs += 1
            better = better_of(results, kernel, level)
            if 1 / results.speed(kernel, f"{level}:paws", better).mean <= _NEAR:
                continue
            sentences, row = _explain(results, kernel, level, better)
            rows.append(row)
            runs = {name: results.samples(kernel, name) for name in (f"{level}:paws", f"{level}:{better}")}
            pictures.append(phase_graph.graph(runs, f"why-{kernel}-{level}",
                                              f"{level.capitalize()}; the graph is of core 0. {sentences}", 1.0))
    found = (f"In {len(rows)} of {pairs} pairs of kernel and level, the better of RR and GTO is "
             "more than 1 % ahead of PAWS by the mean.")
    return found, rows, pictures


def _notes(results: Results) -> list[str]:
    runs = (f"means of the {results.perturbed} perturbed runs" if results.perturbed
            else "from one run each, so they say nothing about noise")
    return [f"Times, scheduler states, caches and DRAM are {runs}. The numbers of warps on the core and in the phases "
            "come from samples of core 0 in the unperturbed runs. This section shows what differs between the two "
            "schedules; it does not prove a cause."]


def section(results: Results) -> Section:
    """For the report."""
    found, rows, _ = _explained(results)
    table = Table(["kernel", "level", "better", "by", "no instruction", "operand",
                   "pipeline", "outside ready", "core full, %", "crowding, %", "load latency",
                   "L1 misses, %"], rows,
                  "PAWS against the better policy: extra scheduler cycles by state in % of the run; the last four "
                  "columns have PAWS | better policy")
    return Section("why", _TITLE, [found], [table], notes=_notes(results), see_also=PAGE)


def details(results: Results) -> Section:
    """For the page beside it: every combination with its explanation and its graph."""
    found, _, pictures = _explained(results)
    return Section("why", _TITLE, [found], pictures, notes=_notes(results), see_also="index.html")
