// quiet_o: what it promises, and when it comes.
  // The cycle before.
  logic f_quiet_q, f_same, f_calm;
  logic [4*SLOTS-1:0] f_queues, f_queues_q;
  logic [4*SLOTS-1:0] f_inputs, f_inputs_q;  // without issue_en_i, and lengths, which quiet needs not
  assign f_queues = {f_ready_q, f_active_q, f_pending_q, f_collected_q};
  assign f_inputs = {issuable_i, waits_i, long_outstanding_i, exit_i};
  always_ff @(posedge clk_i) begin
    f_quiet_q <= f_started_q && rst_ni && quiet_o;
    f_queues_q <= f_queues;
    f_inputs_q <= f_inputs;
  end
  assign f_same = f_inputs == f_inputs_q;
  assign f_calm = f_started_q && rst_ni && !launch_valid_i && (f_ready_q & issuable_i) == '0;

  // f_way is more than the cycles to quiet while inputs hold and no warp of ready may issue. A ready
  // queue that is full and has no waiting warp stays so, and then the collector empties. Else every
  // warp that will be promoted takes two cycles at most: its promotion, and its leaving again.
  localparam int F_WAY_W = WARP_W + 3;
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
      // A quiet scheduler issues nothing and changes no queue.
      assert (!quiet_o || (!issue_valid_o && issue_warp_o == '0 &&
              {f_ready_d, f_active_d, f_pending_d, f_collected_d} == f_queues));
      // While quiet_o holds and inputs hold, queues and outputs hold and it stays quiet.
      assert (!f_quiet_q || !f_same || launch_valid_i ||
              (quiet_o && !issue_valid_o && issue_warp_o == '0 && f_queues == f_queues_q));
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
