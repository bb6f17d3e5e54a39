# SPDX-License-Identifier: MIT
"""The runs of scripts/study today: the slice of the GPU, which runs there are, and how the schedulers compare."""

from lib.kernel_study import KERNELS, mean
from report.estimate import Estimate, ratio

# The default grids of the fourteen kernels are made for 16 cores. A slice of the A100 with so many cores gets channels
# of DRAM and slices of the L2 in proportion: 16 / 108 of 40 channels are 5.9.
CORES = 16
CHANNELS = 6
SLICE = {"cores": CORES, "dram.channels": CHANNELS, "l2.slices": 2 * CHANNELS, "l2.bytes": 2 * CHANNELS * 524288,
         "l2.mshr_merges": CORES, "noise.blocks": CORES}
BITS = 4  # of a phase code
CODED = {"phases.code": BITS, "scheduler.phase_bits": BITS}

# By the name in the tables: the scheduler, and its settings beside the slice's.
SCHEDULERS = {
    "single:rr": ("single:rr", {}),
    "single:gto": ("single:gto", {}),
    "single:cggty": ("single:cggty", {}),
    "single:paws": ("single:paws", {}),
    f"single:paws, {BITS}-bit codes": ("single:paws", CODED),
    f"single:paws-ordered, {BITS}-bit codes": ("single:paws-ordered", CODED),
}
SCHEDULERS |= {f"two-level:{policy}, ready queue of {ready}": (f"two-level:{policy}", {"scheduler.ready": ready})
               for ready in (3, 6) for policy in ("rr", "gto", "paws")}
REFERENCES = ("single:rr", "single:gto")

# Launches of workloads/programs/gemm.cu, a product of matrices on tensor cores, by the name in the tables: the rows of the
# matrices, and the launch as `paws capture` numbers them. The pipeline runs three blocks on a core: the sizes have one
# round of blocks and a third of one, three whole rounds, and five and a third.
GEMM = {f"gemm {rows}, {kernel}": (rows, launch)
        for kernel, launch in (("one stage", 1), ("pipeline", 2)) for rows in (512, 768, 1024)}


def points(seeds: range) -> dict[tuple, dict[str, object]]:
    """By (name, seed, scheduler), the settings."""
    return {(name, seed, scheduler): SLICE | settings | {"noise.seed": seed}
            for seed in seeds for name, (scheduler, settings) in SCHEDULERS.items()}


class Runs:
    """Rows by (name, seed, kernel)."""

    def __init__(self, rows: dict, seeds: range):
        self.rows, self.seeds = rows, seeds

    def cycles(self, name: str, seed: int, kernel: str) -> float:
        return self.rows[name, seed, kernel]["cycles"]

    def _speed(self, name: str, reference: str, seed: int, kernel: str) -> float:
        """Of runs with the same perturbation."""
        return self.cycles(reference, seed, kernel) / self.cycles(name, seed, kernel)

    def speed(self, name: str, reference: str, kernel: str) -> Estimate:
        return ratio([self._speed(name, reference, seed, kernel) for seed in self.seeds])

    def mean_speed(self, name: str, reference: str) -> Estimate:
        """The geometric mean over the kernels, each perturbation by itself."""
        return ratio([mean([self._speed(name, reference, seed, kernel) for kernel in KERNELS])
                      for seed in self.seeds])

    def beyond(self, name: str, reference: str, side: int) -> list[str]:
        """The kernels that are faster (1) or slower (-1) than under the reference, beyond the noise."""
        return [kernel for kernel in KERNELS if self.speed(name, reference, kernel).side() == side]
