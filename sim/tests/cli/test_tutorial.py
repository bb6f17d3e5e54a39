# SPDX-License-Identifier: MIT
"""docs/tutorial: its commands run, its outputs are theirs, and so are the numbers of its text.

    test_tutorial.py PAWS OWN EDITED   OWN: the program with EDITED, the file that the last step edits
    test_tutorial.py edit FOLDER       does that in FOLDER, with a copy of the file
"""
import functools
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/tutorial/README.md"
POLICY = pathlib.Path("model/two_level/longest.cpp")  # the file that the last step edits
BUILD = "scripts/build release paws"
NEXT = "==== next ===="
FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
# In the place of scripts/build, which would take minutes: CMake has made OWN of the same file.
STUB = """#!/bin/bash
[ "$0 $*" = "{build}" ] && cmp {policy} "{edited}" && ln -sf "{own}" build/paws
"""
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])|(?<![\w.-])\d{3,}(?![\w.-]*\w)|(?<![\w.])\d+(?= %)")


def sections(text):
    """Title and text of each, the first one without a title."""
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return list(zip(["", *parts[1::2]], parts[::2]))


def blocks(text, language):
    return [body for kind, body in FENCE.findall(text) if kind == language]


def prose(text):
    return re.sub(r"\]\([^)]*\)", "]", FENCE.sub("", text))


def copy_of_model(folder):
    (folder / POLICY).parent.mkdir(parents=True)
    shutil.copy(ROOT / POLICY, folder / POLICY)


def edit(folder):
    """Runs the commands of the last step up to the build."""
    copy_of_model(folder)
    commands, = [block for block in blocks(PAGE.read_text(encoding="utf-8"), "sh") if BUILD in block]
    subprocess.run(["bash", "-ec", commands[:commands.index(BUILD)]], cwd=folder, check=True)


def readable(page):
    """The words of a page."""
    page = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


@functools.cache
def printed():
    """By section of the page: what its commands print, and the words of the reports that they write."""
    parts = sections(PAGE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy_of_model(folder)
        for part in ("build", "scripts"):
            (folder / part).mkdir()
        (folder / "workloads").symlink_to(ROOT / "workloads")
        (folder / "build/paws").symlink_to(PAWS)
        (folder / "scripts/build").write_text(STUB.format(build=BUILD, policy=POLICY, edited=EDITED, own=OWN))
        (folder / "scripts/build").chmod(0o755)
        script = f"\necho '{NEXT}'\n".join("\n".join(blocks(text, "sh")) for _, text in parts)
        done = subprocess.run(["bash", "-ec", script], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        if done.returncode != 0:
            raise AssertionError(f"a command of the page failed:\n{done.stdout[-1000:]}{done.stderr}")
        outputs = done.stdout.split(NEXT + "\n")
        for number, (_, text) in enumerate(parts):
            for page in re.findall(r"--report (\S+)", text):
                outputs[number] += readable((folder / page).read_text(encoding="utf-8"))
    return {title: output for (title, _), output in zip(parts, outputs)}


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.parts = sections(PAGE.read_text(encoding="utf-8"))

    def test_every_step_has_a_command_a_lesson_and_an_exercise_with_its_answer(self):
        steps = self.parts[1:-1]
        self.assertEqual(len(steps), 7)
        answers = self.parts[-1][1]
        for number, (title, text) in enumerate(steps, 1):
            with self.subTest(step=title):
                self.assertTrue(title.startswith(f"{number}. ") and title.endswith("?") or number == len(steps), title)
                self.assertTrue(blocks(text, "sh"))
                self.assertTrue(blocks(text, "text"))
                self.assertEqual(text.count("**Learnt:**"), 1)
                self.assertEqual(text.count(f"*Exercise {number}:*"), 1)
                self.assertEqual(answers.count(f"**{number}.** "), 1)

    def test_every_block_is_of_a_kind_that_is_looked_at(self):
        text = PAGE.read_text(encoding="utf-8")
        self.assertEqual({kind for kind, _ in FENCE.findall(text)}, {"sh", "text"})
        self.assertEqual(len(re.findall("^```", text, re.MULTILINE)), 2 * len(FENCE.findall(text)))

    def test_every_line_of_output_is_printed(self):
        for title, text in self.parts:
            lines = set(printed()[title].splitlines())
            for line in "".join(blocks(text, "text")).splitlines():
                with self.subTest(section=title):
                    self.assertIn(line, lines)

    def test_every_number_of_the_text_is_printed(self):
        found, output = 0, ""
        for title, text in self.parts[1:]:
            output += "\n".join([printed()[title], *blocks(text, "sh")])
            for number in NUMBER.findall(prose(text)):
                found += 1
                with self.subTest(section=title):
                    self.assertRegex(output, rf"(?<![\d.]){re.escape(number)}(?![\d]|\.\d)")
        self.assertGreater(found, 20)

    def test_the_page_is_short(self):
        self.assertLessEqual(sum(len(prose(text).split()) for _, text in self.parts), 1220)


if __name__ == "__main__":
    if sys.argv[1] == "edit":
        edit(pathlib.Path(sys.argv[2]))
        sys.exit()
    PAWS, OWN, EDITED = sys.argv[1:]
    del sys.argv[1:]
    unittest.main()
