# SPDX-License-Identifier: MIT
"""Cell functions, and the netlist simulation that counts toggles."""

import pathlib
import re
import tempfile
import unittest

from flow import activity, functions, library, liberty, power
from flow.errors import FlowError
from flow.netlist import Netlist


class Functions(unittest.TestCase):
    def evaluate(self, expression: str, **values: int) -> int:
        names = {name: str(value) for name, value in values.items()}
        # C and Python agree on these operators and their parentheses.
        return eval(functions.to_c(expression, names, "cell"))  # pylint: disable=eval-used

    def test_operators_and_precedence(self):
        for a in (0, 1):
            for b in (0, 1):
                for c in (0, 1):
                    for expression, expected in (
                            ("!A", 1 - a), ("A'", 1 - a), ("A B", a & b), ("A&B|C", a & b | c),
                            ("A|B*C", a | b & c), ("A^B C", (a ^ b) & c), ("!(A+B) C", (1 - (a | b)) & c),
                            ("(!A&B) | (A&!C)", (1 - a) & b | a & (1 - c)), ("(A B)'", 1 - (a & b))):
                        with self.subTest(expression=expression, a=a, b=b, c=c):
                            self.assertEqual(self.evaluate(expression, A=a, B=b, C=c), expected)

    def test_refusals(self):
        for expression in ("A &", "(A", "A)", "D", "A ? B : C", ""):
            with self.subTest(expression=expression), self.assertRaises(FlowError):
                self.evaluate(expression, A=1, B=1, C=1)


class Counting(unittest.TestCase):
    """A toggling flip-flop behind an enable: q <= q ^ issue_en_i, issue_valid_o = q."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.library = library.load(library.default_file())
        self.cells = liberty.parse(self.library.file.read_text(), "osu018")
        two_in = {"A": "input", "B": "input", "Y": "output"}
        self.netlist = Netlist("top", {"top": {
            "ports": {"clk_i": {"direction": "input", "bits": [2]}, "rst_ni": {"direction": "input", "bits": [3]},
                      "issue_en_i": {"direction": "input", "bits": [4]},
                      "length_i": {"direction": "input", "bits": [5, 6]},
                      "issue_valid_o": {"direction": "output", "bits": [7]}},
            "netnames": {},
            "cells": {
                "next": {"type": "XOR2X1", "port_directions": two_in, "connections": {"A": [7], "B": [4], "Y": [8]}},
                "reset": {"type": "AND2X1", "port_directions": two_in, "connections": {"A": [8], "B": [3], "Y": [9]}},
                "q": {"type": "DFFPOSX1", "port_directions": {"CLK": "input", "D": "input", "Q": "output"},
                      "connections": {"CLK": [2], "D": [9], "Q": [7]}}}}}, self.library.cells)

    def lines(self, outputs: str, enabled: str) -> list[str]:
        """One recorded line per cycle, the first one in reset; 2 warps of 1-bit lengths."""
        return [f"{cycle} {int(cycle > 0)} 0 {enable} 0 0 0 0 0 0 {output} 0 0 0 1"
                for cycle, (output, enable) in enumerate(zip(outputs, enabled))]

    def test_counts(self):
        cycles, counted = activity.count(self.netlist, self.cells, self.lines("00110", "01010"), 1, self.folder)
        self.assertEqual(cycles, 5)
        self.assertEqual((counted[7].toggles, counted[7].ones), (2 / 5, 2 / 5))
        self.assertEqual((counted[4].toggles, counted[4].ones), (4 / 5, 2 / 5))
        self.assertEqual((counted[6].toggles, counted[6].ones), (0, 1))

    def test_another_decision_is_noticed(self):
        with self.assertRaisesRegex(FlowError, "does not decide as recorded: cycle 3"):
            activity.count(self.netlist, self.cells, self.lines("00100", "01010"), 1, self.folder)

    def test_a_value_that_does_not_fit_is_noticed(self):
        lines = [re.sub("1$", "2", line) for line in self.lines("00", "01")]
        with self.assertRaisesRegex(FlowError, "other parameters"):
            activity.count(self.netlist, self.cells, lines, 1, self.folder)

    def test_switching_power_is_half_c_v_squared(self):
        _, counted = activity.count(self.netlist, self.cells, self.lines("00110", "01010"), 1, self.folder)
        drive = power.drives(self.netlist, self.cells, 20, counted)["q"][0]
        load = functions.read(self.cells, self.cells.cells["XOR2X1"]).capacitance["A"] + 0.020
        self.assertAlmostEqual(drive.watts, 0.5 * load * 1e-12 * 1.8 ** 2 * 100e6, delta=1e-12)
        self.assertEqual(drive.toggles, 2 / 5)

    def test_gates_are_scaled_to_the_counted_rate(self):
        # OpenSTA has the XOR toggle twice as often as was counted.
        reported = {"next": [2e-6, 4e-6, 1e-9], "reset": [0, 0, 1e-9], "q": [5e-6, 3e-6, 1e-9]}
        driven = {"next": [power.Drive(4e-6, 0.5)], "reset": [power.Drive(4e-6, 0)], "q": [power.Drive(6e-6, 0.5)]}
        total = power.scaled(self.netlist, reported, driven)
        self.assertAlmostEqual(total["gates"], 1e-6 + 2e-6)
        self.assertAlmostEqual(total["clocked"], 8e-6)
        with self.assertRaisesRegex(FlowError, "flip-flops switch"):
            power.scaled(self.netlist, reported, driven | {"q": [power.Drive(12e-6, 0.5)]})


if __name__ == "__main__":
    unittest.main()
