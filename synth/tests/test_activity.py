# SPDX-License-Identifier: MIT
"""Cell functions, and the netlist simulation that counts toggles."""

import pathlib
import re
import tempfile
import unittest

from flow import activity, cell_library, clocks, functions, liberty, power
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
        self.cell_library = cell_library.load(cell_library.default_file())
        self.cells = liberty.parse(self.cell_library.file.read_text(), "osu018")
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
                      "connections": {"CLK": [2], "D": [9], "Q": [7]}}}}}, self.cell_library.cells)

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

    def test_groups_stand_behind_the_phases(self):
        ports = {"row_i": {"direction": "input", "bits": [10, 11]},
                 "pair_i": {"direction": "input", "bits": [12, 13, 14, 15]},
                 "second_i": {"direction": "input", "bits": [16, 17]},
                 "yield_i": {"direction": "input", "bits": [18, 19]},
                 "distance_i": {"direction": "input", "bits": [20, 21]}}
        inputs, _, packed = activity.records(["0 1 0 0 0 0 0 0 0 0 0 0 0 1 0 2 1 3 0 0 1"], ports, 1)
        self.assertEqual(inputs, list(range(10, 22)))
        # distance, yield, second, pairs 3 and 0, rows 0 and 1: the last slot in front
        self.assertEqual(int.from_bytes(packed[-2:], "little"), 0b01_01_10_0011_10)

    def test_a_distance_that_differs_has_moved(self):
        ports = {"moved_i": {"direction": "input", "bits": [10, 11]},
                 "distance_i": {"direction": "input", "bits": [20, 21, 22, 23]}}
        lines = [f"{cycle} 1 0 0 0 0 0 0 0 0 0 0 0 {distances} 0 0 0 0 0 0"
                 for cycle, distances in enumerate(("0 2", "0 2", "1 3"))]
        _, _, packed = activity.records(lines, ports, 2)
        # moved, distances; the first record stands there for the cycles in reset, too
        self.assertEqual([record >> 0 & 0b11 for record in packed[-3:]], [0b10, 0b00, 0b11])

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

    def test_the_largest_capacitance_of_a_pin_is_that_of_the_dearer_edge(self):
        text = re.sub(r"fall_capacitance\s*:[^;]*;", "fall_capacitance : 0.1;", self.cells.text)
        cells = liberty.parse(text, "unequal")
        _, counted = activity.count(self.netlist, cells, self.lines("00110", "01010"), 1, self.folder)
        drive = power.drives(self.netlist, cells, 20, counted)["q"][0]
        even = power.drives(self.netlist, self.cells, 20, counted)["q"][0]
        self.assertEqual((drive.watts, even.largest_watts), (even.watts, even.watts))
        self.assertAlmostEqual(drive.largest_watts, 0.5 * 0.12e-12 * 1.8 ** 2 * 100e6, delta=1e-12)

    def test_gates_are_scaled_to_the_counted_rate(self):
        # OpenSTA has the XOR toggle twice as often as was counted.
        reported = {"next": [2e-6, 4e-6, 1e-9], "reset": [0, 0, 1e-9], "q": [5e-6, 3e-6, 1e-9]}
        driven = {"next": [power.Drive(4e-6, 0.5, 4e-6)], "reset": [power.Drive(4e-6, 0, 4e-6)],
                  "q": [power.Drive(5e-6, 0.5, 6e-6)]}
        clock = power.ClockPower((), {"q": 1.0}, {"q": 4e-6})
        total = power.scaled(self.netlist, reported, driven, clock)
        self.assertAlmostEqual(total["gates"], 1e-6 + 2e-6)
        self.assertAlmostEqual(total["clocked"], 8e-6)
        with self.assertRaisesRegex(FlowError, "flip-flops switch"):
            power.scaled(self.netlist, reported, driven | {"q": [power.Drive(6e-6, 0.5, 12e-6)]}, clock)


class GatedCounting(unittest.TestCase):
    """As above, but the enable is the clock gate's: q <= !q in cycles with issue_en_i."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cell_library = cell_library.load(cell_library.default_file())
        self.cells = liberty.parse(self.cell_library.file.read_text(), "osu018")
        one_in, two_in = {"A": "input", "Y": "output"}, {"A": "input", "B": "input", "Y": "output"}
        self.netlist = Netlist("top", {"top": {
            "ports": {"clk_i": {"direction": "input", "bits": [2]}, "rst_ni": {"direction": "input", "bits": [3]},
                      "issue_en_i": {"direction": "input", "bits": [4]},
                      "length_i": {"direction": "input", "bits": [5, 6]},
                      "issue_valid_o": {"direction": "output", "bits": [7]}},
            "netnames": {},
            "cells": {
                "next": {"type": "INVX1", "port_directions": one_in, "connections": {"A": [7], "Y": [8]}},
                "reset": {"type": "AND2X1", "port_directions": two_in, "connections": {"A": [8], "B": [3], "Y": [9]}},
                "n_reset": {"type": "INVX1", "port_directions": one_in, "connections": {"A": [3], "Y": [10]}},
                "enable": {"type": "OR2X1", "port_directions": two_in,
                           "connections": {"A": [4], "B": [10], "Y": [11]}},
                "low": {"type": "INVX1", "port_directions": one_in, "connections": {"A": [2], "Y": [12]}},
                "latch": {"type": "LATCH", "port_directions": {"CLK": "input", "D": "input", "Q": "output"},
                          "connections": {"CLK": [12], "D": [11], "Q": [13]}},
                "gate": {"type": "AND2X2", "port_directions": two_in, "connections": {"A": [2], "B": [13], "Y": [14]}},
                "q": {"type": "DFFPOSX1", "port_directions": {"CLK": "input", "D": "input", "Q": "output"},
                      "connections": {"CLK": [14], "D": [9], "Q": [7]}}}}}, self.cell_library.cells)

    def lines(self, outputs: str, enabled: str) -> list[str]:
        return [f"{cycle} {int(cycle > 0)} 0 {enable} 0 0 0 0 0 0 {output} 0 0 0 1"
                for cycle, (output, enable) in enumerate(zip(outputs, enabled))]

    def count(self):
        return activity.count(self.netlist, self.cells, self.lines("00110", "01010"), 1, self.folder)

    def test_a_flipflop_takes_its_data_only_at_an_edge_of_its_gated_clock(self):
        _, counted = self.count()
        self.assertEqual((counted[7].toggles, counted[7].ones), (2 / 5, 2 / 5))

    def test_a_gated_clock_toggles_twice_in_cycles_with_its_enable(self):
        _, counted = self.count()
        self.assertEqual(counted[2].toggles, 2)
        self.assertEqual(counted[12].toggles, 2)
        self.assertEqual((counted[14].toggles, counted[14].ones), (2 * 3 / 5, 3 / 10))  # reset and two issues

    def test_a_wrong_enable_is_noticed(self):
        self.netlist.cells()["enable"]["connections"]["A"] = [5]
        with self.assertRaisesRegex(FlowError, "does not decide as recorded"):
            self.count()

    def test_a_flipflop_with_another_clock_is_refused(self):
        self.netlist.cells()["q"]["connections"]["CLK"] = [4]
        with self.assertRaisesRegex(FlowError, "does not come from clk_i"):
            self.count()

    def test_only_open_cycles_cost_clock_power(self):
        _, counted = self.count()
        clock = power.clock_power(self.netlist, self.cells, counted, {"q": 10e-6})
        self.assertEqual(set(clock.cells), {"low", "gate"})
        self.assertAlmostEqual(clock.rates["q"], 3 / 5)
        driven = power.drives(self.netlist, self.cells, 20, counted)
        switched = driven["q"][0].watts * driven["q"][0].toggles
        reported = {name: [0.0, sum(drive.watts * drive.toggles for drive in driven[name]), 0.0]
                    for name in self.netlist.cells()}
        reported |= {"q": [12e-6, switched, 0.0], "gate": [5e-6, 1.0, 0.0], "low": [2e-6, 1.0, 0.0]}
        total = power.scaled(self.netlist, reported, driven, clock)
        latch = sum(drive.watts * drive.toggles for drive in driven["latch"])
        # The gate is open in three of five cycles, the inverter always runs.
        self.assertAlmostEqual(total["clocked"], 12e-6 - 0.4 * 10e-6 + switched + 0.6 * 5e-6 + 2e-6 + latch)
        nets = [driven[clocks.PORT], driven["low"], driven["gate"]]
        self.assertAlmostEqual(total["clock_nets"], sum(d.watts * d.toggles for drives in nets for d in drives))


if __name__ == "__main__":
    unittest.main()
