# SPDX-License-Identifier: MIT
"""Fig. 8, a full pipeline, the cost of a jump and a starving group: reckoned in every cycle, and simulated."""

from report import verdict
from report.narasiman2011 import closed, toys
from report.narasiman2011.data import Results, lanes
from report.narasiman2011.setups import GROUP, RR
from report.section import Section, Table
from report.verdict import Reading

_SAVED = 7  # cycles (Section 3.1.2)


def _around(results: Results) -> int:
    """Cycles of a run before its first selection and after its last one: of a warp that computes only, and so is selected
    every seven cycles."""
    length = toys.LENGTHS[0]
    row = results.toy(toys.filled(1, 1, length))
    return row["cycles"] - closed.PIPELINE * length - 1  # with the end of the warp one instruction more


def figure_8(results: Results) -> list[tuple[tuple[int, int, int], tuple[int, int], tuple[int, int]]]:
    """Of compute instructions, cycles of the load and warps of a group: cycles and idle ones, reckoned and simulated."""
    found, around = [], _around(results)
    for compute, later in toys.FIGURE_8:
        for group in (toys.WARPS_8, *toys.GROUPS_8):
            run = toys.figure_8(compute, later, toys.GROUPS_8[0] if group == toys.WARPS_8 else group)
            row = results.toy(run, RR if group == toys.WARPS_8 else GROUP)
            found.append(((compute, later, group), closed.figure_8(toys.WARPS_8, group, compute, later),
                          (row["cycles"] - around, lanes(row)[0] - around)))
    return found


def loads(results: Results) -> list[tuple[int, int]]:
    """Of Fig. 8, by how many cycles a load makes its warp selectable later: as it should be, and simulated."""
    return [(later, results.toy(toys.alone(compute, later))["cycles"] - _around(results) - 1
             - 2 * compute * closed.PIPELINE) for compute, later in toys.FIGURE_8]


def filled(results: Results) -> list[tuple[tuple[int, int], float, float]]:
    """Of large warps and rows of each: sub-warps per cycle, reckoned and simulated."""
    short, long = toys.LENGTHS
    found = []
    for warps, rows in toys.FILLED:
        cycles = (results.toy(toys.filled(warps, rows, long))["cycles"] - results.toy(toys.filled(warps, rows, short))["cycles"])
        found.append(((warps, rows), closed.filled(warps, rows), warps * rows * (long - short) / cycles))
    return found


def jump(results: Results) -> Reading:
    """What a jump saves that is done with its first sub-warp."""
    short, long = toys.LENGTHS
    cycles = [(results.toy(toys.jumps(once, long))["cycles"] - results.toy(toys.jumps(once, short))["cycles"]) / (long - short)
              for once in (False, True)]
    saved = cycles[0] - cycles[1]
    return Reading(f"{saved:g} cycles ({cycles[0]:g} and {cycles[1]:g} from jump to jump)",
                   verdict.HOLDS if saved == _SAVED else verdict.FAILS)


def _together(results: Results, scheduler: str) -> tuple[int, int, int]:
    """Cycles of a group that computes, of one that loads, and of both at once."""
    return tuple(results.toy(toys.starving(spins, loads), scheduler)["cycles"] for spins, loads in
                 ((toys.SPINS, 0), (0, toys.LOADS), (toys.SPINS, toys.LOADS)))


def hidden(results: Results, scheduler: str) -> float:
    """Of the shorter of the two, the share that passes while the other one runs."""
    computes, waits, both = _together(results, scheduler)
    return (computes + waits - both) / min(computes, waits)


def starvation(results: Results) -> Reading:
    """Whether a group of eight warps that only computes leaves the next group a selection."""
    share = {scheduler: 100 * hidden(results, scheduler) for scheduler in (RR, GROUP)}
    return Reading(f"while a group of eight warps computes, the next one does {share[GROUP]:.0f} % of its loads; under "
                   f"round robin {share[RR]:.0f} %", verdict.FAILS if share[GROUP] < share[RR] / 2 else verdict.HOLDS)


def _marked(agrees: bool, words: str):
    return verdict.marked(words, verdict.HOLDS if agrees else verdict.FAILS)


def section(results: Results) -> Section:
    figure, times, full = figure_8(results), loads(results), filled(results)
    names = {toys.WARPS_8: "round robin", **{group: f"groups of {group}" for group in toys.GROUPS_8}}
    rows = [[f"{compute}, load, {compute}", f"{later} ({found})", names[group], f"{reckoned[0]} / {reckoned[1]}",
             _marked(reckoned == simulated and later == found, f"{simulated[0]} / {simulated[1]}")]
            for ((compute, later, group), reckoned, simulated), found in zip(
                figure, (found for _, found in times for _ in names))]
    closed_rows = [[str(warps), str(warps_rows), f"{reckoned:.3f}", _marked(reckoned == simulated, f"{simulated:.3f}")]
                   for (warps, warps_rows), reckoned, simulated in full]
    agree = sum(cell.colour == verdict.marked("", verdict.HOLDS).colour for cell in
                [row[-1] for row in rows + closed_rows])
    computes, waits, both = _together(results, GROUP)
    text = [
        f"Of {len(rows) + len(closed_rows)} cases in which every cycle is known in advance, {agree} are simulated exactly as "
        "reckoned. The reckoning knows nothing of the simulator: it counts cycles by the rules of the paper's text "
        "(scripts/report/narasiman2011/closed.py).",
        "Fig. 8 has no numbers; these are of its 16 warps with lengths of ours. Groups of eight fill the pipeline of seven "
        "stages, and hide most of the loads. Groups of four cannot: the order of selections is then that of round robin.",
        "A group of eight warps that only computes is never stalled, so the next group waits to its end: the two take "
        f"{waits} and {computes} cycles alone, and {both} together. The paper says that its policy starves nobody, "
        "since both levels are fair. A proof of the RTL has such a run as a witness "
        "(docs/reference/microarchitecture.md, fetch groups)."]
    return Section("fig8", "Fig. 8 and closed forms: exact", text, [
        Table(["instructions of a warp", "load, cycles (found)", "order", "cycles / idle, reckoned", "simulated"], rows,
              "Fig. 8: 16 warps; cycles from the first selection to the last one, and those without one"),
        Table(["large warps", "sub-warps of each", "sub-warps per cycle, reckoned", "simulated"], closed_rows,
              "A full pipeline: warps that compute only, all threads active. W warps of n sub-warps give min(1, W n / (n + 6))")],
        main=True, notes=[
            "A load of the first table makes its warp selectable later than any other instruction does, by so many cycles. "
            "Instructions always hit in the cache, and DRAM gives a line per cycle, so that all loads take equally long.",
            "The second table is the difference of two lengths of the same kernel, so it has neither start nor end."])
