# SPDX-License-Identifier: MIT
"""Which simulations the page of the PAWS paper is made of.

A run is one kernel on one machine under some schedulers: one job of the workflow and one file of results. The golden model
decides in all of them; it agrees with the RTL in every cycle, and is quicker. Other readings of the paper than the default one
are in a study of their own (scripts/study readings).
"""

import contextlib
import dataclasses
import itertools
from collections.abc import Collection

from report import clocks
from report.paws import grids, paper, pilot, toys
from report.run import Run

KERNELS = tuple(paper.KERNELS)  # Table II, in its order
SINGLE = ("single:rr", "single:gto", "single:paws")
TWO_LEVEL = ("two-level:rr", "two-level:gto", "two-level:paws")
_PAWS = ("single:paws", "two-level:paws")
POLICIES = ("rr", "gto", "paws")
LEVELS = ("single", "two-level")
READY = 6
RULES = ("order", "blocks")  # of phases: in program order, as everywhere here; cut at basic blocks as well
KEYS = ("static", "random", "inverted", "measured")  # values of scheduler.key_source
SEEDS = 5  # perturbed runs beside each unperturbed one
# The paper's grids take long: three perturbed runs, which vary less, no unperturbed one, and one reading of the paper.
FULL_SEEDS = 3
SAMPLE_INTERVAL = 100  # cycles
TAIL_KERNEL = "lud"  # of Fig. 13
# Of clocks.NOTIONS, those that a built scheduler can have.
TIME_NOTIONS = ("ports", "registered")

CUT = "phases.cut_at_blocks=true"


def name_of(kernel: str, seed: int, keys: str = KEYS[0]) -> str:
    """Of a run for speeds."""
    return f"m2090/{kernel}/{keys}-{seed}"


def samples_name(kernel: str, seed: int) -> str:
    """Of a run with samples."""
    return f"m2090/{kernel}/samples-{seed}"


def time_name(kernel: str, scheduler: str, clock: float, seed: int) -> str:
    """Of a run with the cores at another clock, in MHz."""
    return f"m2090/{kernel}/{scheduler.replace(':', '-')}-{clock}mhz-{seed}"


def toy_name(name: str, seed: int) -> str:
    """Of a run of a toy kernel."""
    return f"toys/{name}-{seed}"


def _speed_run(kernel: str, keys: str, seed: int) -> Run:
    settings = [f"scheduler.key_source={KEYS.index(keys)}"] if keys != KEYS[0] else []
    schedulers = SINGLE + TWO_LEVEL if keys == KEYS[0] else _PAWS
    return Run(name_of(kernel, seed, keys), kernel, schedulers, (*settings, *_noise(seed)))


def speeds(seeds: range, keys: tuple[str, ...]) -> list[Run]:
    return [_speed_run(kernel, source, seed) for seed in seeds for kernel in KERNELS for source in keys]


def measured(seeds: int) -> range:
    """The seeds of the runs that measurements are made of: those of the perturbed ones, which are drawn
    alike, or, if there are none, 0, the run without a perturbation."""
    return range(1, seeds + 1) if seeds else range(1)


def _noise(seed: int) -> tuple[str, ...]:
    return (f"noise.seed={seed}",) if seed else ()


def samples(seeds: int) -> list[Run]:
    """Warps per phase and the load of core 0 over time; perturbed where a figure compares times."""
    return [Run(samples_name(kernel, seed), kernel, SINGLE + TWO_LEVEL, _noise(seed), sample=SAMPLE_INTERVAL)
            for kernel in KERNELS for seed in range((seeds if kernel == TAIL_KERNEL else 0) + 1)]


def toys_runs(seeds: int) -> list[Run]:
    """Fig. 5: one core, and no wait for instructions, which the figure leaves out."""
    return [Run(toy_name(name, seed), toys.description(name), TWO_LEVEL,
                ("cores=1", "icache.bytes=0", *_noise(seed)), timeline="issues")
            for name in toys.TOYS for seed in range(seeds + 1)]


_PERTURBATIONS = 1000  # seeds set aside for each kernel and level; those of the pilot are below
_FIRST = {where: _PERTURBATIONS * (1 + place) for place, where in enumerate(itertools.product(paper.KERNELS, LEVELS))}


def setups(kernels: Collection[str] | None = None) -> list[pilot.Setup]:
    """The measurements of speeds on preset m2090, of these kernels (all)."""
    return [pilot.Setup(kernel, level) for kernel in KERNELS if kernels is None or kernel in kernels for level in LEVELS]


def repeat_seeds(setup: pilot.Setup) -> range:
    """The seeds of a measurement: no two kernels or levels have one in common, so what is measured of them is independent."""
    first = _FIRST[setup.kernel, setup.level]
    return range(first, first + pilot.number(setup))


def repeat_name(setup: pilot.Setup, seed: int) -> str:
    """Of a run of the measurement."""
    return f"m2090/{setup.kernel}/{setup.level}-{seed}"


def repeat_runs(setup: pilot.Setup) -> list[Run]:
    """Of a measurement, as many as its variance asks for."""
    return [Run(repeat_name(setup, seed), setup.kernel, tuple(f"{setup.level}:{policy}" for policy in POLICIES),
                _noise(seed)) for seed in repeat_seeds(setup)]


def repeated() -> list[Run]:
    """All measurements of speeds."""
    return [run for setup in setups() for run in repeat_runs(setup)]


def claims_runs(size: str, seeds: int) -> list[Run]:
    """What the paper's claims are judged by: Fig. 9 to 12, and the samples of Fig. 13."""
    tails = [run for run in samples(seeds) if run.kernel == TAIL_KERNEL]
    return (speeds(measured(seeds), KEYS[:1]) + tails
            + (repeated() if is_repeated(size, seeds) else []))


def is_repeated(size: str, seeds: int) -> bool:
    """Whether speeds have as many runs as their variance asks for: those of default size, if noise is measured."""
    return size == "default" and seeds == SEEDS


def seeds_of(size: str) -> int:
    """Perturbed runs of a measurement."""
    return FULL_SEEDS if size == "full" else SEEDS


CHEAP = 16  # rounds up to which a grid has as many runs as a measurement of default size


def grid_seeds(grid: grids.Grid) -> int:
    """Perturbed runs of a measurement on this grid."""
    return SEEDS if grid.definitions and grid.rounds <= CHEAP else FULL_SEEDS


def grid_run(kernel: str, grid: grids.Grid, seed: int) -> Run:
    """Of size full, for speeds over the number of rounds; of the paper's grid the run that the claims need too."""
    run = _speed_run(kernel, KEYS[0], seed)
    if not grid.definitions:
        return run
    return dataclasses.replace(run, name=f"grids/{kernel}/{grid.blocks}-{seed}", definitions=grid.definitions,
                               share=grid.blocks / paper.KERNELS[kernel]["blocks"])


def grid_runs() -> list[Run]:
    return [grid_run(kernel, grid, seed) for kernel in KERNELS for grid in grids.grids(kernel)
            for seed in measured(grid_seeds(grid))]


def times(seeds: range, notions: tuple[str, ...], reference: str = clocks.OWN) -> list[Run]:
    """Speed as time: every scheduler with its cores at the clock that it allows. Where that is the nominal clock, the runs for
    speeds are taken."""
    points = {(scheduler, clocks.core_clock(scheduler, READY, notion, reference))
              for scheduler in SINGLE + TWO_LEVEL for notion in notions}
    return [Run(time_name(kernel, scheduler, clock, seed), kernel, (scheduler,), (f"core.clock_mhz={clock}", *_noise(seed)))
            for seed in seeds for kernel in KERNELS for scheduler, clock in sorted(points) if clock != clocks.nominal()]


def report_runs() -> list[Run]:
    """All that `scripts/reproduce` runs."""
    return trial_runs() + repeated()


def trial_runs(seeds: int = SEEDS) -> list[Run]:
    """All that `scripts/reproduce --size small` runs: every measurement has the same number of runs."""
    every = range(seeds + 1)
    return (speeds(every, KEYS[:1])    # Fig. 9 to 12
            + toys_runs(seeds)         # Fig. 5
            + samples(seeds)           # Fig. 6, 7 and 13, and why
            + speeds(every, KEYS[1:])  # negative controls
            + times(measured(seeds), TIME_NOTIONS))


def quick_runs() -> list[Run]:
    """The same without perturbations."""
    return trial_runs(0)


def full_runs() -> list[Run]:
    """All that `scripts/reproduce --size full` runs: what the claims need, and the study of grids."""
    return list(dict.fromkeys(claims_runs("full", FULL_SEEDS) + grid_runs()))


def time_runs() -> list[Run]:
    """All that `scripts/study time` runs: the report's times and speeds and, unperturbed, all notions
    of the clock relative to one scheduler."""
    runs = (speeds(range(SEEDS + 1), KEYS[:1]) + times(measured(SEEDS), TIME_NOTIONS)
            + times(measured(0), tuple(clocks.NOTIONS), clocks.ONE))
    return list(dict.fromkeys(runs))


@dataclasses.dataclass(frozen=True)
class Variant:
    """A machine that differs from the preset in one respect, and the schedulers that it concerns."""
    name: str
    group: str
    settings: tuple[str, ...]
    schedulers: tuple[str, ...] = SINGLE + TWO_LEVEL


_ARITHMETIC = {"integer": 4, "integer_mul": 5, "integer64": 6, "integer64_mul": 12, "f32": 4, "f64": 8,
               "special": 16, "conversion": 16, "warp": 6}  # of the preset, cycles


def _latencies(table: dict[str, int]) -> tuple[str, ...]:
    return tuple(f"latency.{name}={cycles}" for name, cycles in table.items())


VARIANTS = (
    *(Variant(f"ready-{ready}", "ready queue", (f"scheduler.ready={ready}",), TWO_LEVEL)
      for ready in (2, 3, 4, 8, 12, 24)),
    Variant("cut-at-blocks", "phase rule", (CUT,), _PAWS),
    Variant("cut-at-barriers", "phase rule", ("phases.cut_at_barriers=true",), _PAWS),
    Variant("cut-at-branches", "phase rule", ("phases.cut_at_branches=true",), _PAWS),
    Variant("shared-loads-long", "phase rule", ("phases.shared_loads_long=true",)),
    Variant("latencies-halved", "latency table",
            _latencies({name: max(1, cycles // 2) for name, cycles in _ARITHMETIC.items()})),
    Variant("latencies-doubled", "latency table",
            _latencies({name: 2 * cycles for name, cycles in _ARITHMETIC.items()})),
    Variant("latencies-alike", "latency table", _latencies(dict.fromkeys(_ARITHMETIC, 4))),
    *(Variant(f"phase-bits-{bits}", "phase field", (f"scheduler.phase_bits={bits}",), _PAWS)
      for bits in (4, 5, 6, 7, 8, 12)),
    # The preset: 226 command clocks, 32 bytes a clock.
    Variant("dram-latency-halved", "memory latency", ("dram.fixed_latency=113",)),
    Variant("dram-latency-doubled", "memory latency", ("dram.fixed_latency=452",)),
    Variant("bandwidth-halved", "memory bandwidth", ("dram.bytes_per_clock=16",)),
    Variant("bandwidth-doubled", "memory bandwidth", ("dram.bytes_per_clock=64",)),
)


def variant_name(variant: Variant, kernel: str, seed: int) -> str:
    """Of a run."""
    return f"sensitivity/{kernel}/{variant.name}-{seed}"


def sensitivity_runs() -> list[Run]:
    """All that `scripts/reproduce --sensitivity` runs: every variant, and the preset beside them."""
    base = [_speed_run(kernel, KEYS[0], seed)
            for seed in range(SEEDS + 1) for kernel in KERNELS]
    return base + [Run(variant_name(variant, kernel, seed), kernel, variant.schedulers,
                       (*variant.settings, *_noise(seed)))
                   for seed in range(SEEDS + 1) for variant in VARIANTS for kernel in KERNELS]


SETS = {"report": report_runs, "trial": trial_runs, "quick": quick_runs, "full": full_runs, "time": time_runs,
        "sensitivity": sensitivity_runs}


@contextlib.contextmanager
def without(kernels: Collection[str]):
    """For the figures: these kernels are not in KERNELS."""
    global KERNELS
    all_of_them = KERNELS
    try:
        KERNELS = tuple(kernel for kernel in KERNELS if kernel not in kernels)
        yield
    finally:
        KERNELS = all_of_them
