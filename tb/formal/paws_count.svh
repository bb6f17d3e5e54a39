// SPDX-License-Identifier: MIT
// The number is that of the ones. Larger counts are built of smaller ones that keep the same promise.
  logic [COUNT-1:0] f_bits;
  logic [OUT_W-1:0] f_count;
  assign f_bits = bits_i;
  assign f_count = count_o;
`define PAWS_PROMISE assert
`include "count.svh"
`undef PAWS_PROMISE

`ifdef PROVE_paws_count
  always_comb begin
    // All bits are set.
    cover (&bits_i);
    // Half of the bits are set.
    cover (count_o == OUT_W'(COUNT / 2));
  end
`endif
