# SPDX-License-Identifier: MIT
"""Speed as time, from made-up rows: in the report, in its numbers and in docs."""

import csv
import pathlib
import tempfile
import unittest
from unittest import mock

from report import clocks, paths
from report.paws import paper, pilot, plan, summary, time_study
from report.paws.data import Results
from report.paws.figures import phases, time
from report.section import Picture


def _rows(_results: Results, _name: str) -> dict[str, dict]:
    """GTO takes 80 cycles for every 100 of the others."""
    return {f"{level}:{policy}": {"cycles": 80 if policy == "gto" else 100, "alu_load": 3.0,
                                  "memory_load": 2.0, "idle_fraction": 0.5}
            for level in plan.LEVELS for policy in plan.POLICIES}


def _build(scheduler: str, _ready: int) -> clocks.Build:
    """GTO has half of the others' clock, by every notion."""
    gto = scheduler.endswith("gto")
    return clocks.Build(dict.fromkeys(clocks.NOTIONS, 100.0 if gto else 200.0), 1000.0)


class Times(unittest.TestCase):
    def setUp(self):
        self.enterContext(mock.patch.object(Results, "_rows", _rows))
        self.enterContext(mock.patch.object(clocks, "build", _build))
        self.enterContext(mock.patch.object(phases, "phases", lambda kernel, rule="order": {
            "phases": [{"length": 18}, {"length": 10}]}))

    def test_times(self):
        section = time.section(Results("small", 2))
        # Both notions give the same clocks: one picture for each level and queue.
        self.assertEqual([part.name for part in section.parts if isinstance(part, Picture)],
                         ["time-single-ports", "time-two-level-ports"])
        self.assertEqual(section.text[0], (
            "Single, speed in time against RR, core clock from the Fmax with the ports' budget or Fmax with registers "
            "at the ports: slower: GTO (−37.5 % ±0.0); cannot be told: PAWS (+0.0 % ±0.0)."))
        means = section.parts[-2]
        self.assertEqual(means.rows[0][2:5], ["+25.0 % ±0.0", "650", "−37.5 % ±0.0 (0 faster, 14 slower)"])

    def test_times_without_perturbations(self):
        section = time.section(Results("small", 0))
        self.assertIn("noise not measured", section.text[0])
        self.assertIn("noise not measured", section.parts[-2].caption)

    def test_summary(self):
        rows = summary.of_report(Results("small", 2))
        self.assertLessEqual({"speed", "speed in time", "idle_fraction", "phases", "Fmax, MHz",
                              "area, gate equivalents"}, {row["measure"] for row in rows})
        for row in rows:
            self.assertEqual(tuple(row), summary.NAMES)
        which = [tuple(row[name] for name in summary.NAMES[:8]) for row in rows]
        self.assertEqual(len(which), len(set(which)))
        longest = [row for row in rows if (row["measure"], row["kernel"], row["phases"])
                   == ("longest phase, cycles", "km", "blocks")]
        self.assertEqual([(row["mean"], row["paper"]) for row in longest],
                         [(18, paper.KERNELS["km"]["longest"])])
        self.assertTrue(all(row["low"] <= row["mean"] <= row["high"]
                            for row in rows if row["measure"] == "speed"))
        self.assertTrue(summary.of_sensitivity(Results("small", 2)))

    def test_documents_of_the_time_study(self):
        with tempfile.TemporaryDirectory() as folder:
            docs = pathlib.Path(folder)
            synthesis = docs / "synthesis.md"
            synthesis.write_text("before\n<!-- scripts/study time writes from here -->\nold\n"
                                 "<!-- to here -->\nafter\n")
            with mock.patch.multiple(paths, TIME_RESULTS=docs, TIME_PAGE=synthesis):
                time_study.write(Results("small"), "Made from nothing.")
            page = synthesis.read_text()
            with (docs / "pilot.csv").open(newline="") as file:
                rows = list(csv.DictReader(file))
            with pilot.FILE.open(newline="") as file:
                committed = list(csv.DictReader(file))
        self.assertTrue(page.startswith("before\n") and page.endswith("after\n"))
        self.assertNotIn("old", page)
        self.assertIn("Made from nothing.", page)
        self.assertEqual(sum(line.startswith("| two-level | PAWS") for line in
                             page.splitlines()), 2)  # one in the means, one in the areas
        # What is written is what the pilot reads: a row of each that the plan asks for.
        self.assertEqual([tuple(row)[:2] for row in rows], [pilot.SETTINGS] * len(committed))
        self.assertEqual([[row[name] for name in pilot.SETTINGS] for row in rows],
                         [[row[name] for name in pilot.SETTINGS] for row in committed])
        self.assertEqual(set(rows[0]) - set(pilot.SETTINGS), set("12345"))


if __name__ == "__main__":
    unittest.main()
