# SPDX-License-Identifier: MIT
"""scripts/sweep with a stub in place of the program: combinations, what is kept, failures, interrupts, tables."""

import csv
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib import estimate, sweep_runs, sweep_tables  # noqa: E402
from lib.sweep_runs import Run, Sweep  # noqa: E402

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "sweep"
# Cycles follow from scheduler, ways and seed; `slow` in the folder makes a run wait, `broken` makes RR fail.
STUB = """#!/usr/bin/python3 -IS
import json, os, sys, time
words = sys.argv[1:]
settings = dict(words[i + 1].split("=") for i, word in enumerate(words) if word == "--set")
if words[0] == "list":
    print(json.dumps({"schedulers": [{"name": "single:rr", "rtl": True}, {"name": "single:new", "rtl": False}]}))
elif words[0] == "gpu":
    print("[l1]\\nways = " + settings.get("l1.ways", "4"))
elif "--dry-run" in words:
    if "slow" in words:
        open("asked", "w").close()
        time.sleep(3)
    if int(settings.get("l1.ways", 4)) > 64:
        sys.exit("paws: l1.ways is at most 64")
else:
    with open("calls", "a") as calls:
        calls.write(" ".join(words[:words.index("--csv")]) + "\\n")
    scheduler = words[words.index("--schedulers") + 1]
    failed = os.path.exists("broken") and scheduler == "single:rr"
    if os.path.exists("slow"):
        time.sleep(60)
    cycles = 1000 + 100 * (scheduler == "single:rr") + 7 * int(settings.get("noise.seed", 0)) ** 2
    cycles += 10 * int(settings.get("l1.ways", 4))
    with open(words[words.index("--csv") + 1], "w") as table:
        table.write("workload,scheduler,cycles,noise_seed,speed_vs_rr,failure\\n")
        table.write(f"k,{scheduler},{'' if failed else cycles},{settings.get('noise.seed', 0)},,{'broken' if failed else ''}\\n")
    sys.exit(2 if failed else 0)
"""
WORDS = ["k.toml", "--scheduler", "single:rr,single:gto", "--set", "l1.ways=4,8", "--seeds", "3", "--jobs", "2"]


class OfAStub(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.stub = self.folder / "stub"
        self.stub.write_text(STUB)
        self.stub.chmod(0o755)
        self.write("k.toml", 'ptx = "k.ptx"\n[[buffer]]\ninit = { raw = "data" }\nsave = { raw = "result" }\n')
        self.write("k.ptx", "")
        self.write("data", "")
        self.env = {**os.environ, "PAWS": str(self.stub)}

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def sweep(self, *words, status=0):
        """stdout and stderr."""
        done = subprocess.run([SCRIPT, *words], cwd=self.folder, env=self.env, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, done.stderr

    def calls(self):
        """Those since it was asked last."""
        file = self.folder / "calls"
        found = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return found

    def rows(self):
        with (self.folder / "runs.csv").open() as file:
            return list(csv.DictReader(file))

    def test_every_combination_runs_once_and_is_kept(self):
        first = self.sweep(*WORDS, "--csv", "runs.csv")[0]
        expected = [(scheduler, ways, seed) for ways in "48" for scheduler in ("single:rr", "single:gto") for seed in "123"]
        self.assertEqual([(row["scheduler"], row["l1.ways"], row["noise_seed"]) for row in self.rows()], expected)
        self.assertEqual(sorted(self.calls()), sorted(
            f"compare k.toml --schedulers {scheduler} --gpu m2090 --jobs 1 --set l1.ways={ways} --set noise.seed={seed}"
            for scheduler, ways, seed in expected))
        self.assertEqual([row["speed_vs_rr"] for row in self.rows()[:4]], ["1.0"] * 3 + [repr(1147 / 1047)])
        whole = (self.folder / "runs.csv").read_bytes()
        self.assertEqual(self.sweep(*WORDS, "--csv", "runs.csv")[0], first)
        self.assertEqual((self.calls(), (self.folder / "runs.csv").read_bytes()), ([], whole))
        self.sweep(*WORDS, "--set", "l2.ways=2")
        self.assertEqual(len(self.calls()), 12)

    def test_what_a_run_depends_on_runs_anew(self):
        words = ["k.toml", "--scheduler", "single:gto"]
        self.sweep(*words)
        self.assertEqual(len(self.calls()), 1)
        for name in ("k.ptx", "data", "stub", "k.toml"):
            with (self.folder / name).open("a") as file:
                file.write("\n# another\n")
            self.sweep(*words)
            self.assertEqual(len(self.calls()), 1, name)
        self.write("result", "written by a run")
        self.sweep(*words)
        self.assertEqual(self.calls(), [])

    def test_a_bad_word_is_refused_before_anything_runs(self):
        for words, message in ((["--set", "l1.ways=4,65"], "l1.ways is at most 64"),
                               (["--set", "l1.ways"], "--set l1.ways: expected key=value or key=value,value"),
                               (["--set", "l1.ways=4,,8"], "--set l1.ways=4,,8: expected key=value or key=value,value"),
                               (["--set", "l1.ways=4", "--set", "l1.ways=8"], "--set l1.ways: is given twice"),
                               (["--jobs", "0"], "--jobs must be at least 1"),
                               (["--profile", "none"], "--profile: there is no none/config.yaml"),
                               (["--csv", "none/runs.csv"], "none/runs.csv: cannot be written"),
                               (["--csv", "./k.toml"], "k.toml: is an input or another output"),
                               (["--csv", "p.svg", "--plot", "p.svg"], "p.svg: is an input or another output"),
                               (["--results", "k.toml"], "--results k.toml: File exists"),
                               (["--plot", "p.pdf"], "--plot p.pdf: the name of a picture ends in .svg or .png")):
            self.assertEqual(self.sweep("k.toml", *words, status=2), ("", f"paws sweep: {message}\n"))
        self.assertEqual(self.calls(), [])
        self.assertFalse((self.folder / "paws-sweep").exists())

    def test_a_run_that_fails_costs_its_own_row_and_is_tried_again(self):
        self.write("broken", "")
        table, said = self.sweep(*WORDS, "--csv", "runs.csv", status=1)
        self.assertIn("paws sweep: 6 of 12 runs failed; paws compare k.toml --schedulers single:rr ", said)
        self.assertIn(": broken\n", said)
        self.assertEqual([row["failure"] for row in self.rows() if row["scheduler"] == "single:rr"], ["broken"] * 6)
        self.assertIn("| k.toml | 4 | single:rr | - |", table)
        self.assertNotIn("vs RR", table)
        (self.folder / "broken").unlink()
        self.calls()
        self.assertIn("vs RR", self.sweep(*WORDS)[0])
        self.assertEqual(len(self.calls()), 6)

    def test_interrupted_it_goes_on_where_it_was(self):
        self.sweep("k.toml", "--scheduler", "single:gto", "--set", "l1.ways=4,8", "--seeds", "3")
        self.assertEqual(len(self.calls()), 6)
        self.write("slow", "")
        with subprocess.Popen([SCRIPT, *WORDS, "--csv", "runs.csv"], cwd=self.folder, env=self.env, stderr=subprocess.PIPE,
                              text=True) as process:
            while not (self.folder / "calls").exists():
                time.sleep(0.02)
            for _ in range(5):  # a user who is impatient
                process.send_signal(signal.SIGINT)
                time.sleep(0.02)
            said = process.communicate(timeout=20)[1]
        self.assertEqual(process.returncode, 130)
        self.assertTrue(said.endswith("paws sweep: interrupted; the same command goes on here\n"), said)
        self.assertIn("6 of 12 runs, ", said)
        self.assertFalse((self.folder / "runs.csv").exists())
        (self.folder / "slow").unlink()
        self.calls()
        self.sweep(*WORDS)
        self.assertEqual(len(self.calls()), 6)

    def test_interrupted_before_the_first_run(self):
        for name in (signal.SIGINT, signal.SIGTERM):
            (self.folder / "asked").unlink(missing_ok=True)
            with subprocess.Popen([SCRIPT, *WORDS, "--gpu", "slow"], cwd=self.folder, env=self.env, stderr=subprocess.PIPE,
                                  text=True) as process:
                while not (self.folder / "asked").exists():
                    time.sleep(0.02)
                process.send_signal(name)
                said = process.communicate(timeout=20)[1]
            self.assertEqual((process.returncode, said), (130, "paws sweep: interrupted; the same command goes on here\n"))

    def test_all_schedulers_are_those_that_the_engine_has(self):
        self.assertNotIn("single:new", self.sweep("k.toml", "--scheduler", "all")[0])
        self.assertIn("single:new", self.sweep("k.toml", "--scheduler", "all", "--engine", "model")[0])


class Tables(unittest.TestCase):
    SWEEP = Sweep(("a", "b_2"), ("single:rr", "single:gto"), {"l1.bytes": ("8K", "16K"), "cores": ("2",)}, 2)
    # Cycles of both seeds.
    CYCLES = {("a", "8K", "single:rr"): (200, 240), ("a", "8K", "single:gto"): (100, 100),
              ("a", "16K", "single:rr"): (100, 120), ("a", "16K", "single:gto"): (50, 40),
              ("b_2", "8K", "single:rr"): (90, 100), ("b_2", "8K", "single:gto"): (100, 90),
              ("b_2", "16K", "single:rr"): (90, 100), ("b_2", "16K", "single:gto"): (90, 100)}
    ROWS = {Run(kernel, (size, "2"), scheduler, seed): {"cycles": str(cycles), "failure": ""}
            for (kernel, size, scheduler), both in CYCLES.items() for seed, cycles in enumerate(both, 1)}

    def test_speeds_are_of_equal_perturbations(self):
        found = {(mean.kernel, mean.values[0], mean.scheduler): mean for mean in sweep_tables.means(self.SWEEP, self.ROWS)}
        self.assertEqual(sweep_tables.round_robin("two-level:paws"), "two-level:rr")
        gto = found["a", "8K", "single:gto"]
        self.assertEqual(gto.cycles, estimate.estimate([100, 100]))
        self.assertEqual(gto.vs_rr, estimate.ratio([2.0, 2.4]))
        self.assertEqual(found["a", "16K", "single:gto"].vs_first, estimate.ratio([2.0, 2.5]))
        mean = found[sweep_tables.MEAN, "8K", "single:gto"]
        self.assertIsNone(mean.cycles)
        expected = estimate.ratio([(2 * 0.9) ** 0.5, (2.4 * 100 / 90) ** 0.5])
        for name in ("mean", "low", "high"):
            self.assertAlmostEqual(getattr(mean.vs_rr, name), getattr(expected, name))

    def test_a_mean_needs_all_its_runs(self):
        rows = {run: row | {"failure": "why"} if run == Run("a", ("8K", "2"), "single:rr", 2) else row
                for run, row in self.ROWS.items()}
        found = {(mean.kernel, mean.values[0], mean.scheduler): mean for mean in sweep_tables.means(self.SWEEP, rows)}
        self.assertIsNone(found["a", "8K", "single:rr"].cycles)
        self.assertIsNone(found["a", "8K", "single:gto"].vs_rr)
        self.assertIsNone(found[sweep_tables.MEAN, "8K", "single:gto"].vs_rr)
        self.assertIsNotNone(found["a", "16K", "single:gto"].vs_rr)

    def test_tables_have_a_column_for_what_varies(self):
        lines = sweep_tables.cells(self.SWEEP, sweep_tables.means(self.SWEEP, self.ROWS))
        self.assertEqual(lines[0], ["kernel", "l1.bytes", "scheduler", "cycles", "vs RR", "vs first"])
        line = next(line for line in lines if line[:3] == ["b_2", "8K", "single:gto"])
        self.assertEqual(line[3:5], ["95 ± 64", "1.000 (0.262-3.814) ="])
        self.assertEqual(sweep_tables.markdown([["a|b", "c"], ["1", "2"]]), "| a\\|b | c |\n| --- | --- |\n| 1 | 2 |\n")
        text = sweep_tables.latex(lines)
        self.assertIn("\nb\\_2 & 8K & single:gto & 95 $\\pm$ 64 & ", text)
        self.assertEqual(text.count("\\\\\n"), len(lines))
        self.assertIn("\na\\^{}b & c\\~{}d \\\\\n", sweep_tables.latex([["x", "y"], ["a^b", "c~d"]]))

    def test_pictures_are_drawn_of_settings_and_of_kernels(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("python3-matplotlib is missing")
        one = Sweep(self.SWEEP.kernels, self.SWEEP.schedulers, {"l1.bytes": ("8K",), "cores": ("2",)}, 2)
        for sweep, names in ((self.SWEEP, ("a", "b_2", "geometric mean", "8K", "16K", "l1.bytes")), (one, ("a", "b_2"))):
            drawn = [sweep_tables.picture(sweep, sweep_tables.means(sweep, self.ROWS), "svg") for _ in range(2)]
            self.assertEqual(drawn[0], drawn[1])
            for name in (*names, "single:gto", "speed vs RR"):
                self.assertIn(f">{name}</text>".encode(), drawn[0])

    def test_a_key_of_a_policy_has_a_value_too(self):
        self.assertEqual(sweep_runs.value_of("cores = 2\n[policy]\nwindow = 4\n", "policy.window"), 4)


if __name__ == "__main__":
    unittest.main()
