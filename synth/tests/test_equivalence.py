# SPDX-License-Identifier: MIT
"""The proof of equivalence: registers that synthesis moves, and differences that it has to refuse."""

import pathlib
import tempfile
import unittest

from flow import cell_library, equivalence, faults, liberty, targets, yosys
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.paths import RTL
from tests import small_library

HEAD = "module bad (input clk_i, input rst_ni, input [3:0] a_i, output [1:0] y_o);\n"
COUNTER = HEAD + """
  reg [1:0] count_q; reg [1:0] twin_q; reg none_q; reg idle_q;
  always @(posedge clk_i) begin
    count_q <= rst_ni ? count_q + a_i[1:0] : 2'd0;
    twin_q <= rst_ni ? count_q + a_i[1:0] : 2'd0;
    none_q <= 1'b0;
    idle_q <= a_i[3];
  end
  assign y_o = (count_q ^ {2{none_q & idle_q}}) & twin_q | {2{a_i[2]}};
endmodule
"""
GATED = HEAD + """
  wire clk;
  reg [1:0] count_q;
  paws_clock_gate u_gate (.clk_i(clk_i), .enable_i(a_i[3] | !rst_ni), .test_enable_i(1'b0), .clk_o(clk));
  always @(posedge clk) count_q <= rst_ni ? count_q + a_i[1:0] : 2'd0;
  assign y_o = count_q;
endmodule
"""


class Equivalence(unittest.TestCase):
    """With a library whose flip-flops show the inverted state alone, and with OSU's."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "five.toml").write_text(small_library.SETTINGS)
        (self.folder / "five.lib").write_text(small_library.text("1ps", "1,ff"))
        self.five = cell_library.load(self.folder / "five.lib", self.folder / "five.toml")

    def source(self, text: str) -> list[pathlib.Path]:
        (self.folder / "bad.sv").write_text(text)
        return [self.folder / "bad.sv", RTL / "paws_clock_gate.sv"]

    def mapped(self, text: str, cells: cell_library.Library):
        configuration = Configuration("bad")
        yosys.elaborate(configuration, self.folder, sources=self.source(text))
        return yosys.map_cells(configuration, cells, targets.read(cells)[0].script, self.folder, "map")

    def compare(self, rtl: str, netlist, cells: cell_library.Library) -> tuple[equivalence.Pairing, str | None]:
        left = equivalence.of_rtl(equivalence.elaborate(Configuration("bad"), self.folder, self.source(rtl)))
        parsed = liberty.parse(cells.file.read_text(), "library")
        pairing = equivalence.write(left, equivalence.of_netlist(netlist, parsed), equivalence.holders(self.folder), self.folder)
        return pairing, equivalence.prove(self.folder)

    def test_registers_that_synthesis_merges_or_drops(self):
        for cells in (self.five, cell_library.load(cell_library.default_file())):
            with self.subTest(library=cells.key):
                pairing, difference = self.compare(COUNTER, self.mapped(COUNTER, cells), cells)
                self.assertIsNone(difference)
                # The twins are one, the constant is none, and the idle one can change nothing.
                self.assertEqual((pairing.compared, pairing.merged, pairing.unused), (2, 3, 1))

    def test_other_rtl_is_refused(self):
        mapped = self.mapped(COUNTER, self.five)
        for before, after, where in (
                ("count_q + a_i[1:0] : 2'd0;\n    twin", "count_q + a_i[1:0] : 2'd1;\n    twin", r"next:count_q\[0\]"),
                ("none_q <= 1'b0", "none_q <= 1'b1", "next:none_q"),
                ("{2{a_i[2]}}", "{2{a_i[3]}}", "out:y_o"),
                ("twin_q <= rst_ni ? count_q +", "twin_q <= rst_ni ? count_q -", r"next:twin_q\[1\]"),
                ("none_q & idle_q", "none_q | idle_q", "out:y_o")):
            with self.subTest(after=after):
                self.assertIn(before, COUNTER)
                self.assertRegex(self.compare(COUNTER.replace(before, after), mapped, self.five)[1] or "", where)

    def test_names_that_do_not_fit_are_refused(self):
        mapped = self.mapped(COUNTER, self.five)
        for text, message in ((COUNTER.replace("count_q", "other_q").replace("twin_q", "second_q"),
                               "no register of the RTL is called"),
                              (COUNTER.replace("y_o", "z_o"), "different ports")):
            with self.subTest(message=message), self.assertRaisesRegex(FlowError, message):
                self.compare(text, mapped, self.five)

    def test_a_gated_register_that_nothing_reads(self):
        osu = cell_library.load(cell_library.default_file())
        text = GATED.replace("  assign y_o = count_q;", """
  reg [2:0] wide_q;
  always @(posedge clk) wide_q <= {a_i[0] & rst_ni, count_q};
  assign y_o = wide_q[1:0] ^ {2{wide_q[2] & 1'b0}};""")
        pairing, difference = self.compare(text, self.mapped(text, osu), osu)
        self.assertEqual((pairing.compared, pairing.unused, difference), (4, 1, None))

    def test_another_edge_is_refused(self):
        with self.assertRaisesRegex(FlowError, "_DFF_N_"):
            equivalence.of_rtl(equivalence.elaborate(Configuration("bad"), self.folder,
                                                     self.source(COUNTER.replace("posedge", "negedge"))))

    def test_clock_gates(self):
        osu = cell_library.load(cell_library.default_file())
        mapped = self.mapped(GATED, osu)
        pairing, difference = self.compare(GATED, mapped, osu)
        self.assertEqual((pairing.compared, difference), (2, None))
        self.assertRegex(self.compare(GATED.replace("a_i[3] |", "a_i[2] |"), mapped, osu)[1], "next:count_q")
        cells = mapped.cells()
        latch = next(cell for cell in cells.values() if cell["type"] == "LATCH")
        for pin, bit, where in (("D", "1", "next:count_q"), ("CLK", mapped.modules["bad"]["ports"]["clk_i"]["bits"][0], "open:")):
            kept, latch["connections"][pin] = latch["connections"][pin], [bit]
            with self.subTest(pin=pin):
                self.assertRegex(self.compare(GATED, mapped, osu)[1], where)
            latch["connections"][pin] = kept
        with self.assertRaisesRegex(FlowError, "comes neither from clk_i nor from a clock gate"):
            self.compare(GATED.replace("posedge clk)", "posedge a_i[2])"), mapped, osu)

    def test_faults_of_the_self_test_are_refused(self):
        mapped = self.mapped(COUNTER, self.five)
        parsed = liberty.parse(self.five.file.read_text(), "five")
        refused = 0
        for fault in faults.of(mapped, parsed):
            with self.subTest(fault=fault.name):
                try:
                    self.assertIsNotNone(self.compare(COUNTER, fault.netlist, self.five)[1])
                except FlowError:
                    refused += 1
        # Another name and another clock are refused before anything is compared.
        self.assertEqual(refused, 2)


if __name__ == "__main__":
    unittest.main()
