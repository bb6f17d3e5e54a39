"""Where PAWS is not within 1 % of the better of RR and GTO: why."""

from report import paper, plan
from report.data import Machine, Results, machines, panel_title
from report.figures import phase_graph
from report.figures.claims import behind
from report.figures.phases import phases
from report.section import Picture, Section, Table, percent

_STATES = {"no_instruction": "no warp has an instruction (all of them fetch, stand at a barrier or have "
                             "ended)",
           "operand": "warps wait for operands", "pipeline": "units are busy",
           "outside_ready": "warps that could issue are outside the ready queue"}
# Statistics that may go along with a loss: name, by how much PAWS's must exceed the other's, and
# the sentence. A limit is a factor if it is above 1, else a difference.
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
)


def better_of(results: Results, kernel: str, level: str, machine: Machine) -> str:
    return min(("rr", "gto"), key=lambda policy: results.speed(
        kernel, f"{level}:paws", policy, machine).mean)


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


def _causes(mine: dict, its: dict, graphs: list[phase_graph.Samples]) -> list[str]:
    """What else differs between the runs of PAWS and of the better policy, in words."""
    found = []
    live = [_live(graph) for graph in graphs]
    if live[0] < live[1] - 1:
        found.append(f"the core is {live[0]:.0f} % full instead of {live[1]:.0f} %, as when the warps "
                     "of a block end far apart (the intra-block tail effect)")
    ends = [_idle_end(graph) for graph in graphs]
    if ends[0] > ends[1] + 0.02:
        found.append(f"the last {ends[0]:.0%} instead of {ends[1]:.0%} of the run are left with a core "
                     "that is not full")
    for name, limit, words in _CAUSES:
        if mine[name] > (limit * its[name] if limit > 1 else its[name] + limit):
            found.append(words.format(mine[name], its[name]))
    if mine["Row_Buffer_Locality"] < its["Row_Buffer_Locality"] - 0.01:
        found.append(f"{mine['Row_Buffer_Locality']:.1%} instead of {its['Row_Buffer_Locality']:.1%} of the "
                     "lines find their DRAM row open")
    crowd = [phase_graph.at_once(graph) for graph in graphs]
    if crowd[0] > crowd[1] + 0.02:
        found.append(f"{100 * crowd[0]:.0f} % instead of {100 * crowd[1]:.0f} % of the warps crowd in one "
                     "phase, so that they wait together")
    return found


def _explain(results: Results, kernel: str, level: str, machine: Machine, better: str
             ) -> tuple[str, list[str]]:
    """A sentence, and a row of the table."""
    names = (f"{level}:paws", f"{level}:{better}")
    paws, other = (results.row(kernel, name, machine) for name in names)
    extra = {state: (paws[f"scheduler_cycles_{state}"] - other[f"scheduler_cycles_{state}"])
             / other["scheduler_cycles"] for state in _STATES}
    state = max(extra, key=extra.get)
    graphs = [results.samples(kernel, name, machine) for name in names]
    lost = percent(behind(results, kernel, level, machine)).lstrip("+")
    value = results.speed(kernel, names[0], better, machine)
    certain = "" if value.low is None or value.below(1) else ", which the noise can explain"
    sentence = (
        f"{paper.label(kernel)}: {better.upper()} is {lost} ahead of PAWS{certain}. The largest part of "
        f"PAWS's extra scheduler cycles, {100 * extra[state]:.1f} % of the run, are cycles in which "
        f"{_STATES[state]}.")
    if machine.rule == plan.RULES[0]:  # the phases of the two runs are the same ones
        shares = [_phase_shares(graph) for graph in graphs]
        gains = [mine - its for mine, its in zip(*shares)]
        phase = max(range(len(gains)), key=lambda index: gains[index])
        sentence += (f" Its warps stand longer in phase {phase + 1}{_length(kernel, phase)}: "
                     f"{100 * shares[0][phase]:.0f} % of the warps' time against "
                     f"{100 * shares[1][phase]:.0f} %.")
    found = _causes(paws, other, graphs)
    sentence += (f" With it goes that {'; '.join(found)}." if found else
                 " Fullness of the core, caches, DRAM rows, bank conflicts and crowding in one phase are "
                 "alike under both, so this comparison shows no reason.")
    row = [paper.label(kernel), panel_title(level, machine.ready), machine.rule, better.upper(), lost,
           *(f"{100 * extra[name]:+.1f}" for name in _STATES),
           *(f"{mine:.0f} | {its:.0f}" for mine, its in (
               [_live(graph) for graph in graphs],
               [100 * phase_graph.at_once(graph) for graph in graphs],
               (paws["load_latency"], other["load_latency"]),
               [100 * run["L1D_total_cache_miss_rate"] for run in (paws, other)]))]
    return sentence, row


def _length(kernel: str, phase: int) -> str:
    """Of a phase of Table II's kernel, in words; none if the workload has several kernels."""
    found = phases(kernel)["phases"]
    if kernel in ("lud", "dwt", "dxtc", "hist256", "mco") or phase >= len(found):
        return ""
    return f" (length {found[phase]['length']})"


def section(results: Results) -> Section:
    text, rows, pictures, pairs = [], [], [], 0
    for level in plan.LEVELS:
        for machine in machines(level):
            sentences = []
            pairs += len(plan.KERNELS)
            for kernel in plan.KERNELS:
                if behind(results, kernel, level, machine) <= 1.01:
                    continue
                better = better_of(results, kernel, level, machine)
                sentence, row = _explain(results, kernel, level, machine, better)
                sentences.append(sentence)
                rows.append(row)
                if machine.rule != plan.RULES[0]:
                    continue
                runs = {name: results.samples(kernel, name, machine)
                        for name in (f"{level}:paws", f"{level}:{better}")}
                pictures.append(phase_graph.graph(
                    runs, f"why-{kernel}-{level}-{machine.ready}", f"{paper.label(kernel)}, "
                    f"{panel_title(level, machine.ready)}, core 0: PAWS and the better policy.", 1.0))
            if sentences:
                rule = "phases in program order" if machine.rule == "order" else "phases cut at blocks"
                sentences[0] = (f"{panel_title(level, machine.ready).capitalize()}, {rule}. "
                                + sentences[0])
            text += sentences
    text.insert(0, f"{len(rows)} of {pairs} triples of kernel, scheduler and phase rule are not within "
                "1 %. What follows is read off the unperturbed runs: it says what differs between the two "
                "schedules, which is not yet a proof of what causes what. Phase graphs stand below for "
                "phases in program order.")
    table = Table(["kernel", "scheduler", "phases cut", "better", "by", "no instruction", "operand",
                   "pipeline", "outside ready", "core full, %", "crowding, %", "load latency",
                   "L1 misses, %"], rows,
                  "PAWS against the better policy: extra scheduler cycles by state, % of the run; then "
                  "PAWS | better")
    return Section("why", "Where PAWS is not within 1 % of the better policy, and why", text,
                   [table, *pictures])
