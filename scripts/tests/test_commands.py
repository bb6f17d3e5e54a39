# SPDX-License-Identifier: MIT
"""The groups of commands list what they have, and what documents and sources call a command is one."""
import re
import subprocess
import tempfile
import unittest

from written import ROOT, sources

SCRIPTS = ROOT / "scripts"
GROUPS = {"check": "checks", "study": "studies", "plot": "plots"}
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
                    if "matplotlib is missing" in shown.stderr or "No module named 'matplotlib'" in shown.stderr:
                        self.skipTest("matplotlib is missing")
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
