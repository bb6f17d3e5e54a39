// Age limit: how many issues a warp of active waits for. f_patient stands for any warp.
  (* anyconst *) logic [WARP_W-1:0] f_patient;
  logic [SLOTS-1:0] f_is_patient;
  logic [11:0] f_waited_q, f_remaining, f_due_count, f_active_count;
  logic f_patient_active, f_patient_due;
  localparam int F_ACTIVE = SLOTS > ENTRIES ? SLOTS - ENTRIES : 1;  // the most that active holds
  // The bound in issues. All warps but this one may be due; each takes AGE_LIMIT issues to its relief
  // and one more beside its promotion. Then AGE_LIMIT issues until this one is due with all others.
  localparam int F_LIMIT = AGE_LIMIT > 0 ? AGE_LIMIT : 1;
  localparam int F_BOUND = (2 * F_ACTIVE - 1) * (F_LIMIT + 1) + F_LIMIT;
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
    // Issues that may still come while the warp is in active.
    if (f_patient_due && f_due_count == 1 && !f_full) f_remaining = 1;
    else begin
      f_remaining = f_due_count * (F_LIMIT + 1) - 12'(f_issues_q) -
          (f_due_count != 0 && !f_full ? F_LIMIT : 0) +
          (f_patient_due ? 0 : F_LIMIT + F_ACTIVE * (F_LIMIT + 1));
    end
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
      // What has been waited and what may still come stays within the bound.
      assert (AGE_LIMIT == 0 || !f_patient_active ||
              32'(f_waited_q) + 32'(f_remaining) <= F_BOUND);
      // A warp of active is promoted after at most (2 A - 1) (L + 1) + L issues, where A is
      // max(1, WARPS - READY) and L the limit.
      assert (AGE_LIMIT == 0 || !f_patient_active || 32'(f_waited_q) < F_BOUND);
    end
  end
`ifdef PROVE_paws_two_level_starves
  always_comb begin
    // Without a limit a warp waits longer than the bound that a limit of 1 gives.
    cover (f_started_q && rst_ni && f_patient_active && 32'(f_waited_q) > F_BOUND);
  end
`endif
`ifdef PROVE_paws_two_level
  if (AGE_LIMIT > 0) begin : f_gen_cover_limit
    always_comb begin
      cover (f_started_q && rst_ni && f_gather && |f_active_q && f_full);
      cover (f_started_q && rst_ni && f_relief && |(f_issued & ~exit_i));
      cover (f_started_q && rst_ni && f_promoted == f_is_patient && f_patient_due);
    end
  end
`endif
