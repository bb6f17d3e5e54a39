# SPDX-License-Identifier: MIT
"""rtl/example/run: both simulators pass, with the same figures, and the test bench notices faults in the example.

The mistakes that are planted are those of integration: a signal one cycle late, a condition that is too wide or too
narrow, an entry that gets lost.

    python3 tb/integration/test_issue_stage.py Class...   # Icarus, Verilator, Agreement or Faults; default: all
"""
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = int(os.environ.get("PAWS_SEED", random.randrange(1, 10**6)))
FAULT_SEED = int(os.environ.get("PAWS_SEED", 392836))  # which promise a fault breaks first depends on it


def run(*arguments, rtl=ROOT / "rtl", seed=SEED):
    return subprocess.run([rtl / "example" / "run", "--seed", str(seed), *arguments], capture_output=True, text=True,
                          check=False)


class Passes(unittest.TestCase):
    def expect_pass(self, *arguments, runs=1, **options):
        done = run(*arguments, "--runs", str(runs), **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{arguments} PAWS_SEED={SEED}\n{done.stdout}")
        self.assertEqual(done.stdout.count("passed: "), runs)
        return done.stdout


class Icarus(Passes):
    def test_two_level(self):
        self.expect_pass("--icarus", runs=2)

    def test_another_size(self):
        self.expect_pass("--icarus", "WARPS=5", "READY=1", "REGISTERS=8", "POLICY=0")

    def test_it_cannot_run_the_single_level(self):
        done = run("--icarus", "TWO_LEVEL=0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("single-level", done.stderr)


class Verilator(Passes):
    """With the assertions of the promises to the scheduler."""

    def test_two_level(self):
        self.expect_pass(runs=30)

    def test_single_level(self):
        self.expect_pass("TWO_LEVEL=0", runs=30)

    def test_a_larger_core(self):
        self.expect_pass("WARPS=24", "READY=6", "REGISTERS=32", "LENGTH_W=9", "PROGRAMS=200", "POLICY=1",
                         runs=5)


class Agreement(Passes):
    def test_the_simulators_agree(self):
        self.assertEqual(self.expect_pass("PROGRAMS=20"), self.expect_pass("--icarus", "PROGRAMS=20"))

    def test_a_wave(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ROOT / "rtl" / "example" / "run", "--wave", "PROGRAMS=15"], cwd=folder, check=False,
                                  capture_output=True, text=True, env={**os.environ, "DISPLAY": ""})
            wave = (pathlib.Path(folder) / "issue_stage.vcd").read_text(encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        saved = (ROOT / "rtl" / "example" / "issue_stage.gtkw").read_text(encoding="utf-8")
        names = {line.split(".")[-1].split("[")[0] for line in saved.splitlines() if line.startswith("issue_stage_tb.")}
        self.assertEqual([name for name in sorted(names) if f" {name} " not in wave], [])

    def test_a_wrong_argument(self):
        for arguments, message in ((["--sede"], "unknown argument: --sede"), (["--runs", "x"], "positive number"),
                                   (["WARPZ=4"], "WARPZ"), (["--icarus", "WARPZ=4"], "WARPZ")):
            done = run(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)


FAULTS = {
    # file, old, new, what the test bench says
    "skid_entry_is_dropped": ("skid_buffer", "skid_valid_q ? skid_q : data_i", "data_i", "not the one that issued"),
    "skid_valid_is_dropped": ("skid_buffer", "<= skid_valid_q | push_i", "<= push_i",
                              "(not the one that issued|buffer cannot hold)"),
    "issue_ignores_the_buffer": ("skid_buffer", "assign may_push_o = !skid_valid_q", "assign may_push_o = 1'b1",
                                 "buffer cannot hold"),
    "data_changes_before_ready": ("skid_buffer", "if (moves) front_q", "if (moves | push_i) front_q",
                                  "changed before ready"),
    "waits_one_cycle_late": ("warp_scoreboard",
                             "    assign waits_o[w] = held_i[w] | (valid_i[w] & blocked_long);",
                             "    logic late_q;\n"
                             "    always_ff @(posedge clk_i) late_q <= held_i[w] | (valid_i[w] & blocked_long);\n"
                             "    assign waits_o[w] = late_q;", "waits is"),
    "waits_for_short_operations": ("warp_scoreboard", "(valid_i[w] & blocked_long)", "(valid_i[w] & blocked)",
                                   "waits is"),
    "waits_without_an_instruction": ("warp_scoreboard", "(valid_i[w] & blocked_long)", "blocked_long", "waits is"),
    "no_wait_at_a_barrier": ("warp_scoreboard", "= held_i[w] | (valid_i", "= (valid_i",
                             "(waits|issuable) is"),
    "outstanding_counts_short_operations": ("warp_scoreboard", "= |long_q;", "= |pending_q;", "long_outstanding is"),
    "outstanding_only_if_needed": ("warp_scoreboard", "= |long_q;", "= blocked_long;", "long_outstanding is"),
    "destination_is_not_checked": ("warp_scoreboard", "= pending_q[dest] | ", "= ", "issuable is"),
    "register_0_is_pending": ("warp_scoreboard", "r != 0 & issue_i", "issue_i", " is "),
    "stall_is_ignored": ("issue_stage", " & ~stall_i;", ";", "issuable is"),
    "free_slot_stands_at_a_barrier": ("issue_stage", "= active_q & barrier_i", "= barrier_i", "waits is"),
    "slot_is_free_too_early": ("issue_stage", "= ~active_q & clear", "= ~active_q", "free is"),
    "sources_are_swapped": ("issue_stage", "source_a, source_b, is_long, ends}", "source_b, source_a, is_long, ends}",
                            "not the one that issued"),
    "exit_shows_for_every_issue": ("issue_stage", "<= issue & ends;", "<= issue;", "exit event"),
    "warp_lives_on": ("issue_stage", " & ~(take_o & ends_i)", "", "active is"),
}


class Faults(unittest.TestCase):
    pass


def _plant(file, old, new, message):
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            rtl = pathlib.Path(folder) / "rtl"
            shutil.copytree(ROOT / "rtl", rtl)
            source = rtl / "example" / f"{file}.sv"
            text = source.read_text(encoding="utf-8")
            self.assertEqual(text.count(old), 1, old)
            source.write_text(text.replace(old, new), encoding="utf-8")
            done = run("--icarus", rtl=rtl, seed=FAULT_SEED)
        self.assertEqual(done.returncode, 1, f"not noticed, PAWS_SEED={FAULT_SEED}")
        said = message if FAULT_SEED == 392836 else ""
        self.assertRegex(done.stdout, f"FAILED: .*{said}", f"PAWS_SEED={FAULT_SEED}")
        self.assertIn(f"failed with --seed {FAULT_SEED}", done.stderr)
    return test


for name, fault in FAULTS.items():
    setattr(Faults, f"test_{name}", _plant(*fault))

if __name__ == "__main__":
    print(f"PAWS_SEED={SEED}", flush=True)
    unittest.main()
