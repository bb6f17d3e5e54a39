// SPDX-License-Identifier: MIT
// Clock gate of OSU 0.18 um, which has no integrated cell: a latch that is open while the clock is low, and an AND gate.
module paws_clock_gate (
    input  wire clk_i,
    input  wire enable_i,
    input  wire test_enable_i,
    output wire clk_o
);
  wire enable, clk_low, open;
  OR2X1 u_enable (.A(enable_i), .B(test_enable_i), .Y(enable));
  INVX1 u_low (.A(clk_i), .Y(clk_low));
  LATCH u_latch (.D(enable), .CLK(clk_low), .Q(open));
  AND2X2 u_gate (.A(clk_i), .B(open), .Y(clk_o));
endmodule
