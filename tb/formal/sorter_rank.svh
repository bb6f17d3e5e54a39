// SPDX-License-Identifier: MIT
// Why the places of paws_sorter_rank are ranks, at any size: members before a warp are counted slot by slot,
// so that each step is a small one. A cycle's warps are those that stay, come in and go out.
  localparam int F_COUNT_W = $clog2(WARPS + 2);
  logic [WARPS*WARPS-1:0] f_before_of;  // row w: who goes before w
  logic [WARPS-1:0] f_in, f_out, f_in_q, f_stays_q, f_before_q;
  logic [WARPS*WARP_W-1:0] f_next_place_q;
  logic [WARP_W-1:0] f_position_q;
  logic f_ran_q;  // the cycle before was no reset
  // [w*WARPS + u]: how many of the slots 0 to u go before w, of the members and of those that stay.
  logic [WARPS*WARPS*F_COUNT_W-1:0] f_rank_upto, f_left, f_left_q;
  // Those that stay and that the entrant does not go before; the same as the position counts them.
  logic [WARPS*F_COUNT_W-1:0] f_not_behind, f_not_behind_q, f_counted;
  logic [WARPS*WARP_W-1:0] f_next_place, f_least;  // f_least: the smallest place of the members 0 to u
  logic [WARPS*WARPS-1:0] f_at_least;              // [u*WARPS + w]: w is one of them and has it
  logic [WARPS-1:0] f_some;                        // there is one
  logic [WARP_W-1:0] f_min;
  logic [F_COUNT_W-1:0] f_sum;
  logic f_any;
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_before_of
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_one
      assign f_before_of[w*WARPS+v] = v != w && f_order_q[v*WARPS+w];
    end
  end
  assign f_in = member_d & ~stays;
  assign f_out = member_q & ~stays;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      f_sum = '0;
      for (int u = 0; u < WARPS; u++) begin
        if (u != w) f_sum = f_sum + F_COUNT_W'(member_q[u] & f_order_q[u*WARPS+w]);
        f_rank_upto[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] = f_sum;
      end
      f_sum = '0;
      for (int u = 0; u < WARPS; u++) begin
        if (u != w) f_sum = f_sum + F_COUNT_W'(stays[u] & f_order_q[u*WARPS+w]);
        f_left[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] = f_sum;
      end
      f_next_place[w*WARP_W+:WARP_W] = enter_o[w] ? position_o :
          f_place_q[w*WARP_W+:WARP_W] + WARP_W'(up_o[w]) - WARP_W'(down_o[w]);
    end
    f_sum = '0;
    for (int u = 0; u < WARPS; u++) begin
      f_sum = f_sum + F_COUNT_W'(stays[u] & ~before_i[u]);
      f_not_behind[u*F_COUNT_W+:F_COUNT_W] = f_sum;
    end
    f_sum = F_COUNT_W'(head_counts & !remove_i);
    for (int u = 0; u < WARPS; u++) begin
      f_sum = f_sum + F_COUNT_W'(ahead[u]);
      f_counted[u*F_COUNT_W+:F_COUNT_W] = f_sum;
    end
    f_any = 1'b0;
    f_min = '0;
    for (int u = 0; u < WARPS; u++) begin
      if (member_q[u] && (!f_any || f_place_q[u*WARP_W+:WARP_W] < f_min)) f_min = f_place_q[u*WARP_W+:WARP_W];
      f_any = f_any | member_q[u];
      f_some[u] = f_any;
      f_least[u*WARP_W+:WARP_W] = f_min;
      for (int w = 0; w < WARPS; w++) begin
        f_at_least[u*WARPS+w] = w <= u && member_q[w] && f_place_q[w*WARP_W+:WARP_W] == f_min;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    f_ran_q <= f_started_q && rst_ni;
    f_in_q <= f_in;
    f_stays_q <= stays;
    f_before_q <= before_i;
    f_next_place_q <= f_next_place;
    f_position_q <= position_o;
    f_left_q <= f_left;
    f_not_behind_q <= f_not_behind;
  end

  // The cycle before, in registers: what it was, and from that the ranks of this one.
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_was
    always_comb begin
      // Who is a member stayed or came in.
      assert (!f_ran_q || (member_q[w] == (f_stays_q[w] || f_in_q[w]) && !(f_stays_q[w] && f_in_q[w])));
      // One warp came in, at most.
      assert (!f_ran_q || !f_in_q[w] || (f_in_q & ~(WARPS'(1) << w)) == '0);
      // A place is the one that the cycle before gave.
      assert (!f_ran_q || f_place_q[w*WARP_W+:WARP_W] == f_next_place_q[w*WARP_W+:WARP_W]);
      // The place of a warp that stayed is its rank among them, and one more if who came in goes before it.
      assert (!f_ran_q || !f_stays_q[w] || 32'(f_next_place_q[w*WARP_W+:WARP_W]) ==
              32'(f_left_q[(w*WARPS+WARPS-1)*F_COUNT_W+:F_COUNT_W]) + 32'(f_in_q != '0 && f_before_q[w]));
      // The place of who came in is the number of those that it does not go before.
      assert (!f_ran_q || !f_in_q[w] || (f_next_place_q[w*WARP_W+:WARP_W] == f_position_q &&
              32'(f_position_q) == 32'(f_not_behind_q[(WARPS-1)*F_COUNT_W+:F_COUNT_W])));
      // It went before the others whose places are behind its own.
      assert (!f_ran_q || f_in_q == '0 || !f_stays_q[w] ||
              (f_before_q[w] ? f_next_place_q[w*WARP_W+:WARP_W] > f_position_q
                             : f_next_place_q[w*WARP_W+:WARP_W] < f_position_q));
    end
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_upto
      if (u != w) begin : f_gen_two
        always_comb begin
          // The order of who came in with the others is what before_i said.
          assert (!f_ran_q || !f_in_q[w] || !f_stays_q[u] || (f_order_q[w*WARPS+u] == f_before_q[u] &&
                  f_order_q[u*WARPS+w] == !f_before_q[u]));
        end
      end
      always_comb begin
        // Ranks among those that stayed went up from slot to slot as they do now,
        assert (!f_ran_q || !f_stays_q[w] || f_left_q[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] ==
                (u > 0 ? f_left_q[(w*WARPS+(u>0?u-1:0))*F_COUNT_W+:F_COUNT_W] : '0) +
                F_COUNT_W'(f_stays_q[u] && f_before_of[w*WARPS+u]));
      end
    end
    always_comb begin
      // and so did the number of those that the entrant does not go before.
      assert (!f_ran_q || f_not_behind_q[w*F_COUNT_W+:F_COUNT_W] ==
              (w > 0 ? f_not_behind_q[(w>0?w-1:0)*F_COUNT_W+:F_COUNT_W] : '0) +
              F_COUNT_W'(f_stays_q[w] && !f_before_q[w]));
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_is
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_upto
      always_comb begin
        // Who came in adds to the ranks of those that it goes before.
        assert (!f_ran_q || !f_stays_q[w] || f_rank_upto[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] ==
                f_left_q[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] + F_COUNT_W'(|f_in_q[u:0] && f_before_q[w]));
        // Its own rank is the number of those that it does not go before.
        assert (!f_ran_q || !f_in_q[w] || f_rank_upto[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] ==
                f_not_behind_q[u*F_COUNT_W+:F_COUNT_W]);
      end
    end
    always_comb begin
      // A member's place is its rank.
      assert (!f_started_q || !member_q[w] || 32'(f_place_q[w*WARP_W+:WARP_W]) ==
              32'(f_rank_upto[(w*WARPS+WARPS-1)*F_COUNT_W+:F_COUNT_W]));
    end
  end

  // The head, and what a cycle does to the others.
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_head_place
    for (genvar u = w; u < WARPS; u++) begin : f_gen_upto
      always_comb begin
        // No member has a place below the least.
        assert (!member_q[w] || f_least[u*WARP_W+:WARP_W] <= f_place_q[w*WARP_W+:WARP_W]);
      end
    end
    always_comb begin
      // The least place is that of a member.
      assert (!f_some[w] || f_at_least[w*WARPS+:WARPS] != '0);
      // Nobody goes before a member of the least place, so it is the first.
      assert (!f_started_q || !rst_ni || !f_at_least[(WARPS-1)*WARPS+w] ||
              f_place_q[w*WARP_W+:WARP_W] == '0);
    end
  end
  always_comb begin
    // If there are members one of them is the head.
    assert (!f_started_q || !rst_ni || member_q == '0 || head != '0);
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_change
    always_comb begin
      // One member is the head, at most.
      assert (!f_started_q || !rst_ni || !head[w] || (head & ~(WARPS'(1) << w)) == '0);
      // One member goes out, at most.
      assert (!f_started_q || !rst_ni || !f_out[w] || (f_out & ~(WARPS'(1) << w)) == '0);
      // If the entrant is the head it goes before all members.
      assert (!f_started_q || !rst_ni || !entrant_first || !member_q[w] || before_i[w]);
      // A member that stays does not have the place of one that ends.
      assert (!f_started_q || !rst_ni || !stays[w] || (end_i & member_q) == '0 ||
              f_place_q[w*WARP_W+:WARP_W] != f_end_place);
      // A warp that stays steps up if who comes in goes before it, and down if who goes out did.
      assert (!f_started_q || !rst_ni || !stays[w] ||
              32'(f_next_place[w*WARP_W+:WARP_W]) + 32'(|(f_out & f_before_of[w*WARPS+:WARPS])) ==
              32'(f_place_q[w*WARP_W+:WARP_W]) + 32'(f_in != '0 && before_i[w]));
    end
    for (genvar u = 0; u < WARPS; u++) begin : f_gen_upto
      always_comb begin
        // Who goes out is missing in the rank of a warp that it went before.
        assert (!f_started_q || !rst_ni || f_rank_upto[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] ==
                f_left[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] +
                F_COUNT_W'(|(f_out[u:0] & f_before_of[w*WARPS+:u+1])));
        // A warp that the entrant goes before has a rank of those that it does not go before, at least.
        assert (!f_started_q || !rst_ni || !entrant_valid_i || !stays[w] || !before_i[w] ||
                f_not_behind[u*F_COUNT_W+:F_COUNT_W] <= f_left[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W]);
        // Another one is one of those, as are all before it.
        assert (!f_started_q || !rst_ni || !entrant_valid_i || !stays[w] || before_i[w] ||
                f_not_behind[u*F_COUNT_W+:F_COUNT_W] >=
                f_left[(w*WARPS+u)*F_COUNT_W+:F_COUNT_W] + F_COUNT_W'(u >= w));
      end
    end
    always_comb begin
      // The position counts who stays and is not behind the entrant; the head comes first in that count.
      assert (!f_started_q || !rst_ni || !entrant_valid_i || f_counted[w*F_COUNT_W+:F_COUNT_W] ==
              f_not_behind[w*F_COUNT_W+:F_COUNT_W] +
              F_COUNT_W'(head_counts && !remove_i && (head[w:0] & ~before_i[w:0]) == '0));
      // The next place of a warp that stays is its rank among them, and one more if who comes in goes before it.
      assert (!f_started_q || !rst_ni || !stays[w] || 32'(f_next_place[w*WARP_W+:WARP_W]) ==
              32'(f_left[(w*WARPS+WARPS-1)*F_COUNT_W+:F_COUNT_W]) + 32'(f_in != '0 && before_i[w]));
      // The position is the number of those that the entrant does not go before.
      assert (w > 0 || !f_started_q || !rst_ni || f_in == '0 ||
              32'(position_o) == 32'(f_not_behind[(WARPS-1)*F_COUNT_W+:F_COUNT_W]));
      // A warp that stays will be behind who comes in exactly if that goes before it.
      assert (!f_started_q || !rst_ni || f_in == '0 || !stays[w] ||
              (before_i[w] ? f_next_place[w*WARP_W+:WARP_W] > position_o
                           : f_next_place[w*WARP_W+:WARP_W] < position_o));
    end
  end
