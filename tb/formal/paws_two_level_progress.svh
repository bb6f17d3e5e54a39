// SPDX-License-Identifier: MIT
// Progress, for a host that serves the warps of ready and lets no warp wait twice for one instruction: if a warp can issue,
// some warp does so within a bound.
`ifdef PROVE_paws_two_level_progress
  // For any warp that can issue: the cycles since the last issue in which nothing started or ended and every warp of ready
  // was served.
  (* anyconst *) logic [WARP_W-1:0] f_able;
  localparam int F_BOUND = 2 * SLOTS;
  localparam int F_COVER = SLOTS - 1;
  logic [SLOTS-1:0] f_is_able, f_had_wait_q, f_waits_q, f_newcomer_q;
  logic f_silent;
  logic [7:0] f_silent_q;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) f_is_able[w] = f_able == WARP_W'(w);
    f_silent = rst_ni && issue_en_i && !issue_valid_o && !launch_valid_i && !(LATE_EXIT && end_valid_i) &&
               (f_is_able & f_live_q & issuable_i & ~long_outstanding_i) != '0 &&
               (f_ready_q & ~(issuable_i | waits_i)) == '0;
  end
  always_ff @(posedge clk_i) begin
    f_waits_q <= waits_i;
    f_newcomer_q <= f_promoted;
    f_had_wait_q <= {SLOTS{rst_ni}} & (f_had_wait_q | waits_i) & ~f_launched & ~f_issued;
    f_silent_q <= f_silent ? f_silent_q + 1'b1 : '0;
  end
  // Why. In silence all warps of ready wait, and leave. Who is promoted then may wait, as it has not, or does so already; it
  // leaves, too, and comes back when it has waited. So every promotion takes one of those that may wait, and one warp that
  // may not, or the able one, ends the silence as soon as it is promoted. f_span is more than the cycles until then.
  logic [SLOTS-1:0] f_may_wait, f_last;
  logic [7:0] f_span;
  always_comb begin
    f_may_wait = ~f_had_wait_q | f_waits_q;
    f_last = f_active_q & (~f_may_wait | f_is_able);
    f_span = f_last != '0 ? 8'd1 : f_collected_q != '0 ? 8'd2 : 8'd3;
    f_span = f_span + 8'(32'(f_ready_count) == READY);
    for (int w = 0; w < SLOTS; w++) f_span = f_span + 8'(f_active_q[w] & f_may_wait[w] & !f_is_able[w]);
  end
  for (genvar w = 0; w < SLOTS; w++) begin : f_gen_waited
    always_comb begin
      if (AGE_LIMIT == 0 && f_started_q) begin
        // A pending warp has waited or does,
        assert (!f_pending_q[w] || f_had_wait_q[w]);
        // a collected one has, and will not again.
        assert (!f_collected_q[w] || !f_may_wait[w]);
        // After silence only the warp that was promoted is in ready.
        assert (f_silent_q == '0 || !f_ready_q[w] || f_newcomer_q[w]);
      end
    end
  end
  always_comb begin
    // A warp waits once for an instruction, without a break.
    if (f_started_q && rst_ni) assume ((waits_i & f_had_wait_q & ~f_waits_q) == '0);
    // What has been silent and what may still be stays within the bound.
    if (AGE_LIMIT == 0 && READY > 1 && f_started_q) assert (!f_silent || 32'(f_silent_q) + 32'(f_span) <= SLOTS + 3);
    // Some warp issues within the bound.
    if (f_started_q) assert (32'(f_silent_q) < F_BOUND);
    // So long can it take. At full size this is too far from reset to be searched.
    if (SLOTS <= 8) cover (f_started_q && 32'(f_silent_q) == F_COVER);
  end
`endif
