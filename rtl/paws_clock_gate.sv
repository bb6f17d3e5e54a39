// SPDX-License-Identifier: MIT
// Clock gate: a clock that rises only in cycles for which its enable was given.
//
// Responsibility: clk_o rises with clk_i if enable_i or test_enable_i was 1 when clk_i rose. If neither was,
// clk_o stays 0 for the whole cycle. A pulse of clk_o is never shorter than a pulse of clk_i.
// This file is a behavioural model for simulation and for FPGA flows that accept it: a latch and an AND gate.
// For silicon, replace it by a file with the same module that instantiates the library's integrated
// clock-gating cell (synth/libraries/*_clock_gate.v show it for some libraries).
// Rules for such a cell: a latch, open while clk_i is low, samples enable_i; a
// change of enable_i while clk_i is high has no effect. enable_i must be stable a setup time before
// clk_i rises. test_enable_i, active high, bypasses enable_i before the latch, so that scan shifts
// through all flip-flops. The schedulers tie it to 0, and the tool that inserts scan connects it.
// Timing: enable_i has the cycle up to the rising edge, minus the delay of the clock from this cell to the
// flip-flops behind it. All flip-flops behind it belong to the clock clk_i.
// Cost: one latch and two gates; the latch is clocked in every cycle of clk_i.
`default_nettype none

module paws_clock_gate (
    input  wire logic clk_i,          // clock
    input  wire logic enable_i,       // the next rising edge is let through
    input  wire logic test_enable_i,  // every rising edge is let through, for scan
    output logic      clk_o           // gated clock
);
  logic open;

  // The only latch in the sources.
  always_latch begin
    if (!clk_i) open = enable_i | test_enable_i;
  end
  assign clk_o = clk_i & open;
endmodule

`default_nettype wire
