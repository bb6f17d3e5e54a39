// SPDX-License-Identifier: MIT
// The decision is the one of its definition (docs/reference/microarchitecture.md, "Fetch groups"): f_last_q and
// f_run_q move by its rules alone.
`include "started.svh"
  localparam int unsigned F_GROUPS = SLOTS / SIZE;

  // The promises of the host, assumed: rtl/paws_host_checks.sv says the same.
  logic [SLOTS-1:0] f_live_q, f_launched, f_issued;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) begin
      f_launched[w] = launch_valid_i && launch_warp_i == WARP_W'(w);
      f_issued[w] = issue_valid_o && issue_warp_o == WARP_W'(w);
    end
    assume (!launch_valid_i || 32'(launch_warp_i) < SLOTS);
    if (f_started_q && rst_ni) begin
      assume ((issuable_i & ~f_live_q) == '0);
      assume ((f_launched & f_live_q) == '0);
    end
  end
  always_ff @(posedge clk_i) f_live_q <= rst_ni ? (f_live_q | f_launched) & ~(f_issued & exit_i) : '0;

  // The definition: the last issued slot, and the issues of its group in succession.
  logic f_last_valid_q;
  logic [WARP_W-1:0] f_last_q;
  logic [16:0] f_run_q;
  logic [6:0] f_last, f_last_group;  // slot and group; of none: slot 0's group
  logic [SLOTS-1:0] f_own;
  logic f_expired, f_own_can, f_others_can, f_goes_on, f_stayed;
  always_comb begin
    f_last = 7'(f_last_q);
    f_last_group = '0;
    for (int g = 0; g < F_GROUPS; g++) begin
      if (f_last_valid_q && 32'(f_last) >= g * SIZE && 32'(f_last) < (g + 1) * SIZE) f_last_group = g;
    end
    for (int w = 0; w < SLOTS; w++) f_own[w] = w / SIZE == 32'(f_last_group);
    f_expired = TIMEOUT > 0 && f_last_valid_q && 32'(f_run_q) >= TIMEOUT;
    f_own_can = (issuable_i & f_own) != '0;
    f_others_can = (issuable_i & ~f_own) != '0;
    f_goes_on = f_own_can && !(f_expired && f_others_can);
    f_stayed = (f_issued & f_own) != '0 && f_last_valid_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_last_valid_q <= 1'b0;
    else if (issue_valid_o) f_last_valid_q <= 1'b1;
    if (issue_valid_o) begin
      f_last_q <= issue_warp_o;
      f_run_q <= !f_stayed ? 17'd1 : 32'(f_run_q) < TIMEOUT ? f_run_q + 17'd1 : f_run_q;
    end
  end

  // Steps from the last issued slot to each: in its group, cyclically, and of groups.
  logic [SLOTS*7-1:0] f_steps, f_group_steps;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) begin
      f_steps[w*7+:7] = w % SIZE;
      if (f_last_valid_q && f_own[w]) f_steps[w*7+:7] = 7'(w) - f_last + (7'(w) > f_last ? 0 : SIZE) - 1;
      f_group_steps[w*7+:7] = 7'(w / SIZE) - f_last_group + (7'(w / SIZE) >= f_last_group ? 0 : F_GROUPS);
    end
  end

  always_comb begin
    if (f_started_q && rst_ni) begin
      // G1: if a warp may issue, and issuing is enabled, one is issued; else none is.
      assert (issue_valid_o == (issue_en_i && |issuable_i));
      // Without an issue the warp is 0.
      assert (issue_valid_o || issue_warp_o == '0);
      // The issued warp may issue.
      assert (!issue_valid_o || (f_issued & issuable_i) != '0);
      // G2: the last group goes on if it can and its time is not over.
      assert (!issue_valid_o || !f_goes_on || (f_issued & f_own) != '0);
      // G8: a group whose time is over comes after all others.
      assert (!issue_valid_o || f_goes_on || (f_issued & ~f_own) != '0);
      // G9: it is quiet exactly if nothing is launched and no warp may issue.
      assert (quiet_o == (!launch_valid_i && issuable_i == '0));
      // The last issued slot is the one of the definition, and exists.
      assert (last_valid_q == f_last_valid_q && (!last_valid_q || (last_q == f_last_q && 32'(last_q) < SLOTS)));
      // The issues in succession are those of the definition.
      assert (!f_last_valid_q || (TIMEOUT == 0 ? f_run_q <= 17'd1 : f_run_q != '0 && 32'(f_run_q) <= TIMEOUT));
    end
  end
  if (TIMEOUT > 0) begin : f_gen_run
    always_comb begin
      if (f_started_q && rst_ni) begin
        // The counter has them.
        assert (!f_last_valid_q || 32'(gen_timeout.run_q) == 32'(f_run_q));
      end
    end
  end
  for (genvar v = 0; v < SLOTS; v++) begin : f_gen_issued
    for (genvar w = 0; w < SLOTS; w++) begin : f_gen_rival
      always_comb begin
        if (f_started_q && rst_ni && f_issued[v] && issuable_i[w]) begin
          // G4: in the last group no warp that may issue comes first after the last one.
          assert (!f_goes_on || !f_own[w] || f_steps[v*7+:7] <= f_steps[w*7+:7]);
          // G3: no other group that can is nearer.
          assert (f_goes_on || f_own[w] || f_group_steps[v*7+:7] <= f_group_steps[w*7+:7]);
          // G3: it begins with its lowest slot.
          assert (f_goes_on || w / SIZE != v / SIZE || v <= w);
          if (GROUP == 1 && TIMEOUT == 0 && f_last_valid_q) begin
            // G6: in groups of one the decision is that of RR whenever the last slot does not ask.
            assert ((issuable_i & f_own) != '0 ||
                    7'(v) - f_last + (7'(v) > f_last ? 0 : SLOTS) <= 7'(w) - f_last + (7'(w) > f_last ? 0 : SLOTS));
          end
        end
      end
    end
  end

  // While it is quiet nothing changes.
  logic f_quiet_q, f_quiet_valid_q;
  logic [WARP_W-1:0] f_quiet_last_q;
  logic [16:0] f_quiet_run_q;
  always_ff @(posedge clk_i) begin
    f_quiet_q <= f_started_q && rst_ni && quiet_o;
    f_quiet_valid_q <= f_last_valid_q;
    f_quiet_last_q <= f_last_q;
    f_quiet_run_q <= f_run_q;
  end
  always_comb begin
    if (f_started_q && rst_ni && f_quiet_q) begin
      // G9: after a quiet cycle the last issued slot and the issues of its group are what they were.
      assert (f_last_valid_q == f_quiet_valid_q && f_last_q == f_quiet_last_q && f_run_q == f_quiet_run_q);
    end
  end

  // Issues of others, and of others of its group, while f_patient could issue all the time.
  (* anyconst *) logic [WARP_W-1:0] f_patient;
  localparam int unsigned F_BOUND = 2 * (SIZE - 1) + (F_GROUPS - 1) * TIMEOUT;
  logic [6:0] f_place, f_patient_group, f_own_steps, f_groups_left;
  logic [20:0] f_waited_q, f_served_q, f_remaining;
  logic f_can, f_is_own;
  always_comb begin
    f_can = 1'b0;
    f_place = '0;
    f_patient_group = '0;
    f_own_steps = '0;
    f_is_own = 1'b0;
    f_groups_left = '0;
    for (int w = 0; w < SLOTS; w++) begin
      if (f_patient == WARP_W'(w)) begin
        f_can = issuable_i[w];
        f_place = w % SIZE;
        f_patient_group = w / SIZE;
        f_own_steps = f_steps[w*7+:7];
        f_is_own = f_own[w] && f_last_valid_q;
        f_groups_left = f_group_steps[w*7+:7];
      end
    end
    // With a timeout: the issues before its turn, if they come before the time of its group is over; else also
    // one time of each other group, and once more the slots below.
    if (!f_last_valid_q) f_remaining = 21'(f_groups_left) * TIMEOUT + f_place;
    else if (f_is_own) begin
      f_remaining = 21'(f_own_steps);
      if (32'(f_own_steps) + 32'(f_run_q) >= TIMEOUT) begin
        f_remaining = 21'(f_own_steps) + (F_GROUPS - 1) * TIMEOUT + f_place;
      end
    end else f_remaining = 21'(f_groups_left) * TIMEOUT - f_run_q + f_place;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !f_can || (issue_valid_o && issue_warp_o == f_patient)) begin
      f_waited_q <= '0;
      f_served_q <= '0;
    end else if (issue_valid_o) begin
      if (!(&f_waited_q)) f_waited_q <= f_waited_q + 1'b1;
      for (int w = 0; w < SLOTS; w++) begin
        if (f_issued[w] && w / SIZE == 32'(f_patient_group) && !(&f_served_q)) f_served_q <= f_served_q + 1'b1;
      end
    end
  end
  always_comb begin
    assume (32'(f_patient) < SLOTS);
    if (f_started_q && rst_ni && f_can && TIMEOUT == 0) begin
      // G4: a warp that stays issuable is issued after at most GROUP - 1 issues of others of its group.
      assert (32'(f_served_q) < SIZE);
      // What has been waited for and the steps to its turn are less than the size of the group.
      assert (32'(f_served_q) + 32'(f_is_own ? f_own_steps : f_place) < SIZE);
      // A group that it could have left has no warp that waits.
      assert (f_is_own || f_served_q == '0);
    end
    if (f_started_q && rst_ni && f_can && TIMEOUT > 0) begin
      // G8: what has been waited and what may still come stays within the bound.
      assert (32'(f_waited_q) + 32'(f_remaining) <= F_BOUND);
      // G8: a warp that stays issuable is issued after at most 2 (GROUP - 1) + TIMEOUT (groups - 1) issues of others.
      assert (32'(f_waited_q) <= F_BOUND);
    end
  end

`ifdef PROVE_paws_fetch_group_starves
  // A state that comes again with the same inputs comes for ever.
  (* anyseq *) logic f_mark;
  logic f_marked_q;
  logic [WARP_W-1:0] f_marked_last_q;
  logic [SLOTS-1:0] f_marked_issuable_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !f_can || (issue_valid_o && issue_warp_o == f_patient)) f_marked_q <= 1'b0;
    else if (f_mark && issue_valid_o && f_last_valid_q && !f_marked_q) begin
      f_marked_q <= 1'b1;
      f_marked_last_q <= f_last_q;
      f_marked_issuable_q <= issuable_i;
    end
  end
  always_comb begin
    // G7: a group that never stalls keeps another's warp waiting for ever, though all of it may issue.
    cover (f_started_q && rst_ni && f_marked_q && f_can && !f_is_own && issue_valid_o &&
           f_marked_last_q == f_last_q && f_marked_issuable_q == issuable_i && 32'(f_waited_q) > SIZE);
  end
`endif
`ifdef PROVE_paws_fetch_group_rr
  // G5: in one group the decision is that of the single level's RR.
  logic f_rr_valid, f_rr_quiet;
  logic [WARP_W-1:0] f_rr_warp;
  localparam int unsigned F_ROW_W = $clog2((SLOTS + 1) / 2);
  paws_single_level #(
      .WARPS   (SLOTS),
      .PHASE_W (4),
      .LENGTH_W(4),
      .POLICIES(1 << paws_pkg::RR),
      .PAIR_W  (1)
  ) u_rr (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .policy_i      (paws_pkg::RR),
      .issue_en_i    (issue_en_i),
      .issuable_i    (issuable_i),
      .exit_i        (exit_i),
      .distance_i    ({SLOTS{4'd0}}),
      .pair_i        ({SLOTS{1'b0}}),
      .row_i         ({SLOTS * F_ROW_W{1'b0}}),
      .second_i      ({SLOTS{1'b0}}),
      .yield_i       ({SLOTS{1'b0}}),
      .launch_valid_i(launch_valid_i),
      .launch_warp_i (launch_warp_i),
      .issue_valid_o (f_rr_valid),
      .issue_warp_o  (f_rr_warp),
      .quiet_o       (f_rr_quiet)
  );
  (* hierconn *) logic \u_rr.last_valid ;
  (* hierconn *) logic [WARP_W-1:0] \u_rr.last_warp ;
  always_comb begin
    if (f_started_q && rst_ni) begin
      // G5: in one group the same warp is issued in every cycle.
      assert (f_rr_valid == issue_valid_o && f_rr_warp == issue_warp_o && f_rr_quiet == quiet_o);
      // The last issued slots are the same.
      assert (\u_rr.last_valid == last_valid_q && (!last_valid_q || \u_rr.last_warp == last_q));
    end
    // The choice wraps around.
    cover (f_started_q && rst_ni && issue_valid_o && last_valid_q && issue_warp_o < last_q && f_rr_valid);
  end
`endif
`ifdef PROVE_paws_fetch_group
  logic [SLOTS-1:0] f_exited_q;  // the last issue was this warp's exit
  always_ff @(posedge clk_i) if (issue_valid_o || !rst_ni) f_exited_q <= f_issued & exit_i & {SLOTS{rst_ni}};
  always_comb begin
    // The group of a warp that ended goes on.
    cover (f_started_q && rst_ni && issue_valid_o && f_stayed && f_exited_q != '0);
    // A launch into the last group.
    cover (f_started_q && rst_ni && f_last_valid_q && (f_launched & f_own) != '0);
  end
  if (SIZE > 1) begin : f_gen_cover_turn
    always_comb begin
      // In the last group the choice wraps around.
      cover (f_started_q && rst_ni && issue_valid_o && f_stayed && issue_warp_o < f_last_q);
    end
  end
  if (F_GROUPS > 2) begin : f_gen_cover_groups
    always_comb begin
      // A switch past an idle group, back to a lower one, though the last group has a warp that cannot issue.
      cover (f_started_q && rst_ni && issue_valid_o && !f_stayed && f_last_valid_q && 32'(f_last_group) == F_GROUPS - 1 &&
             (f_issued >> SIZE) != '0 && (f_live_q & f_own) != '0 && !f_own_can);
    end
  end
  if (TIMEOUT > 0) begin : f_gen_cover_timeout
    always_comb begin
      // The bound is reached.
      cover (f_started_q && rst_ni && f_can && 32'(f_waited_q) == F_BOUND && issue_valid_o);
      // A group whose time is over goes on alone.
      cover (f_started_q && rst_ni && f_expired && f_goes_on && issue_valid_o);
    end
  end
`endif
