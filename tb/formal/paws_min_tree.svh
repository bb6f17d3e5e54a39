// SPDX-License-Identifier: MIT
// The winner has the smallest key of those that take part, and of those the lowest index.
  logic [COUNT*KEY_W-1:0] f_key;
  assign f_key = key_i;
  for (genvar l = 1; l <= INDEX_W; l++) begin : f_gen_level
    for (genvar e = 0; e < COUNT; e++) begin : f_gen_entry
      always_comb begin
        // Nobody below a node has a smaller key than it.
        assert (!valid_i[e] || (gen_level[l].valid[e>>l] &&
                gen_level[l].key[(e>>l)*KEY_W+:KEY_W] <= key_i[e*KEY_W+:KEY_W]));
        // The index of a node is that of an entry that takes part and has its key.
        assert (!gen_level[l].valid[e>>l] || gen_level[l].index[(e>>l)*INDEX_W+:INDEX_W] != INDEX_W'(e) ||
                (valid_i[e] && gen_level[l].key[(e>>l)*KEY_W+:KEY_W] == key_i[e*KEY_W+:KEY_W]));
      end
    end
  end
`include "least.svh"
  always_comb begin
    // There is a winner exactly if somebody takes part.
    assert (valid_o == (|valid_i));
    // Of equal keys the lowest index wins.
    assert (!f_asks || f_rival_key != f_least || index_o <= f_rival);
`ifdef PROVE_paws_min_tree
    // All take part and the last wins.
    cover (&valid_i && index_o == INDEX_W'(COUNT - 1));
    // A rival has the same key.
    cover (f_asks && f_rival_key == f_least && f_rival != index_o);
    // Nobody takes part.
    cover (valid_i == '0);
`endif
  end
