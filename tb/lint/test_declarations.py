# SPDX-License-Identifier: MIT
"""scripts/lib/check_declarations.py finds names that are used before their declaration, and nothing else."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
from check_declarations import used_too_early  # noqa: E402

EXAMPLE = """\
// late is used here only in a comment
`default_nettype none
module paws_example #(
    parameter int unsigned WARPS = 24,  // slots
    parameter bit FLAG = 1'b0
) (
    input  wire logic                     clk_i,
    input  wire logic [        WARPS-1:0] a_i, b_i,
    output logic      [$clog2(WARPS)-1:0] c_o
);
  localparam int unsigned HALF = WARPS / 2, MASK = (1 << HALF) - 1;
  logic [HALF-1:0] first, second;
  (* mem2reg *) logic [WARPS-1:0] table_q[0:HALF-1];
  paws_inner #(.WIDTH(HALF)) u_inner (.clk_i, .late(first), .out_o(second));
  for (genvar g = 0; g < HALF; g++) begin : gen_bit
    logic each;
    if (g > 0) begin : gen_more
      assign each = gen_bit[g-1].each & paws_pkg::late;
    end
  end
  always_comb begin
    for (int w = 0; w < WARPS; w++) c_o = u_late.state_q[w] ? "late" : 8'(MASK);
  end
  logic late;
  assign late = first[0];
endmodule
"""


class Declarations(unittest.TestCase):
    def expect(self, old, new, found):
        self.assertEqual(EXAMPLE.count(old), 1)
        self.assertEqual(used_too_early(EXAMPLE.replace(old, new)), found)

    def test_nothing_is_wrong(self):
        self.assertEqual(used_too_early(EXAMPLE), [])

    def test_a_variable(self):
        self.expect("= first[0]", "= first[0]; assign x = later; logic more, later", [("later", 25, 25)])
        self.expect("assign each =", "assign each = late &", [("late", 18, 24)])

    def test_in_a_port_connection(self):
        self.expect(".late(first)", ".late(late)", [("late", 14, 24)])
        self.expect(".clk_i,", ".clk_i, .late,", [("late", 14, 24)])

    def test_in_dimensions_and_initial_values(self):
        self.expect("[HALF-1:0] first", "[MORE-1:0] first", [])  # declared nowhere: not ours to say
        self.expect("logic late;", "logic late; localparam int MORE = LEAST; localparam int LEAST = 1;",
                    [("LEAST", 24, 24)])
        self.expect("int unsigned HALF = WARPS / 2, MASK = (1 << HALF) - 1",
                    "int unsigned MASK = (1 << HALF) - 1, HALF = WARPS / 2", [("HALF", 11, 11)])

    def test_a_loop_and_a_scope(self):
        self.expect("g < HALF", "g < late", [("late", 15, 24)])
        # A name of an inner scope is none of the outer one's.
        self.expect("logic late;", "if (FLAG) begin : gen_x\n logic inner; end\n logic late;", [])
        self.expect("= first[0]", "= inner; if (FLAG) begin : gen_x\n logic inner; end", [])

    def test_in_both_sides_of_a_condition(self):
        self.expect("  always_comb begin", "`ifdef FORMAL\n  assign c_o = late;\n`else\n  assign c_o = '0;\n`endif\n"
                    "  always_comb begin", [("late", 22, 29)])

    def test_a_fault_in_the_rtl_is_found(self):
        source = (ROOT / "rtl" / "paws_two_level.sv").read_text(encoding="utf-8")
        declaration = "promote, admit, relief;"
        self.assertEqual(source.count(declaration), 1)
        self.assertEqual(used_too_early(source), [])
        planted = source.replace(declaration, "promote, admit;")
        planted = planted.replace("  if (AGE_LIMIT > 0) begin : gen_limit", "  logic relief;\n"
                                  "  if (AGE_LIMIT > 0) begin : gen_limit")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "planted.sv"
            path.write_text(planted, encoding="utf-8")
            run = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "lib" / "check_declarations.py", path],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"^\S+planted\.sv:\d+: relief is used before its declaration in line \d+\n$")

    def test_a_file_that_is_not_there(self):
        run = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "lib" / "check_declarations.py", "/nowhere.sv"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("/nowhere.sv", run.stderr)


if __name__ == "__main__":
    unittest.main()
