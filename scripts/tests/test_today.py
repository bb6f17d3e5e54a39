# SPDX-License-Identifier: MIT
"""The runs and speeds of scripts/study today, from runs that are made up."""
import sys
import tomllib
import unittest

from written import ROOT, study

sys.path.insert(0, str(ROOT / "scripts"))

from lib.kernel_study import KERNELS, PRESETS  # noqa: E402

today = study("today")
GEMM, SCHEDULERS, SLICE, Runs, points = today.GEMM, today.SCHEDULERS, today.SLICE, today.Runs, today.points
SEEDS = range(1, 4)


class Today(unittest.TestCase):
    def setUp(self):
        # PAWS is a quarter faster than the others on lud, and 1 % slower or faster by turns on km.
        rows = {(name, seed, kernel): {"cycles": 1000 * seed} for name in SCHEDULERS for seed in SEEDS
                for kernel in (*KERNELS, *GEMM)}
        for seed in SEEDS:
            rows["single:paws", seed, "lud"] = {"cycles": 800 * seed}
            rows["single:paws", seed, "km"] = {"cycles": (990, 1000, 1010)[seed - 1] * seed}
        self.runs = Runs(rows, SEEDS)

    def test_the_slice_has_memory_in_proportion(self):
        whole = tomllib.loads((PRESETS / "a100.toml").read_text())
        share = SLICE["cores"] / whole["cores"]
        for key in ("dram.channels", "l2.slices", "l2.bytes"):
            section, name = key.split(".")
            self.assertAlmostEqual(SLICE[key] / whole[section][name] / share, 1, delta=0.02, msg=key)
        self.assertAlmostEqual(SLICE["distributor.interval"] * share / whole["distributor"]["interval"], 1, delta=0.05)

    def test_every_scheduler_runs_with_every_perturbation_on_the_slice(self):
        found = points(SEEDS)
        self.assertEqual(len(found), len(SEEDS) * len(SCHEDULERS))
        for (name, seed, scheduler), settings in found.items():
            self.assertEqual(scheduler, name.split(",")[0])
            self.assertEqual(settings["noise.seed"], seed)
            self.assertLessEqual(SLICE.items(), settings.items())
        self.assertEqual(found["two-level:gto, ready queue of 3", 1, "two-level:gto"]["scheduler.ready"], 3)

    def test_speeds_are_of_the_same_perturbation(self):
        self.assertAlmostEqual(self.runs.speed("single:paws", "single:gto", "lud").mean, 1.25)
        self.assertEqual(self.runs.beyond("single:paws", "single:gto", 1), ["lud"])
        self.assertEqual(self.runs.beyond("single:paws", "single:gto", -1), [], "km is within the noise")
        mean = self.runs.mean_speed("single:paws", "single:rr").mean
        self.assertAlmostEqual(mean, 1.25 ** (1 / len(KERNELS)), delta=1e-3)


if __name__ == "__main__":
    unittest.main()
