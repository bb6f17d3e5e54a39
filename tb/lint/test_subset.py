# SPDX-License-Identifier: MIT
"""scripts/lib/check_subset.py finds what is outside of the RTL's subset, and nothing else."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = ROOT / "scripts" / "lib" / "check_subset.py"
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
from check_subset import outside  # noqa: E402

EXAMPLE = """\
// a class of function in a comment
module paws_example #(
    parameter int COUNT = 4
) (
    input  wire logic             clk_i,
    output logic      [COUNT-1:0] next_o
);
  localparam logic [3:0] CODE = paws_pkg::RR;
  if (COUNT < 1) begin : gen_check
`ifndef __ICARUS__
    $error("a struct in a string");
`endif
  end
  always_comb next_o = COUNT'(CODE) & 4'hf | '0;
`ifdef PAWS_ASSERT
  initial assert ($onehot(next_o));
`else
  logic unused;
  assign unused = clk_i;
`endif
endmodule
"""


class Subset(unittest.TestCase):
    def expect(self, old, new, *found):
        self.assertEqual(EXAMPLE.count(old), 1)
        self.assertEqual(outside(EXAMPLE.replace(old, new)), list(found))

    def test_nothing_is_wrong(self):
        self.assertEqual(outside(EXAMPLE), [])

    def test_reserved_words(self):
        self.expect("  localparam logic", "  typedef struct packed {logic a;} t;\n  localparam logic",
                    (8, "typedef"), (8, "struct"), (8, "packed"))
        self.expect("parameter int COUNT", "parameter int unsigned COUNT", (3, "unsigned"))

    def test_scopes_system_names_patterns_and_macros(self):
        self.expect("paws_pkg::RR", "other_pkg::RR", (8, "other_pkg::"))
        self.expect("COUNT'(CODE)", "$countones(CODE)", (14, "$countones"))
        self.expect("| '0", "| '{default: 0}", (14, "'{"))
        self.expect("| '0", "| `WIDTH", (14, "`WIDTH"))

    def test_only_verification_is_left_out(self):
        self.expect("  logic unused;", "  initial unused = 0;", (18, "initial"))
        self.expect("$error(\"a", "$fatal(\"a", (11, "$fatal"))

    def test_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "planted.sv"
            path.write_text(EXAMPLE.replace("always_comb", "always @*"), encoding="utf-8")
            run = subprocess.run([sys.executable, "-B", CHECK, path], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr),
                         (1, f"{path}:14: always is outside of the subset of the RTL\n"))
        run = subprocess.run([sys.executable, "-B", CHECK, "/nowhere.sv"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("/nowhere.sv", run.stderr)


if __name__ == "__main__":
    unittest.main()
