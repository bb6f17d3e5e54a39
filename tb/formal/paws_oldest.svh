// SPDX-License-Identifier: MIT
// The oldest of the valid warps and nobody else.
`ifdef PROVE_paws_oldest
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
  logic [WARPS-1:0] f_valid, f_choice;
  logic [WARPS*RANK_W-1:0] f_rank;
  always_comb begin
    f_valid = valid_i;
    f_choice = choice_o;
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < RANK_W; b++) f_rank[w*RANK_W+b] = age_i[b*WARPS+w];
    end
  end

  for (genvar v = 0; v < WARPS; v++) begin : f_gen_valid
    always_comb begin
      // No rank is beyond the last (required).
      `PAWS_REQUIRE (!valid_i[v] || 32'(f_rank[v*RANK_W+:RANK_W]) < WARPS);
    end
    for (genvar w = 0; w < v; w++) begin : f_gen_two
      always_comb begin
        // No two valid warps have the same rank (required).
        `PAWS_REQUIRE (!valid_i[v] || !valid_i[w] || f_rank[v*RANK_W+:RANK_W] != f_rank[w*RANK_W+:RANK_W]);
      end
    end
  end
`define PAWS_PROMISE assert
`include "oldest.svh"
`undef PAWS_PROMISE

`ifdef PROVE_paws_oldest
  always_comb begin
    // Of all warps the last is the oldest.
    cover (&valid_i && choice_o[WARPS-1]);
    // A warp alone is the oldest, with the last rank.
    cover ($onehot(valid_i) && f_rank[0+:RANK_W] == RANK_W'(WARPS - 1) && choice_o[0]);
  end
`endif
`undef PAWS_REQUIRE
