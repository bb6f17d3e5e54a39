// The winner has the smallest key of those that take part, and of those the lowest index.
  logic [COUNT*KEY_W-1:0] f_key;
  assign f_key = key_i;
`ifdef PROVE_paws_tournament_chain
  // What leads from round to round, for proofs of many entries (engine chain): the winner of a match is
  // one of its entries, and the first of those with the smallest key.
  for (genvar r = 1; r <= ROUNDS; r++) begin : f_gen_round
    localparam int STRIDE = ARITY ** r;
    localparam int ENTRIES = (COUNT + STRIDE - 1) / STRIDE;
    for (genvar m = 0; m < ENTRIES; m++) begin : f_gen_match
      localparam int FIRST = m * STRIDE;
      localparam int ALL = COUNT - FIRST < STRIDE ? COUNT - FIRST : STRIDE;
      logic [KEY_W-1:0] f_best, f_own;
      logic [INDEX_W-1:0] f_index;
      logic f_mark, f_plays, f_own_mark;
      assign f_best = gen_round[r].key[m*KEY_W+:KEY_W];
      assign {f_mark, f_index} = gen_round[r].prize[m*PRIZE_W+:PRIZE_W];
      always_comb begin
        f_own = '0;
        f_plays = 1'b0;
        f_own_mark = 1'b0;
        for (int e = FIRST; e < FIRST + ALL; e++) begin
          if (f_index == INDEX_W'(e)) begin
            f_own = key_i[e*KEY_W+:KEY_W];
            f_plays = valid_i[e];
            f_own_mark = mark_i[e];
          end
        end
        // A match has a winner exactly if one of its entries takes part.
        assert (gen_round[r].valid[m] == (|valid_i[FIRST+:ALL]));
        // The winner is an entry of the match, with its own key and mark.
        assert (!gen_round[r].valid[m] || (f_plays && f_own == f_best && f_own_mark == f_mark));
        // Without a winner the index is 0.
        assert (gen_round[r].valid[m] || (f_index == '0 && !f_mark));
      end
      for (genvar e = FIRST; e < FIRST + ALL; e++) begin : f_gen_entry
        always_comb begin
          // No entry of the match has a smaller key than its winner.
          assert (!valid_i[e] || f_best <= key_i[e*KEY_W+:KEY_W]);
          // Nor one of the same key a lower index.
          assert (!valid_i[e] || f_best != key_i[e*KEY_W+:KEY_W] || 32'(f_index) <= e);
        end
      end
    end
  end
`endif
`include "least.svh"
  always_comb begin
    // Of equal keys the lowest index wins.
    assert (!f_asks || f_rival_key != f_least || index_o <= f_rival);
    // The mark is that of the winner.
    assert (mark_o == (f_wins && mark_i[index_o]));
`ifdef PROVE_paws_tournament
`define PAWS_COVER
`elsif PROVE_paws_tournament_chain
`define PAWS_COVER
`endif
`ifdef PAWS_COVER
    // All take part and the last wins.
    cover (&valid_i && index_o == INDEX_W'(COUNT - 1));
    // A rival has the same key.
    cover (f_asks && f_rival_key == f_least && f_rival != index_o);
    // Nobody takes part.
    cover (valid_i == '0);
`undef PAWS_COVER
`endif
  end
