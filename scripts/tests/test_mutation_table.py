# SPDX-License-Identifier: MIT
"""The table of a mutation campaign: what it keeps, and that it is of one list of faults."""
import pathlib
import sys
import tempfile
import unittest
from types import SimpleNamespace

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tb" / "mutation"), str(ROOT / "scripts")]

from campaign import results  # noqa: E402

FAULTS = [SimpleNamespace(id=number, source=f"a.sv:{number}", what="input A[0] of $and stuck at 0", net="")
          for number in (1, 2, 3)]
FOUND = {1: results.Result("killed", "gto, ties, 9 cycles"), 2: results.Result("equivalent", "same"),
         3: results.Result("killed", "rr, noise, 3 cycles")}


class TableTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "a.csv"

    def test_keeps_what_was_not_killed(self):
        results.write(self.file, FAULTS, FOUND)
        self.assertEqual(len(self.file.read_text().splitlines()), 3)
        kept = results.kept(self.file, FAULTS)
        self.assertEqual({number: result.verdict for number, result in kept.items()},
                         {1: "killed", 2: "equivalent", 3: "killed"})
        self.assertEqual(kept[2].evidence, "same")

    def test_a_table_of_other_faults_is_none(self):
        self.assertIsNone(results.kept(self.file, FAULTS))
        results.write(self.file, FAULTS, FOUND)
        self.assertIsNone(results.kept(self.file, FAULTS[:2]))
        moved = [SimpleNamespace(**{**vars(fault), "net": "x"}) for fault in FAULTS]
        self.assertIsNone(results.kept(self.file, moved))


if __name__ == "__main__":
    unittest.main()
