"""Where PAWS is not within 1 % of the better of RR and GTO: why."""

from report import paper, plan
from report.data import Machine, Results
from report.figures import phase_graph
from report.figures.claims import behind
from report.figures.phases import phases
from report.section import Picture, Section, Table, percent

_STATES = {"no_instruction": "no warp has an instruction (all of them fetch, stand at a barrier or have "
                             "ended)",
           "operand": "warps wait for operands", "pipeline": "units are busy",
           "outside_ready": "warps that could issue are outside the ready queue"}


def better_of(results: Results, kernel: str, level: str) -> str:
    return min(("rr", "gto"), key=lambda policy: results.speed(
        kernel, f"{level}:paws", policy, Machine()).mean)


def _live(samples: phase_graph.Samples) -> float:
    most = max(row["warps"] for row in samples)
    rows = [row["warps"] for row in samples if row["warps"] > 0]
    return 100 * sum(rows) / len(rows) / most


def _phase_shares(samples: phase_graph.Samples) -> list[float]:
    """Share of all live warps, over time, that stand in each phase."""
    names = [name for name in samples[0] if name.startswith("phase_")]
    total = sum(row["warps"] for row in samples) or 1
    return [sum(row[name] for row in samples) / total for name in names]


def _explain(results: Results, kernel: str, level: str, better: str) -> tuple[str, list[str]]:
    """A sentence, and a row of the table."""
    names = (f"{level}:paws", f"{level}:{better}")
    paws, other = (results.row(kernel, name) for name in names)
    extra = {state: (paws[f"scheduler_cycles_{state}"] - other[f"scheduler_cycles_{state}"])
             / other["scheduler_cycles"] for state in _STATES}
    state = max(extra, key=extra.get)
    graphs = [results.samples(kernel, name) for name in names]
    shares = [_phase_shares(graph) for graph in graphs]
    gains = [mine - its for mine, its in zip(*shares)]
    phase = max(range(len(gains)), key=lambda index: gains[index])
    live = [_live(graph) for graph in graphs]
    crowd = [phase_graph.at_once(graph) for graph in graphs]
    latency = (paws["load_latency"], other["load_latency"])
    misses = (paws["L1D_total_cache_miss_rate"], other["L1D_total_cache_miss_rate"])
    lost = percent(behind(results, kernel, level, Machine())).lstrip("+")
    length = _length(kernel, phase)
    value = results.speed(kernel, names[0], better, Machine())
    certain = "" if value.low is None or value.below(1) else ", which the noise can explain"
    sentence = (
        f"{paper.label(kernel)}, {level}: {better.upper()} is {lost} ahead of PAWS{certain}. The largest part "
        f"of PAWS's extra scheduler cycles, {100 * extra[state]:.1f} % of the run, are cycles in which "
        f"{_STATES[state]}. Its warps stand longer in phase {phase + 1}{length}: "
        f"{100 * shares[0][phase]:.0f} % of the warps' time against {100 * shares[1][phase]:.0f} %.")
    reasons = []
    if live[0] < live[1] - 1:
        reasons.append(f"the core is {live[0]:.0f} % full instead of {live[1]:.0f} %, as when the warps "
                       "of a block end far apart (the intra-block tail effect)")
    if misses[0] > misses[1] + 0.01:
        reasons.append(f"the L1 misses {100 * misses[0]:.1f} % instead of {100 * misses[1]:.1f} % of its "
                       "accesses")
    if latency[0] > 1.03 * latency[1]:
        reasons.append(f"a load beyond the L1 takes {latency[0]:.0f} cycles instead of {latency[1]:.0f}")
    if crowd[0] > crowd[1] + 0.02:
        reasons.append(f"{100 * crowd[0]:.0f} % instead of {100 * crowd[1]:.0f} % of the warps crowd in one "
                       "phase, so that they wait together")
    if reasons:
        sentence += " With it goes that " + "; ".join(reasons) + "."
    else:
        sentence += (" Fullness of the core, misses and latency of loads, and crowding in one phase are "
                     "alike under both, so this comparison shows no reason.")
    row = [paper.label(kernel), level, better.upper(), lost,
           *(f"{100 * extra[name]:+.1f}" for name in _STATES),
           *(f"{mine:.0f} | {its:.0f}" for mine, its in
             (live, [100 * share for share in crowd], latency, [100 * rate for rate in misses]))]
    return sentence, row


def _length(kernel: str, phase: int) -> str:
    """Of a phase of Table II's kernel, in words; none if the workload has several kernels."""
    found = phases(kernel)["phases"]
    if kernel in ("lud", "dwt", "dxtc", "hist256", "mco") or phase >= len(found):
        return ""
    return f" (length {found[phase]['length']})"


def section(results: Results) -> Section:
    text, rows, pictures = [], [], []
    for level in plan.LEVELS:
        for kernel in plan.KERNELS:
            if behind(results, kernel, level, Machine()) <= 1.01:
                continue
            better = better_of(results, kernel, level)
            sentence, row = _explain(results, kernel, level, better)
            text.append(sentence)
            rows.append(row)
            runs = {name: results.samples(kernel, name)
                    for name in (f"{level}:paws", f"{level}:{better}")}
            pictures.append(phase_graph.graph(
                runs, f"why-{kernel}-{level}", f"{paper.label(kernel)}, {level}, core 0: PAWS and the "
                "better policy.", 1.0))
    text.insert(0, f"{len(rows)} of {len(plan.LEVELS) * len(plan.KERNELS)} pairs of kernel and level are "
                "not within 1 % (ready queue 6, phases in program order). What follows is read off the "
                "unperturbed runs: it says what differs between the two schedules, which is not yet a "
                "proof of what causes what.")
    table = Table(["kernel", "level", "better", "by", "no instruction", "operand", "pipeline",
                   "outside ready", "core full, %", "crowding, %", "load latency", "L1 misses, %"], rows,
                  "PAWS against the better policy: extra scheduler cycles by state, % of the run; then "
                  "PAWS | better")
    return Section("why", "Where PAWS is not within 1 % of the better policy, and why", text,
                   [table, *pictures])
