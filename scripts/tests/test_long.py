# SPDX-License-Identifier: MIT
"""The command for the long checks: its list, when a result holds, and what it records."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import shlex
import subprocess
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load_command():
    loader = importlib.machinery.SourceFileLoader("long_checks", str(ROOT / "scripts" / "checks" / "long"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("long_checks", loader))
    loader.exec_module(module)
    return module


class ListTest(unittest.TestCase):
    def test_names_what_exists(self):
        for name, check in load_command().load_checks().items():
            program = shlex.split(check["run"])[0]
            self.assertTrue("/" not in program or (ROOT / program).is_file(), f"{name}: {program}")
            for place in check["looks_at"]:
                self.assertTrue((ROOT / place).exists(), f"{name}: {place}")

    def test_refuses_what_it_does_not_know(self):
        command = load_command()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "list.toml"
            path.write_text('[[check]]\nname = "a"\nrun = "true"\nshows = "b"\nlooks = []\n')
            with mock.patch.object(command, "LIST", path), \
                    self.assertRaisesRegex(command.ListError, "a: missing or unknown: looks, looks_at"):
                command.load_checks()


class RecordTest(unittest.TestCase):
    """A small project with two checks."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "rtl").mkdir()
        (self.root / "sim").mkdir()
        self.write("list.toml", "".join(
            f'[[check]]\nname = "{name}"\nrun = "{run}"\nshows = "it"\nlooks_at = ["{place}"]\n'
            for name, run, place in (("first", "echo all is well, commit 0a1b2c3-dirty", "rtl"),
                                     ("second", "sh sim/ends", "sim"))))
        self.write("rtl/a.sv", "one")
        self.write("sim/ends", "exit 0")
        self.write(".gitignore", "build-long\nrecord.csv\n")
        self.git("init", "-q")
        self.commit()
        self.command = load_command()
        for name, value in (("ROOT", self.root), ("LIST", self.root / "list.toml"),
                            ("RECORD", self.root / "record.csv"), ("LOGS", self.root / "build-long")):
            patch = mock.patch.object(self.command, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, name, text):
        (self.root / name).write_text(text)

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a")

    def run_checks(self, *names):
        """Exit status of the chosen checks, and the record after them."""
        checks = self.command.load_checks()
        record = self.command.load_record()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = self.command.run_all(names, checks, record)
        return status, record

    def why(self, name, record):
        return self.command.why_stale(self.command.load_checks()[name], record.get(name))

    def test_a_result_holds_until_a_file_changes_that_it_looks_at(self):
        status, record = self.run_checks("first", "second")
        self.assertEqual(status, 0)
        self.assertEqual(record["first"]["said"], "all is well")
        self.assertEqual(self.command.load_record()["first"]["commit"], record["first"]["commit"])
        self.assertIsNone(self.why("first", record))
        self.write("rtl/a.sv", "two")
        self.commit()
        self.assertEqual(self.why("first", record), "since then: rtl/a.sv")
        self.assertIsNone(self.why("second", record))

    def test_only_what_does_not_hold_is_stale(self):
        _, record = self.run_checks("first", "second")
        self.write("rtl/a.sv", "two")
        self.commit()
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(self.command.stale(["second", "first"], self.command.load_checks(), record), ["first"])
        self.assertRegex(said.getvalue(), "second: holds, passed .*\nfirst: since then: rtl/a.sv\n")

    def test_the_status_can_be_that_of_some(self):
        self.run_checks("first")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            for names, status in ((["first"], 0), (["first", "second"], 1), (["second"], 1), ([], 1)):
                with mock.patch.object(self.command.sys, "argv", ["long", "--status", *names]):
                    self.assertEqual(self.command.main(), status, names)
        self.assertRegex(said.getvalue(), r"^first .* holds\n")

    def test_the_table_says_what_does_not_hold(self):
        _, record = self.run_checks("first")
        self.write("rtl/a.sv", "two")
        self.commit()
        rows = self.command.table(self.command.load_checks(), record).splitlines()[2:]
        self.assertEqual(rows[0], f"| `first` | it | all is well; stale: since then: rtl/a.sv "
                                  f"| {record['first']['commit']} | 0 |")
        self.assertEqual(rows[1], "| `second` | it | has not passed yet | – | – |")

    def test_a_failure_keeps_the_last_pass(self):
        _, before = self.run_checks("second")
        self.write("sim/ends", "exit 3")
        self.commit()
        status, after = self.run_checks("first", "second")
        self.assertEqual(status, 1)
        self.assertEqual(after["second"]["commit"], before["second"]["commit"])
        self.assertIn("first", after)

    def test_what_is_not_committed_is_not_recorded(self):
        self.write("rtl/a.sv", "two")
        status, record = self.run_checks("first")
        self.assertEqual((status, record), (0, {}))

    def test_a_record_of_another_call_is_no_difference(self):
        self.write(".gitignore", "build-long\n")
        self.commit()
        self.run_checks("first")
        self.commit()
        self.run_checks("second")
        _, record = self.run_checks("first")
        self.assertEqual(sorted(record), ["first", "second"])
        self.assertEqual(record["first"]["commit"], record["second"]["commit"])

    def test_never_passed(self):
        self.assertEqual(self.why("first", {}), "has not passed yet")


if __name__ == "__main__":
    unittest.main()
