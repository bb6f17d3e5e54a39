// SPDX-License-Identifier: MIT
// The lowest of a set, as a set of one.
//
// Responsibility: of request_i the lowest index alone, and whether there are others.
// Timing: combinational; the depth is the logarithm of COUNT. Cost: COUNT * log2 COUNT gates or so.
`default_nettype none

module paws_lowest #(
    parameter int unsigned COUNT = 8  // indices, 1 or more
) (
    input  wire logic [COUNT-1:0] request_i,  // the set
    output logic      [COUNT-1:0] lowest_o,   // its lowest index; empty if the set is
    output logic                  more_o      // the set has more than one
);
  logic [COUNT-1:0] passed;  // an index below is in the set
  always_comb begin
    passed = request_i << 1;
    for (int step = 1; step < COUNT; step = step * 2) passed = passed | (passed << step);
  end
  assign lowest_o = request_i & ~passed;
  assign more_o = |(request_i & passed);

`ifdef FORMAL
`include "paws_lowest.svh"
`endif
endmodule

`default_nettype wire
