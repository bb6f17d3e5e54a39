# SPDX-License-Identifier: MIT
"""rtl/host: the bench plays recordings into the RTL: python3 test_replay_bench.py PAWS."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PAWS = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[3]
HOST = ROOT / "rtl" / "host"
# Two schedulers of eight warps: small, so that they are soon compiled.
SMALL = ("--set", "core.warps=16", "--set", "scheduler.ready=4")
PARAMETERS = "PARAMETERS=WARPS=8 READY=4"


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
            subprocess.run([PAWS, "run", "vectoradd", "--size", "small", "--scheduler", f"{level}:gto", *SMALL,
                            "--decisions", trace], check=True, capture_output=True)
            ports = subprocess.run([PAWS, "decisions", trace, "--scheduler", "0", "--ports"], check=True,
                                   capture_output=True, text=True).stdout
            (cls.work / level).write_text(ports, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def lines(self, level):
        return (self.work / level).read_text(encoding="utf-8").splitlines()

    def test_recordings_agree(self):
        for level, variables in (("two-level", (PARAMETERS,)), ("single", ("SINGLE=1", "PARAMETERS=WARPS=8 POLICIES=15"))):
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
        done = play(self.work / "changed", PARAMETERS)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"FAILED: cycle {words[0]}, line {number + 1}: issue_valid 1, warp {int(words[11]) - 1}", done.stdout)

    def test_a_netlist_in_icarus(self):
        sources = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "lib" / "rtl_files.py", "paws_two_level",
                                  ROOT / "rtl"], check=True, capture_output=True, text=True).stdout.split()
        netlist = self.work / "netlist.v"
        subprocess.run(["yosys", "-q", "-p", f"""
            read_verilog -sv {" ".join(sources)}
            hierarchy -check -top paws_two_level -chparam WARPS 8 -chparam READY 4 -chparam POLICIES 7
            synth -flatten -noabc
            rename -top paws_two_level
            write_verilog -noattr {netlist}"""], check=True, cwd=ROOT / "rtl")
        done = play(self.work / "two-level", "NETLIST=1", "SIM=icarus", f"SOURCES={netlist}", "PARAMETERS=WARPS=8")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"passed: {len(self.lines('two-level'))} cycles agree", done.stdout)

    def test_what_is_missing_is_named(self):
        self.assertIn("RECORDING=FILE is missing", play("").stderr)
        self.assertIn("nowhere: cannot be read", play(self.work / "nowhere").stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
