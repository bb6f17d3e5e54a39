// SPDX-License-Identifier: MIT
// The decision is the one of its definition (docs/reference/microarchitecture.md, "Cycle semantics"): f_older_q
// (row v, column w: v was launched before w), f_due_q, f_issues_q, f_last_q, f_barred_q and SCA's group move by
// its rules alone.
// PROVE_paws_single_level_pick: the decision alone, in every state that the invariants allow: how the
// RTL's state stands to the definition's is assumed there, and proved by induction at smaller sizes.
`ifdef PROVE_paws_single_level_pick
`define PAWS_INVARIANT assume
`else
`define PAWS_INVARIANT assert
`endif
`include "started.svh"
  // State of the modules inside, to be compared with the definition's.
  (* hierconn *) logic [SLOTS*WARP_W-1:0] \gen_min.gen_search.u_age.rank_o ;
  (* hierconn *) logic [SLOTS*(SLOTS-1)/2-1:0] \gen_min.gen_order.u_order.lower_q ;
  (* hierconn *) logic [SLOTS-1:0] \gen_limit.u_limit.due_o ;
  (* hierconn *) logic [16:0] \gen_limit.u_limit.f_issues_q ;
  (* hierconn *) logic \gen_sca.u_sca.group_valid_q ;
  (* hierconn *) logic [NUMBER_W-1:0] \gen_sca.u_sca.pair_q ;
  (* hierconn *) logic [ROW_W-1:0] \gen_sca.u_sca.row_q ;
  (* hierconn *) logic \gen_sca.u_sca.last_second_q ;
  (* hierconn *) logic [SLOTS-1:0] \gen_sca.u_sca.live_q ;
  logic [SLOTS*SLOTS-1:0] f_before;  // row v, column w: the RTL has v before w in the order of launches
  for (genvar v = 0; v < SLOTS; v++) begin : f_gen_before
    for (genvar w = 0; w < SLOTS; w++) begin : f_gen_one
      if (!HAS_MIN || v == w) assign f_before[v*SLOTS+w] = 1'b0;
      else if (PICKER != 1)
        assign f_before[v*SLOTS+w] = \gen_min.gen_search.u_age.rank_o [v*WARP_W+:WARP_W] <
            \gen_min.gen_search.u_age.rank_o [w*WARP_W+:WARP_W];
      else if (v < w) assign f_before[v*SLOTS+w] = \gen_min.gen_order.u_order.lower_q [w*(w-1)/2+v];
      else assign f_before[v*SLOTS+w] = !\gen_min.gen_order.u_order.lower_q [v*(v-1)/2+w];
    end
  end

  // The promises of the host, assumed: rtl/paws_host_checks.sv says the same.
  logic [paws_pkg::POLICY_W-1:0] f_policy_q;
  logic f_policy_known_q;
  logic [SLOTS-1:0] f_live_q, f_held_q, f_launched, f_issued, f_ended;
  logic [SLOTS*NUMBER_W-1:0] f_pairs_q;
  logic [SLOTS*ROW_W-1:0] f_rows_q;
  logic [SLOTS-1:0] f_seconds_q;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) begin
      f_launched[w] = launch_valid_i && launch_warp_i == WARP_W'(w);
      f_issued[w] = issue_valid_o && issue_warp_o == WARP_W'(w);
      f_ended[w] = LATE_EXIT && end_valid_i && end_warp_i == WARP_W'(w);
    end
  end
  always_ff @(posedge clk_i) begin
    f_policy_q <= policy_i;
    f_policy_known_q <= rst_ni && f_started_q;
    f_live_q <= rst_ni ? (f_live_q | f_launched) & ~(f_issued & exit_i) & ~f_ended : '0;
    f_held_q <= rst_ni ? f_live_q & ~(f_issued & exit_i) & ~f_ended : '0;
    f_pairs_q <= pair_i;
    f_rows_q <= row_i;
    f_seconds_q <= second_i;
  end
  always_comb begin
    // A launch names a slot that exists.
    assume (!launch_valid_i || 32'(launch_warp_i) < SLOTS);
    if (f_started_q && rst_ni) begin
      // policy_i names a policy that is built.
      assume (((POLICIES >> policy_i) & 1) != 0);
      // policy_i is stable outside reset.
      assume (!f_policy_known_q || policy_i == f_policy_q);
      // A free slot is not issuable.
      assume ((issuable_i & ~f_live_q) == '0);
      // A launch names a slot that is free.
      assume ((f_launched & f_live_q) == '0);
      // A late end names a live warp that is not issuable.
      assume (!LATE_EXIT || !end_valid_i || (f_ended & f_live_q & ~issuable_i) != '0);
    end
  end
  for (genvar v = 0; v < SLOTS && HAS_SCA; v++) begin : f_gen_member
    always_comb begin
      if (f_started_q && rst_ni && policy_i == paws_pkg::SCA) begin
        // The numbers of a live warp are held.
        assume (!f_held_q[v] || (pair_i[v*NUMBER_W+:NUMBER_W] == f_pairs_q[v*NUMBER_W+:NUMBER_W] &&
                                 row_i[v*ROW_W+:ROW_W] == f_rows_q[v*ROW_W+:ROW_W] &&
                                 second_i[v] == f_seconds_q[v]));
        for (int w = 0; w < v; w++) begin
          // No two live warps have the same numbers.
          assume (!f_live_q[v] || !f_live_q[w] || second_i[v] != second_i[w] ||
                  pair_i[v*NUMBER_W+:NUMBER_W] != pair_i[w*NUMBER_W+:NUMBER_W] ||
                  row_i[v*ROW_W+:ROW_W] != row_i[w*ROW_W+:ROW_W]);
        end
      end
    end
  end

  // The definition: the order of launches, the last issued warp (under GTO the greedy one), due warps
  // and the count of issues, the barred warp, candidates.
  logic f_last_valid_q, f_barred_q, f_ends, f_limited, f_served, f_counts, f_gather;
  logic [WARP_W-1:0] f_last_q;
  logic [SLOTS*SLOTS-1:0] f_older_q;
  logic [SLOTS-1:0] f_due_q, f_able, f_candidate, f_last;
  logic [16:0] f_issues_q;
  assign f_ends = (f_issued & exit_i) != '0;
  assign f_limited = AGE_LIMIT > 0 && policy_i != paws_pkg::RR;
  assign f_able = issuable_i & ~(f_last & {SLOTS{f_barred_q}});
  assign f_served = (f_due_q & f_able) != '0;
  assign f_counts = f_limited && issue_valid_o && !f_served;
  assign f_gather = f_counts && 32'(f_issues_q) == AGE_LIMIT - 1;
  assign f_candidate = f_limited && f_served ? f_due_q & f_able : f_able;
  assign f_last = (SLOTS'(1) << f_last_q) & {SLOTS{f_last_valid_q}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_last_valid_q <= 1'b0;
    else if (issue_valid_o) f_last_valid_q <= policy_i == paws_pkg::RR || !f_ends;
    else if ((f_ended & f_last) != '0 && policy_i != paws_pkg::RR) f_last_valid_q <= 1'b0;
    if (issue_valid_o) f_last_q <= issue_warp_o;
    if (!rst_ni) f_barred_q <= 1'b0;
    else if (issue_en_i) begin
      f_barred_q <= policy_i == paws_pkg::CGGTY && (f_issued & yield_i & ~exit_i) != '0;
    end else if ((f_ended & f_last) != '0) f_barred_q <= 1'b0;
    f_due_q <= rst_ni ? (f_due_q | (f_able & {SLOTS{f_gather}})) & ~f_issued & ~f_ended : '0;
    if (!rst_ni || f_gather) f_issues_q <= '0;
    else if (f_counts) f_issues_q <= f_issues_q + 1'b1;
    for (int v = 0; v < SLOTS; v++) begin
      for (int w = 0; w < SLOTS; w++) begin
        if (f_launched[v]) f_older_q[v*SLOTS+w] <= 1'b0;
        else if (f_launched[w]) f_older_q[v*SLOTS+w] <= 1'b1;
      end
    end
  end

  // What is compared of two warps: the key by its definition (saturation, then the KEPT leading bits),
  // and under RR the steps after the last issued warp.
  logic [SLOTS*FIELD_W-1:0] f_key;
  logic [SLOTS*(WARP_W+1)-1:0] f_way;
  logic [LENGTH_W-1:0] f_distance;
  logic [FIELD_W-1:0] f_field;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) begin
      f_distance = distance_i[w*LENGTH_W+:LENGTH_W];
      f_field = (f_distance >> FIELD_W) != 0 ? {FIELD_W{1'b1}} : f_distance[FIELD_W-1:0];
      f_key[w*FIELD_W+:FIELD_W] = f_field;
      for (int x = KEPT; x < FIELD_W; x++) begin
        if ((f_field >> x) == 1) begin
          f_key[w*FIELD_W+:FIELD_W] = (f_field >> (x + 1 - KEPT)) << (x + 1 - KEPT);
        end
      end
      f_way[w*(WARP_W+1)+:WARP_W+1] = w;
      if (f_last_valid_q) begin
        f_way[w*(WARP_W+1)+:WARP_W+1] = w - f_last_q + (w > f_last_q ? 0 : SLOTS);
      end
    end
  end
  always_comb begin
    if (f_started_q && rst_ni) begin
      // If a warp may issue that is not barred, and issuing is enabled, one is issued; else none is.
      assert (issue_valid_o == (issue_en_i && |f_able));
      // Without an issue the warp is 0.
      assert (issue_valid_o || issue_warp_o == '0);
      // Only a warp that may issue is issued; while due ones may issue, one of them.
      assert (!issue_valid_o || (f_issued & f_candidate) != '0);
      // CGGTY: no warp is issued again in the first enabled cycle after its issue that yields.
      assert (!f_barred_q || (f_issued & f_last) == '0);
      // It is quiet exactly if nothing is launched or ends late, no warp may issue and none is barred.
      assert (quiet_o == (!launch_valid_i && f_ended == '0 && issuable_i == '0 && !f_barred_q));
      // A quiet scheduler issues nothing.
      assert (!quiet_o || !issue_valid_o);
      // The last issued warp is the one of the definition.
      `PAWS_INVARIANT ((policy_i != paws_pkg::RR && policy_i != paws_pkg::GTO &&
              policy_i != paws_pkg::CGGTY) ||
              (last_valid == f_last_valid_q && (!last_valid || last_warp == f_last_q)));
      // It is a slot that exists, and under GTO and CGGTY a live one.
      `PAWS_INVARIANT (!f_last_valid_q || (32'(f_last_q) < SLOTS &&
              ((policy_i != paws_pkg::GTO && policy_i != paws_pkg::CGGTY) || (f_last & f_live_q) != '0)));
      // Barred is the greedy warp of CGGTY, as the definition says; it is not due.
      `PAWS_INVARIANT (barred == f_barred_q && (!f_barred_q ||
              (policy_i == paws_pkg::CGGTY && f_last_valid_q && (f_last & f_due_q) == '0)));
      // Due are live warps.
      `PAWS_INVARIANT ((f_due_q & ~f_live_q) == '0);
      // Due are the warps that the definition says.
      `PAWS_INVARIANT (AGE_LIMIT == 0 || !HAS_MIN || \gen_limit.u_limit.due_o == f_due_q);
      // The count of issues is that of the definition.
      `PAWS_INVARIANT (AGE_LIMIT == 0 || !HAS_MIN || (32'(f_issues_q) < AGE_LIMIT &&
              \gen_limit.u_limit.f_issues_q == f_issues_q));
    end
  end
  for (genvar v = 0; v < SLOTS; v++) begin : f_gen_issued
    for (genvar w = 0; w < SLOTS; w++) begin : f_gen_rival
      if (v != w) begin : f_gen_two
        always_comb begin
          // Ages are the order of launches.
          `PAWS_INVARIANT (!f_started_q || !HAS_MIN || !f_live_q[v] || !f_live_q[w] ||
                  f_older_q[v*SLOTS+w] == f_before[v*SLOTS+w]);
          // The order of launches has no cycle. Of ranks this follows; bits of pairs need it.
          for (int x = 0; x < SLOTS && PICKER == 1; x++) begin
            `PAWS_INVARIANT (!f_started_q || x == v || x == w || (f_live_q & (SLOTS'(1) << x)) == '0 ||
                    !f_live_q[v] || !f_live_q[w] || !f_older_q[v*SLOTS+w] || !f_older_q[w*SLOTS+x] ||
                    f_older_q[v*SLOTS+x]);
          end
          if (f_started_q && rst_ni && f_issued[v] && f_candidate[w]) begin
            // RR: no warp that may issue comes first after the last issued one.
            assert (policy_i != paws_pkg::RR ||
                    f_way[v*(WARP_W+1)+:WARP_W+1] < f_way[w*(WARP_W+1)+:WARP_W+1]);
            // GTO: the greedy warp is issued as long as it may.
            assert (policy_i != paws_pkg::GTO || !f_last[w]);
            // GTO: without it nobody is older.
            assert (policy_i != paws_pkg::GTO || f_last[v] || f_older_q[v*SLOTS+w]);
            // PAWS: nobody has a smaller key, and nobody older has the same.
            assert (policy_i != paws_pkg::PAWS ||
                    f_key[v*FIELD_W+:FIELD_W] < f_key[w*FIELD_W+:FIELD_W] ||
                    (f_key[v*FIELD_W+:FIELD_W] == f_key[w*FIELD_W+:FIELD_W] &&
                     f_older_q[v*SLOTS+w]));
            // Oldest: nobody is older.
            assert (policy_i != paws_pkg::OLDEST || f_older_q[v*SLOTS+w]);
            // Youngest: nobody is younger.
            assert (policy_i != paws_pkg::YOUNGEST || f_older_q[w*SLOTS+v]);
            // CGGTY: the greedy warp is issued as long as it may.
            assert (policy_i != paws_pkg::CGGTY || !f_last[w]);
            // CGGTY: without it nobody is younger.
            assert (policy_i != paws_pkg::CGGTY || f_last[v] || f_older_q[w*SLOTS+v]);
          end
        end
      end
    end
  end

  // SCA: the group of the last issuer, its member whose turn it is, and the group of the oldest warp that
  // may issue.
  logic f_group_valid_q, f_last_second_q;
  logic [NUMBER_W-1:0] f_pair_q, f_oldest_pair;
  logic [ROW_W-1:0] f_row_q, f_oldest_row;
  logic [SLOTS-1:0] f_in_pair, f_group, f_partner, f_turn, f_oldest;
  logic [SLOTS*ROW_W-1:0] f_steps;  // rows from the last group to the warp's, less one
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_group_valid_q <= 1'b0;
    else if (issue_valid_o) f_group_valid_q <= 1'b1;
    for (int w = 0; w < SLOTS; w++) begin
      if (f_issued[w]) begin
        f_pair_q <= pair_i[w*NUMBER_W+:NUMBER_W];
        f_row_q <= row_i[w*ROW_W+:ROW_W];
        f_last_second_q <= second_i[w];
      end
    end
  end
  always_comb begin
    f_oldest_pair = '0;
    f_oldest_row = '0;
    for (int w = 0; w < SLOTS; w++) begin
      f_in_pair[w] = f_group_valid_q && pair_i[w*NUMBER_W+:NUMBER_W] == f_pair_q;
      f_group[w] = f_in_pair[w] && f_live_q[w] && row_i[w*ROW_W+:ROW_W] == f_row_q;
      f_partner[w] = f_group[w] && second_i[w] != f_last_second_q;
      f_steps[w*ROW_W+:ROW_W] = row_i[w*ROW_W+:ROW_W] - f_row_q - 1'b1;
      f_oldest[w] = f_candidate[w];
      for (int v = 0; v < SLOTS; v++) begin
        if (v != w && f_candidate[v] && f_older_q[v*SLOTS+w]) f_oldest[w] = 1'b0;
      end
      f_oldest_pair = f_oldest_pair | (pair_i[w*NUMBER_W+:NUMBER_W] & {NUMBER_W{f_oldest[w]}});
      f_oldest_row = f_oldest_row | (row_i[w*ROW_W+:ROW_W] & {ROW_W{f_oldest[w]}});
    end
    f_turn = f_partner != '0 ? f_partner : f_group;
  end
  always_comb begin
    if (f_started_q && rst_ni && HAS_SCA && policy_i == paws_pkg::SCA) begin
      // SCA's live warps are those of the definition.
      `PAWS_INVARIANT (\gen_sca.u_sca.live_q == f_live_q);
      // SCA's group is the one of the definition.
      `PAWS_INVARIANT (\gen_sca.u_sca.group_valid_q == f_group_valid_q && (!f_group_valid_q ||
              (\gen_sca.u_sca.pair_q == f_pair_q && \gen_sca.u_sca.row_q == f_row_q &&
               \gen_sca.u_sca.last_second_q == f_last_second_q)));
    end
  end
  for (genvar v = 0; v < SLOTS && HAS_SCA; v++) begin : f_gen_choice
    always_comb begin
      if (f_started_q && rst_ni && policy_i == paws_pkg::SCA && f_issued[v] && !f_turn[v]) begin
        // SCA: a member whose turn it is would have gone before.
        assert ((f_turn & f_candidate) == '0);
        // SCA: the pair is left only if nothing in it may issue, and then for the group of the oldest.
        assert (f_in_pair[v] || ((f_in_pair & f_candidate) == '0 &&
                                 pair_i[v*NUMBER_W+:NUMBER_W] == f_oldest_pair &&
                                 row_i[v*ROW_W+:ROW_W] == f_oldest_row));
        for (int w = 0; w < SLOTS; w++) begin
          // SCA: no row of the pair in which a warp may issue comes before.
          assert (!f_in_pair[v] || !f_in_pair[w] || !f_candidate[w] ||
                  f_steps[v*ROW_W+:ROW_W] <= f_steps[w*ROW_W+:ROW_W]);
          // SCA: a new group begins with its first member if that may issue.
          assert (!second_i[v] || second_i[w] || !f_candidate[w] ||
                  pair_i[v*NUMBER_W+:NUMBER_W] != pair_i[w*NUMBER_W+:NUMBER_W] ||
                  row_i[v*ROW_W+:ROW_W] != row_i[w*ROW_W+:ROW_W]);
        end
      end
    end
  end

`ifndef PROVE_paws_single_level_pick
  // While it is quiet and inputs hold, nothing changes.
  logic f_quiet_q;
  logic [SLOTS-1:0] f_issuable_q, f_due_before_q;
  logic [SLOTS*SLOTS-1:0] f_before_q;
  logic [WARP_W:0] f_last_before_q;
  logic [NUMBER_W+ROW_W+1:0] f_group_before_q;
  logic [16:0] f_issues_before_q;
  always_ff @(posedge clk_i) begin
    f_quiet_q <= f_started_q && rst_ni && quiet_o;
    f_issuable_q <= issuable_i;
    f_due_before_q <= f_due_q;
    f_before_q <= f_before;
    f_last_before_q <= {f_last_valid_q, f_last_q};
    f_issues_before_q <= f_issues_q;
    f_group_before_q <= {f_group_valid_q, f_pair_q, f_row_q, f_last_second_q};
  end
  always_comb begin
    if (f_started_q && rst_ni && f_quiet_q) begin
      // After a quiet cycle ages, due warps, the count of issues, the last issued warp and its group are
      // what they were, and nobody is barred.
      assert (f_before_q == f_before && f_due_q == f_due_before_q && f_issues_q == f_issues_before_q &&
              f_last_before_q == {f_last_valid_q, f_last_q} && !f_barred_q &&
              f_group_before_q == {f_group_valid_q, f_pair_q, f_row_q, f_last_second_q});
      // While quiet_o holds and inputs hold, it stays quiet and nothing is issued.
      assert (issuable_i != f_issuable_q || launch_valid_i || f_ended != '0 || (quiet_o && !issue_valid_o));
    end
  end

  // Fairness of RR and of the age limit: issues of others while f_patient could issue all the time.
  (* anyconst *) logic [WARP_W-1:0] f_patient;
  localparam int unsigned F_LIMIT = AGE_LIMIT > 0 ? AGE_LIMIT : 1;
  localparam int unsigned F_BOUND = 2 * (SLOTS - 1) + F_LIMIT - 1;
  logic [SLOTS-1:0] f_is_patient;
  logic [17:0] f_waited_q, f_remaining, f_due_count;
  logic f_can, f_patient_due;
  always_comb begin
    f_is_patient = SLOTS'(1) << f_patient;
    f_can = (f_is_patient & f_able) != '0;
    f_patient_due = (f_is_patient & f_due_q) != '0;
    f_due_count = '0;
    for (int w = 0; w < SLOTS; w++) f_due_count = f_due_count + 18'(f_due_q[w]);
    // RR: the steps to its turn. Else, if it is due, only due warps go before it, each once; if it is
    // not, those that are due, the issues until the limit, and all that are due then.
    if (policy_i == paws_pkg::RR) begin
      f_remaining = f_last_valid_q ? f_patient - f_last_q + (f_patient > f_last_q ? 0 : SLOTS) - 1 :
          {1'b0, f_patient};
    end else if (f_patient_due) f_remaining = f_due_count - 1;
    else f_remaining = f_due_count + F_LIMIT - 18'(f_issues_q) + SLOTS - 2;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !f_can || (f_issued & f_is_patient) != '0) f_waited_q <= '0;
    else if (issue_valid_o && !(&f_waited_q)) f_waited_q <= f_waited_q + 1'b1;
  end
  always_comb begin
    if (f_started_q && rst_ni && f_can) begin
      // RR: what has been waited and the steps to its turn are less than the number of warps.
      assert (policy_i != paws_pkg::RR || 32'(f_waited_q) + 32'(f_remaining) < SLOTS);
      // RR: a warp that stays issuable is issued after at most WARPS-1 issues of others.
      assert (policy_i != paws_pkg::RR || 32'(f_waited_q) < SLOTS);
      // Age limit: what has been waited and what may still come stays within the bound.
      assert (!f_limited || 32'(f_waited_q) + 32'(f_remaining) <= F_BOUND);
      // Age limit: a warp that stays issuable is issued after at most 2 (WARPS-1) + AGE_LIMIT - 1
      // issues of others.
      assert (!f_limited || 32'(f_waited_q) <= F_BOUND);
    end
  end
`endif
`ifdef PROVE_paws_single_level_pick
  // The search for the smallest key is left out (cut in proofs.toml). Its result is any that keeps the
  // promise of least.svh, which is proved of the search itself, at full size.
  if (HAS_MIN) begin : f_gen_least
    localparam int unsigned F_KEY_W = WARP_W +
        (HAS_PAWS ? $clog2((FIELD_W - KEPT + 2) << (KEPT - 1)) : 0);
    logic [SLOTS*F_KEY_W-1:0] f_keys;
    logic [F_KEY_W-1:0] f_least;
    logic f_wins;
    assign f_keys = gen_min.gen_search.key & {SLOTS{gen_min.gen_search.counts}};
    always_comb begin
      f_least = '0;
      f_wins = 1'b0;
      for (int w = 0; w < SLOTS; w++) begin
        if (least_warp == WARP_W'(w)) begin
          f_least = f_keys[w*F_KEY_W+:F_KEY_W];
          f_wins = candidate[w];
        end
      end
      // The winner takes part if anybody does.
      assume (f_wins == (|candidate));
      // Without entries that take part the winner is entry 0.
      assume (|candidate || least_warp == '0);
    end
    for (genvar w = 0; w < SLOTS; w++) begin : f_gen_mark
      always_comb begin
        // The marks are those of the winner.
        assume (least_warp != WARP_W'(w) || !candidate[w] ||
                gen_min.least_mark == gen_min.mark[w*gen_min.MARK_W+:gen_min.MARK_W]);
      end
    end
    for (genvar w = 0; w < SLOTS; w++) begin : f_gen_entry
      always_comb begin
        // Nobody who takes part has a smaller key than the winner.
        assume (!candidate[w] || f_least <= f_keys[w*F_KEY_W+:F_KEY_W]);
      end
      for (genvar v = 0; v < w && PICKER == 0; v++) begin : f_gen_pair
        always_comb begin
          // No two that take part have the same key, as elimination requires.
          assert (!f_started_q || !candidate[v] || !candidate[w] ||
                  f_keys[v*F_KEY_W+:F_KEY_W] != f_keys[w*F_KEY_W+:F_KEY_W]);
        end
      end
    end
  end
  always_comb begin
    // All may issue, and the last slot does.
    cover (f_started_q && rst_ni && &issuable_i && 32'(issue_warp_o) == SLOTS - 1);
    // A warp issues and another of a smaller number might.
    cover (f_started_q && rst_ni && issue_valid_o && (f_candidate & (f_issued - 1'b1)) != '0);
  end
`endif
`ifdef PROVE_paws_single_level_starves
  always_comb begin
    // Without a limit a warp waits longer than the bound that a limit of 1 gives.
    cover (f_started_q && rst_ni && f_can && policy_i != paws_pkg::RR && 32'(f_waited_q) > F_BOUND);
  end
`endif
`ifdef PROVE_paws_single_level
  always_comb begin
    // Warp 2 issues in spite of warps 0 and 1, beside a launch.
    cover (f_started_q && rst_ni && issue_warp_o == WARP_W'(2) && issuable_i[0] && issuable_i[1] &&
           launch_valid_i);
  end
  if (HAS_GTO) begin : f_gen_cover_gto
    always_comb begin
      // The greedy warp ends, though another may issue.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::GTO && f_last == f_issued &&
             issue_valid_o && f_ends && issue_warp_o == WARP_W'(1) && issuable_i[0]);
    end
  end
  if (HAS_PAWS) begin : f_gen_cover_paws
    always_comb begin
      // PAWS: a warp is issued in spite of an older one.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::PAWS && f_issued[2] && issuable_i[1] &&
             f_older_q[1*SLOTS+2]);
      // PAWS: of two warps with key 1 the older is issued, which has the larger number.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::PAWS && f_issued[2] && issuable_i[1] &&
             f_key[1*FIELD_W+:FIELD_W] == 1 && f_key[2*FIELD_W+:FIELD_W] == 1);
    end
  end
  if (((POLICIES >> paws_pkg::OLDEST) & 1) != 0) begin : f_gen_cover_oldest
    always_comb begin
      // Oldest: the older warp of the larger number is issued, and a greedy choice would not.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::OLDEST && f_issued[2] && issuable_i[1] &&
             f_last_valid_q && f_last_q == WARP_W'(1));
    end
  end
  if (HAS_YOUNGEST) begin : f_gen_cover_youngest
    always_comb begin
      // Youngest: the younger warp is issued, though it has the larger number.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::YOUNGEST && f_issued[2] && issuable_i[1] &&
             f_older_q[1*SLOTS+2]);
    end
  end
  if (LATE_EXIT && HAS_CGGTY) begin : f_gen_cover_late
    always_comb begin
      // The greedy warp ends late while another issues, and while none does.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::CGGTY && (f_ended & f_last) != '0 && issue_valid_o);
      cover (f_started_q && rst_ni && policy_i == paws_pkg::CGGTY && (f_ended & f_last) != '0 && !issue_valid_o);
      // A barred warp ends late.
      cover (f_started_q && rst_ni && (f_ended & f_last) != '0 && f_barred_q && !issue_en_i);
    end
  end
  if (LATE_EXIT && AGE_LIMIT > 0 && HAS_MIN) begin : f_gen_cover_late_due
    always_comb begin
      // A due warp ends late.
      cover (f_started_q && rst_ni && (f_ended & f_due_q) != '0);
    end
  end
  if (HAS_CGGTY) begin : f_gen_cover_cggty
    always_comb begin
      // CGGTY: the only warp that may issue is barred.
      cover (f_started_q && rst_ni && issue_en_i && f_barred_q && issuable_i != '0 && !issue_valid_o);
      // CGGTY: while the youngest is barred an older one is issued.
      cover (f_started_q && rst_ni && f_barred_q && f_issued[1] && f_last[2] && issuable_i[2] &&
             f_older_q[1*SLOTS+2]);
      // CGGTY: the greedy warp is issued in spite of a younger one.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::CGGTY && f_issued[1] && f_last[1] &&
             issuable_i[2] && f_older_q[1*SLOTS+2]);
    end
  end
  if (HAS_SCA) begin : f_gen_cover_sca
    always_comb begin
      // SCA: the partner has its turn, though an older warp may issue.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::SCA && (f_issued & f_partner) != '0 &&
             f_issued != f_oldest);
      // SCA: the last issuer goes again, because its partner is gone.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::SCA && issue_valid_o && f_turn == f_issued &&
             f_last == f_issued && f_ends);
      // SCA: the pair goes on with another row, though an older warp of another pair may issue.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::SCA && issue_valid_o &&
             (f_issued & f_in_pair & ~f_group) != '0 && (f_oldest & ~f_in_pair) != '0);
      // SCA: the last issuer goes again, because its partner cannot issue, nor can another row of the pair.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::SCA && issue_valid_o && f_last == f_issued &&
             (f_turn & f_issued) == '0);
      // SCA: another pair begins, with its first member instead of the oldest warp.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::SCA && f_group_valid_q &&
             (f_issued & ~f_in_pair) != '0 && f_issued != f_oldest);
    end
  end
  if (HAS_RR) begin : f_gen_cover_rr
    always_comb begin
      // RR: a warp waits for all others.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::RR && f_can &&
             32'(f_waited_q) == SLOTS - 1);
    end
  end
  if (AGE_LIMIT > 0 && HAS_MIN) begin : f_gen_cover_limit
    always_comb begin
      // A due warp waits for as many issues as the bound says.
      cover (f_started_q && rst_ni && f_served && 32'(f_waited_q) == F_BOUND &&
             (f_issued & f_is_patient) != '0 && policy_i != paws_pkg::RR);
    end
  end
`endif
`undef PAWS_INVARIANT
