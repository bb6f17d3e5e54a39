// SPDX-License-Identifier: MIT
// The collector is the line of its definition: f_earlier_q (row v, column w) says that v woke in an
// earlier cycle than w. f_place_q are the places as the lines to paws_places say.
`ifdef PROVE_paws_collector_chosen
`define PROVE_paws_collector
`endif
`ifdef PROVE_paws_collector
`define PAWS_REQUIRE assume
`define PAWS_INVARIANTS
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic [WARPS-1:0] f_member_q;  // who woke and has not been admitted
  logic [WARPS*WARPS-1:0] f_earlier_q;
  logic [WARPS*BATCH_W-1:0] f_place_q, f_place_d, f_age;  // slot by slot
  logic [WARPS-1:0] f_leaves, f_has;           // f_has[p]: batch p has a member
  logic [BATCH_W-1:0] f_end_place;
  always_comb begin
    f_end_place = '0;
    for (int w = 0; w < WARPS; w++) if (end_i[w]) f_end_place = f_place_q[w*BATCH_W+:BATCH_W];
    f_leaves = front_slot_o & {WARPS{admit_i}};
    f_has = '0;
    for (int w = 0; w < WARPS; w++) begin
      for (int p = 0; p < WARPS; p++) begin
        if (member_q[w] && f_place_q[w*BATCH_W+:BATCH_W] == BATCH_W'(p)) f_has[p] = 1'b1;
      end
      f_place_d[w*BATCH_W+:BATCH_W] = wake_i[w] ? batch_o :
          f_place_q[w*BATCH_W+:BATCH_W] - BATCH_W'(down_o[w]);
      for (int b = 0; b < BATCH_W; b++) f_age[w*BATCH_W+b] = age_i[b*WARPS+w];
    end
  end
  always_ff @(posedge clk_i) begin
    f_member_q <= rst_ni ? (f_member_q & ~f_leaves & ~end_i) | wake_i : '0;
    f_place_q <= f_place_d;
    for (int w = 0; w < WARPS; w++) begin
      for (int v = 0; v < WARPS; v++) begin
        if (wake_i[v]) f_earlier_q[v*WARPS+w] <= 1'b0;
        else if (wake_i[w]) f_earlier_q[v*WARPS+w] <= 1'b1;
      end
    end
  end

  always_comb begin
    if (f_started_q && rst_ni) begin
      // Nobody is admitted from an empty collector (required).
      `PAWS_REQUIRE (!admit_i || front_valid_o);
      // Nobody wakes who is here (required).
      `PAWS_REQUIRE ((wake_i & member_q) == '0);
      // Where the front is held back, some slot is neither here nor wakes (required: it launches).
      `PAWS_REQUIRE (!front_valid_o || admit_i || ((member_q & ~end_i) | wake_i) != {WARPS{1'b1}});
      // At most one warp ends, and it does not wake (required).
      `PAWS_REQUIRE ((end_i & (end_i - 1'b1)) == '0 && (end_i & wake_i) == '0);
      // Nobody is admitted while a warp ends that is here (required).
      `PAWS_REQUIRE ((end_i & member_q) == '0 || !admit_i);
    end
  end
`ifdef PROVE_paws_collector_chosen
  // The search for the oldest is left out; its result is any that keeps its promise. Under a reset it decides
  // nothing, and in the first cycle ages may be anything.
  logic [WARPS-1:0] f_valid, f_choice;
  logic [WARPS*BATCH_W-1:0] f_rank;
  assign f_valid = f_started_q ? serving : '0;
  assign f_choice = f_started_q ? front_slot_o : '0;
  assign f_rank = f_age;
`define PAWS_PROMISE assume
`include "oldest.svh"
`undef PAWS_PROMISE
`endif
  always_comb begin
    // Where its clock gate is closed neither members nor batches would change.
    assert (change || {batches_d, member_d} == {batches_q, member_q});
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_slot
    always_comb begin
      // The line first_i says of a member that its place is 0 (required).
      `PAWS_REQUIRE (!f_started_q || !member_q[w] ||
                     first_i[w] == (f_place_q[w*BATCH_W+:BATCH_W] == '0));
      // Where ages count, no member's is beyond the last (required).
      `PAWS_REQUIRE (!OLDEST || !f_started_q || !member_q[w] ||
                     32'(f_age[w*BATCH_W+:BATCH_W]) < WARPS);
      // The lines compare a member's place with that of a member that ends (required).
      `PAWS_REQUIRE (!f_started_q || !rst_ni || !member_q[w] || (end_i & member_q) == '0 ||
                     (behind_i[w] == (f_place_q[w*BATCH_W+:BATCH_W] > f_end_place) &&
                      same_i[w] == (f_place_q[w*BATCH_W+:BATCH_W] == f_end_place)));
      // The place of the warp that ends is its own.
      assert (!f_started_q || !rst_ni || (end_i & member_q) == '0 || !end_i[w] ||
              f_end_place == f_place_q[w*BATCH_W+:BATCH_W]);
      // If the front is the last of its batch nobody else is in the first place.
      assert (!f_started_q || !rst_ni || !last || !member_q[w] || front_slot_o[w] ||
              f_place_q[w*BATCH_W+:BATCH_W] != '0);
      // If a batch vanishes nobody else is in it.
      assert (!f_started_q || !rst_ni || !vanishes || !member_q[w] || end_slot[w] ||
              f_place_q[w*BATCH_W+:BATCH_W] != f_end_place);
      // A member's place is that of one of the batches.
      assert (!f_started_q || !member_q[w] || f_place_q[w*BATCH_W+:BATCH_W] < batches_q);
      // Every batch has a member.
      assert (!f_started_q || 32'(batches_q) <= w || f_has[w]);
    end
  end
  always_comb begin
    // The place of the warp that ends is that of one of the batches.
    assert (!f_started_q || !rst_ni || (end_i & member_q) == '0 || f_end_place < batches_q);
    if (f_started_q) begin
      // There is a front exactly if somebody is here.
      assert (front_valid_o == (|member_q));
      // The front is one warp that is here.
      assert (!rst_ni || (|front_slot_o) == front_valid_o && (front_slot_o & ~member_q) == '0 &&
              (front_slot_o & (front_slot_o - 1'b1)) == '0);
      // The members are the warps that woke, without those that were admitted.
      assert (member_q == f_member_q && member_o == f_member_q);
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_row
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_pair
      if (v != w) begin : f_gen_two
        always_comb begin
          // Where ages count, no two members are of the same age (required).
          `PAWS_REQUIRE (!OLDEST || !f_started_q || !member_q[v] || !member_q[w] ||
                         f_age[v*BATCH_W+:BATCH_W] != f_age[w*BATCH_W+:BATCH_W]);
          // The smaller of two members' places is the one of the earlier wake.
          assert (!f_started_q || !member_q[v] || !member_q[w] || f_earlier_q[v*WARPS+w] ==
                  (f_place_q[v*BATCH_W+:BATCH_W] < f_place_q[w*BATCH_W+:BATCH_W]));
          // Nobody who is here woke before the front.
          assert (!f_started_q || !rst_ni || !front_slot_o[w] || !member_q[v] ||
                  !f_earlier_q[v*WARPS+w]);
          // Of those that woke with the front nobody is of a lower slot, or with OLDEST nobody is older.
          assert (!f_started_q || !rst_ni || !front_slot_o[w] || !member_q[v] ||
                  f_earlier_q[w*WARPS+v] ||
                  (OLDEST ? f_age[w*BATCH_W+:BATCH_W] < f_age[v*BATCH_W+:BATCH_W] : w < v));
        end
      end
    end
  end
`ifdef PAWS_INVARIANTS
  // There are as many members as batches, at least, since every batch has one. They are counted place by
  // place and slot by slot, so that each step is a small one. The counts are registers: what is known of
  // logic is true in every state, so that the prover would never find that it misses it.
  localparam int COUNT_W = $clog2(WARPS + 1);
  logic [WARPS*WARPS*COUNT_W-1:0] f_below_q, f_below_d;  // [p*WARPS + w]: members of slots 0 to w in places 0 to p
  logic [WARPS*WARPS-1:0] f_one;                         // [p*WARPS + w]: one of slots 0 to w has place p
  logic [WARPS-1:0] f_none;                              // [w]: one of slots 0 to w is not a member
  logic [COUNT_W-1:0] f_some;
  logic f_any;
  always_comb begin
    f_none[0] = !member_q[0];
    for (int w = 1; w < WARPS; w++) f_none[w] = f_none[w-1] | !member_q[w];
    for (int p = 0; p < WARPS; p++) begin
      f_some = '0;
      f_any = 1'b0;
      for (int w = 0; w < WARPS; w++) begin
        f_some = f_some + COUNT_W'(member_d[w] && f_place_d[w*BATCH_W+:BATCH_W] <= BATCH_W'(p));
        f_any = f_any | (member_q[w] & (f_place_q[w*BATCH_W+:BATCH_W] == BATCH_W'(p)));
        f_below_d[(p*WARPS+w)*COUNT_W+:COUNT_W] = f_some;
        f_one[p*WARPS+w] = f_any;
      end
    end
  end
  always_ff @(posedge clk_i) f_below_q <= f_below_d;
  for (genvar p = 0; p < WARPS; p++) begin : f_gen_place
    for (genvar w = 0; w < WARPS; w++) begin : f_gen_upto
      logic [COUNT_W-1:0] f_here, f_left, f_lower;  // this count, without this slot, without this place
      assign f_here = f_below_q[(p*WARPS+w)*COUNT_W+:COUNT_W];
      assign f_left = w == 0 ? '0 : f_below_q[(p*WARPS+(w+WARPS-1)%WARPS)*COUNT_W+:COUNT_W];
      assign f_lower = p == 0 ? '0 : f_below_q[((p+WARPS-1)%WARPS*WARPS+w)*COUNT_W+:COUNT_W];
      always_comb begin
        // A count is that without its last slot, and the slot.
        assert (!f_started_q || f_here ==
                f_left + COUNT_W'(member_q[w] && f_place_q[w*BATCH_W+:BATCH_W] <= BATCH_W'(p)));
        // Those of a place add to those of the places before it.
        assert (!f_started_q || 32'(f_here) >= 32'(f_lower) + 32'(f_one[p*WARPS+w]));
      end
    end
  end
  for (genvar p = 0; p < WARPS; p++) begin : f_gen_batch
    always_comb begin
      // The first places have as many members as batches.
      assert (!f_started_q || 32'(batches_q) <= p ||
              32'(f_below_q[(p*WARPS+WARPS-1)*COUNT_W+:COUNT_W]) > p);
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_members
    always_comb begin
      // As many as there are slots only if all of them are members.
      assert (!f_started_q ||
              32'(f_below_q[((WARPS-1)*WARPS+w)*COUNT_W+:COUNT_W]) + 32'(f_none[w]) <= w + 1);
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_full
    always_comb begin
      // There are as many batches as slots only if all of them are members.
      assert (!f_started_q || 32'(batches_q) < WARPS || member_q[w]);
    end
  end
`endif
  always_comb begin
    // There are fewer batches than slots.
    assert (!f_started_q || 32'(batches_q) < WARPS);
  end
`ifdef PROVE_paws_collector
  always_comb begin
    // The only warp of a batch between two others ends, and others wake.
    cover (f_started_q && rst_ni && vanishes && 32'(batches_q) == 3 && f_end_place == 1 && |wake_i);
    // One of several warps of a batch ends.
    cover (f_started_q && rst_ni && |(end_i & member_q) && !vanishes);
    // Every warp but one stands in a batch of its own. At full size this is too far from reset to be searched.
    if (WARPS <= 8) cover (f_started_q && rst_ni && 32'(batches_q) == WARPS - 1);
    // All warps are here.
    cover (f_started_q && rst_ni && &member_q);
    // The front is not the last of its batch, and others wake.
    cover (f_started_q && rst_ni && admit_i && !last && |wake_i && batches_q == 1);
    // The last of a batch goes, another batch is behind it, and others wake.
    cover (f_started_q && rst_ni && admit_i && last && |wake_i && batches_q == 2);
  end
`endif
`undef PAWS_REQUIRE
