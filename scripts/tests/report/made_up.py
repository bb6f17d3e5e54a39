# SPDX-License-Identifier: MIT
"""Made-up results for tests, and what the report must contain."""

import contextlib
import functools
import hashlib
from collections.abc import Callable
from unittest import mock

from report import store
from report.paws import build, plan
from report.paws.data import Results
from report.paws.figures import phases
from report.section import Picture, Section

# Every figure of the report, by its name. One that gets lost fails the tests.
FIGURES = {
    "answer", "fig4", "table2", "fig5a", "fig5b", "fig6", "fig7", "fig9a", "fig9b", "fig10", "fig11", "fig12", "fig13",
    "controls", *(f"time-{level}-{plan.TIME_NOTIONS[0]}" for level in plan.LEVELS),
}
SENSITIVITY_FIGURES = {f"sensitivity-{level}" for level in plan.LEVELS}
PHASES = {"heartwall": 60}    # of a kernel, if not 12
APART = ("heartwall", "lud")  # kernels whose cycles differ by more than 1 %


def number(*words) -> int:
    """Made up, from 0 to 99, always the same."""
    return hashlib.sha256(repr(words).encode()).digest()[0] % 100


def _samples(name: str, scheduler: str) -> str:
    """Three launches on a core of 48 warps."""
    phases_there = PHASES.get(name.split("/")[1], 12)
    lines = ["core,launch,cycle,warps,alu_in_flight,memory_in_flight,"
             + ",".join(f"phase_{phase + 1}" for phase in range(phases_there))]
    for cycle in range(0, 6000, 100):
        warps = 48 - 4 * (number(scheduler, cycle) % 5) if cycle % 2000 else 48
        shares = [warps // phases_there] * phases_there
        shares[cycle // 400 % phases_there] += warps - sum(shares)
        lines.append(",".join(map(str, (0, 1 + cycle // 2000, cycle, warps, number(cycle) % 9,
                                        number(scheduler, cycle) % 20, *shares))))
    return "\n".join(lines)


@functools.cache
def rows(name: str) -> dict[str, dict]:
    """Statistics of a run of this name, by scheduler."""
    found = {}
    span = 100 if name.split("/")[1] in APART else 8
    for scheduler in plan.SINGLE + plan.TWO_LEVEL:
        row = {"scheduler": scheduler, "cycles": 1000 + number(name, scheduler) % span, "idle_fraction": 0.5,
               "alu_load": 3.0, "memory_load": 2.0 + number(name) / 100, "active_core_cycles": 4000,
               "scheduler_cycles": 1000, "load_latency": 700.0, "L1D_total_cache_miss_rate": 0.5,
               "L2_total_cache_miss_rate": 0.5, "L1I_total_cache_miss_rate": 0.1,
               "gpgpu_n_shmem_bkconflict": 10, "operand_conflict_cycles": 10,
               "Row_Buffer_Locality": 0.5}
        row |= {f"active_cycles_{part}": 1000 for part in ("compute_only", "memory_only", "both",
                                                           "neither")}
        row |= {f"scheduler_cycles_{state}": number(name, scheduler, state) for state in
                ("no_instruction", "operand", "pipeline", "outside_ready")}
        row |= {"core_cycles": 16 * row["cycles"], "startup_core_cycles": 64, "startup_warp_insn": 0,
                "steady_core_cycles": 12 * row["cycles"], "steady_warp_insn": 9000,
                "first_round_core_cycles": 4 * row["cycles"], "first_round_warp_insn": 2000,
                "tail_core_cycles": 4 * row["cycles"] - 64, "tail_warp_insn": 1000}
        row["samples"] = _samples(name, scheduler) if "samples" in name else ""
        row["issues"] = {str(warp): [[10 * warp + 300 * phase, phase] for phase in (1, 2, 3)]
                         for warp in range(24)}
        found[scheduler] = row
    return found


@contextlib.contextmanager
def results(there: tuple[str, ...] = (), failed: str = ""):
    """In its place Results are made up, those of these sizes are there beside the ones that are asked for, those of
    the kernel `failed` are not, and neither program nor kernels need be built."""
    def found(name: str) -> dict[str, dict]:
        if failed and name.split("/")[1] == failed:
            raise store.Missing(f"there are no results of {name}")
        return rows(name)
    lengths = {"phases": [{"length": 18}, {"length": 10}] * 30, "instructions": 40}
    code = [phases.Instruction(16, 1, False, "mad.lo.s32 %r5, %r2, %r3, %r4"),
            phases.Instruction(2, 1, True, "ld.global.f32 %f1, [%rd3]"),
            phases.Instruction(10, 2, False, "add.f32 %f3, %f1, %f1")]
    with (mock.patch.object(Results, "_rows", lambda self, name: found(name)),
          mock.patch.object(phases, "phases", lambda kernel, rule="order": lengths),
          mock.patch("report.paws.figures.why.phases", lambda kernel, rule="order": lengths),
          mock.patch.object(phases, "listing", lambda kernel: code),
          mock.patch("report.paws.figures.statements._annotated", lambda kernel: 0.5),
          mock.patch.object(store, "parts", lambda run, size: {"run": run.name}),
          mock.patch("report.paws.sizes.there", lambda size, seeds=plan.SEEDS: (0, 100)),
          mock.patch("report.paws.sizes.results", lambda size: Results(size, 2) if size in there else None)):
        yield


@contextlib.contextmanager
def of_paper(results: type, rows: Callable[[str], dict], failed: str = ""):
    """Beside this paper: in its place results are those of `rows`; those of the kernel `failed` are not there."""
    def found(name: str) -> dict[str, dict]:
        if failed and name.split("/")[1] == failed:
            raise store.Missing(f"there are no results of {name}")
        return rows(name)
    with mock.patch.object(results, "_rows", lambda self, name: found(name)):
        yield


def figures(sections: list[Section]) -> list[str]:
    """The names of the pictures in them."""
    return [part.name for section in sections for part in section.parts if isinstance(part, Picture)]


@functools.cache
def report(perturbed: int) -> list[Section]:
    """All sections of the report from made-up results."""
    with results():
        return [module.section(Results("small", perturbed)) for module in build.SECTIONS]
