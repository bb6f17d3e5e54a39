# SPDX-License-Identifier: MIT
"""rtl/host: the interface carries a core, and the checks that are bound to a netlist name a broken promise."""
import pathlib
import subprocess
import tempfile
import unittest

RTL = pathlib.Path(__file__).resolve().parents[2] / "rtl"
# Two warps issue in turn, behind an interface, until each has issued five times.
CORE = """
module core_tb;
  logic clk = 0, rst_n = 0;
  always #5 clk = ~clk;
  paws_core_if #(.WARPS(2), .PAYLOAD_W(4)) bus (.clk(clk), .rst_n(rst_n));
  paws_core_adapter_on_if #(.WARPS(2), .POLICY(0), .PAYLOAD_W(4)) u_adapter (.bus(bus.scheduler));
  int counts[0:1];
  initial begin
    bus.active = '0; bus.issuable = '0; bus.waits = '0; bus.long_outstanding = '0; bus.length = '0;
    bus.payload = 8'h53; bus.issue_ready = 1;
    counts[0] = 0; counts[1] = 0;
    repeat (2) @(negedge clk);
    rst_n = 1; bus.active = 2'b11; bus.issuable = 2'b11;
    repeat (14) begin
      @(negedge clk);
      if (bus.issue_valid) begin
        if (bus.issue_payload !== (bus.issue_warp ? 4'h5 : 4'h3)) $fatal(1, "wrong payload");
        counts[bus.issue_warp] = counts[bus.issue_warp] + 1;
      end
    end
    if (counts[0] < 5 || counts[1] < 5) $fatal(1, "too few issues");
    $display("both issue");
    $finish;
  end
endmodule
"""
# A netlist has no parameters. This one never issues; its host says that a free slot can.
NETLIST = """
module paws_two_level (input clk_i, rst_ni, input [3:0] policy_i, input issue_en_i, input [3:0] issuable_i, waits_i,
    long_outstanding_i, exit_i, input [35:0] length_i, input launch_valid_i, input [1:0] launch_warp_i, input end_valid_i,
    input [1:0] end_warp_i, output issue_valid_o, output [1:0] issue_warp_o, output quiet_o);
  assign issue_valid_o = 0, issue_warp_o = 0, quiet_o = 1;
endmodule
module host_tb;
  logic clk = 0, rst_n = 0;
  always #5 clk = ~clk;
  logic [3:0] issuable = 0;
  paws_two_level u_netlist (.clk_i(clk), .rst_ni(rst_n), .policy_i(4'd2), .issue_en_i(1'b1), .issuable_i(issuable),
    .waits_i(4'b0), .long_outstanding_i(4'b0), .exit_i(4'b0), .length_i(36'b0), .launch_valid_i(1'b0), .launch_warp_i(2'b0),
    .end_valid_i(1'b0), .end_warp_i(2'b0), .issue_valid_o(), .issue_warp_o(), .quiet_o());
  initial begin
    repeat (2) @(negedge clk);
    rst_n = 1;
    repeat (2) @(negedge clk);
    issuable = 4'b0100;
    repeat (2) @(negedge clk);
    $display("nobody said anything");
    $finish;
  end
endmodule
"""


class HostFiles(unittest.TestCase):
    def run_bench(self, top, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "bench.sv"
            source.write_text(text, encoding="utf-8")
            built = subprocess.run(["verilator", "--binary", "--timing", "--assert", "+define+PAWS_ASSERT", "-Wno-lint",
                                    "-CFLAGS", "-O0", "--top-module", top, "-Mdir", folder, "-o", "bench", *arguments, source],
                                   capture_output=True, text=True, check=False)
            self.assertEqual(built.returncode, 0, built.stderr)
            return subprocess.run([f"{folder}/bench"], capture_output=True, text=True, check=False)

    def test_the_interface(self):
        done = self.run_bench("core_tb", CORE, "-F", RTL / "paws_core_adapter.f", RTL / "host" / "paws_core_if.sv",
                              RTL / "host" / "paws_core_adapter_on_if.sv")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("both issue", done.stdout)

    def test_bound_checks(self):
        done = self.run_bench("host_tb", NETLIST, "+define+PAWS_BIND_WARPS=4", "+define+PAWS_BIND_LENGTH_W=9",
                              RTL / "paws_pkg.sv", RTL / "paws_host_checks.sv", RTL / "host" / "bind_host_checks.sv")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("u_netlist.u_bound_host.free_slot_is_silent: host: a free slot is issuable or waits", done.stdout)


if __name__ == "__main__":
    unittest.main()
