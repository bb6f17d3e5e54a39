# SPDX-License-Identifier: MIT
"""The flow refuses what would make its figures meaningless, and says which net it is."""

import dataclasses
import pathlib
import tempfile
import unittest

from flow import cell_library, jobs, netlist, tools, yosys
from flow.configurations import Configuration
from flow.errors import FlowError, IllegalParameter
from flow.paths import RTL


def module(body: str, ports: str = "input clk_i, input a_i, input b_i, output y_o") -> str:
    return f"module bad ({ports});\n{body}\nendmodule\n"


class Refusals(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def elaborate(self, text: str):
        source = self.folder / "bad.sv"
        source.write_text(text)
        yosys.elaborate(Configuration("bad"), self.folder, sources=[source])

    def refused(self, text: str, *words: str):
        with self.assertRaises(FlowError) as caught:
            self.elaborate(text)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_a_tool_that_does_not_end_is_named(self):
        with self.assertRaisesRegex(FlowError, "sh did not finish within 1 s of processor time"):
            tools.run(["sh", "-c", "while :; do :; done"], self.folder / "log", seconds=1)

    def test_a_sound_module_passes(self):
        self.elaborate(module("reg q; always @(posedge clk_i) q <= a_i & b_i; assign y_o = q;"))
        self.assertTrue((self.folder / "gates.il").exists())

    def gated(self, body: str) -> str:
        return (RTL / "paws_clock_gate.sv").read_text() + module(
            "wire clk; paws_clock_gate g (.clk_i(clk_i), .enable_i(a_i), .test_enable_i(1'b0), .clk_o(clk));\n" + body)

    def test_a_clock_gate_passes_and_becomes_the_librarys(self):
        self.elaborate(self.gated("reg q; always @(posedge clk) q <= b_i; assign y_o = q;"))
        cells = cell_library.load(cell_library.default_file())
        mapped = yosys.map_cells(Configuration("bad"), cells, "strash; map; topo", self.folder, "map")
        self.assertEqual(sorted(cell["type"] for cell in mapped.cells().values()),
                         ["AND2X2", "DFFPOSX1", "INVX1", "LATCH", "OR2X1"])
        # The latch has no area in the library: it counts as a flip-flop.
        self.assertEqual(mapped.area(), 32 + 96 + 16 + 96 + 32)

    def test_a_latch_beside_a_clock_gate(self):
        self.refused(self.gated("reg held; always @* if (a_i) held = b_i; assign y_o = held;"), "latch", "held")

    def test_a_library_without_clock_gate(self):
        self.elaborate(self.gated("reg q; always @(posedge clk) q <= b_i; assign y_o = q;"))
        cells = dataclasses.replace(cell_library.load(cell_library.default_file()), clock_gate=None)
        with self.assertRaisesRegex(FlowError, "names no clock gate"):
            yosys.map_cells(Configuration("bad"), cells, "map", self.folder, "map")

    def test_latch(self):
        self.refused(module("reg held; always @* if (a_i) held = b_i; assign y_o = held;"), "latch", "held")

    def test_latch_in_always_comb(self):
        self.refused(module("logic held; always_comb if (a_i) held = b_i; assign y_o = held;"), "held")

    def test_combinational_loop(self):
        self.refused(module("wire round; assign round = a_i ? !(round & b_i) : b_i; assign y_o = round;"),
                     "loop", "y_o")

    def test_loop_through_modules(self):
        self.refused("module gate (input a, input b, output y); assign y = a ^ b; endmodule\n" + module(
            "wire p, q; gate u_0 (.a(q), .b(a_i), .y(p)); gate u_1 (.a(p), .b(b_i), .y(q)); assign y_o = q;"),
            "loop")

    def test_undriven_net(self):
        self.refused(module("wire nobody; assign y_o = nobody & a_i;"), "nobody", "no driver")

    def test_undriven_output(self):
        self.refused(module("wire used; assign used = a_i;"), "y_o", "no driver")

    def test_unconnected_input(self):
        self.refused("module gate (input a, input b, output y); assign y = a & b; endmodule\n" + module(
            "gate u_gate (.a(a_i), .y(y_o));"), "u_gate", "no driver")

    def test_two_drivers(self):
        self.refused(module("assign y_o = a_i; assign y_o = b_i;"), "conflicting drivers", "b_i")

    def test_misread_source(self):
        self.refused(module("assign y_o = a_i & wrong_name;"), "wrong_name")

    def test_an_illegal_parameter_is_said_once(self):
        waiting = [jobs.Job(label, key, yosys.elaborate, (Configuration.make("two_level", {"READY": 0}, "test"),))
                   for label, key in [("one", "illegal-1"), ("other", "illegal-2")]]
        with self.assertRaises(IllegalParameter) as caught:
            jobs.run(waiting, 2)
        self.assertRegex(str(caught.exception), r"^(one|other): paws_two_level: READY must be 1 to WARPS$")


class MappedLatch(unittest.TestCase):
    """A latch that a library offers as a cell, as a source may instantiate it."""

    def test_latch_cell_is_found(self):
        cells = cell_library.load(cell_library.default_file()).cells
        flipflop = next(cell for cell in cells.values() if cell.is_flipflop)
        latch = type(flipflop)("HELD", 10.0, False, True, 0, 0)
        mapped = netlist.Netlist("top", {"top": {
            "cells": {"u_latch": {"type": "HELD", "port_directions": {"D": "input", "Q": "output"},
                                  "connections": {"D": [2], "Q": [3]}}},
            "netnames": {"held_q": {"bits": [3]}}, "ports": {}}}, cells | {"HELD": latch})
        self.assertEqual(mapped.latches, ["held_q"])


if __name__ == "__main__":
    unittest.main()
