// SPDX-License-Identifier: MIT
// Clock gate of ASAP7: the library's integrated cell with a test pin.
module paws_clock_gate (
    input  wire clk_i,
    input  wire enable_i,
    input  wire test_enable_i,
    output wire clk_o
);
  ICGx4_ASAP7_75t_R u_gate (.CLK(clk_i), .ENA(enable_i), .SE(test_enable_i), .GCLK(clk_o));
endmodule
