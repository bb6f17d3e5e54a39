# SPDX-License-Identifier: MIT
"""Unit tests of the coverage tools: what is instrumented, how points merge, what waivers may hide."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import instrument  # noqa: E402
import points  # noqa: E402
import waivers  # noqa: E402

SOURCE = """\
module paws_example #(parameter int WIDTH = 4) (input wire logic [WIDTH-1:0] a_i, output logic b_o);
  logic plain;
  if (WIDTH > 2) begin : gen_wide
    logic [WIDTH-1:0] first, second;  // two of them
    assign b_o = a_i[0] == 1'b0 ? plain : first[0];
    always_comb begin
      logic local_one;
      for (int i = 0; i < WIDTH; i++) begin
        second[i] = a_i[i] ? first[i] : plain;
      end
    end
  end else begin : gen_narrow
    assign b_o = plain;
  end
  localparam int HALF = WIDTH > 2 ? WIDTH / 2 : 1;
`ifdef PAWS_ASSERT
  logic hidden;
  assign hidden = plain ? b_o : 1'b0;
`endif
endmodule
"""


def record(hierarchy, page, name, count, line=1, file="paws_example.sv", lines=""):
    fields = {"f": file, "l": str(line), "n": "3", "page": page, "o": name, "h": hierarchy, "S": lines}
    return "C '" + "".join(f"\x01{key}\x02{value}" for key, value in fields.items()) + f"' {count}\n"


def merged(*records):
    result = points.Points()
    with tempfile.NamedTemporaryFile("w", suffix=".dat") as file:
        file.write("# SystemC::Coverage-3\n" + "".join(records))
        file.flush()
        result.read(file.name)
    return {point.name: covered for point, covered in result.hits.items()}


class Instrument(unittest.TestCase):
    def setUp(self):
        self.text, self.generates = instrument.instrument("paws_example.sv", SOURCE)
        self.lines = self.text.split("\n")[1:]

    def test_lines_keep_their_numbers(self):
        self.assertEqual(len(self.lines), len(SOURCE.split("\n")))
        self.assertTrue(self.text.startswith('`line 1 "paws_example.sv" 0\n'))

    def test_signals_of_generate_blocks_are_watched_and_no_others(self):
        self.assertIn("cover__paws_example__4__first (.bits_i(first));", self.lines[3])
        self.assertIn("cover__paws_example__4__second (.bits_i(second));  // two of them", self.lines[3])
        self.assertEqual(self.lines[1], "  logic plain;")
        self.assertEqual(self.lines[6], "      logic local_one;")

    def test_choices_become_branches(self):
        self.assertTrue(self.lines[4].startswith(
            "    always_comb if (a_i[0] == 1'b0) begin end else begin end assign b_o = "))
        self.assertTrue(self.lines[8].startswith("        if (a_i[i]) begin end else begin end second[i] = "))

    def test_constants_and_assertions_stay(self):
        self.assertEqual(self.lines[14:19], SOURCE.split("\n")[14:19])

    def test_generate_blocks_are_expected(self):
        self.assertEqual(self.generates, {"paws_example": [3, 12]})
        self.assertIn("paws_cover_block cover__paws_example__12 ();", self.lines[11])

    def test_what_is_not_understood_is_refused(self):
        source = SOURCE.replace("logic [WIDTH-1:0] first, second;", "logic [WIDTH-1:0] first[0:3];")
        with self.assertRaisesRegex(instrument.InstrumentError, "paws_example.sv:4"):
            instrument.instrument("paws_example.sv", source)


class Merge(unittest.TestCase):
    def test_a_bit_must_rise_and_fall_in_one_instance(self):
        page = "v_toggle/paws_example__W4"
        self.assertEqual(merged(record("top.u_a", page, "a_i[0]", 1), record("top.u_b", page, "a_i[0]", 1)),
                         {"a_i[0]": False})
        self.assertEqual(merged(record("top.u_a", page, "a_i[0]", 0), record("top.u_b", page, "a_i[0]", 2)),
                         {"a_i[0]": True})

    def test_parametrizations_are_one_module(self):
        self.assertEqual(merged(record("top.u", "v_branch/paws_example__W4", "if", 0, 5, lines="5"),
                                record("top.u", "v_branch/paws_example__W9", "if", 3, 5, lines="5")),
                         {"line 5, if, column 3": True, "line 5": True})

    def test_watched_signals_have_their_own_names(self):
        self.assertEqual(
            merged(record("top.u_x.gen_wide__BRA__2__KET__.cover__paws_example__4__first",
                          "v_toggle/paws_cover_bits__W4", "bits_i[3]", 7, file="paws_cover_bits.sv")),
            {"gen_wide[2].first[3]": True})

    def test_a_block_that_nobody_elaborates_is_uncovered(self):
        result = points.Points()
        result.expect({"paws_example": [12]}, "paws_example.sv")
        self.assertEqual([covered for covered in result.hits.values()], [False])

    def test_bits_are_listed_in_ranges(self):
        vector = [points.Point("m", "toggle", "m.sv", 3, f"v[{bit}]") for bit in (0, 1, 2, 5, 10, 11)]
        self.assertEqual(list(points.ranges(vector)), ["m.sv:3: m toggle v[0-2,5,10-11]"])


class Waivers(unittest.TestCase):
    ENTRY = {"module": "m", "kind": "toggle", "point": r"v\[\d+\]", "points": 2, "reason": "constant"}

    def test_waives_whole_names_of_its_module_and_kind_and_counts(self):
        uncovered = [points.Point("m", "toggle", "m.sv", 3, "v[0]"), points.Point("m", "toggle", "m.sv", 3, "v[1]"),
                     points.Point("m", "toggle", "m.sv", 3, "vv[0]"), points.Point("n", "toggle", "n.sv", 3, "v[0]")]
        left, used = waivers.apply([self.ENTRY], uncovered)
        self.assertEqual(left, uncovered[2:])
        self.assertEqual(used, [2])

    def test_bits_that_no_policy_code_has_are_waived(self):
        entries = waivers.of_unused_code_bits("m", [0, 1, 4], 4)
        uncovered = [points.Point("m", "toggle", "m.sv", 3, f"policy_i[{bit}]") for bit in range(4)]
        left, used = waivers.apply(entries, uncovered)
        self.assertEqual(left, [uncovered[0], uncovered[2]])
        self.assertEqual([entry["points"] for entry in entries], used)
        self.assertEqual(waivers.of_unused_code_bits("m", [5, 10], 4), [])

    def load(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(text)
            file.flush()
            return waivers.load(file.name)

    def test_incomplete_ones_are_refused(self):
        with self.assertRaisesRegex(waivers.WaiverError, "waiver 1 must have"):
            self.load('[[waiver]]\nmodule = "m"\nkind = "toggle"\npoint = "x"\npoints = 1\n')
        with self.assertRaisesRegex(waivers.WaiverError, "gives no reason"):
            self.load('[[waiver]]\nmodule = "m"\nkind = "toggle"\npoint = "x"\npoints = 1\nreason = " "\n')
        with self.assertRaisesRegex(waivers.WaiverError, "kind must be one of"):
            self.load('[[waiver]]\nmodule = "m"\nkind = "tog"\npoint = "x"\npoints = 1\nreason = "r"\n')


if __name__ == "__main__":
    unittest.main()
