// SPDX-License-Identifier: MIT
// quiet_o: what it promises, and when it comes.
  // All of the definition's state: queues, due warps, the count of issues, the orders of those who
  // stand in ready, active and collector, and the ages and stored lengths of all.
  localparam int unsigned F_STATE_W = 5 * SLOTS + 17 + 4 * SLOTS * SLOTS + SLOTS * F_KEY_W;
  logic [SLOTS*SLOTS-1:0] f_ready_order, f_active_order, f_collected_order, f_age_order;
  logic [SLOTS*F_KEY_W-1:0] f_live_key;
  logic [F_STATE_W-1:0] f_state;
  always_comb begin
    for (int v = 0; v < SLOTS; v++) begin
      for (int w = 0; w < SLOTS; w++) begin
        f_ready_order[v*SLOTS+w] =
            v != w && f_ready_q[v] && f_ready_q[w] && f_ahead_q[v*SLOTS+w];
        f_active_order[v*SLOTS+w] =
            v != w && f_active_q[v] && f_active_q[w] && f_arrived_q[v*SLOTS+w];
        f_collected_order[v*SLOTS+w] =
            v != w && f_collected_q[v] && f_collected_q[w] && f_earlier_q[v*SLOTS+w];
        f_age_order[v*SLOTS+w] = v != w && f_live_q[v] && f_live_q[w] && f_older_q[v*SLOTS+w];
      end
      f_live_key[v*F_KEY_W+:F_KEY_W] = f_key_q[v*F_KEY_W+:F_KEY_W] & {F_KEY_W{f_live_q[v]}};
    end
    f_state = {f_ready_q, f_active_q, f_pending_q, f_collected_q, f_due_q,
               AGE_LIMIT > 0 ? f_issues_q : 17'd0, f_ready_order, f_active_order,
               f_collected_order, f_age_order, f_live_key};
  end

  // The cycle before.
  logic f_quiet_q, f_same, f_calm;
  logic [F_STATE_W-1:0] f_state_q;
  logic [4*SLOTS-1:0] f_inputs, f_inputs_q;  // without issue_en_i, and lengths, which quiet needs not
  assign f_inputs = {issuable_i, waits_i, long_outstanding_i, exit_i};
  always_ff @(posedge clk_i) begin
    f_quiet_q <= f_started_q && rst_ni && quiet_o;
    f_state_q <= f_state;
    f_inputs_q <= f_inputs;
  end
  assign f_same = f_inputs == f_inputs_q;
  assign f_calm = f_started_q && rst_ni && !launch_valid_i && f_ended == '0 && (f_ready_q & issuable_i) == '0;

  // f_way is more than the cycles to quiet while inputs hold and no warp of ready may issue. A ready
  // queue that is full and has no waiting warp stays so, and then the collector empties. Else every
  // warp that will be promoted takes two cycles at most: its promotion, and its leaving again.
  localparam int unsigned F_WAY_W = WARP_W + 3;
  logic [F_WAY_W-1:0] f_outside, f_way, f_settling_q;
  logic f_full, f_some_wait;
  assign f_full = 32'(f_ready_count) == READY;
  assign f_some_wait = |f_leaves;
  always_comb begin
    f_outside = '0;
    for (int w = 0; w < SLOTS; w++) begin
      f_outside = f_outside + F_WAY_W'(f_collected_q[w] | f_wakes[w]);
      if (!f_full || f_some_wait) f_outside = f_outside + F_WAY_W'(f_active_q[w]);
    end
    if (f_full && !f_some_wait) f_way = f_outside + F_WAY_W'(|f_wakes);
    else begin
      f_way = (f_outside << 1) + F_WAY_W'(f_some_wait) + F_WAY_W'(|f_wakes) +
          F_WAY_W'(f_active_q == '0 && |(f_collected_q | f_wakes));
    end
  end
  // Cycles in a row with the inputs of the one before, no warp of ready that may issue, and not quiet.
  always_ff @(posedge clk_i) begin
    f_settling_q <= f_calm && !quiet_o ? (f_same ? f_settling_q : '0) + 1'b1 : '0;
  end
  always_comb begin
    if (f_started_q && rst_ni) begin
      // A quiet scheduler issues nothing.
      assert (!quiet_o || (!issue_valid_o && issue_warp_o == '0));
      // After a quiet cycle queues and their orders, ages, stored lengths, due warps and the count of
      // issues are what they were.
      assert (!f_quiet_q || f_state == f_state_q);
      // After a quiet cycle there is no entrant: who was one has been put in order.
      assert (!f_quiet_q || f_entrant == '0);
      // While quiet_o holds and inputs hold, outputs hold and it stays quiet.
      assert (!f_quiet_q || !f_same || launch_valid_i || f_ended != '0 ||
              (quiet_o && !issue_valid_o && issue_warp_o == '0));
      // While no warp of ready may issue, the way to quiet is 0 exactly if it is quiet.
      assert (!f_calm || quiet_o == (f_way == '0));
      // The way to quiet is at most twice the warps and two.
      assert (32'(f_way) <= 2 * SLOTS + 2);
      // While inputs hold and no warp of ready may issue, every cycle shortens the way.
      assert (!f_calm || !f_same || 32'(f_settling_q) + 32'(f_way) <= 2 * SLOTS + 2);
      // While inputs hold and no warp of ready may issue, it is quiet after 2 * WARPS + 2 cycles.
      assert (!f_calm || !f_same || quiet_o || 32'(f_settling_q) < 2 * SLOTS + 2);
    end
  end
`ifdef PROVE_paws_two_level_settles
  always_comb begin
    // It takes 2 * WARPS - 1 cycles until it is quiet, three less than the bound.
    cover (f_calm && f_same && quiet_o && 32'(f_settling_q) == 2 * SLOTS - 1);
  end
`endif
