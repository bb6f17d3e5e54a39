// SPDX-License-Identifier: MIT
// Why the places of paws_sorter_rank are ranks, at any size: members before a warp are counted slot by slot,
// so that each step is a small one. Counts, and what the cycle before did, are registers: what is known of
// logic is true in every state, so that the prover would never find that it misses it.
  logic f_ran_q;  // the cycle before was no reset
  // The cycle before: who was a member, stayed, came in and went out, was the head, was counted in front of the
  // entrant, and was behind it.
  logic [WARPS-1:0] f_in, f_out, f_was_q, f_stays_q, f_in_q, f_out_q, f_head_q, f_ahead_q, f_behind_q;
  logic [WARPS-1:0] f_ending_q, f_closes_up_q;
  logic f_some_in_q, f_some_out_q, f_some_end_q;  // anybody: one signal instead of one for each slot
  logic [WARPS-1:0] f_went_d, f_went_q;  // who went out had gone before the warp
  logic f_head_counts_q, f_valid_q, f_removed_q, f_entrant_first_q;
  logic [WARPS*WARPS-1:0] f_old_order_q;
  logic [WARPS*WARP_W-1:0] f_old_place_q;
  logic [WARP_W-1:0] f_position_q, f_end_place_q;
  // [w*WARPS + u]: members of slots 0 to u that go before w, now and in the cycle before.
  logic [WARPS*WARPS*F_COUNT_W-1:0] f_rank_q, f_rank_d, f_old_rank_q;
  // [u]: of slots 0 to u, who stayed and was not behind the entrant; the same as the position counts them.
  logic [WARPS*F_COUNT_W-1:0] f_near_q, f_near_d, f_counted_q, f_counted_d;
  // [u]: the least place of members 0 to u, and who of them has it; [u]: there is one.
  logic [WARPS*WARP_W-1:0] f_least_q, f_least_d;
  logic [WARPS*WARPS-1:0] f_first_q, f_first_d;
  logic [WARPS-1:0] f_some_q, f_some_d;
  logic [F_COUNT_W-1:0] f_sum;
  logic [WARP_W-1:0] f_min;
  logic [WARPS-1:0] f_of_min;
  assign f_in = member_d & ~stays;
  assign f_out = member_q & ~stays;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      f_sum = '0;
      f_went_d[w] = 1'b0;
      for (int u = 0; u < WARPS; u++) begin
        f_went_d[w] = f_went_d[w] | f_out[u] & f_order_q[u*WARPS+w];
        if (u != w) f_sum = f_sum + F_COUNT_W'(member_d[u] & f_before[u*WARPS+w]);
        f_rank_d[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] = f_sum;
      end
    end
    f_sum = '0;
    for (int u = 0; u < WARPS; u++) begin
      f_sum = f_sum + F_COUNT_W'(stays[u] & ~before_i[u]);
      f_near_d[u*F_COUNT_W+:F_COUNT_W] = f_sum;
    end
    f_sum = F_COUNT_W'(head_counts & !remove_i);
    for (int u = 0; u < WARPS; u++) begin
      f_sum = f_sum + F_COUNT_W'(ahead[u]);
      f_counted_d[u*F_COUNT_W+:F_COUNT_W] = f_sum;
    end
    f_min = '0;
    f_of_min = '0;
    for (int u = 0; u < WARPS; u++) begin
      if (member_d[u] && (f_of_min == '0 || f_place_d[u*WARP_W+:WARP_W] < f_min)) begin
        f_min = f_place_d[u*WARP_W+:WARP_W];
        f_of_min = WARPS'(1) << u;
      end
      f_least_d[u*WARP_W+:WARP_W] = f_min;
      f_first_d[u*WARPS+:WARPS] = f_of_min;
      f_some_d[u] = f_of_min != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    f_ran_q <= f_started_q && rst_ni;
    f_was_q <= member_q;
    f_stays_q <= stays;
    f_in_q <= f_in;
    f_some_in_q <= |f_in;
    f_some_out_q <= |f_out;
    f_went_q <= f_went_d;
    f_some_end_q <= |ending;
    f_out_q <= f_out;
    f_head_q <= head;
    f_ahead_q <= ahead;
    f_behind_q <= before_i;
    f_ending_q <= ending;
    f_closes_up_q <= closes_up;
    f_head_counts_q <= head_counts & !remove_i;
    f_valid_q <= entrant_valid_i;
    f_removed_q <= remove_i;
    f_entrant_first_q <= entrant_first;
    f_old_order_q <= f_order_q;
    f_old_place_q <= f_place_q;
    f_position_q <= position_o;
    f_end_place_q <= f_end_place;
    f_rank_q <= f_rank_d;
    f_old_rank_q <= f_rank_q;
    f_near_q <= f_near_d;
    f_counted_q <= f_counted_d;
    f_least_q <= f_least_d;
    f_first_q <= f_first_d;
    f_some_q <= f_some_d;
  end

  // What the cycle before did.
  always_comb begin
    // Whether anybody came in,
    assert (!f_ran_q || f_some_in_q == |f_in_q);
    // went out,
    assert (!f_ran_q || f_some_out_q == |f_out_q);
    // or ended.
    assert (!f_ran_q || f_some_end_q == |f_ending_q);
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_was
    logic [WARP_W-1:0] f_old_place, f_place;
    assign f_old_place = f_old_place_q[w*WARP_W+:WARP_W];
    assign f_place = f_place_q[w*WARP_W+:WARP_W];
    always_comb begin
      // After a reset nobody is a member.
      assert (!f_started_q || f_ran_q || !member_q[w]);
      // Who is a member stayed or came in.
      assert (!f_ran_q || (member_q[w] == (f_stays_q[w] || f_in_q[w]) && !(f_stays_q[w] && f_in_q[w])));
      // Who was a member stayed or went out.
      assert (!f_ran_q || (f_was_q[w] == (f_stays_q[w] || f_out_q[w]) && !(f_stays_q[w] && f_out_q[w])));
      // Who went out was the head that left, or ended.
      assert (!f_ran_q || f_out_q[w] == (f_removed_q ? !f_entrant_first_q && f_head_q[w] : f_ending_q[w]));
      // Who came in took the position.
      assert (!f_ran_q || !f_in_q[w] || f_place == f_position_q);
      // The head had the first place,
      assert (!f_ran_q || !f_head_q[w] || (f_was_q[w] && f_old_place == '0));
      // and who had it was the head.
      assert (!f_ran_q || !f_was_q[w] || f_old_place != '0 || f_head_q[w]);
      // There are as many places as slots.
      assert (!f_ran_q || !f_was_q[w] || 32'(f_old_place) < WARPS);
      // If the entrant went before the head that was behind it,
      assert (!f_ran_q || !f_entrant_first_q || !f_head_q[w] || f_behind_q[w]);
      // Nobody closes up if nobody ended, and nobody ended beside a removal.
      assert (!f_ran_q || !f_closes_up_q[w] || f_some_end_q);
      assert (!f_ran_q || !f_removed_q || !f_ending_q[w]);
      // Who was behind the place of the warp that ended closes up.
      assert (!f_ran_q || !f_ending_q[w] || f_end_place_q == f_old_place);
      assert (!f_ran_q || !f_some_end_q || !f_stays_q[w] || f_closes_up_q[w] == (f_end_place_q < f_old_place));
      // Steps of who stayed.
      assert (!f_ran_q || !f_stays_q[w] || f_place == (f_removed_q ?
              f_old_place - WARP_W'(!(f_valid_q && f_behind_q[w]) || f_closes_up_q[w]) :
              f_old_place + WARP_W'(f_valid_q && f_behind_q[w]) - WARP_W'(f_closes_up_q[w])));
      // Who stayed and was not behind the entrant was counted, or was the head.
      assert (!f_ran_q || (f_stays_q[w] && !f_behind_q[w]) == (f_ahead_q[w] || f_head_q[w] && f_head_counts_q));
      // The head was not counted twice.
      assert (!f_ran_q || !f_ahead_q[w] || !f_head_q[w]);
      // Its place was the rank of a member.
      assert (!f_ran_q || !f_was_q[w] || 32'(f_old_place) ==
              32'(f_old_rank_q[(w*WARPS+WARPS-1)*F_COUNT_W+:F_COUNT_W]));
    end
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_other
      if (u != w) begin : f_gen_two
        always_comb begin
          // One warp came in, at most.
          assert (!f_ran_q || !f_in_q[u] || !f_in_q[w]);
          // One ended, at most.
          assert (!f_ran_q || !f_ending_q[u] || !f_ending_q[w]);
          // The order of those that stayed is what it was,
          assert (!f_ran_q || !f_stays_q[u] || !f_stays_q[w] ||
                  f_order_q[u*WARPS+w] == f_old_order_q[u*WARPS+w]);
          // that of who came in is what before_i said.
          assert (!f_ran_q || !f_in_q[u] || !f_stays_q[w] || (f_order_q[u*WARPS+w] == f_behind_q[w] &&
                  f_order_q[w*WARPS+u] == !f_behind_q[w]));
          // Of two one went before the other.
          assert (!f_ran_q || !f_was_q[u] || !f_was_q[w] ||
                  f_old_order_q[u*WARPS+w] != f_old_order_q[w*WARPS+u]);
          // Who was behind a warp that the entrant went before was behind the entrant, too.
          assert (!f_ran_q || !f_valid_q || !f_was_q[u] || !f_was_q[w] || !f_old_order_q[u*WARPS+w] ||
                  !f_behind_q[u] || f_behind_q[w]);
          // Who stayed before the entrant goes before those behind it,
          assert (!f_ran_q || !f_some_in_q || !f_stays_q[w] || !f_behind_q[w] || !f_stays_q[u] || f_behind_q[u] ||
                  f_order_q[u*WARPS+w]);
          // and the entrant does.
          assert (!f_ran_q || !f_in_q[u] || !f_stays_q[w] || !f_behind_q[w] || f_order_q[u*WARPS+w]);
          // Only they go before one of them.
          assert (!f_ran_q || !f_some_in_q || !f_stays_q[w] || f_behind_q[w] || !member_q[u] ||
                  !f_order_q[u*WARPS+w] || (f_stays_q[u] && !f_behind_q[u]));
          // The smaller of two places was the one that went before the other.
          assert (!f_ran_q || !f_was_q[u] || !f_was_q[w] || f_old_order_q[u*WARPS+w] ==
                  (f_old_place_q[u*WARP_W+:WARP_W] < f_old_place));
          // They had two places.
          assert (!f_ran_q || !f_was_q[u] || !f_was_q[w] || f_old_place_q[u*WARP_W+:WARP_W] != f_old_place);
          // Who was behind a warp that ended closes up.
          assert (!f_ran_q || !f_ending_q[u] || !f_stays_q[w] || f_closes_up_q[w] ==
                  (f_old_place_q[u*WARP_W+:WARP_W] < f_old_place));
        end
      end
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_head_before
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_other
      if (u != w) begin : f_gen_two
        always_comb begin
          // One was the head, at most,
          assert (!f_ran_q || !f_head_q[u] || !f_head_q[w]);
          // and went before the others.
          assert (!f_ran_q || !f_head_q[u] || !f_was_q[w] || f_old_order_q[u*WARPS+w]);
          // One warp went out, at most.
          assert (!f_ran_q || !f_out_q[u] || !f_out_q[w]);
        end
      end
    end
  end
  always_comb begin
    // Somebody came in if there was an entrant that did not leave at once.
    assert (!f_ran_q || f_some_in_q == (f_valid_q && !(f_removed_q && f_entrant_first_q)));
    // If there were members one of them was the head.
    assert (!f_ran_q || f_was_q == '0 || f_head_q != '0);
    // Who went before the head was an entrant.
    assert (!f_ran_q || !f_entrant_first_q || f_valid_q);
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_others
    logic f_others_in, f_others_out, f_others_head;
    assign f_others_in = (f_in_q & ~(WARPS'(1) << w)) != '0;
    assign f_others_out = (f_out_q & ~(WARPS'(1) << w)) != '0;
    assign f_others_head = (f_head_q & ~(WARPS'(1) << w)) != '0;
    always_comb begin
      // One warp came in, at most,
      assert (!f_ran_q || !f_in_q[w] || !f_others_in);
      // one was the head,
      assert (!f_ran_q || !f_head_q[w] || !f_others_head);
      // and one went out.
      assert (!f_ran_q || !f_out_q[w] || !f_others_out);
      // Nobody who stayed had the place of the warp that ended.
      assert (!f_ran_q || !f_some_end_q || !f_stays_q[w] || f_end_place_q != f_old_place_q[w*WARP_W+:WARP_W]);
      // Nobody closes up beside a removal.
      assert (!f_ran_q || !f_removed_q || !f_closes_up_q[w]);
      // If the entrant went before the head all members were behind it.
      assert (!f_ran_q || !f_entrant_first_q || !f_was_q[w] || f_behind_q[w]);
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_step
    logic [WARP_W-1:0] f_old_place, f_place;
    assign f_old_place = f_old_place_q[w*WARP_W+:WARP_W];
    assign f_place = f_place_q[w*WARP_W+:WARP_W];
    always_comb begin
      // If nobody went out, who stayed stepped back if it was behind who came in.
      assert (!f_ran_q || !f_stays_q[w] || f_some_out_q ||
              f_place == f_old_place + WARP_W'(f_some_in_q && f_behind_q[w]));
    end
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_out
      if (u != w) begin : f_gen_two
        always_comb begin
          // Who stayed stepped forward if who went out had gone before it, back if it was behind who came in.
          assert (!f_ran_q || !f_out_q[u] || !f_stays_q[w] || f_place ==
                  f_old_place + WARP_W'(f_some_in_q && f_behind_q[w]) - WARP_W'(f_old_order_q[u*WARPS+w]));
          // Whoever went out, one signal says so,
          assert (!f_ran_q || !f_out_q[u] || !f_stays_q[w] || f_went_q[w] == f_old_order_q[u*WARPS+w]);
        end
      end
    end
    always_comb begin
      // also if nobody did.
      assert (!f_ran_q || f_some_out_q || !f_went_q[w]);
      // So a place is the old one and these steps.
      assert (!f_ran_q || !f_stays_q[w] || 32'(f_place) + 32'(f_went_q[w]) ==
              32'(f_old_place) + 32'(f_some_in_q && f_behind_q[w]));
    end
  end
  always_comb begin
    // If the head was counted there was one.
    assert (!f_ran_q || !f_head_counts_q || f_head_q != '0);
    // The position was what had been counted.
    assert (!f_ran_q || f_position_q == f_counted_q[(WARPS-1)*F_COUNT_W+:WARP_W]);
  end

  // From slot to slot.
  for (genvar u = 0; u < WARPS; u++) begin : f_gen_slot
    localparam int LAST = u == 0 ? 0 : u - 1;
    logic [F_COUNT_W-1:0] f_near, f_counted;
    logic f_takes;
    assign f_near = u == 0 ? '0 : f_near_q[LAST*F_COUNT_W+:F_COUNT_W];
    assign f_counted = u == 0 ? F_COUNT_W'(f_head_counts_q) : f_counted_q[LAST*F_COUNT_W+:F_COUNT_W];
    assign f_takes = member_q[u] && (u == 0 || !f_some_q[LAST] ||
                                     f_place_q[u*WARP_W+:WARP_W] < f_least_q[LAST*WARP_W+:WARP_W]);
    always_comb begin
      // A count of those that stayed before the entrant is that without its last slot, and the slot.
      assert (!f_ran_q || f_near_q[u*F_COUNT_W+:F_COUNT_W] ==
              f_near + F_COUNT_W'(f_stays_q[u] && !f_behind_q[u]));
      // So is that of the position.
      assert (!f_ran_q || f_counted_q[u*F_COUNT_W+:F_COUNT_W] == f_counted + F_COUNT_W'(f_ahead_q[u]));
      // They differ by the head, which comes first in that of the position.
      assert (!f_ran_q || f_counted_q[u*F_COUNT_W+:F_COUNT_W] ==
              f_near_q[u*F_COUNT_W+:F_COUNT_W] + F_COUNT_W'(f_head_counts_q && f_head_q[u:0] == '0));
      // The least place of the members is the one before or that of the slot.
      assert (!f_started_q || (f_some_q[u] == (member_q[u] || u > 0 && f_some_q[LAST]) &&
              (!f_some_q[u] || f_least_q[u*WARP_W+:WARP_W] ==
               (f_takes ? f_place_q[u*WARP_W+:WARP_W] : f_least_q[LAST*WARP_W+:WARP_W]))));
    end
    for (genvar w = 0; w < WARPS; w++) begin : f_gen_first
      always_comb begin
        // So is who has it.
        assert (!f_started_q || f_first_q[u*WARPS+w] ==
                (w == u ? f_takes : w < u && !f_takes && f_first_q[LAST*WARPS+w]));
        // It is a member with the least place.
        assert (!f_started_q || !f_first_q[u*WARPS+w] || (member_q[w] &&
                f_place_q[w*WARP_W+:WARP_W] == f_least_q[u*WARP_W+:WARP_W]));
        // No member has a smaller one.
        assert (!f_started_q || w > u || !member_q[w] || (f_some_q[u] &&
                f_least_q[u*WARP_W+:WARP_W] <= f_place_q[w*WARP_W+:WARP_W]));
      end
    end
    always_comb begin
      // If there are members one of them has it.
      assert (!f_started_q || !f_some_q[u] || f_first_q[u*WARPS+:WARPS] != '0);
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_rank
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_upto
      localparam int LAST = u == 0 ? 0 : u - 1;
      logic [F_COUNT_W-1:0] f_here, f_left, f_old_here, f_old_left, f_near;
      logic f_came_in, f_went_out;
      logic [u:0] f_was_before;  // who went out of slots 0 to u and had gone before w
      assign f_here = f_rank_q[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W];
      assign f_left = u == 0 ? '0 : f_rank_q[(w*WARPS+LAST)*F_COUNT_W+:F_COUNT_W];
      assign f_old_here = f_old_rank_q[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W];
      assign f_old_left = u == 0 ? '0 : f_old_rank_q[(w*WARPS+LAST)*F_COUNT_W+:F_COUNT_W];
      assign f_near = f_near_q[u*F_COUNT_W+:F_COUNT_W];
      assign f_came_in = |f_in_q[u:0];
      for (genvar v = 0; v <= u; v++) begin : f_gen_out
        assign f_was_before[v] = f_out_q[v] && f_old_order_q[v*WARPS+w];
      end
      assign f_went_out = |f_was_before;
      always_comb begin
        // A rank is that without its last slot, and the slot.
        assert (!f_started_q || f_here == f_left + F_COUNT_W'(u != w && member_q[u] && f_order_q[u*WARPS+w]));
        // It is smaller than the number of slots.
        assert (!f_started_q || 32'(f_here) + 32'(u >= w) <= u + 1);
        // So it was in the cycle before.
        assert (!f_ran_q || f_old_here ==
                f_old_left + F_COUNT_W'(u != w && f_was_q[u] && f_old_order_q[u*WARPS+w]));
        // The rank of who stayed is what it was, without who went out and with who came in.
        assert (!f_ran_q || !f_stays_q[w] || 32'(f_here) + 32'(f_went_out) ==
                32'(f_old_here) + 32'(f_came_in && f_behind_q[w]));
        // The rank of who came in is the number of those that it does not go before.
        assert (!f_ran_q || !f_in_q[w] || f_here == f_near);
        // All of those, and who came in, go before a warp that it goes before.
        assert (!f_ran_q || !f_some_in_q || !f_stays_q[w] || !f_behind_q[w] ||
                32'(f_here) >= 32'(f_near) + 32'(f_came_in));
        // Another warp is one of those, and only they go before it.
        assert (!f_ran_q || !f_some_in_q || !f_stays_q[w] || f_behind_q[w] ||
                32'(f_here) + 32'(u >= w) <= 32'(f_near));
      end
    end
    logic [WARP_W-1:0] f_place;
    logic [F_COUNT_W-1:0] f_rank;
    assign f_place = f_place_q[w*WARP_W+:WARP_W];
    assign f_rank = f_rank_q[(w*WARPS+WARPS-1)*F_COUNT_W+:F_COUNT_W];
    always_comb begin
      // The rank of who stayed is the old one and the same steps.
      assert (!f_ran_q || !f_stays_q[w] || 32'(f_rank) + 32'(f_went_q[w]) ==
              32'(f_old_rank_q[(w*WARPS+WARPS-1)*F_COUNT_W+:F_COUNT_W]) + 32'(f_some_in_q && f_behind_q[w]));
      // So the place of who stayed is its rank,
      assert (!f_ran_q || !f_stays_q[w] || 32'(f_place) == 32'(f_rank));
      // and that of who came in.
      assert (!f_ran_q || !f_in_q[w] || 32'(f_place) == 32'(f_rank));
      // A member's place is its rank.
      assert (!f_started_q || !member_q[w] || 32'(f_place) == 32'(f_rank));
      // Who came in has the place behind those that it does not go before,
      assert (!f_ran_q || !f_in_q[w] || 32'(f_place) == 32'(f_near_q[(WARPS-1)*F_COUNT_W+:F_COUNT_W]));
      // others have places on either side of it.
      assert (!f_ran_q || !f_some_in_q || !f_stays_q[w] || (f_behind_q[w] ?
              32'(f_place) > 32'(f_near_q[(WARPS-1)*F_COUNT_W+:F_COUNT_W]) :
              32'(f_place) < 32'(f_near_q[(WARPS-1)*F_COUNT_W+:F_COUNT_W])));
    end
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_same
      always_comb begin
        // That is the number of members that go before it.
        assert (!f_started_q || f_upto[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] == f_rank_q[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W]);
      end
    end
  end
  // Steps of who stayed, back and forward.
  logic [WARPS-1:0] f_back, f_forward;
  assign f_back = f_behind_q & {WARPS{f_valid_q && !f_removed_q}};
  assign f_forward = f_removed_q ? ~(f_behind_q & {WARPS{f_valid_q}}) : f_closes_up_q;
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_moved
    always_comb begin
      // A place is the old one and these steps.
      assert (!f_ran_q || !f_stays_q[w] || 32'(f_place_q[w*WARP_W+:WARP_W]) + 32'(f_forward[w]) ==
              32'(f_old_place_q[w*WARP_W+:WARP_W]) + 32'(f_back[w]));
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_by_place
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_other
      if (v != w) begin : f_gen_two
        logic f_lower, f_higher, f_were, f_touched;  // v's place is below w's, was, and was next to it
        assign f_lower = f_place_q[v*WARP_W+:WARP_W] < f_place_q[w*WARP_W+:WARP_W];
        assign f_higher = f_place_q[v*WARP_W+:WARP_W] > f_place_q[w*WARP_W+:WARP_W];
        assign f_were = f_ran_q && f_stays_q[v] && f_stays_q[w] &&
                        f_old_place_q[v*WARP_W+:WARP_W] < f_old_place_q[w*WARP_W+:WARP_W];
        assign f_touched = 32'(f_old_place_q[v*WARP_W+:WARP_W]) + 1 == 32'(f_old_place_q[w*WARP_W+:WARP_W]);
        always_comb begin
          // Of two that stayed the higher one was behind the entrant if the lower one was,
          assert (!f_were || !f_valid_q || !f_behind_q[v] || f_behind_q[w]);
          // and the lower one closes up if the higher one does and was next to it.
          assert (!f_were || !f_touched || !f_closes_up_q[w] || f_closes_up_q[v]);
          // So the higher one steps back if the lower one does,
          assert (!f_were || !f_back[v] || f_back[w]);
          // and forward onto the lower one only if that steps forward, too.
          assert (!f_were || !f_touched || !f_forward[w] || f_forward[v]);
          // So the lower one stays lower.
          assert (!f_were || f_lower);
          // Of two that stayed the smaller place is the one that goes before the other,
          assert (!f_ran_q || !f_stays_q[v] || !f_stays_q[w] || f_order_q[v*WARPS+w] == f_lower);
          // also of one that came in.
          assert (!f_ran_q || !f_in_q[v] || !f_stays_q[w] ||
                  f_order_q[v*WARPS+w] == f_lower && f_order_q[w*WARPS+v] == f_higher);
        end
      end
    end
  end
