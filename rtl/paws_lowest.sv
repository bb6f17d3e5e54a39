// SPDX-License-Identifier: MIT
// The lowest member of each of several sets, as a set of one.
//
// Responsibility: LANES sets of COUNT indices stand side by side, index i of all of them at [i*LANES+:LANES].
// Of each the lowest index alone, and whether there are others.
// Timing: combinational; the depth is the logarithm of COUNT. Cost: LANES * COUNT * log2 COUNT gates or so.
// The sets are handled together, because a simulator is fast with whole rows.
`default_nettype none

module paws_lowest #(
    parameter int COUNT = 8,  // indices, 1 or more
    parameter int LANES = 1   // sets, 1 or more
) (
    input  wire logic [COUNT*LANES-1:0] request_i,  // the sets
    output logic      [COUNT*LANES-1:0] lowest_o,   // the lowest index of each; empty if the set is
    output logic      [      LANES-1:0] more_o      // the set has more than one
);
  logic [COUNT*LANES-1:0] passed, others;  // an index below is in the set
  always_comb begin
    passed = request_i << LANES;
    for (int step = 1; step < COUNT; step = step * 2) passed = passed | (passed << (step * LANES));
  end
  assign lowest_o = request_i & ~passed;
  assign others = request_i & passed;
  always_comb begin
    more_o = '0;
    for (int i = 0; i < COUNT; i++) more_o = more_o | others[i*LANES+:LANES];
  end

`ifdef FORMAL
`include "paws_lowest.svh"
`endif
endmodule

`default_nettype wire
