// SPDX-License-Identifier: MIT
// Clock gate: a clock that rises only in cycles for which its enable was given.
//
// Responsibility: clk_o rises with clk_i if enable_i or test_enable_i was 1 when clk_i rose, and stays 0
// for the whole cycle if neither was. It never has a pulse shorter than clk_i's.
// This file is a model of behaviour, a latch and an AND gate, for simulation and FPGA flows that take it. For
// silicon it is replaced: by a file of the same module that instantiates the library's integrated
// clock-gating cell (synth/libraries/*_clock_gate.v show it for some).
// What such a cell must keep to: enable_i is sampled while clk_i is low, by a latch that is open then; a
// change of enable_i while clk_i is high has no effect. enable_i has to be stable a setup time before
// clk_i rises. test_enable_i, active high, goes around enable_i before the latch, so that scan shifts
// through all flip-flops; the schedulers tie it to 0, and the tool that inserts scan connects it.
// Timing: enable_i has the cycle up to the rising edge, less what the clock needs from this cell to the
// flip-flops behind it. All flip-flops behind it belong to the clock clk_i.
// Cost: one latch and two gates; its latch takes part of every cycle of clk_i.
`default_nettype none

module paws_clock_gate (
    input  wire logic clk_i,          // clock
    input  wire logic enable_i,       // the next rising edge is let through
    input  wire logic test_enable_i,  // so is every one, for scan
    output logic      clk_o           // gated clock
);
  logic open;

  // The one latch of all sources.
  always_latch begin
    if (!clk_i) open = enable_i | test_enable_i;
  end
  assign clk_o = clk_i & open;
endmodule

`default_nettype wire
