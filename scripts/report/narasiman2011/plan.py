# SPDX-License-Identifier: MIT
"""Which simulations its page is made of: every benchmark of Table 2 under every cell of setups.py, the same with the memory of
another GPU, kernels whose divergence is known, and toy kernels."""

import functools
import tomllib

from report import store
from report.narasiman2011 import controls, memory, paper, setups, toys
from report.narasiman2011.setups import GPU, Cell
from report.run import Run

KERNELS = tuple(paper.KERNELS)
_LONGER = 30  # times the work of the default size, about
SEEDS = 3  # perturbed runs of a measurement: the page is to take less than half an hour


def name_of(kernel: str, cell: str, seed: int) -> str:
    """Of a run of a benchmark."""
    return f"narasiman2011/{kernel}/{cell}-{seed}"


def _run(kernel: str, cell: Cell, seed: int) -> Run:
    settings = (*cell.all_settings(), *(memory.settings() if cell.memory else ()), *([f"noise.seed={seed}"] if seed else []))
    definitions = (f"threads={cell.block}",) if cell.block != setups.BLOCK else _full(kernel) if cell.long else ()
    return Run(name_of(kernel, cell.name, seed), kernel, cell.schedulers, settings, GPU, definitions=definitions,
               work=paper.KERNELS[kernel]["work"] * (_LONGER if cell.long else 1))


@functools.cache
def _full(kernel: str) -> tuple[str, ...]:
    """What a long program defines: size full of a kernel, unless paper.toml has another one."""
    if "long" in paper.KERNELS[kernel]:
        return tuple(paper.KERNELS[kernel]["long"])
    sizes = tomllib.loads(store.description(kernel).read_text())["size"]
    return tuple(f"{name}={value}" for name, value in sizes["full"].items())


def measured(seeds: int) -> range:
    """The seeds of the runs that measurements are made of: those of the perturbed ones, or, if there are none, 0."""
    return range(1, seeds + 1) if seeds else range(1)


def runs(seeds: int = SEEDS) -> list[Run]:
    """All that its page needs."""
    return [*toys.runs(), *controls.runs(),
            *(_run(kernel, cell, seed) for kernel in KERNELS for cell in setups.CELLS.values()
              for seed in measured(seeds * cell.times))]


def quick_runs() -> list[Run]:
    """The same without perturbations."""
    return runs(0)


SETS = {"narasiman2011": runs, "narasiman2011-quick": quick_runs}
