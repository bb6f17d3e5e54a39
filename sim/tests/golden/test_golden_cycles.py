# SPDX-License-Identifier: MIT
"""Unit tests of scripts/check golden-cycles: what it notices, what it says, what it writes."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "scripts/checks/golden-cycles"
loader = importlib.machinery.SourceFileLoader("golden_cycles", str(SCRIPT))
golden_cycles = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(golden_cycles)


class Paws:
    """Stands for the program: 100 cycles per core, less where `faster` says so. Only single:rr has RTL."""

    def __init__(self, faster=None, workloads=("alpha", "beta")):
        self.faster, self.workloads = faster or {}, workloads

    def run(self, command):
        if command[1:] == ["list", "--json"]:
            return json.dumps({"workloads": [{"name": name, "description": "what it does"} for name in self.workloads],
                               "schedulers": [{"name": "single:rr", "rtl": True}, {"name": "two-level:new", "rtl": False}]})
        options = dict(zip(command, command[1:]))
        engine, cores = options["--engine"], int(options["--set"].removeprefix("cores="))
        rows = ["workload,scheduler,cycles"]
        for workload in command[2:command.index("--schedulers")]:
            for scheduler in options["--schedulers"].split(","):
                assert engine == "model" or scheduler == "single:rr", "the RTL lacks this scheduler"
                cycles = 100 * cores - self.faster.get((engine, workload, scheduler, cores), 0)
                rows.append(f"{workload},{scheduler},{cycles}")
        options["--csv"].write_text("\n".join(rows) + "\n")
        return ""


class GoldenCycles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.table = pathlib.Path(folder.name) / "cycles.csv"
        self.program()
        self.assertEqual(self.run_command("--update")[0], 0)

    def program(self, *arguments, **named):
        self.paws = Paws(*arguments, **named)

    def run_command(self, *options):
        """Status and output."""
        output = io.StringIO()
        command = ["golden-cycles", "--paws", "paws", "--table", str(self.table), *options]
        with (mock.patch.object(sys, "argv", command), mock.patch.object(golden_cycles, "run", self.paws.run),
              contextlib.redirect_stdout(output)):
            status = golden_cycles.main()
        return status, output.getvalue()

    def test_the_same_counts_pass(self):
        status, output = self.run_command()
        self.assertEqual(status, 0)
        self.assertEqual(output, "check golden-cycles: 0 of 8 cycle counts differ from the table\n")

    def test_every_count_that_moved_is_named_with_both_numbers(self):
        self.program({("model", "alpha", "two-level:new", 1): 1, ("model", "beta", "single:rr", 16): 7})
        status, output = self.run_command()
        self.assertEqual(status, 1)
        self.assertIn("alpha on 1 core under two-level:new: 100 cycles in the table, 99 now\n", output)
        self.assertIn("beta on 16 cores under single:rr: 1600 cycles in the table, 1593 now\n", output)
        self.assertIn("2 of 8", output)

    def test_update_renews_the_table(self):
        self.program({("model", "alpha", "two-level:new", 1): 1})
        status, output = self.run_command("--update")
        self.assertEqual(status, 0)
        self.assertIn("100 cycles in the table, 99 now", output)
        self.assertEqual(self.run_command()[0], 0)
        self.assertIn("alpha,1,100,99\n", self.table.read_text())

    def test_a_new_workload_is_a_failure(self):
        self.program(workloads=("alpha", "beta", "gamma"))
        status, output = self.run_command()
        self.assertEqual(status, 1)
        self.assertIn("gamma on 1 core under single:rr: not in the table, 100 cycles now\n", output)

    def test_a_workload_that_is_no_more_is_a_failure(self):
        self.program(workloads=("beta",))
        status, output = self.run_command()
        self.assertEqual(status, 1)
        self.assertIn("alpha on 16 cores under single:rr: 1600 cycles in the table, not run now\n", output)

    def test_a_scheduler_that_the_table_lacks_is_a_failure(self):
        self.table.write_text("\n".join(line if line.startswith("#") else line.rpartition(",")[0]
                                        for line in self.table.read_text().splitlines()))
        status, output = self.run_command()
        self.assertEqual(status, 1)
        self.assertIn("beta on 1 core under two-level:new: not in the table, 100 cycles now\n", output)

    def test_engines_that_differ_are_a_failure_even_of_an_update(self):
        self.program({("rtl", "beta", "single:rr", 1): 2})
        before = self.table.read_text()
        with self.assertRaisesRegex(golden_cycles.Problem,
                                    "beta on 1 core under single:rr: 100 cycles by the model, 98 by the RTL"):
            self.run_command("--update")
        self.assertEqual(self.table.read_text(), before)

    def test_a_program_that_fails_is_a_failure(self):
        with self.assertRaisesRegex(golden_cycles.Problem, "'sh -c echo wrong >&2; exit 3' ends with status 3:\nwrong"):
            golden_cycles.run(["sh", "-c", "echo wrong >&2; exit 3"])

    def test_a_list_that_cannot_be_read_is_a_failure(self):
        for text, message in (("workloads\n  alpha", "something else than workloads and schedulers"),
                              ('{"workloads": []}', "KeyError.'schedulers'"), ("[]", "something else than"),
                              ('{"workloads": [], "schedulers": []}', "no workloads or no schedulers")):
            with self.assertRaisesRegex(golden_cycles.Problem, message):
                golden_cycles.read_list(text)

    def test_a_damaged_table_is_named_with_its_line_and_can_be_written_anew(self):
        good = self.table.read_text()
        for damaged, message in ((good.replace("alpha,1,100", "alpha,1,1x0"), "cycles.csv:4: expected a workload"),
                                 (good + "<<<<<<< HEAD\n", "cycles.csv:8: expected a workload"),
                                 (good + "alpha,1,100,100\n", "cycles.csv:8: alpha on 1 core .* twice"),
                                 ("alpha,1,100,100\n", "cycles.csv:1: expected the columns")):
            self.table.write_text(damaged)
            with self.assertRaisesRegex(golden_cycles.Problem, message):
                self.run_command()
            self.assertEqual(self.run_command("--update")[0], 0)
            self.assertEqual(self.table.read_text(), good)


if __name__ == "__main__":
    unittest.main()
