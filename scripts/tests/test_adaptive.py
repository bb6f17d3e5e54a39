# SPDX-License-Identifier: MIT
"""The generator of kernels and the judgement of scripts/study adaptive."""
import array
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from lib import kernel_generator  # noqa: E402
from lib.adaptive_findings import JUDGED, STATIC, Findings, not_shown, p_value, upper_tail  # noqa: E402
from lib.kernel_generator import Kernel, chosen, expected, generate  # noqa: E402

PAWS = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None


class Generator(unittest.TestCase):
    def test_every_pair_of_length_and_sharing_is_there_once(self):
        pairs = [(kernel.lengths, kernel.sharing) for kernel in chosen()]
        self.assertEqual(len(set(pairs)), len(kernel_generator.LENGTHS) * len(kernel_generator.SHARING))
        self.assertEqual(len(pairs), len(set(pairs)))

    def test_the_expected_value_is_that_of_one_multiply_add_after_the_other(self):
        kernel = Kernel("mixed", "table", barriers=False, divergence=True)
        data = array.array("I", range(7, kernel_generator.TABLE + 7))
        found = expected(kernel, data, blocks=1, rounds=2)
        x, step = 5, 0
        for _ in range(2):
            for length in kernel_generator.LENGTHS["mixed"]:
                x ^= data[(x >> 9) % kernel_generator.TABLE]
                for _ in range(length):
                    x = (x * 1664525 + 1013904223) % 2 ** 32
                if x & 0x10000:
                    for _ in range(kernel_generator.EXTRA):
                        x = (x * 1664525 + 1013904223) % 2 ** 32
                    x ^= step
                step += 1
        self.assertEqual(found[5], x)

    @unittest.skipUnless(PAWS, "needs the program")
    def test_kernels_run_and_are_right_and_a_wrong_result_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            for kernel in (chosen()[2], chosen()[7], chosen()[9]):
                file = generate(kernel, pathlib.Path(folder), blocks=4, rounds=2)
                command = [PAWS, "run", file, "--engine", "model"]
                run = subprocess.run(command, capture_output=True, text=True, check=True)
                self.assertRegex(run.stdout, "results +PASS")
            out = file.with_suffix(".out")
            out.write_bytes(bytes([out.read_bytes()[0] ^ 1]) + out.read_bytes()[1:])
            self.assertNotEqual(subprocess.run(command, capture_output=True).returncode, 0)


class Judgement(unittest.TestCase):
    def test_students_t(self):
        self.assertAlmostEqual(upper_tail(1.833, 9), 0.05, places=3)  # a table of quantiles
        self.assertAlmostEqual(upper_tail(2.920, 2), 0.05, places=3)

    def test_a_speed_is_shown_only_beyond_the_noise(self):
        self.assertLess(p_value([1.0, 1.001, 0.999]), 0.05)
        self.assertGreater(p_value([0.98, 1.01, 0.99]), 0.05)
        self.assertEqual(p_value([1.0, 1.0]), 0.0)

    def test_holms_correction_stops_at_the_first_that_is_not_shown(self):
        self.assertEqual(not_shown({"a": 0.001, "b": 0.02, "c": 0.03}), [])
        self.assertEqual(not_shown({"a": 0.001, "b": 0.03, "c": 0.04}), ["b", "c"])

    def test_findings_of_runs_that_are_made_up(self):
        """GTO is better on x and RR on y; Duel is the better one of each, Pattern always GTO."""
        of = {("rr", "x"): 110, ("gto", "x"): 100, ("rr", "y"): 100, ("gto", "y"): 104}
        of |= {("duel", "x"): 100, ("duel", "y"): 100, ("pattern", "x"): 100, ("pattern", "y"): 104}
        findings = Findings({("m", "single", label, seed, kernel): cycles * seed
                             for (label, kernel), cycles in of.items() for seed in (1, 2)}, ("x", "y"))
        self.assertEqual(findings.best(("m", "single")), "gto")
        judged = findings.judged().splitlines()
        self.assertEqual(len(judged), 2 + len(STATIC) + 1 + len(JUDGED))
        self.assertIn(f"| oracle | GTO | {math.sqrt(1.04):.4f} |", judged[4])
        self.assertIn(f"| duel | GTO | {math.sqrt(1.04):.4f} | x 1.000 | 0 | 0 of 2 |", judged[5])
        self.assertIn("| pattern | GTO | 1.0000 | y 0.962 | 1 | 1 of 2 |", judged[6])
        self.assertEqual(findings.failures().splitlines()[2:], ["| m | single | y | 1.000 | 0.962 | 1.000 | **0.962** |"])


if __name__ == "__main__":
    unittest.main()
