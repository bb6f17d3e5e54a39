# SPDX-License-Identifier: MIT
"""A library's units are read from its file, and the figures do not depend on them."""

import pathlib
import tempfile
import unittest

from flow import cell_library, export, liberty, netlist, power, targets, timing, yosys
from flow.activity import Activity
from flow.configurations import Configuration
from flow.errors import FlowError
from tests import small_library

UNITS = (("1ns", "1,pf"), ("1ps", "1,ff"), ("10ps", "0.1,pf"))


class Units(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "five.toml").write_text(small_library.SETTINGS)

    def load(self, text: str) -> cell_library.Library:
        (self.folder / "five.lib").write_text(text)
        return cell_library.load(self.folder / "five.lib", self.folder / "five.toml")

    def refused(self, text: str, message: str):
        with self.assertRaisesRegex(FlowError, message):
            self.load(text)

    def test_units_that_cannot_be_read(self):
        text = small_library.text()
        self.refused(text.replace('time_unit : "1ns";', ""), "five.lib: no time_unit")
        self.refused(text.replace('"1ns"', '"1as"'), "time_unit is 1 as; it must be a number of ps, ns, us")
        self.refused(text.replace("(1,pf)", "(1,farad)"), "capacitive_load_unit is 1 farad")
        self.refused(text.replace('"1ns"', '"0ns"'), "time_unit is 0 ns")

    def mapped(self, cells: cell_library.Library):
        configuration = Configuration.make("paws_single_level", {"WARPS": 4, "POLICIES": 3}, "")
        yosys.elaborate(configuration, self.folder)
        return yosys.map_cells(configuration, cells, targets.read(cells)[0].script, self.folder, "map")

    def test_the_same_cells_in_other_units_give_the_same_figures(self):
        found = []
        for units in UNITS:
            cells = self.load(small_library.text(*units))
            mapped = self.mapped(cells)
            paths = timing.slowest_paths(cells, mapped, self.folder, "map")
            found.append((mapped.area(), {kind: path and path.ns for kind, path in paths.items()}))
        for units, (area, delays) in zip(UNITS[1:], found[1:]):
            with self.subTest(units=units):
                self.assertEqual(area, found[0][0])
                for kind, ns in delays.items():
                    self.assertAlmostEqual(ns, found[0][1][kind], delta=0.0002)

    def test_constraints_for_other_tools(self):
        cells = self.load(small_library.text())
        lines = export.for_others(timing.constraints(cells, self.mapped(cells), self.folder / "n.v", 7.5)).splitlines()
        self.assertIn("create_clock -name clock -period 7.5 [get_ports clk_i]", lines)
        self.assertTrue(any(line.startswith("set_load ") for line in lines))
        for line in lines:
            self.assertEqual(line, " ".join(line.split()))
            self.assertNotRegex(line, "^(read_|link_design)")

    def test_switching_energy(self):
        """An inverter that drives one more and one output: 2 fF, and 4 fF, at 1 V."""
        module = {"ports": {"y_o": {"direction": "output", "bits": [4]}}, "cells": {
            "u_0": {"type": "INV", "port_directions": {"A": "input", "Y": "output"}, "connections": {"A": [2], "Y": [3]}},
            "u_1": {"type": "INV", "port_directions": {"A": "input", "Y": "output"}, "connections": {"A": [3], "Y": [4]}}}}
        counted = {bit: Activity(1.0, 0.5) for bit in (2, 3, 4)}
        for units in UNITS:
            with self.subTest(units=units):
                cells = self.load(small_library.text(*units))
                parsed = liberty.parse(cells.file.read_text(), "five")
                found = power.drives(netlist.Netlist("top", {"top": module}, cells.cells), parsed, cells.load_ff, counted)
                for name, pf in (("u_0", 0.002), ("u_1", 0.004)):
                    self.assertAlmostEqual(found[name][0].watts, 0.5e-12 * pf * power.MHZ * 1e6, delta=1e-13)


if __name__ == "__main__":
    unittest.main()
