# SPDX-License-Identifier: MIT
"""The runs and speeds of scripts/study today and program, from runs that are made up."""
import sys
import tomllib
import unittest

from written import ROOT, study

sys.path.insert(0, str(ROOT / "scripts"))

from lib.kernel_study import PRESETS  # noqa: E402

today, program = study("today"), study("program")
GEMM, KERNELS, SCHEDULERS, SLICE, Runs = today.GEMM, today.KERNELS, today.SCHEDULERS, today.SLICE, today.Runs
SEEDS = range(1, 4)


class Today(unittest.TestCase):
    def setUp(self):
        # PAWS is a quarter faster than the others on scan, and 1 % slower or faster by turns on softmax.
        rows = {(name, seed, kernel): {"cycles": 1000 * seed} for name in SCHEDULERS for seed in SEEDS
                for kernel in (*KERNELS, *GEMM)}
        for seed in SEEDS:
            rows["single:paws", seed, "today/scan"] = {"cycles": 800 * seed}
            rows["single:paws", seed, "today/softmax"] = {"cycles": (990, 1000, 1010)[seed - 1] * seed}
        self.runs = Runs(rows, SEEDS)

    def test_the_slice_has_memory_in_proportion(self):
        whole = tomllib.loads((PRESETS / "a100.toml").read_text())
        share = SLICE["cores"] / whole["cores"]
        for key in ("dram.channels", "l2.slices", "l2.bytes"):
            section, name = key.split(".")
            self.assertAlmostEqual(SLICE[key] / whole[section][name] / share, 1, delta=0.02, msg=key)
        self.assertAlmostEqual(SLICE["distributor.interval"] * share / whole["distributor"]["interval"], 1, delta=0.05)

    def test_every_scheduler_runs_with_every_perturbation_on_the_machine(self):
        found = today.points(SEEDS, SLICE)
        self.assertEqual(len(found), len(SEEDS) * len(SCHEDULERS))
        for (name, seed, scheduler), settings in found.items():
            self.assertEqual(scheduler, name.split(",")[0])
            self.assertEqual(settings["noise.seed"], seed)
            self.assertLessEqual(SLICE.items(), settings.items())
        self.assertEqual(found["single:paws, 4-bit codes", 1, "single:paws"]["phases.code"], 4)

    def test_speeds_are_of_the_same_perturbation(self):
        self.assertAlmostEqual(self.runs.speed("single:paws", "single:gto", "today/scan").mean, 1.25)
        self.assertEqual(self.runs.beyond("single:paws", "single:gto", 1), ["today/scan"])
        self.assertEqual(self.runs.beyond("single:paws", "single:gto", -1), [], "softmax is within the noise")
        mean = self.runs.mean_speed("single:paws", "single:rr").mean
        self.assertAlmostEqual(mean, 1.25 ** (1 / len(KERNELS)), delta=1e-3)

    def test_the_table_of_kernels_says_what_bounds_each(self):
        rows = today.kernels(self.runs).splitlines()
        self.assertEqual(len(rows), 2 + len(KERNELS))
        scan = next(row for row in rows if row.startswith("| scan |"))
        self.assertIn(f"| {today.SET['today/scan']} | 2,000 |", scan)
        self.assertIn("**+25.00 % ±0.00**", scan)
        self.assertEqual(rows[0].count("|"), rows[2].count("|"))
        other_size = today.kernels(self.runs, bounds=False).splitlines()
        self.assertIn("| scan | 2,000 | +0.00 % ±0.00 |", next(row for row in other_size if row.startswith("| scan |")))
        self.assertEqual(other_size[0].count("|"), other_size[2].count("|"))

    def test_every_kernel_has_the_larger_size(self):
        for kernel in KERNELS:
            launch = tomllib.loads((ROOT / "workloads" / f"{kernel}.toml").read_text())
            self.assertTrue(launch["size"]["full"], kernel)

    def test_a_sign_that_turns_is_named(self):
        rows = {point: dict(row) for point, row in self.runs.rows.items()}
        for seed in SEEDS:
            rows["single:paws", seed, "today/scan"] = {"cycles": 1250 * seed}
        table = today.both_machines(self.runs, Runs(rows, SEEDS)).splitlines()
        self.assertEqual(len(table), 2 + len(today.COMPARED) - 1)
        self.assertTrue(table[-1].endswith("| scan |"), table[-1])
        self.assertTrue(table[2].endswith("| none |"), table[2])

    def test_the_machine_before_names_keys_of_the_preset(self):
        whole = tomllib.loads((PRESETS / "a100.toml").read_text())
        for key in today.BEFORE:
            section, name = key.split(".")
            self.assertIn(name, whole[section], key)


class Program(unittest.TestCase):
    ROW = {"launches": 90, "timed": 30, "timed_cycles": 250, "cycles": 1000.0, "bound": 20.0}

    def test_speeds_are_of_the_same_perturbation(self):
        rows = {(words, name, seed, True): self.ROW | {"cycles": 1000.0 * seed} for words in program.PROGRAMS.values()
                for name in program.SCHEDULERS for seed in SEEDS}
        for seed in SEEDS:
            rows[program.PROGRAMS["64 tokens"], "single:rr", seed, True] = self.ROW | {"cycles": 1250.0 * seed}
        lines = program.speeds(rows, SEEDS).splitlines()
        self.assertIn("| single:rr | +0.00 % ±0.00 | **-20.00 % ±0.00** |", lines)
        self.assertIn("| cycles of single:gto | 1,000 ±2.0 % | 1,000 ±2.0 % |", lines)
        self.assertIn("| launches, timed of all | 30 of 90 | 30 of 90 |", lines)

    def test_an_estimate_beyond_its_bound_is_said(self):
        rows = {(words, name, 1, sampled): self.ROW | ({} if sampled else {"cycles": 1010 if name == "single:rr" else 1021})
                for words in program.WHOLE.values() for name in ("single:rr", "single:gto") for sampled in (False, True)}
        table = program.confirmed(rows)
        self.assertIn("| 32 tokens, single:rr | 1,010 | 1,000 ±20 | -0.99 % | yes | 30 of 90 | 25 % |", table)
        self.assertIn("| 32 tokens, single:gto | 1,021 | 1,000 ±20 | -2.06 % | **no** | 30 of 90 | 24 % |", table)


if __name__ == "__main__":
    unittest.main()
