#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""paws sweep of a tiny kernel: its means are those of paws compare, and a bad word costs no simulation.

  test_sweep.py PAWS
"""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PAWS = pathlib.Path(sys.argv.pop(1)).resolve()
WORDS = ["vectoradd", "--define", "n=512", "--engine", "model", "--seeds", "3"]


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def paws(self, *words, status=0):
        done = subprocess.run([PAWS, *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_means_are_those_of_compare(self):
        schedulers = "single:rr,single:gto"
        table = self.paws("sweep", *WORDS, "--scheduler", schedulers, "--set", "cores=1,2", "--set", "l1.bytes=8K",
                          "--csv", "sweep.csv")
        with (self.folder / "sweep.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["cores"], row["scheduler"], row["noise_seed"]) for row in rows],
                         [(cores, scheduler, seed) for cores in "12" for scheduler in schedulers.split(",") for seed in "123"])
        self.assertEqual({row["l1.bytes"] for row in rows}, {"8192"})
        for cores in "12":
            compared = self.paws("compare", *WORDS, "--schedulers", schedulers, "--set", f"cores={cores}", "--set",
                                 "l1.bytes=8K", "--csv", "compare.csv")
            with (self.folder / "compare.csv").open() as file:
                expected = [(row["cycles"], row["speed_vs_rr"], row["settings"]) for row in csv.DictReader(file)]
            self.assertEqual([(row["cycles"], row["speed_vs_rr"], row["settings"]) for row in rows if row["cores"] == cores],
                             expected)
            for scheduler in schedulers.split(","):
                cycles, half, speed, low, high, mark = re.search(
                    rf"{scheduler} +(\d+) +(\d+) +\S+ +\S+ +(\S+)  ([\d.]+)-([\d.]+) ([ =]) ", compared).groups()
                mark = " =" if mark == "=" else ""
                self.assertIn(f"| vectoradd | {cores} | {scheduler} | {cycles} ± {half} | {speed} ({low}-{high}){mark} |", table)

    def test_a_bad_word_costs_no_simulation(self):
        for words, message in (
                (["--set", "l1.byts=8K"], '''--set: unknown key 'l1.byts'; did you mean "l1.bytes"?'''),
                (["--set", "l1.bytes=8K,5000"], "l1.bytes (5000) is not a multiple of a set of 4 ways of 128 bytes, 512 bytes"),
                (["--scheduler", "single:rr,single:rx"], "unknown scheduler 'single:rx'; "),
                (["--size", "none"], "has no size \"none\""),
                (["bfs", "bsf"], '"bsf" is neither a launch description nor a workload; did you mean "bfs"?'),
                (["--set", "noise.seed=1"], "--set noise.seed=1: --seeds sets noise.seed"),
                (["--seeds", "1"], "--seeds: '1' is not a whole number from 2 to 65535")):
            said = self.paws("sweep", *WORDS, *words, status=2)
            self.assertTrue(said.startswith("paws sweep: "), said)
            self.assertIn(message, said)
            self.assertEqual(said.count("\n"), 1, said)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
