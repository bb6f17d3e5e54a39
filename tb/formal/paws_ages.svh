// SPDX-License-Identifier: MIT
// Ranks are the order of launches. Two free constants stand for every pair of slots.
`ifdef PROVE_paws_ages
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic [WARPS-1:0] f_launched_q;  // launched since reset
  logic [RANK_W:0] f_launches;     // how many slots that are
  logic [WARPS*RANK_W-1:0] f_rank; // slot by slot
  logic [WARPS*RANK_W-1:0] f_next_age_q;
  always_ff @(posedge clk_i) begin
    f_launched_q <= rst_ni ? f_launched_q | launch_i : '0;
    f_next_age_q <= next_age_o;
  end
  always_comb begin
    f_launches = '0;
    for (int w = 0; w < WARPS; w++) begin
      f_launches = f_launches + (RANK_W + 1)'(f_launched_q[w]);
      for (int b = 0; b < RANK_W; b++) f_rank[w*RANK_W+b] = rank_q[b][w];
    end
  end

  always_comb begin
    // There is one launch per cycle at most (required).
    `PAWS_REQUIRE (!f_started_q || !rst_ni || (launch_i & (launch_i - 1'b1)) == '0);
  end
  for (genvar b = 0; b < RANK_W; b++) begin : f_gen_gate
    always_comb begin
      // Where its clock gate is closed no rank would change.
      assert (change || rank_d[b] == rank_q[b]);
    end
  end
  for (genvar v = 0; v < WARPS; v++) begin : f_gen_slot
    always_comb begin
      // The subject of a launch is the launched slot, with its rank (required).
      `PAWS_REQUIRE (!f_started_q || !rst_ni || !launch_i[v] ||
                     subject_age_i == f_rank[v*RANK_W+:RANK_W]);
      // No rank is beyond the last.
      assert (!f_started_q || 32'(f_rank[v*RANK_W+:RANK_W]) < WARPS);
      // With N slots launched since reset, those have the last N ranks.
      assert (!f_started_q || !f_launched_q[v] ||
              32'(f_rank[v*RANK_W+:RANK_W]) + 32'(f_launches) >= WARPS);
      // All other slots have the rank before those.
      assert (!f_started_q || f_launched_q[v] ||
              32'(f_rank[v*RANK_W+:RANK_W]) + 32'(f_launches) + 1 == WARPS);
      // A slot is younger if its rank is not less than the subject's.
      assert (younger_o[v] == (f_rank[v*RANK_W+:RANK_W] >= subject_age_i));
    end
    for (genvar b = 0; b < RANK_W; b++) begin : f_gen_bit
      always_comb begin
        // The ranks that are given are those that are kept.
        assert (age_o[b*WARPS+v] == f_rank[v*RANK_W+b]);
        // They are the ranks of the next cycle of the cycle before.
        assert (!f_started_q || age_o[b*WARPS+v] == f_next_age_q[b*WARPS+v]);
      end
    end
    for (genvar w = 0; w < v; w++) begin : f_gen_pair
      always_comb begin
        // No two slots that have been launched have the same rank.
        assert (!f_started_q || !f_launched_q[v] || !f_launched_q[w] ||
                f_rank[v*RANK_W+:RANK_W] != f_rank[w*RANK_W+:RANK_W]);
      end
    end
  end

`ifdef PROVE_paws_ages
  (* anyconst *) logic [RANK_W-1:0] f_one, f_other;
  logic f_older_q;  // f_one was launched before f_other, each for the last time
  logic [RANK_W-1:0] f_one_rank, f_other_rank;
  always_ff @(posedge clk_i) begin
    if (launch_i[f_one]) f_older_q <= 1'b0;
    else if (launch_i[f_other]) f_older_q <= 1'b1;
  end
  always_comb begin
    f_one_rank = '0;
    f_other_rank = '0;
    for (int w = 0; w < WARPS; w++) begin
      if (f_one == RANK_W'(w)) f_one_rank = f_rank[w*RANK_W+:RANK_W];
      if (f_other == RANK_W'(w)) f_other_rank = f_rank[w*RANK_W+:RANK_W];
    end
    assume (f_one != f_other && 32'(f_one) < WARPS && 32'(f_other) < WARPS);
    // Of two slots that have been launched the one with the smaller rank was launched before.
    assert (!f_started_q || !f_launched_q[f_one] || !f_launched_q[f_other] ||
            f_older_q == (f_one_rank < f_other_rank));
    // Slot 0 launches after all have been launched.
    cover (f_started_q && &f_launched_q && launch_i[0] && younger_o[0]);
    // Of two neighbours in age the older has the larger number.
    cover (f_started_q && f_launched_q[f_one] && f_launched_q[f_other] && f_older_q &&
           f_one_rank == f_other_rank - 1'b1 && f_one > f_other);
  end
`endif
`undef PAWS_REQUIRE
