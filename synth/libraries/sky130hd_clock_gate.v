// SPDX-License-Identifier: MIT
// Clock gate of Sky130 HD: the library's integrated cell with a test pin.
module paws_clock_gate (
    input  wire clk_i,
    input  wire enable_i,
    input  wire test_enable_i,
    output wire clk_o
);
  sky130_fd_sc_hd__sdlclkp_4 u_gate (.CLK(clk_i), .GATE(enable_i), .SCE(test_enable_i), .GCLK(clk_o));
endmodule
