# SPDX-License-Identifier: MIT
"""rtl/host: the bench plays recordings into the RTL: python3 test_replay_bench.py PAWS."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PAWS = sys.argv[1]
HOST = pathlib.Path(__file__).resolve().parents[3] / "rtl" / "host"


def play(recording, *variables):
    return subprocess.run(["make", "-s", "-C", HOST, f"RECORDING={recording}", *variables], capture_output=True, text=True,
                          check=False)


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        for level in ("two-level", "single"):
            trace = cls.work / f"{level}.dec"
            subprocess.run([PAWS, "run", "vectoradd", "--size", "small", "--scheduler", f"{level}:gto", "--decisions", trace],
                           check=True, capture_output=True)
            ports = subprocess.run([PAWS, "decisions", trace, "--scheduler", "0", "--ports"], check=True,
                                   capture_output=True, text=True).stdout
            (cls.work / level).write_text(ports, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def lines(self, level):
        return (self.work / level).read_text(encoding="utf-8").splitlines()

    def test_recordings_agree(self):
        for level, variables in (("two-level", ()), ("single", ("SINGLE=1", "PARAMETERS=POLICIES=15"))):
            with self.subTest(level):
                done = play(self.work / level, *variables)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(f"passed: {len(self.lines(level))} cycles agree", done.stdout)

    def test_a_difference_is_named(self):
        lines = self.lines("two-level")
        number = next(at for at, line in enumerate(lines) if line.split()[10] == "1")
        words = lines[number].split()
        words[11] = str(int(words[11]) + 1)
        (self.work / "changed").write_text("\n".join([*lines[:number], " ".join(words), *lines[number + 1:]]) + "\n",
                                           encoding="utf-8")
        done = play(self.work / "changed")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"FAILED: cycle {words[0]}, line {number + 1}: issue_valid 1, warp {int(words[11]) - 1}", done.stdout)

    def test_what_is_missing_is_named(self):
        self.assertIn("RECORDING=FILE is missing", play("").stderr)
        done = play(self.work / "nowhere")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cannot be read", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
