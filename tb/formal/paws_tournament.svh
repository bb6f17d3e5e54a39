// SPDX-License-Identifier: MIT
// The winner has the smallest key of those that take part, and of those the lowest index.
  logic [COUNT*KEY_W-1:0] f_key;
  assign f_key = key_i;
`include "least.svh"
  always_comb begin
    // Of equal keys the lowest index wins.
    assert (!f_asks || f_rival_key != f_least || index_o <= f_rival);
    // The mark is that of the winner.
    assert (mark_o == (mark_i[index_o*MARK_W+:MARK_W] & {MARK_W{f_wins}}));
`ifdef PROVE_paws_tournament
    // All take part and the last wins.
    cover (&valid_i && index_o == INDEX_W'(COUNT - 1));
    // A rival has the same key.
    cover (f_asks && f_rival_key == f_least && f_rival != index_o);
    // Nobody takes part.
    cover (valid_i == '0);
`endif
  end
