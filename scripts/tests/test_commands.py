# SPDX-License-Identifier: MIT
"""The groups of commands list what they have, and what documents and sources call a command is one."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from written import ROOT, sources

SCRIPTS = ROOT / "scripts"
GROUPS = {"check": "checks", "study": "report/studies", "plot": "plots"}
SUMMARY_LENGTH = 100  # a line of the list fits a terminal of 120 columns
# A path below scripts/, and the word behind it, which is a command's name where the path is a group.
NAMED = re.compile(r'\bscripts/(?P<path>[A-Za-z][\w+-]*(?:[./][\w-]+)*)(?:"? +(?P<name>[a-z][\w-]*))?')


def run(*words):
    return subprocess.run([str(SCRIPTS / words[0]), *words[1:]], capture_output=True, text=True, check=False)


def commands(group):
    return sorted(path.name for path in (SCRIPTS / GROUPS[group]).iterdir())


def listed(text):
    """(name, summary) of every command in what a group prints."""
    return re.findall(r"^  (\S+) +(\S.*)$", text, re.MULTILINE)


def unknown(text):
    """What `text` names below scripts/ and is not there."""
    found = []
    for match in NAMED.finditer(text):
        path, name = match["path"], match["name"]
        if path.isupper():  # a placeholder
            continue
        if not (SCRIPTS / path).exists():
            found.append(f"scripts/{path}")
        elif path in GROUPS and name is not None and name not in commands(path):
            found.append(f"scripts/{path} {name}")
    return found


class Groups(unittest.TestCase):
    def test_every_command_is_listed_with_one_sentence(self):
        for group in GROUPS:
            shown = run(group, "--help")
            self.assertEqual(shown.returncode, 0, shown.stderr)
            entries = listed(shown.stdout)
            self.assertEqual([name for name, _ in entries], commands(group))
            for name, summary in entries:
                with self.subTest(command=f"{group} {name}"):
                    self.assertRegex(summary, r"^[A-Z].*\.$")
                    self.assertLessEqual(len(summary), SUMMARY_LENGTH)

    def test_every_command_can_be_executed(self):
        for group, folder in GROUPS.items():
            for name in commands(group):
                self.assertTrue((SCRIPTS / folder / name).stat().st_mode & 0o111, f"{group} {name}")

    def test_every_command_says_how_to_call_it(self):
        for group in GROUPS:
            for name in commands(group):
                with self.subTest(command=f"{group} {name}"):
                    shown = run(group, name, "--help")
                    self.assertEqual(shown.returncode, 0, shown.stderr)
                    self.assertIn(f"scripts/{group} {name}", shown.stdout)

    def test_without_a_name_the_list_is_an_error(self):
        for group in GROUPS:
            shown = run(group)
            self.assertEqual((shown.returncode, shown.stdout), (2, ""))
            self.assertEqual([name for name, _ in listed(shown.stderr)], commands(group))

    def test_what_is_no_command_is_named(self):
        for name in ("no-such-command", "", ".", "..", "../lib/group"):
            shown = run("check", name)
            self.assertEqual((shown.returncode, shown.stdout), (2, ""))
            self.assertTrue(shown.stderr.startswith(f"check: there is no command '{name}'\n"), shown.stderr)

    def test_a_command_of_another_group_is_none_of_this_group(self):
        self.assertEqual(run("study", "soak").returncode, 2)

    def test_arguments_and_status_are_passed_on(self):
        shown = run("check", "parameters", "two words")
        self.assertEqual((shown.returncode, shown.stderr), (2, "check parameters: takes no arguments\n"))

    def test_a_group_works_from_any_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            shown = subprocess.run([str(SCRIPTS / "check"), "rtl", "--help"], cwd=folder, capture_output=True,
                                   text=True, check=False)
        self.assertIn("scripts/check rtl", shown.stdout)


class Help(unittest.TestCase):
    # What installs and builds, and what not everybody has.
    TOOLS = ("apt-get", "sudo", "dpkg-query", "cmake", "ninja", "make", "c++", "g++", "clang-14", "verilator", "yosys",
             "snakemake")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.called = self.folder / "called"
        for tool in self.TOOLS:
            stub = self.folder / tool
            stub.write_text(f'#!/bin/sh\necho "$0 $*" >> {self.called}\nexit 1\n')
            stub.chmod(0o755)
        (self.folder / "matplotlib.py").write_text("raise ModuleNotFoundError('matplotlib')\n")
        self.env = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "PYTHONPATH": str(self.folder)}

    def run_bare(self, *words):
        shown = subprocess.run([str(SCRIPTS / words[0]), *words[1:]], capture_output=True, text=True, check=False,
                               env=self.env, timeout=60)
        self.assertFalse(self.called.exists() and self.called.read_text())
        return shown

    def test_of_every_script_is_printed_and_installs_and_builds_nothing(self):
        alone = [(path.name,) for path in sorted(SCRIPTS.iterdir()) if path.is_file()]
        self.assertIn(("reproduce",), alone)
        for words in [*alone, *((group, name) for group in GROUPS for name in commands(group))]:
            for option in ("--help", "-h"):
                with self.subTest(command=" ".join(words), option=option):
                    shown = self.run_bare(*words, option)
                    self.assertEqual((shown.returncode, shown.stderr), (0, ""))
                    self.assertRegex(shown.stdout, rf"usage: |scripts/{re.escape(' '.join(words))}")

    def test_what_setup_does_not_know_is_an_error(self):
        for words in (("--foo",), ("--synth", "--report"), ("",)):
            shown = self.run_bare("setup", *words)
            self.assertEqual((shown.returncode, shown.stdout), (2, ""))
            self.assertEqual(shown.stderr, "setup: expected nothing, --synth, --report or --coverage, not: "
                             f"{' '.join(words)}\n")

    def test_output_that_is_not_taken_is_an_error(self):
        for to, said in (("/dev/full", "No space left on device"), ("&-", "check: stdout is closed")):
            for words in ("--help", "soak --help", "rtl --help"):
                shown = subprocess.run(["bash", "-c", f'"$0" {words} >{to}', SCRIPTS / "check"], capture_output=True,
                                       text=True, check=False)
                self.assertNotEqual(shown.returncode, 0)
                self.assertIn(said, shown.stderr)


class Names(unittest.TestCase):
    def test_what_is_named_exists(self):
        for path in sources():
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertEqual(unknown(path.read_text(encoding="utf-8")), [])

    def test_names_that_do_not_exist_are_found(self):
        self.assertEqual(unknown("`scripts/gone`, scripts/lib/gone.py."), ["scripts/gone", "scripts/lib/gone.py"])
        self.assertEqual(unknown('"$root/scripts/check" gone 30\n./scripts/study soak'),
                         ["scripts/check gone", "scripts/study soak"])

    def test_names_that_exist_are_not(self):
        self.assertEqual(unknown("`scripts/check soak`; `scripts/check` does; scripts/check --help; scripts/check NAME; "
                                 "scripts/GROUP; scripts/setup --synth; scripts/lib/group. scripts/report/slurm/"), [])


if __name__ == "__main__":
    unittest.main()
