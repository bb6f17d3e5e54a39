// SPDX-License-Identifier: MIT
// Ranks are the order of launches.
`ifdef PROVE_paws_ages
`define PAWS_REQUIRE assume
`define PAWS_INVARIANTS
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic [WARPS-1:0] f_launched_q;  // launched since reset
  logic [RANK_W:0] f_launches;     // how many slots that are, counted up
  logic [WARPS*RANK_W-1:0] f_rank; // slot by slot
  logic [WARPS*RANK_W-1:0] f_next_age_q;
  always_ff @(posedge clk_i) begin
    f_launched_q <= rst_ni ? f_launched_q | launch_i : '0;
    f_launches <= rst_ni ? f_launches + (RANK_W + 1)'(|(launch_i & ~f_launched_q)) : '0;
    f_next_age_q <= next_age_o;
  end
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
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

`ifdef PAWS_INVARIANTS
  // Launched slots are counted from slot to slot, so that each step is a small one. Of the cycle before:
  // who had been launched, as many among slots 0 to w and in all; who was launched for the first time.
  localparam int COUNT_W = RANK_W + 1;
  logic [WARPS*COUNT_W-1:0] f_upto, f_upto_q;
  logic [COUNT_W-1:0] f_launches_q;
  logic [WARPS-1:0] f_had_q, f_new_q;
  logic f_ran_q;  // it was no reset
  counted #(.SLOTS(WARPS), .COUNT_W(COUNT_W)) f_count (.bits_i(f_launched_q), .upto_o(f_upto));
  always_ff @(posedge clk_i) begin
    f_upto_q <= f_upto;
    f_launches_q <= f_launches;
    f_had_q <= f_launched_q;
    f_new_q <= launch_i & ~f_launched_q;
    f_ran_q <= f_started_q && rst_ni;
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_count
    always_comb begin
      // Who has been launched had been before or was launched now.
      assert (!f_ran_q || (f_launched_q[w] == (f_had_q[w] || f_new_q[w]) && !(f_had_q[w] && f_new_q[w])));
      // There was one launch at most.
      assert (!f_ran_q || !f_new_q[w] || (f_new_q & ~(WARPS'(1) << w)) == '0);
      // The counts of before went up from slot to slot as they do now.
      assert (f_upto_q[w*COUNT_W+:COUNT_W] == COUNT_W'(f_had_q[w]) +
              (w > 0 ? f_upto_q[(w > 0 ? w - 1 : 0)*COUNT_W+:COUNT_W] : '0) || !f_started_q);
      // A slot that is launched for the first time adds one to the counts from its own on.
      assert (!f_ran_q || f_upto[w*COUNT_W+:COUNT_W] ==
              f_upto_q[w*COUNT_W+:COUNT_W] + COUNT_W'(|f_new_q[w:0]));
    end
  end
  always_comb begin
    // After a reset nobody has been launched.
    assert (!f_started_q || f_ran_q || (f_launched_q == '0 && f_launches == '0));
    // The number has gone up with a slot that is launched for the first time.
    assert (!f_ran_q || f_launches == f_launches_q + COUNT_W'(|f_new_q));
    // The number of before was that of the slots of before.
    assert (!f_ran_q || f_launches_q == f_upto_q[(WARPS-1)*COUNT_W+:COUNT_W]);
    // The number is that of the slots.
    assert (!f_started_q || f_launches == f_upto[(WARPS-1)*COUNT_W+:COUNT_W]);
    // A slot that launches again has one of the last ranks.
    assert (!f_started_q || !rst_ni || (launch_i & f_launched_q) == '0 ||
            32'(subject_age_i) + 32'(f_launches) >= WARPS);
    // One that launches for the first time has the rank before them.
    assert (!f_started_q || !rst_ni || (launch_i & ~f_launched_q) == '0 ||
            32'(subject_age_i) + 32'(f_launches) + 1 == WARPS);
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_launch
    always_comb begin
      // No other slot that has been launched has the rank of one that launches.
      assert (!f_started_q || !rst_ni || launch_i == '0 || launch_i[w] || !f_launched_q[w] ||
              f_rank[w*RANK_W+:RANK_W] != subject_age_i);
      // If another one has it, that and the launched one are not the last.
      assert (!f_started_q || !rst_ni || launch_i == '0 || launch_i[w] ||
              f_rank[w*RANK_W+:RANK_W] != subject_age_i || 32'(f_launches) + 2 <= WARPS);
    end
  end

  logic [WARPS*WARPS-1:0] f_older_q;  // [v*WARPS + w]: v was launched before w, each for the last time
  always_ff @(posedge clk_i) begin
    for (int v = 0; v < WARPS; v++) begin
      for (int w = 0; w < WARPS; w++) begin
        if (launch_i[v]) f_older_q[v*WARPS+w] <= 1'b0;
        else if (launch_i[w]) f_older_q[v*WARPS+w] <= 1'b1;
      end
    end
  end
  for (genvar v = 0; v < WARPS; v++) begin : f_gen_one
    for (genvar w = 0; w < WARPS; w++) begin : f_gen_other
      if (v != w) begin : f_gen_two
        always_comb begin
          // Of two slots that have been launched the one with the smaller rank was launched before.
          assert (!f_started_q || !f_launched_q[v] || !f_launched_q[w] ||
                  f_older_q[v*WARPS+w] == (f_rank[v*RANK_W+:RANK_W] < f_rank[w*RANK_W+:RANK_W]));
        end
      end
    end
  end
`else
  logic [RANK_W:0] f_sum;
  always_comb begin
    f_sum = '0;
    for (int w = 0; w < WARPS; w++) f_sum = f_sum + (RANK_W + 1)'(f_launched_q[w]);
    // The number of launches is that of the slots.
    assert (!f_started_q || f_launches == f_sum);
  end
`endif
`ifdef PROVE_paws_ages
  always_comb begin
    // Slot 0 launches after all have been launched.
    cover (f_started_q && &f_launched_q && launch_i[0] && younger_o[0]);
    // Of two neighbours in age the older has the larger number.
    cover (f_started_q && f_launched_q[1] && f_launched_q[0] && f_older_q[WARPS] &&
           f_rank[RANK_W+:RANK_W] == f_rank[0+:RANK_W] - 1'b1);
  end
`endif
`undef PAWS_REQUIRE
