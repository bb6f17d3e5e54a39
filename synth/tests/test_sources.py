# SPDX-License-Identifier: MIT
"""What is measured does not depend on comments and checks."""

import unittest

from flow.paths import rtl_sources
from flow.sources import measured_text


class Sources(unittest.TestCase):
    def test_comments_and_blank_lines_go(self):
        self.assertEqual(measured_text("// why\nassign a = b;  // so\n\n\nendmodule\n"), "assign a = b;\nendmodule\n")

    def test_checks_go_with_what_is_nested_in_them(self):
        text = ("x;\n`ifdef PAWS_ASSERT\nlogic seen;\n`ifndef OTHER\ny;\n`endif\n`endif\n"
                "`ifdef FORMAL\n`include \"z\"\n`endif\nw;\n")
        self.assertEqual(measured_text(text), "x;\nw;\n")

    def test_other_conditionals_stay(self):
        self.assertEqual(measured_text("`ifdef OTHER\nx;\n`endif\n"), "`ifdef OTHER\nx;\n`endif\n")

    def test_what_is_hidden_from_other_tools_stays(self):
        self.assertEqual(measured_text("`ifndef __ICARUS__\nx;\n`endif\ny;\n"), "x;\ny;\n")

    def test_what_stands_instead_of_checks_stays(self):
        text = "`ifdef PAWS_ASSERT\nx;\n`ifdef A\n`else\n`endif\n`else\ny;\n`endif\nw;\n"
        self.assertEqual(measured_text(text), "y;\nw;\n")

    def test_the_rtl_keeps_no_conditional(self):
        for source in rtl_sources():
            text = measured_text(source.read_text())
            self.assertNotRegex(text, "`(ifdef|ifndef|else|endif)", source.name)
            self.assertEqual(text.count("endmodule"), source.name != "paws_pkg.sv", source.name)


if __name__ == "__main__":
    unittest.main()
