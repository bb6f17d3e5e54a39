// SPDX-License-Identifier: MIT
// Round-robin choice: the first requester after a given one, cyclically.
//
// Responsibility: among request_i, the first index above after_i; if there is none, or rotate_i is
// off, the lowest index.
// Fairness: if after_i is the last choice, each of COUNT steady requesters gets one turn in COUNT.
// Timing: combinational. Cost: two priority chains over COUNT bits and an encoder.
`default_nettype none

module paws_rotate_pick #(
    parameter int COUNT = 24  // requesters, 2 or more
) (
    input  wire logic [        COUNT-1:0] request_i,  // the requesters
    input  wire logic                     rotate_i,   // after_i counts
    input  wire logic [$clog2(COUNT)-1:0] after_i,    // begin above this one
    output logic                          valid_o,    // there is a request
    output logic      [$clog2(COUNT)-1:0] index_o     // the choice; 0 if there is none
);
  localparam int INDEX_W = $clog2(COUNT);

  logic [COUNT-1:0] above, pool, choice;

  always_comb begin
    for (int r = 0; r < COUNT; r++) begin
      above[r] = request_i[r] & rotate_i & (INDEX_W'(r) > after_i);
    end
  end
  assign pool = |above ? above : request_i;
  assign choice = pool & (~pool + 1'b1);  // lowest bit

  always_comb begin
    index_o = '0;
    for (int r = 0; r < COUNT; r++) begin
      index_o = index_o | (INDEX_W'(r) & {INDEX_W{choice[r]}});
    end
  end
  assign valid_o = |request_i;

`ifdef FORMAL
`include "paws_rotate_pick.svh"
`endif
endmodule

`default_nettype wire
