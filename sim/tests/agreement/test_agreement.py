# SPDX-License-Identifier: MIT
"""Unit tests of scripts/check agreement: its statistics, what it notices, what it says, what it writes."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "scripts/checks/agreement"
loader = importlib.machinery.SourceFileLoader("agreement_command", str(SCRIPT))
command = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(command)
agreement, page = command.agreement, command.agreement_page

DESCRIPTION = """
machine = ["cores=4"]
[variants]
"scheduled" = []
"as written" = ["frontend.schedule=false"]
[parameters]
"4.2" = "first"
"3.x-like" = "second"
[schedulers]
"single:rr" = "single:rr"
"single:gto" = "single:gto"
"two_level_active:6:0:1" = "two-level:rr"
"""
INSTRUCTIONS = 5000
SCHEDULERS = ("single:rr", "single:gto", "two_level_active:6:0:1")
KERNELS = {"alpha": (1000, 900, 1100), "beta": (2000, 1600, 2200), "gamma": (4000, 2800, 4400)}  # cycles


class Paws:
    """Stands for the program: the recorded cycles, times what `slower` says."""

    def __init__(self):
        self.slower = {}
        self.instructions = {}  # by whether the front-end's scheduling is off
        self.verified = True
        self.seen = []

    def run(self, words):
        kernel = words[2]
        options = dict(zip(words, words[1:]))
        self.seen.append([str(word) for word in words])
        theirs = {"two-level:rr": "two_level_active:6:0:1"}.get(options["--scheduler"], options["--scheduler"])
        cycles = round(KERNELS[kernel][SCHEDULERS.index(theirs)] * self.slower.get((kernel, theirs), 1))
        instructions = self.instructions.get("frontend.schedule=false" in words, INSTRUCTIONS)
        result = {"cycles": cycles, "instructions": instructions, "verified": self.verified}
        options["--json"].write_text(json.dumps(result))


def drawn(facts, ours):
    """In place of the picture."""
    there = facts.runs["4.2", "single:rr", "gamma"].cycles
    return f"{' '.join(facts.kernels)} {ours['scheduled', 'single:rr', 'gamma'].cycles / there}"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        kernels = "".join(f'[[kernel]]\nname = "{name}"\nworkload = "{name}"\nptx = "{name}.ptx"\n'
                          f'define = {{ size = 7 }}\n' for name in KERNELS)
        (self.folder / "gpgpusim.toml").write_text(DESCRIPTION + kernels)
        rows = ["# a comment", "kernel,parameters,scheduler,thread_instructions,cycles"]
        rows += [f"{kernel},{parameters},{scheduler},{INSTRUCTIONS},{cycles}"
                 for kernel, counts in KERNELS.items() for parameters in ("4.2", "3.x-like")
                 for scheduler, cycles in zip(SCHEDULERS, counts)]
        self.table = self.folder / "gpgpusim.csv"
        self.table.write_text("\n".join(rows) + "\n")
        self.page = self.folder / "agreement.md"
        self.page.write_text(f"before\n<!-- {page.COMMAND} writes from here -->\nold\n<!-- to here -->\nbehind\n")
        self.record, self.figure = self.folder / "agreement.csv", self.folder / "agreement.svg"
        self.paws = Paws()

    def facts(self):
        return agreement.read_facts(self.folder)

    def run_command(self, *options):
        """Status and output."""
        output = io.StringIO()
        facts = self.facts()
        with (mock.patch.object(sys, "argv", ["agreement", "--paws", "build/paws", "--jobs", "1", *options]),
              mock.patch.object(command, "run", self.paws.run),
              mock.patch.object(agreement, "read_facts", lambda: facts),
              mock.patch.object(agreement, "RECORD", self.record), mock.patch.object(page, "PAGE", self.page),
              mock.patch.object(agreement.read_record, "__defaults__", (self.record,)),
              mock.patch.object(page, "FIGURE", self.figure),
              mock.patch.object(command, "packages_of_pictures"),  # scripts/tests/report draws
              mock.patch.dict(sys.modules, {"lib.agreement_plot": types.SimpleNamespace(plot=drawn)}),
              contextlib.redirect_stdout(output), contextlib.redirect_stderr(output)):
            status = command.main()
        return status, output.getvalue()


class Command(Case):
    def test_the_same_cycles_agree(self):
        self.assertEqual(self.run_command("--update")[0], 0)
        status, text = self.run_command()
        self.assertEqual(status, 0, text)
        self.assertIn("| 4.2 | scheduled | 0.0 % | 0.0 % | 1.000 | 1.000 | 3 of 3 | 1.00 | 3 of 3 |", text)

    def test_an_error_that_grows_by_more_than_a_point_fails(self):
        self.run_command("--update")
        self.paws.slower = {("alpha", "single:gto"): 1.029}  # a third of it in the mean
        self.assertEqual(self.run_command()[0], 0)
        self.paws.slower = {("alpha", "single:gto"): 1.04}
        status, text = self.run_command()
        self.assertEqual(status, 1)
        self.assertIn("single:gto, scheduled: 1.33 % from GPGPU-Sim, 0.00 % in agreement.csv", text)
        self.assertNotIn("single:rr, scheduled", text)
        self.assertIn("scripts/check agreement --update", text)

    def test_a_renewed_record_holds(self):
        self.run_command("--update")
        self.paws.slower = {("alpha", "single:rr"): 1.5}
        self.assertEqual(self.run_command()[0], 1)
        self.assertEqual(self.run_command("--update")[0], 0)
        self.assertEqual(self.run_command()[0], 0)

    def test_fewer_cycles_are_an_error_too_and_two_levels_are_none(self):
        self.run_command("--update")
        self.paws.slower = {("beta", "two_level_active:6:0:1"): 2.0}
        self.assertEqual(self.run_command()[0], 0)
        self.paws.slower = {("beta", "single:rr"): 0.5}
        self.assertEqual(self.run_command()[0], 1)

    def test_only_named_kernels_run(self):
        self.run_command("--update")
        self.paws.slower = {("alpha", "single:rr"): 2.0}
        self.paws.seen.clear()
        self.assertEqual(self.run_command("beta")[0], 0)
        self.assertEqual({words[2] for words in self.paws.seen}, {"beta"})

    def test_the_machine_the_ptx_and_the_size_are_the_recorded_ones(self):
        self.run_command("--update")
        words = next(words for words in self.paws.seen if "frontend.schedule=false" in words)
        options = set(zip(words, words[1:]))
        self.assertIn(("--set", "cores=4"), options)
        self.assertIn(("--define", "size=7"), options)
        self.assertIn(("--ptx", str(agreement.FOLDER / "ptx/alpha.ptx")), options)
        self.paws.seen.clear()
        self.assertEqual(self.run_command("--own-ptx")[0], 0)
        self.assertIn("build/workloads/alpha.ptx", self.paws.seen[0])

    def test_what_is_wrong_is_named(self):
        with self.assertRaisesRegex(OSError, "agreement.csv"):
            self.run_command()
        self.run_command("--update")
        self.paws.verified = False
        with self.assertRaisesRegex(agreement.Problem, "alpha under single:rr: wrong results"):
            self.run_command()
        for options in (["delta"], ["--update", "alpha"], ["--update", "--own-ptx"], ["--jobs", "0"]):
            with self.assertRaises(SystemExit) as stop:
                self.run_command(*options)
            self.assertEqual(stop.exception.code, 2)

    def test_other_work_than_in_gpgpusim_is_named(self):
        self.paws.instructions = {False: 4000, True: 5004}
        self.assertEqual(self.run_command("--update")[0], 0)
        self.paws.instructions = {True: 5006}
        with self.assertRaisesRegex(agreement.Problem, "alpha under single:rr executes 5,006 thread instructions as it "
                                                       "is written, and 5,000 in GPGPU-Sim"):
            self.run_command()
        self.assertEqual(self.run_command("--own-ptx")[0], 0)

    def test_a_record_without_a_kernel_is_no_record(self):
        self.run_command("--update")
        kept = [line for line in self.record.read_text().splitlines() if not line.startswith("beta")]
        self.record.write_text("\n".join(kept) + "\n")
        with self.assertRaisesRegex(agreement.Problem, "agreement.csv lacks beta"):
            self.run_command()

    def test_the_page_and_the_figure_are_written(self):
        self.paws.slower = {("gamma", "single:rr"): 1.25}
        self.run_command("--update")
        text = self.page.read_text()
        self.assertTrue(text.startswith("before\n") and text.endswith("behind\n"))
        self.assertNotIn("old", text)
        self.assertIn("| gamma | 1.2 | 1.0 | 1.0 | +42.9 % | +78.6 % | +78.6 % |", text)
        self.assertEqual(self.figure.read_text(), "alpha beta gamma 1.25")


class Tables(Case):
    def wrong(self, line, message):
        lines = self.table.read_text().splitlines()
        self.table.write_text("\n".join(lines + [line]) + "\n")
        with self.assertRaisesRegex(agreement.Problem, message):
            self.facts()

    def test_a_wrong_line_is_named(self):
        last = len(self.table.read_text().splitlines()) + 1
        for line in ("alpha,4.2,single:rr,1000", "delta,4.2,single:rr,x,5", "delta,4.2,single:rr,5,0"):
            text = self.table.read_text()
            self.wrong(line, f"gpgpusim.csv:{last}: expected three names and two numbers")
            self.table.write_text(text)
        self.wrong("alpha,4.2,single:rr,1,1", f"gpgpusim.csv:{last}: 4.2 single:rr alpha stands there twice")

    def test_wrong_columns_are_named(self):
        self.table.write_text("kernel,cycles\n")
        with self.assertRaisesRegex(agreement.Problem, "gpgpusim.csv:1: expected the columns kernel, parameters"):
            self.facts()

    def test_a_missing_run_is_named(self):
        kept = [line for line in self.table.read_text().splitlines() if not line.startswith("beta,4.2,single:gto")]
        self.table.write_text("\n".join(kept) + "\n")
        with self.assertRaisesRegex(agreement.Problem, "gpgpusim.csv lacks beta, 4.2, single:gto"):
            self.facts()


class Statistics(unittest.TestCase):
    def pair(self, ours, theirs):
        """Of (RR, GTO) cycles per kernel; 1000 instructions each."""
        names = [f"k{number}" for number in range(len(ours))]
        schedulers = {agreement.RR: 0, agreement.GTO: 1}
        runs = [{(side, scheduler, name): agreement.Run(cycles[column], 1000)
                 for name, cycles in zip(names, table) for scheduler, column in schedulers.items()}
                for side, table in (("v", ours), ("p", theirs))]
        facts = agreement.Facts({"schedulers": schedulers, "kernel": []}, runs[1])
        return agreement.Comparison(facts, runs[0], "v", "p", names)

    def test_error_sign_order_and_best(self):
        pair = self.pair([(110, 100), (180, 200), (300, 150)], [(100, 80), (200, 210), (300, 330)])
        self.assertAlmostEqual(pair.error(agreement.RR), 100 * (0.1 + 0.1 + 0) / 3)
        self.assertEqual(pair.same_sign(), 2)
        self.assertEqual(pair.same_best(), 2)
        # leads: ours 0.1, -0.1, 1.0; theirs 0.25, -0.048, -0.091: ranks 2 1 3 and 3 2 1
        self.assertAlmostEqual(pair.lead_order(), -0.5)

    def test_ipc_correlation_is_of_logarithms(self):
        pair = self.pair([(10, 1), (100, 1), (1000, 1)], [(1, 1), (10, 1), (100, 1)])
        self.assertAlmostEqual(pair.ipc_correlation(agreement.RR), 1)

    def test_equal_values_share_their_rank(self):
        self.assertEqual(agreement.ranks([5, 1, 5, 7]), [2.5, 1, 2.5, 4])


if __name__ == "__main__":
    unittest.main()
