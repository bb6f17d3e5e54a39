// SPDX-License-Identifier: MIT
// The winner has the smallest key of those that take part.
`ifdef PROVE_paws_eliminate
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
  logic [COUNT*KEY_W-1:0] f_key;
  assign f_key = key_i & {COUNT{counts_i}};
`include "least.svh"
  for (genvar e = 0; e < COUNT; e++) begin : f_gen_entry
    for (genvar r = 0; r < e; r++) begin : f_gen_pair
      always_comb begin
        // No two entries that take part have the same key (required).
        `PAWS_REQUIRE (!valid_i[e] || !valid_i[r] ||
                       f_key[e*KEY_W+:KEY_W] != f_key[r*KEY_W+:KEY_W]);
      end
    end
  end
  always_comb begin
    // The mark is that of the winner.
    assert (mark_o == (mark_i[index_o*MARK_W+:MARK_W] & {MARK_W{f_wins}}));
`ifdef PROVE_paws_eliminate
    // All take part, some bits do not count, and the last wins.
    cover (&valid_i && index_o == INDEX_W'(COUNT - 1) && !(&counts_i));
    // Nobody takes part.
    cover (valid_i == '0);
`endif
  end
`undef PAWS_REQUIRE
