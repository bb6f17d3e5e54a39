# SPDX-License-Identifier: MIT
"""Made-up results of the page on Lee et al. for tests."""

import functools

from report.lee2014 import build, paper, plan, setups
from report.lee2014.data import Results
from report.section import Section
from tests.report import made_up
from tests.report.made_up import number

# Every figure of its page, by its name. One that gets lost fails the tests.
FIGURES = {"answer", *(f"fig{number}" for number in (1, 4, 5, 6, 8, 12, 15, 16, 17, 18, 19))}


def _row(name: str, scheduler: str, cycles: int) -> dict:
    kernel, cell = name.split("/")[1:]
    entry = paper.KERNELS.get(kernel.removeprefix(f"{plan.HARDWARE}-"))
    row = {"scheduler": scheduler, "cycles": cycles, "launches": 1, "blocks": 512, "load_latency": 400.0 + number(name),
           "kernels": [{"blocks_per_core": entry["t_max"] if entry else 4, "threads_per_block": 256}],
           "L1D_total_cache_miss_rate": 0.2 + number(name, scheduler, "l1") / 200,
           "L2_total_cache_miss_rate": 0.2 + number(name, scheduler, "l2") / 200,
           "scheduler_cycles": 1000, "dram_reads": 5000 + number(name, "dram"), "warp_cycles": 9000 + number(name, "warps"),
           "active_core_cycles": 500,
           "memory_requests": 8000 + number(name, "requests")}
    for cache, accesses in (("l1", "L1D_total_cache_accesses"), ("l2", "L2_total_cache_accesses")):
        row[accesses] = 1000
        row |= {f"{cache}_{kind}_{owner}": number(name, scheduler, cache, kind, owner) for kind in ("hits", "pending_hits")
                for owner in ("same_warp", "same_block", "paired_block", "other_block")}
    states = ("no_instruction", "operand", "pipeline")
    row |= {f"scheduler_cycles_{state}": 100 + number(name, scheduler, state) for state in states}
    row["scheduler_cycles_issued"] = 1000 - sum(row[f"scheduler_cycles_{state}"] for state in states)
    launch = {"kernel_name": "k", "gpu_sim_cycle": cycles, "block_limits": None}
    if cell.startswith(("lcs", "cke", "random-limit")):
        launch["block_limits"] = [{"limit": 1 + number(name) % 4, "core": 0, "cycle": 100}]
    return row | {"per_launch": [launch]}


@functools.cache
def rows(name: str) -> dict[str, dict]:
    """Statistics of a run of this name, by scheduler; all schedulers of the page."""
    schedulers = {scheduler for cell in setups.CELLS.values() for scheduler in cell.schedulers}
    found = {scheduler: _row(name, scheduler, 1000 + number(name, scheduler) % 40) for scheduler in sorted(schedulers)}
    found[setups.GTO] |= {"places": {str(core): list(range(core, 300, 14)) for core in range(14)},
                          "counts": {str(28 * block): [10 * step * (8 - block) for step in range(5)] for block in range(8)}}
    return found


results = functools.partial(made_up.of_paper, Results, rows)


@functools.cache
def report(perturbed: int) -> list[Section]:
    """All sections of its page from made-up results."""
    with results():
        return [section(Results("small", perturbed)) for section in build.REPORT.sections]
