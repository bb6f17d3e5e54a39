// SPDX-License-Identifier: MIT
// Age limit: how many issues a warp of active waits for. f_patient stands for any warp.
  (* anyconst *) logic [WARP_W-1:0] f_patient;
  logic [SLOTS-1:0] f_is_patient;
  logic [11:0] f_waited_q, f_remaining, f_due_count, f_active_count;
  logic f_patient_active, f_patient_due;
  localparam int unsigned F_ACTIVE = SLOTS > ENTRIES ? SLOTS - ENTRIES : 1;  // the most that active holds
  // The bound in issues. All warps but this one may be due when it comes; each is promoted beside the
  // first of F_TURN issues, of which the last relieves somebody of ready. (The first relieves nobody,
  // because there is room.) Then AGE_LIMIT issues until this one is due with all others.
  localparam int unsigned F_LIMIT = AGE_LIMIT > 0 ? AGE_LIMIT : 1;
  localparam int unsigned F_TURN = F_LIMIT > 2 ? F_LIMIT : 2;
  localparam int unsigned F_BOUND = (2 * F_ACTIVE - 1) * F_TURN + F_LIMIT;
  always_comb begin
    f_is_patient = SLOTS'(1) << f_patient;
    f_patient_active = (f_active_q & f_is_patient) != '0;
    f_patient_due = (f_due_q & f_is_patient) != '0;
    f_due_count = '0;
    f_active_count = '0;
    for (int w = 0; w < SLOTS; w++) begin
      f_due_count = f_due_count + 12'(f_due_q[w]);
      f_active_count = f_active_count + 12'(f_active_q[w]);
    end
    // Issues that may still come until the last due warp has been promoted, that of this cycle included.
    // With room in ready the first of them is promoted now, and at least one issue follows before the
    // next relief. Without due warps: until they are gathered.
    if (f_full || f_due_count == 0) f_remaining = F_LIMIT - 12'(f_issues_q) + f_due_count * F_TURN;
    else begin
      f_remaining = (32'(f_issues_q) + 2 < F_LIMIT ? F_LIMIT - 12'(f_issues_q) : 2) +
          (f_due_count - 1) * F_TURN;
    end
    // While the warp is in active: the last promotion is its own, and has one issue beside it. If it is
    // not due, it is with all others, who then go first.
    if (f_patient_due) f_remaining = f_due_count == 1 && !f_full ? 1 : f_remaining - F_TURN + 1;
    else f_remaining = f_remaining + F_LIMIT + (F_ACTIVE - 1) * F_TURN + 1;
  end
  // Issues since the warp is in active.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !f_patient_active) f_waited_q <= '0;
    else if (issue_valid_o && !(&f_waited_q)) f_waited_q <= f_waited_q + 1'b1;
  end
  always_comb begin
    if (f_started_q && rst_ni) begin
      // Active grows beside a full ready queue alone, so it holds no more than the other slots.
      assert (32'(f_active_count) <= F_ACTIVE);
      // What has been waited and what may still come stays within the bound and the issue beside the
      // promotion. (Each late end from active may come beside one more.)
      assert (AGE_LIMIT == 0 || LATE_EXIT || !f_patient_active ||
              32'(f_waited_q) + 32'(f_remaining) <= F_BOUND + 1);
      // A warp of active is promoted after at most (2 A - 1) max(L, 2) + L issues, where A is
      // max(1, WARPS - READY) and L the limit.
      assert (AGE_LIMIT == 0 || LATE_EXIT || !f_patient_active || 32'(f_waited_q) <= F_BOUND);
    end
  end
`ifdef PROVE_paws_two_level_starves
  always_comb begin
    // Without a limit a warp waits longer than the bound that a limit of 1 gives.
    cover (f_started_q && rst_ni && f_patient_active && 32'(f_waited_q) > F_BOUND);
  end
`endif
`ifdef PROVE_paws_two_level_collected
  // A state that comes again, with f_patient in the collector all the while, can come for ever.
  logic f_take, f_taken_q;
  logic [F_STATE_W-1:0] f_taken_state_q;
  (* anyseq *) logic f_any_take;
  assign f_take = f_any_take && !f_taken_q;
  always_ff @(posedge clk_i) begin
    f_taken_q <= f_started_q && rst_ni && (f_collected_q & f_is_patient) != '0 &&
        launch_valid_i && (f_take || f_taken_q);
    if (f_take) f_taken_state_q <= f_state;
  end
  always_comb begin
    // A launch in every cycle keeps a collected warp there for ever, in spite of an age limit.
    cover (AGE_LIMIT > 0 && f_taken_q && rst_ni && f_state == f_taken_state_q);
  end
`endif
`ifdef PROVE_paws_two_level_longest
  always_comb begin
    // A warp waits for as many issues as the bound says (with a limit of 1 for one less).
    cover (f_started_q && rst_ni && f_promoted == f_is_patient &&
           32'(f_waited_q) == F_BOUND - (AGE_LIMIT == 1 ? 1 : 0));
  end
`endif
`ifdef PROVE_paws_two_level
  if (AGE_LIMIT > 0 && READY > 1) begin : f_gen_cover_gather
    always_comb begin
      // The limit is reached beside the promotion of the only warp of active, so that nobody gets due.
      cover (f_started_q && rst_ni && f_gather && f_promoted == f_active_q && |f_active_q);
    end
  end
  if (AGE_LIMIT > 0 && READY < SLOTS) begin : f_gen_cover_limit
    always_comb begin
      // Warps are gathered while ready is full.
      cover (f_started_q && rst_ni && f_gather && |f_active_q && f_full);
      // A warp that lives on is relieved.
      cover (f_started_q && rst_ni && f_relief && |(f_issued & ~exit_i));
      // A due warp is promoted.
      cover (f_started_q && rst_ni && f_promoted == f_is_patient && f_patient_due);
    end
  end
`endif
