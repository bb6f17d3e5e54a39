# SPDX-License-Identifier: MIT
"""The sweep of mappings: what stands in a row, and that another recipe would not move it."""

import csv
import pathlib
import tempfile
import unittest

from flow import cell_library, configurations, figures, tables, targets, timing
from flow.configurations import Configuration, Set
from flow.errors import FlowError
from flow.figures import Mapping
from flow.paths import RESULTS
from tests import small_library

RUNS = ((4.0, 300.0), (3.5, 350.0), (4.9, 200.0), (5.1, 180.0))  # ns, um2


def result() -> dict:
    return {"best": 1, "runs": [{"target": f"t{n}", "period_ns": ns, "area_um2": area, "cells": 1, "flipflops": 1,
                                 "limit": "reg_reg", "paths": dict.fromkeys(timing.SHARES) | {
                                     "reg_reg": {"ns": ns, "start": "a", "end": "b"}}} for n, (ns, area) in enumerate(RUNS)]}


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "five.lib").write_text(small_library.text())
        (self.folder / "five.toml").write_text(small_library.SETTINGS)
        self.five = cell_library.load(self.folder / "five.lib", self.folder / "five.toml")
        self.member = Configuration.make("two_level", {"POLICIES": 4}, "")

    def read(self, text: str):
        (self.folder / "sweep.toml").write_text(text)
        return targets.read(self.five, self.folder / "sweep.toml")

    def test_targets_are_distinct(self):
        found = targets.read(self.five) + targets.candidates(self.five)
        self.assertEqual(len({target.name for target in found}), len(found))
        self.assertEqual(len({target.script for target in found}), len(found))
        self.assertNotIn("{", "".join(target.script for target in found))

    def test_goals_are_multiples_of_the_gate_delay(self):
        found = self.read('[recipes]\nr = "strash; map -D {target}"\n[[target]]\nrecipe = "r"\ngoal = 35\n')
        self.assertEqual([(target.name, target.script) for target in found], [("r 1750 ps", "strash\nmap -D 1750\n")])
        with self.assertRaisesRegex(FlowError, "sweep.toml: there is no recipe 's'"):
            self.read('[recipes]\n[[target]]\nrecipe = "s"\ngoal = 35\n')

    def test_the_one_clock_scales_with_the_library(self):
        osu = cell_library.load(cell_library.default_file())
        self.assertAlmostEqual(targets.one_clock_ns("paws_two_level", osu), 5.0)
        self.assertAlmostEqual(targets.one_clock_ns("paws_two_level", self.five), 2.5)
        self.assertIsNone(targets.one_clock_ns("paws_oldest", osu))

    def test_the_least_area_at_one_clock(self):
        for clock, area, index in ((5.0, 200.0, 2), (5.1, 180.0, 3), (3.9, 350.0, 1), (3.0, None, 1), (None, None, 1)):
            with self.subTest(clock=clock):
                self.assertEqual(figures.of_mapping(result(), self.five, clock).one_clock_um2, area)
                self.assertEqual(figures.smallest(result(), clock), index)

    def results(self, *others: Mapping) -> figures.Results:
        return figures.Results(self.five, {self.member: figures.of_mapping(result(), self.five, 5.0)}, {}, {}, {},
                               {self.member: others})

    def test_a_recipe_that_moves_a_row_is_named(self):
        chosen = Set("s", "?", (self.member,), False, False, False, True)
        name = "two-level POLICIES=4"
        for mapping, lines in ((Mapping("near", 3.48, 999.0), []),
                               (Mapping("fast", 3.4, 999.0), [f"{name}: fast moves Fmax by 2.9%"]),
                               (Mapping("small", 5.0, 190.0), [f"{name}: small moves the area at one clock by 5.3%"]),
                               (Mapping("slow", 5.2, 90.0), [])):
            with self.subTest(mapping=mapping.target):
                self.assertEqual(tables.unsaturated(chosen, self.results(mapping)), lines)

    def test_candidates_stand_in_the_table_of_their_set_alone(self):
        other = Configuration.make("two_level", {"POLICIES": 1}, "")
        results = self.results(Mapping("near", 3.48, 999.0))
        results.mapped[other] = results.mapped[self.member]
        for candidates, members in ((True, (self.member,)), (False, (self.member, other))):
            with self.subTest(candidates=candidates):
                text = tables.mapping_csv(Set("s", "?", members, False, False, False, candidates), results)
                self.assertEqual("near" in text, candidates)
                self.assertEqual(len(text.splitlines()), 1 + len(members))

    def test_the_committed_rows_are_saturated(self):
        rows = [row for row in csv.DictReader((RESULTS / "osu018.csv").read_text().splitlines()) if row["set"] == "saturation"]
        self.assertEqual(len(rows), len(configurations.read_sets()["saturation"].members))
        names = [target.name for target in targets.candidates(cell_library.load(cell_library.default_file()))]
        for row in rows:
            clock = 1000 / float(row["one_clock_mhz"])
            others = [part.rsplit(" ", 2) for part in row["candidates_ns_um2"].split("; ")]
            self.assertEqual([name for name, _, _ in others], names)
            for name, ns, um2 in others:
                with self.subTest(row=row["POLICIES"], recipe=name):
                    self.assertLess(1000 / float(ns), float(row["fmax_mhz"]) * (1 + tables.SATURATED))
                    if float(ns) <= clock:
                        self.assertGreater(float(um2) * (1 + tables.SATURATED), float(row["one_clock_um2"]))


if __name__ == "__main__":
    unittest.main()
