// SPDX-License-Identifier: MIT
// The ready queue is the list of its definition: f_member_q says who is in it, f_ahead_q (row v, column
// w) who stands ahead of whom. Entries and the decision are compared with that.
`ifdef PROVE_paws_ready_list
`define PAWS_REQUIRE assume
`define PAWS_INVARIANTS
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic [WARPS-1:0] f_member_q, f_promoted, f_issued, f_candidate, f_relieved;
  logic [WARPS*WARPS-1:0] f_ahead_q;  // [v*WARPS + w]: v stands ahead of w
  localparam int COUNT_W = $clog2(WARPS + 1);
  logic [COUNT_W-1:0] f_count;
  logic [WARPS*COUNT_W-1:0] f_upto;  // [w*COUNT_W +: COUNT_W]: members among slots 0 to w
  always_comb begin
    f_count = '0;
    for (int w = 0; w < WARPS; w++) begin
      f_promoted[w] = promote_valid_i && promote_warp_i == WARP_W'(w);
      f_issued[w] = issue_valid_o && issue_warp_o == WARP_W'(w);
      f_count = f_count + COUNT_W'(f_member_q[w]);
      f_upto[w*COUNT_W+:COUNT_W] = f_count;
    end
    f_candidate = f_member_q & issuable_i;
    f_relieved = f_issued & {WARPS{HAS_RELIEF && relief_i}};
  end
  always_ff @(posedge clk_i) begin
    f_member_q <= !rst_ni ? '0 :
        (f_member_q & ~waits_i & ~(f_issued & exit_i) & ~f_relieved & ~end_i) | f_promoted;
    for (int v = 0; v < WARPS; v++) begin
      for (int w = 0; w < WARPS; w++) begin
        f_ahead_q[v*WARPS+w] <= f_promoted[w] ? 1'b1 : f_promoted[v] ? 1'b0 :
            f_issued[w] ? 1'b1 : f_issued[v] ? 1'b0 : f_ahead_q[v*WARPS+w];
      end
    end
  end

  always_comb begin
    if (f_started_q && rst_ni) begin
      // A warp is promoted only while there is room (required).
      `PAWS_REQUIRE (!promote_valid_i || room_o);
      // The promoted warp is a slot that exists (required).
      `PAWS_REQUIRE (!promote_valid_i || 32'(promote_warp_i) < WARPS);
      // The promoted warp is not in the list yet (required).
      `PAWS_REQUIRE ((f_promoted & f_member_q) == '0);
      // The promoted warp does not end (required).
      `PAWS_REQUIRE ((f_promoted & end_i) == '0);
      // No warp is issuable and waits (required of the host).
      `PAWS_REQUIRE ((issuable_i & waits_i) == '0);
    end
  end
  logic [READY*WARPS-1:0] f_slot;  // the warp of entry k, one bit per slot
  for (genvar k = 0; k < READY; k++) begin : f_gen_entry
    assign f_slot[k*WARPS+:WARPS] = {WARPS{valid_q[k]}} & (WARPS'(1) << warp_q[k]);
    always_comb begin
      // Where its clock gate is closed no entry is filled.
      assert (promote_valid_i || !free_first[k]);
      // An entry that is filled holds a slot that exists.
      assert (!f_started_q || !valid_q[k] || 32'(warp_q[k]) < WARPS);
    end
    for (genvar j = 0; j < k; j++) begin : f_gen_pair
      always_comb begin
        // No warp stands in two entries.
        assert (!f_started_q || !valid_q[j] || !valid_q[k] || warp_q[j] != warp_q[k]);
      end
      for (genvar i = 0; i < j; i++) begin : f_gen_triple
        always_comb begin
          // Order has no cycles: of three entries two are not both ahead and behind.
          assert (!f_started_q || !valid_q[i] || !valid_q[j] || !valid_q[k] ||
                  !(ahead[j*READY+i] == ahead[k*READY+j] && ahead[k*READY+i] != ahead[j*READY+i]));
        end
      end
      for (genvar v = 0; v < WARPS; v++) begin : f_gen_first
        for (genvar w = 0; w < WARPS; w++) begin : f_gen_second
          if (v != w) begin : f_gen_two
            always_comb begin
              // The order of the entries is that of their warps in the list.
              assert (!f_started_q || !f_slot[j*WARPS+v] || !f_slot[k*WARPS+w] ||
                      (ahead[k*READY+j] == f_ahead_q[v*WARPS+w] &&
                       ahead[j*READY+k] == f_ahead_q[w*WARPS+v]));
            end
          end
        end
      end
    end
  end

  if (READY > 1) begin : f_gen_gate
    always_comb begin
      // Where its clock gate is closed the order of the entries would not change.
      assert (gen_order.change || gen_order.first_d == gen_order.first_q);
    end
  end

`ifdef PAWS_INVARIANTS
  // Counts of the list are counts of entries: slot by slot, so that each step is a small one.
  logic [WARPS*COUNT_W-1:0] f_filled;  // [w*COUNT_W +: COUNT_W]: entries that hold one of the slots 0 to w
  always_comb begin
    f_filled = '0;
    for (int w = 0; w < WARPS; w++) begin
      for (int k = 0; k < READY; k++) begin
        f_filled[w*COUNT_W+:COUNT_W] =
            f_filled[w*COUNT_W+:COUNT_W] + COUNT_W'(valid_q[k] && 32'(warp_q[k]) <= w);
      end
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_count
    always_comb begin
      // An entry holds the warp exactly if it is in the list.
      assert (!f_started_q || members[w] == f_member_q[w]);
    end
    if (w > 0) begin : f_gen_more
      always_comb begin
        // From one slot to the next there is one more entry exactly if one holds the slot.
        assert (!f_started_q || f_filled[w*COUNT_W+:COUNT_W] ==
                f_filled[(w-1)*COUNT_W+:COUNT_W] + COUNT_W'(members[w]));
      end
    end
    always_comb begin
      // As many entries hold one of the slots up to this one as are in the list.
      assert (!f_started_q || f_filled[w*COUNT_W+:COUNT_W] == f_upto[w*COUNT_W+:COUNT_W]);
    end
  end
`endif

  // What the list promises follows from its entries.
  always_comb begin
    if (f_started_q) begin
      // An entry is free exactly if fewer than READY warps are in the list.
      assert (room_o == (32'(f_count) < READY));
      // No more than READY warps are in the list.
      assert (32'(f_count) <= READY);
      // If a warp of the list may issue and issuing is enabled, one is issued; else none is.
      assert (issue_valid_o == (issue_en_i && |f_candidate));
      // Without an issue the warp is 0.
      assert (issue_valid_o || issue_warp_o == '0);
      // Only a warp of the list that may issue is issued.
      assert ((f_issued & ~f_candidate) == '0 && (!issue_valid_o || |f_issued));
      // Those leave that wait, and who is relieved and does not end; nobody else.
      assert (leave_o == ((f_member_q & waits_i) | (f_relieved & ~exit_i)));
      // The list is settled exactly if none of its warps may issue or waits.
      assert (settled_o == ((f_member_q & (issuable_i | waits_i)) == '0));
      // The entries hold the warps of the list.
      assert (members == f_member_q);
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_rival
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_ahead
      if (v != w) begin : f_gen_two
        always_comb begin
          // No warp that may issue stands ahead of the issued one.
          assert (!f_started_q || !f_issued[w] || !f_candidate[v] || !f_ahead_q[v*WARPS+w]);
`ifdef PAWS_INVARIANTS
          // Of two warps of the list one stands ahead of the other.
          assert (!f_started_q || !f_member_q[v] || !f_member_q[w] ||
                  f_ahead_q[v*WARPS+w] != f_ahead_q[w*WARPS+v]);
`endif
        end
      end
    end
  end

  // Fairness, for any warp: f_turns_q counts the issues of others while it could issue all the time.
  (* anyconst *) logic [WARP_W-1:0] f_steady;
  logic [WARP_W:0] f_turns_q;
  logic [WARPS-1:0] f_rival;  // those that stand ahead of it
  logic [WARP_W:0] f_before;  // how many they are
  logic [WARPS*COUNT_W-1:0] f_rivals;  // [w*COUNT_W +: COUNT_W]: those among slots 0 to w
  logic f_can;
  always_comb begin
    f_rival = '0;
    f_can = 1'b0;
    for (int w = 0; w < WARPS; w++) begin
      if (f_steady == WARP_W'(w)) begin
        f_can = f_candidate[w];
        for (int v = 0; v < WARPS; v++) f_rival[v] = v != w && f_member_q[v] && f_ahead_q[v*WARPS+w];
      end
    end
    f_before = '0;
    for (int v = 0; v < WARPS; v++) begin
      f_before = f_before + (WARP_W + 1)'(f_rival[v]);
      f_rivals[v*COUNT_W+:COUNT_W] = COUNT_W'(f_before);
    end
  end
`ifdef PAWS_INVARIANTS
  // The cycle before: whether the warp could issue and did not, who was issued, who stood ahead.
  logic f_could_q;
  logic [WARPS-1:0] f_issued_q, f_rival_q;
  logic [WARPS*COUNT_W-1:0] f_rivals_q;
  always_ff @(posedge clk_i) begin
    f_could_q <= rst_ni && f_can && !(issue_valid_o && issue_warp_o == f_steady);
    f_issued_q <= f_issued;
    f_rival_q <= f_rival;
    f_rivals_q <= f_rivals;
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_turn
    always_comb begin
      // Who stands ahead of a warp that stays issuable stood there before, and was not issued.
      assert (!f_started_q || !f_could_q || !f_can || !f_rival[w] || (f_rival_q[w] && !f_issued_q[w]));
      // Who is issued before it stood ahead of it.
      assert (!f_started_q || !f_could_q || !f_issued_q[w] || f_rival_q[w]);
      // Their number was larger by the issued one, at least, up to each slot.
      assert (!f_started_q || !f_could_q || !f_can || 32'(f_rivals_q[w*COUNT_W+:COUNT_W]) >=
              32'(f_rivals[w*COUNT_W+:COUNT_W]) + 32'(|f_issued_q[w:0]));
      // They and the warp itself are members.
      assert (!f_started_q || !f_can || 32'(f_upto[w*COUNT_W+:COUNT_W]) >=
              32'(f_rivals[w*COUNT_W+:COUNT_W]) + 32'(32'(f_steady) <= w));
    end
    if (w > 0) begin : f_gen_more
      always_comb begin
        // Their number before goes up from slot to slot as it does now.
        assert (!f_started_q || f_rivals_q[w*COUNT_W+:COUNT_W] ==
                f_rivals_q[(w-1)*COUNT_W+:COUNT_W] + COUNT_W'(f_rival_q[w]));
        // One warp at most was issued.
        assert (!f_started_q || !f_issued_q[w] || f_issued_q[w-1:0] == '0);
      end
    end
  end
`endif
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !f_can || (issue_valid_o && issue_warp_o == f_steady)) f_turns_q <= '0;
    else f_turns_q <= f_turns_q + (WARP_W + 1)'(issue_valid_o);
  end
  always_comb begin
    if (f_started_q && f_can) begin
      // A warp that stays issuable waits for at most as many issues as warps stand ahead of it.
      assert (32'(f_turns_q) + 32'(f_before) < READY || 32'(f_turns_q) == 0);
      // A warp that stays issuable in ready is issued after at most READY-1 issues of others.
      assert (32'(f_turns_q) < READY);
    end
  end

`ifdef PROVE_paws_ready_list
  always_comb begin
    // A warp waits for as many issues as the bound says.
    cover (f_started_q && 32'(f_turns_q) == READY - 1 && f_can);
    // All of a full list leave at once.
    cover (f_started_q && 32'(f_count) == READY && leave_o == f_member_q);
    // All of a full list end.
    cover (f_started_q && rst_ni && 32'(f_count) == READY && (f_member_q & end_i) == f_member_q);
    // A full list is settled.
    cover (f_started_q && settled_o && !room_o);
  end
  if (READY > 1) begin : f_gen_cover_several
    always_comb begin
      // Warps leave a full list while another issues and does not end.
      cover (f_started_q && !room_o && issue_valid_o && |leave_o && (f_issued & exit_i) == '0);
      // A warp is promoted beside an exit.
      cover (f_started_q && promote_valid_i && |(f_issued & exit_i));
    end
  end
  if (HAS_RELIEF) begin : f_gen_cover_relief
    always_comb begin
      // The issuer of a full list is relieved.
      cover (f_started_q && !room_o && relief_i && |(f_issued & leave_o));
    end
  end
`endif
`undef PAWS_REQUIRE
