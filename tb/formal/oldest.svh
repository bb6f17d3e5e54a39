// SPDX-License-Identifier: MIT
// What paws_oldest promises: of f_valid, with ranks f_rank slot by slot, f_choice is the oldest. It is proved
// of the search itself (PAWS_PROMISE is assert), and assumed where that is left out (cut in proofs.toml).
  for (genvar v = 0; v < WARPS; v++) begin : f_gen_choice
    always_comb begin
      // Only a valid warp is chosen.
      `PAWS_PROMISE (!f_choice[v] || f_valid[v]);
    end
    for (genvar w = 0; w < v; w++) begin : f_gen_pair
      always_comb begin
        // No valid warp is older than the chosen one.
        `PAWS_PROMISE (!f_choice[v] || !f_valid[w] ||
                       f_rank[v*$clog2(WARPS)+:$clog2(WARPS)] < f_rank[w*$clog2(WARPS)+:$clog2(WARPS)]);
        // Nor is one with a larger number.
        `PAWS_PROMISE (!f_choice[w] || !f_valid[v] ||
                       f_rank[w*$clog2(WARPS)+:$clog2(WARPS)] < f_rank[v*$clog2(WARPS)+:$clog2(WARPS)]);
      end
    end
  end
  always_comb begin
    // If a warp is valid, one is chosen.
    `PAWS_PROMISE ((|f_choice) == (|f_valid));
  end
