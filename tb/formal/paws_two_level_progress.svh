// SPDX-License-Identifier: MIT
// Progress, for a host that serves the warps of ready and lets no warp wait twice for one instruction: if a warp can issue,
// some warp does so within a bound.
`ifdef PROVE_paws_two_level_progress
  // For any warp that can issue: the cycles since the last issue in which nothing started or ended and every warp of ready
  // was served.
  (* anyconst *) logic [WARP_W-1:0] f_able;
  localparam int F_BOUND = 2 * SLOTS;
  localparam int F_COVER = SLOTS - 1;
  logic [SLOTS-1:0] f_is_able, f_had_wait_q, f_waits_q;
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
    f_had_wait_q <= {SLOTS{rst_ni}} & (f_had_wait_q | waits_i) & ~f_launched & ~f_issued;
    f_silent_q <= f_silent ? f_silent_q + 1'b1 : '0;
  end
  always_comb begin
    // A warp waits once for an instruction, without a break.
    if (f_started_q && rst_ni) assume ((waits_i & f_had_wait_q & ~f_waits_q) == '0);
    // Some warp issues within the bound.
    if (f_started_q) assert (32'(f_silent_q) < F_BOUND);
    // So long can it take.
    cover (f_started_q && 32'(f_silent_q) == F_COVER);
  end
`endif
