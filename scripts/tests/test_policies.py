# SPDX-License-Identifier: MIT
"""The catalogue of policies: what CMake refuses, what Python reads, and which missing places scripts/check policies
names."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("check_policies", str(ROOT / "scripts/checks/policies"))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(check)
policies = check.policies
policies_read = policies.read  # also while a test replaces it

# As model/policies.toml may be, so that a new policy there changes nothing here.
CATALOGUE = """\
[[policy]]
scheduler = "single:first"  # a comment
label = "FIRST"
rule = "the FIRST one; then none"
reads = ""
rtl_code = 0

[[policy]]
scheduler = "single:last"
label = "last"
rule = "the last one; then none"
reads = ""
rtl_code = 3

[[policy]]
scheduler = "two-level:first"
label = "FIRST"
rule = "the FIRST one; then none"
reads = ""
rtl_code = 0

[[policy]]
scheduler = "two-level:in-turn"
label = "in turn"
rule = "the in turn one; then none"
reads = ""

[[policy.parameter]]
name = "turns"
default = 2
smallest = 1
largest = 9
meaning = "issues; then the next"

[[policy]]
scheduler = "two-level:last"
label = "last"
rule = "the last one; then none"
reads = ""
rtl_code = 1
"""
PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(catalogue NONE)
include(%s/cmake/policies.cmake)
foreach(policy IN LISTS paws_policies)
  message(STATUS "read ${policy} ${paws_spelled_${policy}} '${paws_code_${policy}}' in ${paws_module_${policy}}")
endforeach()
set(turns two_level/in_turn/turns)
message(STATUS "rule ${paws_rule_two_level/in_turn}, ${paws_parameters_two_level/in_turn}: ${paws_default_${turns}} of "
  "${paws_smallest_${turns}} to ${paws_largest_${turns}}, ${paws_meaning_${turns}}")
foreach(level single_level two_level)
  message(STATUS "read ${level} ${paws_all_policies_${level}}")
endforeach()
paws_policy_mask(mask single_level %s)
message(STATUS "read mask ${mask}")
"""


class Example(unittest.TestCase):
    """Tests with CATALOGUE."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        file = self.folder / "model/policies.toml"
        file.parent.mkdir()
        file.write_text(CATALOGUE)
        self.policies = policies.read(file)
        patch = mock.patch.object(policies, "read", lambda: self.policies)
        patch.start()
        self.addCleanup(patch.stop)


class CMake(Example):
    def configure(self, catalogue=CATALOGUE, words="last"):
        """Status and words of CMake for a project with this catalogue and empty golden models."""
        for file in ("single_level/first", "single_level/last", "two_level/first", "two_level/in_turn", "two_level/last"):
            (self.folder / "model" / file).parent.mkdir(exist_ok=True)
            (self.folder / "model" / f"{file}.cpp").touch()
        (self.folder / "model/policies.toml").write_text(catalogue)
        (self.folder / "CMakeLists.txt").write_text(PROJECT % (ROOT, words))
        done = subprocess.run(["cmake", "-S", self.folder, "-B", self.folder / "build"], capture_output=True, text=True,
                              check=False)
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def test_it_reads_every_policy(self):
        status, said = self.configure(words="first+last")
        self.assertEqual(status, 0, said)
        self.assertEqual(re.findall(r"read (\S+ \S+(?: '\d*')?)", said), [
            "single_level/first first '0'", "single_level/last last '3'", "two_level/first first '0'",
            "two_level/in_turn in-turn ''", "two_level/last last '1'", "single_level 9", "two_level 3", "mask 9"])
        self.assertIn("rule the in turn one; then none, turns: 2 of 1 to 9, issues; then the next", said)

    def test_a_policy_may_be_a_module_of_its_own(self):
        catalogue = CATALOGUE.replace("rtl_code = 3", 'rtl_module = "paws_last"')
        status, said = self.configure(catalogue)
        self.assertNotEqual(status, 0)
        self.assertIn("model/policies.toml:13: single:last: rtl/paws_last.sv does not exist", said)
        (self.folder / "rtl").mkdir()
        (self.folder / "rtl/paws_last.sv").touch()
        status, said = self.configure(catalogue, words="first")
        self.assertEqual(status, 0, said)
        self.assertIn("read single_level/last last '' in paws_last", said)
        self.assertIn("read mask 1", said)  # no bit of POLICIES
        file = self.folder / "model/policies.toml"
        self.assertEqual([policy.scheduler for policy in policies.in_rtl("single", policies_read(file))], ["single:first"])
        self.assertEqual([policy.rtl_module for policy in policies_read(file)], [None, "paws_last", None, None, None])

    def test_what_is_wrong_is_named_with_its_line(self):
        reads = 'reads = ""\n'
        rule, meaning = f'rule = "the in turn one; then none"\n{reads}', 'meaning = "issues; then the next"\n'
        parameter = "[[policy.parameter]]\n"
        for old, new, line, message in (
                ('"single:last"', '"single:newest"', 9, "single:newest has no golden model: model/single_level/newest.cpp"),
                ('"single:last"', '"single:first"', 9, "single:first stands there twice"),
                ('"single:last"', '"last"', 9, "scheduler is not a text of the form"),
                ('label = "last"\n', "", 8, "label is missing"),
                ('label = "in turn"\n' + rule, "", 22, "label is missing"),
                (rule, rule.replace(reads, ""), 22, "reads is missing"),
                (rule, rule.replace('""', '"ages"'), 26, "reads is not a text of the form"),
                (rule, "", 22, "rule is missing"),
                ("rtl_code = 3", "rtl_code = 0", 13, "single:last: another policy of its level has rtl_code 0"),
                ("rtl_code = 3", "rtl_code = 16", 13, "rtl_code is not a whole number of the form"),
                ("rtl_code = 3", "rtl_code = 3\nrtl_code = 4", 14, "Cannot overwrite a value"),
                ("rtl_code = 3", 'rtl_code = 3\nrtl_module = "paws_last"', 14, "has both rtl_code and rtl_module"),
                ("rtl_code = 3", 'rtl_module = "last"', 13, "rtl_module is not a text of the form"),
                ("rtl_code = 3", "rtl_mode = 3", 13, "there is no key 'rtl_mode', only scheduler"),
                ("rtl_code = 3", "rtl_code = three", 13, "Invalid value"),
                (rule, rule + "rtl_code = 2\n", 29, "a policy of the RTL has no parameters"),
                (meaning, "", 28, "meaning is missing"),
                (meaning, meaning + "rtl_code = 2\n", 34, "there is no key 'rtl_code', only name"),
                (meaning, meaning + parameter + 'name = "turns"\ndefault = 1\nsmallest = 1\nlargest = 2\nmeaning = "x"\n', 35,
                 "the policy has two parameters 'turns'"),
                ("default = 2", "default = 10", 30, "the default of the parameter is not from smallest to largest"),
                ("default = 2", "default = 0", 30, "the default of the parameter is not from smallest to largest"),
                ("default = 2", "default = -2", 30, "default is not a whole number of the form"),
                (CATALOGUE, "x = 1\n", 1, "a catalogue is entries [[policy]]")):
            with self.subTest(new=new):
                self.assertIn(old, CATALOGUE)
                status, said = self.configure(CATALOGUE.replace(old, new, 1))
                self.assertNotEqual(status, 0)
                self.assertIn(f"model/policies.toml:{line}: ", said)
                self.assertIn(message, said)

    def test_a_mask_names_policies_of_the_rtl(self):
        status, said = self.configure(words="first+in_turn")
        self.assertNotEqual(status, 0)
        self.assertIn("single_level: the RTL has no policy 'in_turn', it has: first;last", said)


class Python(Example):
    def test_masks_and_names(self):
        self.assertEqual(policies.all_of("single"), 9)
        self.assertEqual(policies.built("single", 0b1010), ("last",))
        self.assertEqual(policies.built("two-level", ~0), ("first", "last"))
        self.assertEqual([policy.scheduler for policy in policies.of_module("paws_single_level")],
                         ["single:first", "single:last"])
        self.assertEqual(policies.of_module("paws_ages"), ())

    def test_each_is_a_case_for_each_policy(self):
        self.assertEqual(policies.expand("WARPS=4 POLICIES=each pick", "paws_single_level"),
                         ["WARPS=4 POLICIES=1 pick", "WARPS=4 POLICIES=8 pick"])
        self.assertEqual(policies.expand("WARPS=4 POLICIES=2", "paws_single_level"), ["WARPS=4 POLICIES=2"])

    def test_shell_scripts_get_words(self):
        for words, expected in ((["names", "single"], "first last\n"), (["masks", "two-level"], "1 2\n"),
                                (["all", "single"], "9\n"), (["all", "triple"], ""), ([], "")):
            said = io.StringIO()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
                status = policies.main(words)
            self.assertEqual((said.getvalue(), status), (expected, 0 if expected else 2), words)


class Places(unittest.TestCase):
    """The project, with a policy single:newest that the RTL is said to have, or with a place less."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for file in (check.PACKAGE, check.SETS, check.COVERAGE, check.PROOFS, check.SPECIFICATION):
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            (self.root / file).write_text((ROOT / file).read_text())

    def replace(self, file, old, new):
        text, times = re.subn(old, new, (self.root / file).read_text(), flags=re.MULTILINE)
        self.assertGreater(times, 0, f"{file} has no {old}")
        (self.root / file).write_text(text)

    def missing(self, *more):
        catalogue = policies.read() + more
        with mock.patch.object(policies, "read", lambda: catalogue):
            return check.missing(self.root)

    def test_the_project_is_complete(self):
        self.assertEqual(self.missing(), [])

    def test_a_policy_that_the_rtl_lacks_is_named(self):
        self.assertEqual(self.missing(policies.Policy("single:newest", "newest", "the youngest", rtl_code=15)), [
            "rtl/paws_pkg.sv: no NEWEST = 15 for single:newest",
            "docs/reference/microarchitecture.md: the tables of policies are not those of the catalogue; run "
            "scripts/check policies --update"])

    def test_the_tables_of_the_specification_come_from_the_catalogue(self):
        newest = policies.Policy("two-level:newest", "newest", "the youngest first")
        self.assertEqual(len(self.missing(newest)), 1)
        with mock.patch.object(policies, "read", lambda catalogue=policies.read(): catalogue + (newest,)):
            (self.root / check.SPECIFICATION).write_text(check.specification(self.root))
        self.assertIn("\n| newest | – | the youngest first |\n<!-- to here -->",
                      (self.root / check.SPECIFICATION).read_text())
        self.assertEqual(self.missing(newest), [])
        self.replace(check.SPECIFICATION, "writes single from here", "writes from here")
        with self.assertRaisesRegex(ValueError, "microarchitecture.md has no place for the policies of single"):
            self.missing()

    def test_other_codes_are_named(self):
        self.replace(check.PACKAGE, r"\bOLDEST\b", "LATEST")
        self.assertEqual(self.missing(), ["rtl/paws_pkg.sv: no OLDEST = 3 for single:oldest",
                                          "model/policies.toml: no policy for LATEST = 3 of rtl/paws_pkg.sv"])

    def test_a_policy_outside_the_default_of_its_level_is_named(self):
        self.replace(check.PACKAGE, r"(SINGLE_LEVEL =[^;]*) \| \(1 << OLDEST\)", r"\1")
        self.assertEqual(self.missing(), ["rtl/paws_pkg.sv: SINGLE_LEVEL, the default of POLICIES, is without OLDEST"])

    def test_a_policy_without_a_synthesis_row_is_named(self):
        self.replace(check.SETS, r"^without = .*\n", "")
        self.assertEqual(self.missing(), [])  # each is every policy
        self.replace(check.SETS, r'POLICIES = \["each", 7\]', "POLICIES = [1, 2, 7]")
        for mask, name in ((4, "paws"), (8, "oldest")):
            self.assertIn("synth/configurations.toml: set 'policies' has no row of paws_single_level with "
                          f"POLICIES={mask} for single:{name}", self.missing())

    def test_a_policy_without_a_coverage_engine_is_named(self):
        self.replace(check.COVERAGE, r"^single(?!.*policies=).*\n", "")
        self.assertIn("tb/coverage/configurations.txt: no engine runs single:paws", self.missing())

    def test_a_policy_without_a_proof_is_named(self):
        self.replace(check.PROOFS, r"^.*POLICIES=each.*\n", "")
        # The others have a proof at full size beside it.
        self.assertEqual(self.missing(),
                         ["tb/formal/proofs.toml: no case of paws_single_level with POLICIES=16 for single:youngest"])


if __name__ == "__main__":
    unittest.main()
