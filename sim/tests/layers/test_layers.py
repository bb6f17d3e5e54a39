# SPDX-License-Identifier: MIT
"""The folders of sim/ include each other as sim/layers.toml allows, and the check notices when they do not."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import layers  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Project(unittest.TestCase):
    def test_includes_are_those_of_the_table(self):
        found = layers.problems(ROOT, layers.read(ROOT / "sim/layers.toml"))
        self.assertEqual(found, [], "\n" + "\n".join(found))


class Check(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.write("sim/low/part.h", "#pragma once\n")
        self.write("sim/high/part.cpp", '// a part\n#include <vector>\n\n#include "sim/low/part.h"\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def table(self, text):
        self.write("layers.toml", text)
        return layers.read(self.root / "layers.toml")

    def problems(self, text):
        return layers.problems(self.root, self.table(text))

    def test_what_is_allowed_passes(self):
        self.assertEqual(self.problems('low = []\nhigh = ["low"]\n'), [])

    def test_a_forbidden_include_is_named_with_file_and_line(self):
        self.assertEqual(self.problems("low = []\nhigh = []\n"),
                         ['sim/high/part.cpp:4: sim/high must not include "sim/low/part.h"'])

    def test_folders_below_are_searched(self):
        self.write("sim/low/inner/deep.h", '#pragma once\n#  include "sim/high/part.h"\n')
        self.assertEqual(self.problems('low = []\nhigh = ["low"]\n'),
                         ['sim/low/inner/deep.h:2: sim/low must not include "sim/high/part.h"'])

    def test_folders_of_the_project_count(self):
        self.write("sim/low/part.h", '#include "engine/rtl_engine.h"\n#include "model/scheduler.h"\n')
        self.assertEqual(self.problems('low = ["model"]\nhigh = ["low"]\n'),
                         ['sim/low/part.h:1: sim/low must not include "engine/rtl_engine.h"'])

    def test_a_permission_that_no_include_uses_is_named(self):
        self.assertEqual(self.problems('low = ["model"]\nhigh = ["low"]\n'),
                         ["sim/low may include 'model' and does not"])

    def test_a_folder_without_a_row_is_named(self):
        self.write("sim/new/part.h", "#pragma once\n")
        self.assertEqual(self.problems('low = []\nhigh = ["low"]\n'), ["sim/new is not in the table of layers"])

    def test_a_row_without_a_folder_is_named(self):
        self.assertEqual(self.problems('low = []\nhigh = ["low"]\ngone = []\n'),
                         ["'gone' of the table is no folder of sim/"])

    def test_tests_may_include_everything(self):
        self.write("sim/tests/high/part_test.cpp", '#include "sim/low/part.h"\n')
        self.assertEqual(self.problems('low = []\nhigh = ["low"]\n'), [])

    def test_a_table_with_a_cycle_is_refused(self):
        with self.assertRaisesRegex(ValueError, "'low' may include 'high', which does not stand above it"):
            self.table('low = ["high"]\nhigh = ["low"]\n')


if __name__ == "__main__":
    unittest.main()
