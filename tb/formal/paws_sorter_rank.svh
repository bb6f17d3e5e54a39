// SPDX-License-Identifier: MIT
// Active as ranks. f_place_q are the places as the lines to paws_places say.
`ifdef PROVE_paws_sorter_rank_counted
`define PROVE_paws_sorter_rank
`endif
`ifdef PROVE_paws_sorter_rank
`define PAWS_REQUIRE assume
`define PAWS_INVARIANTS
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic [WARPS-1:0] f_entrant, f_member;
  assign f_entrant = entrant_slot_i & {WARPS{entrant_valid_i}};
  assign f_member = `PAWS_MEMBERS(member_q);
`include "sorter_entrant.svh"
  logic [WARPS*WARP_W-1:0] f_place_q, f_place_d;
  logic [WARP_W-1:0] f_end_place;
  always_comb begin
    f_end_place = '0;
    for (int w = 0; w < WARPS; w++) begin
      if (end_i[w]) f_end_place = f_place_q[w*WARP_W+:WARP_W];
      f_place_d[w*WARP_W+:WARP_W] = enter_o[w] ? position_o :
          f_place_q[w*WARP_W+:WARP_W] + WARP_W'(up_o[w]) - WARP_W'(down_o[w]);
    end
  end
  always_ff @(posedge clk_i) f_place_q <= f_place_d;
  always_comb begin
    if (f_started_q && rst_ni) begin
      // The entrant is one warp, the same in both forms (required).
      `PAWS_REQUIRE (!entrant_valid_i || (32'(entrant_warp_i) < WARPS &&
                     entrant_slot_i == WARPS'(1) << entrant_warp_i));
      // Without an entrant the line names no member (required).
      `PAWS_REQUIRE (entrant_valid_i || (entrant_slot_i & f_member) == '0);
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_line
    always_comb begin
      // The line of the entrant names no member.
      assert (!f_started_q || !rst_ni || !entrant_slot_i[w] || !f_member[w]);
      // The place of the member that ends is its own.
      assert (!f_started_q || !rst_ni || !end_i[w] || !f_member[w] || f_end_place == f_place_q[w*WARP_W+:WARP_W]);
    end
  end
  // [w*WARPS + u]: members of slots 0 to u that go before w.
  localparam int F_COUNT_W = $clog2(WARPS + 2);
  logic [WARPS*WARPS*F_COUNT_W-1:0] f_upto;
  logic [F_COUNT_W-1:0] f_before_w;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      f_before_w = '0;
      for (int u = 0; u < WARPS; u++) begin
        if (u != w) f_before_w = f_before_w + F_COUNT_W'(member_q[u] & f_order_q[u*WARPS+w]);
        f_upto[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] = f_before_w;
      end
    end
  end
  always_comb begin
    // Where its clock gate is closed no member would change.
    assert (change || member_d == member_q);
  end
`ifdef PROVE_paws_sorter_rank_counted
  // The count is left out; its result is any that keeps its promise.
  logic [WARPS:0] f_bits;
  logic [COUNT_W-1:0] f_count;
  assign f_bits = {ahead, head_counts & !remove_i};
  assign f_count = count;
`define PAWS_PROMISE assume
`include "count.svh"
`undef PAWS_PROMISE
`endif
`ifdef PAWS_INVARIANTS
`include "sorter_rank.svh"
`endif
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_place
    always_comb begin
      // The line first_i says of a member that its place is 0 (required).
      `PAWS_REQUIRE (!f_started_q || !rst_ni || !f_member[w] ||
                     first_i[w] == (f_place_q[w*WARP_W+:WARP_W] == '0));
      // The line behind_i compares a member's place with that of a member that ends (required).
      `PAWS_REQUIRE (!f_started_q || !rst_ni || !f_member[w] || (end_i & f_member) == '0 ||
                     behind_i[w] == (f_place_q[w*WARP_W+:WARP_W] > f_end_place));
`ifndef PROVE_paws_two_level_contract
      // A member's place is the number of members that go before it.
      assert (!f_started_q || !member_q[w] || 32'(f_place_q[w*WARP_W+:WARP_W]) ==
              32'(f_upto[(w*WARPS+WARPS-1)*F_COUNT_W+:F_COUNT_W]));
`endif
    end
`ifndef PROVE_paws_two_level_contract
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_order
      if (v != w) begin : f_gen_two
        always_comb begin
          // The smaller of two members' places is the one that goes before the other.
          assert (!f_started_q || !member_q[v] || !member_q[w] || f_order_q[v*WARPS+w] ==
                  (f_place_q[v*WARP_W+:WARP_W] < f_place_q[w*WARP_W+:WARP_W]));
          // One member is the head, at most.
          assert (!f_started_q || !rst_ni || !head[v] || !head[w]);
        end
      end
    end
`endif
  end
`ifdef PAWS_INVARIANTS
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_least
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_upto
      always_comb begin
        // Nobody goes before who has the least place.
        assert (!f_started_q || !f_first_q[(WARPS-1)*WARPS+w] || f_rank_q[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] == '0);
      end
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_leading
    always_comb begin
      // Who has the least place is the head.
      assert (!f_started_q || !rst_ni || !f_first_q[(WARPS-1)*WARPS+w] || head[w]);
    end
  end
  always_comb begin
    // If there are members one of them is the head.
    assert (!f_started_q || !rst_ni || member_q == '0 || head != '0);
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_behind_head
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_other
      if (v != w) begin : f_gen_two
        always_comb begin
          // No member goes before the head: the head goes before it.
          assert (!f_started_q || !rst_ni || !head[w] || !member_q[v] ||
                  (f_order_q[w*WARPS+v] && !f_order_q[v*WARPS+w]));
          // An entrant that goes before the head goes before it, too.
          assert (!f_started_q || !rst_ni || !entrant_valid_i || !head[w] || !before_i[w] || !member_q[v] ||
                  before_i[v]);
        end
      end
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_shown
    always_comb begin
      // If the entrant is shown it goes before the head,
      assert (!f_started_q || !rst_ni || !entrant_first || !head[w] || before_i[w]);
      // and before all members.
      assert (!f_started_q || !rst_ni || !entrant_first || !member_q[w] || before_i[w]);
      // If not, the warp that is shown is the head,
      assert (!f_started_q || !rst_ni || entrant_first || !head[w] || 32'(head_warp_o) == w);
      // and no other,
      assert (!f_started_q || !rst_ni || entrant_first || member_q == '0 || 32'(head_warp_o) != w || head[w]);
      // and it is not behind the entrant.
      assert (!f_started_q || !rst_ni || !entrant_valid_i || entrant_first || !head[w] || !before_i[w]);
    end
  end
`endif
`include "sorter.svh"
`ifdef PROVE_paws_sorter_rank
  always_comb begin
    // The head leaves a queue that holds all warps. At full size this is too far from reset to be searched.
    if (WARPS <= 8) cover (f_started_q && rst_ni && &member_q && remove_i);
    // The entrant leaves at once and others stay.
    cover (f_started_q && rst_ni && entrant_first && remove_i && |member_q);
    // A member ends while an entrant takes a place behind it and before another.
    cover (f_started_q && rst_ni && entrant_valid_i && |ending && f_end_place == 0 && position_o == 1 &&
           |(before_i & member_q & ~ending));
    // A member ends while an entrant goes before it and behind another.
    cover (f_started_q && rst_ni && entrant_valid_i && |(ending & before_i) && position_o == 1);
    // An entrant takes a place behind two others while the head leaves.
    cover (f_started_q && rst_ni && entrant_valid_i && remove_i && position_o == 2);
  end
`endif
`undef PAWS_REQUIRE
