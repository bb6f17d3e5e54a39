# SPDX-License-Identifier: MIT
"""scripts/lib/check_manifests.py: the project has no mistake, and each mistake planted in a copy is named."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = ROOT / "scripts" / "lib" / "check_manifests.py"


class Manifests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = pathlib.Path(folder.name)
        shutil.copytree(ROOT / "rtl", self.project / "rtl")
        shutil.copy(ROOT / "Bender.yml", self.project)

    def change(self, file, old, new):
        path = self.project / file
        text = path.read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1, f"{old!r} in {file}")
        path.write_text(text.replace(old, new), encoding="utf-8")

    def expect(self, *found):
        run = subprocess.run([sys.executable, "-B", CHECK, self.project], capture_output=True, text=True, check=False)
        self.assertEqual(sorted(run.stderr.splitlines()), sorted(f"check_manifests: {line}" for line in found))
        self.assertEqual(run.returncode, 1 if found else 0)

    def test_the_project_has_no_mistake(self):
        self.expect()

    def test_a_manifest_lacks_a_file(self):
        self.change("rtl/paws.core", "      - paws_places.sv\n", "")
        self.change("Bender.yml", "      - rtl/paws_branch_masks.sv\n", "")
        self.expect("paws.core: lacks rtl/paws_places.sv", "Bender.yml: lacks rtl/paws_branch_masks.sv")

    def test_a_manifest_names_a_file_that_is_not_there(self):
        self.change("rtl/paws.core", "- paws_places.sv\n", "- paws_places.sv\n      - paws_nowhere.sv\n")
        self.change("Bender.yml", "- rtl/paws_places.sv\n", "- rtl/paws_places.sv\n      - rtl/paws_elsewhere.sv\n")
        self.expect("paws.core: rtl/paws_nowhere.sv is in no file list",
                    "Bender.yml: rtl/paws_elsewhere.sv is in no file list")

    def test_a_list_names_a_file_that_is_not_there(self):
        (self.project / "rtl" / "paws_places.sv").unlink()
        self.expect("rtl/paws.f: rtl/paws_places.sv does not exist",
                    "rtl/paws_core_adapter.f: rtl/paws_places.sv does not exist")

    def test_a_source_is_in_no_list(self):
        (self.project / "rtl" / "paws_new.sv").write_text("module paws_new; endmodule\n", encoding="utf-8")
        self.expect("rtl/paws_new.sv: in no file list")

    def test_a_new_file_of_a_list_must_be_in_both(self):
        (self.project / "rtl" / "paws_new.sv").write_text("module paws_new; endmodule\n", encoding="utf-8")
        self.change("rtl/paws.f", "paws_two_level.sv\n", "paws_new.sv\npaws_two_level.sv\n")
        self.expect("paws.core: lacks rtl/paws_new.sv", "Bender.yml: lacks rtl/paws_new.sv")

    def test_the_order(self):
        self.change("Bender.yml", "      - rtl/paws_pkg.sv\n", "")
        self.change("Bender.yml", "      - rtl/paws_host_checks.sv\n",
                    "      - rtl/paws_host_checks.sv\n      - rtl/paws_pkg.sv\n")
        self.expect("Bender.yml: the files of rtl/paws.f are in another order",
                    "Bender.yml: the files of rtl/paws_core_adapter.f are in another order",
                    "Bender.yml: the files of rtl/paws_fetch_group.f are in another order",
                    "Bender.yml: the files of rtl/paws_ordered.f are in another order")

    def test_a_file_twice(self):
        self.change("rtl/paws.core", "      - paws_places.sv\n", "      - paws_places.sv\n      - paws_places.sv\n")
        self.expect("paws.core: rtl/paws_places.sv stands there twice")

    def test_filesets_tops_and_parameters_exist(self):
        self.change("rtl/paws.core", "toplevel: paws_two_level\n", "toplevel: paws_two_levels\n")
        self.change("rtl/paws.core", "      - m2090\n", "      - m2091\n")
        self.change("rtl/paws.core", "      - LEVEL\n", "      - THREE_LEVEL\n")
        self.expect("paws.core: target lint_two_level: no file of its has paws_two_levels",
                    "paws.core: no target for paws_two_level",
                    "paws.core: target lint_m2090_schedulers: no fileset m2091",
                    "paws.core: target lint_m2090_schedulers: no file of its has m2090_schedulers",
                    "paws.core: target sim: no parameter THREE_LEVEL")

    def test_it_is_no_manifest(self):
        (self.project / "Bender.yml").unlink()
        (self.project / "rtl" / "paws.core").write_text("CAPI=2:\nname: [\n", encoding="utf-8")
        run = subprocess.run([sys.executable, "-B", CHECK, self.project], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"\Acheck_manifests: paws\.core: .*line 3, column 1.*\n"
                                     r"check_manifests: Bender\.yml: .*No such file.*\n\Z")


if __name__ == "__main__":
    unittest.main()
