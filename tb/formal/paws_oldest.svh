// SPDX-License-Identifier: MIT
// The oldest of the valid warps and nobody else. Two free numbers stand for every pair of warps.
`ifdef PROVE_paws_oldest
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
  logic [RANK_W-1:0] f_age[0:WARPS-1];
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < RANK_W; b++) f_age[w][b] = age_i[b*WARPS+w];
    end
  end

  for (genvar v = 0; v < WARPS; v++) begin : f_gen_valid
    always_comb begin
      // No rank is beyond the last (required).
      `PAWS_REQUIRE (!valid_i[v] || 32'(f_age[v]) < WARPS);
      // Only a valid warp is chosen.
      assert (!choice_o[v] || valid_i[v]);
    end
    for (genvar w = 0; w < v; w++) begin : f_gen_pair
      always_comb begin
        // No two valid warps have the same rank (required).
        `PAWS_REQUIRE (!valid_i[v] || !valid_i[w] || f_age[v] != f_age[w]);
        // No valid warp is older than the chosen one.
        assert (!choice_o[v] || !valid_i[w] || f_age[v] < f_age[w]);
        // Nor is one with a larger number.
        assert (!choice_o[w] || !valid_i[v] || f_age[w] < f_age[v]);
      end
    end
  end

  always_comb begin
    // If a warp is valid, one is chosen.
    assert ((|choice_o) == (|valid_i));
`ifdef PROVE_paws_oldest
    // Of all warps the last is the oldest.
    cover (&valid_i && choice_o[WARPS-1]);
    // A warp alone is the oldest, with the last rank.
    cover ($onehot(valid_i) && f_age[0] == RANK_W'(WARPS - 1) && choice_o[0]);
`endif
  end
`undef PAWS_REQUIRE
