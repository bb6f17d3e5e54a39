// SPDX-License-Identifier: MIT
// The scheduler is that of its definition (docs/reference/microarchitecture.md, "Cycle semantics"): f_ready_q,
// f_active_q, f_pending_q and f_collected_q are the queues, moved by the rules of the table alone, and
// the RTL is compared with them. Matrices hold orders (row v, column w: v before w).
`include "started.svh"

  // State of the modules inside; flatten connects these wires to them by name.
  (* hierconn *) logic [SLOTS-1:0] \u_ready.members ;
  (* hierconn *) logic [SLOTS*SLOTS-1:0] \u_ready.f_ahead_q ;
  (* hierconn *) logic [SLOTS-1:0] \u_ready.f_promoted ;
  (* hierconn *) logic [SLOTS-1:0] \u_ready.f_issued ;
  (* hierconn *) logic [SLOTS-1:0] \gen_age.u_age.f_launched_q ;
  (* hierconn *) logic [SLOTS*WARP_W-1:0] \gen_age.u_age.f_rank ;
  (* hierconn *) logic [SLOTS*WARP_W-1:0] \u_places.f_place ;
  (* hierconn *) logic [SLOTS*WARP_W-1:0] \u_collector.f_place_q ;
  (* hierconn *) logic [SLOTS*SLOTS-1:0] \u_collector.f_earlier_q ;
  (* hierconn *) logic [SLOTS-1:0] \gen_tree.u_active.member_q ;
  (* hierconn *) logic [SLOTS*SLOTS-1:0] \gen_tree.u_active.f_arrived_q ;
  (* hierconn *) logic \gen_sorted.u_entrant.valid_q ;
  (* hierconn *) logic \gen_sorted.u_entrant.launched_q ;
  (* hierconn *) logic [SLOTS-1:0] \gen_sorted.u_entrant.slot_q ;
  (* hierconn *) logic [WARP_W-1:0] \gen_sorted.u_entrant.age_q ;
  (* hierconn *) logic [16:0] \gen_limit.u_limit.f_issues_q ;
  (* hierconn *) logic [KEY_W-1:0] \gen_sorted.u_entrant.gen_length.length_q ;
  (* hierconn *) logic [SLOTS-1:0] \gen_sorted.gen_shift.u_active.f_member ;
  (* hierconn *) logic [SLOTS*SLOTS-1:0] \gen_sorted.gen_shift.u_active.f_order_q ;
  (* hierconn *) logic [SLOTS-1:0] \gen_sorted.gen_rank.u_active.f_member ;
  (* hierconn *) logic [SLOTS*SLOTS-1:0] \gen_sorted.gen_rank.u_active.f_order_q ;
  (* hierconn *) logic [SLOTS*WARP_W-1:0] \gen_sorted.gen_rank.u_active.f_place_q ;

  // Active as the RTL has it: those in order and the entrant; fresh is an entrant that was launched.
  logic [SLOTS-1:0] f_sorted, f_entrant, f_fresh, f_goes;
  logic [SLOTS*SLOTS-1:0] f_order;
  logic [KEY_W-1:0] f_entrant_code;
  localparam int unsigned F_CODES = (FIELD_W - KEPT + 2) << (KEPT - 1);  // how many codes there are
  if (SORTER == 1) begin : f_gen_tree
    assign f_sorted = \gen_tree.u_active.member_q ;
    assign f_order = '0;
    assign f_entrant = '0;
    assign f_fresh = '0;
    assign f_goes = '0;
    assign f_entrant_code = '0;
  end else begin : f_gen_sorted
    assign f_entrant = \gen_sorted.u_entrant.slot_q & {SLOTS{\gen_sorted.u_entrant.valid_q }};
    assign f_fresh = f_entrant & {SLOTS{\gen_sorted.u_entrant.launched_q }};
    assign f_goes = gen_sorted.goes_before;
    assign f_entrant_code = HAS_PAWS ? \gen_sorted.u_entrant.gen_length.length_q : '0;
    if (SORTER == 0) begin : f_gen_shift
      assign f_sorted = \gen_sorted.gen_shift.u_active.f_member ;
      assign f_order = \gen_sorted.gen_shift.u_active.f_order_q ;
    end else begin : f_gen_rank
      assign f_sorted = \gen_sorted.gen_rank.u_active.f_member ;
      assign f_order = \gen_sorted.gen_rank.u_active.f_order_q ;
    end
  end

  // The promises of the host, assumed: rtl/paws_host_checks.sv says the same.
  logic [paws_pkg::POLICY_W-1:0] f_policy_q;
  logic f_policy_known_q;
  logic [SLOTS-1:0] f_live_q, f_launched, f_issued, f_ended;
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
  end
  always_comb begin
    if (f_started_q && rst_ni) begin
      // policy_i names a policy that is built.
      assume (((POLICIES >> policy_i) & 1) != 0);
      // policy_i is stable outside reset.
      assume (!f_policy_known_q || policy_i == f_policy_q);
      // No warp is issuable and waits at the same time.
      assume ((issuable_i & waits_i) == '0);
      // A free slot is neither issuable nor waits.
      assume (((issuable_i | waits_i) & ~f_live_q) == '0);
      // A launch names a slot that exists and is free.
      assume (!launch_valid_i || (32'(launch_warp_i) < SLOTS && (f_launched & f_live_q) == '0));
      // A late end names a live warp that is not issuable.
      assume (!LATE_EXIT || !end_valid_i || (f_ended & f_live_q & ~issuable_i) != '0);
    end
  end

  if (HELD_LENGTH) begin : f_gen_held
    logic [SLOTS-1:0] f_holds_q;
    logic [SLOTS*LENGTH_W-1:0] f_length_q;
    always_ff @(posedge clk_i) begin
      f_length_q <= length_i;
      f_holds_q <= {SLOTS{rst_ni && f_started_q}} & (f_launched | (f_live_q & ~f_issued & ~f_ended));
    end
    for (genvar w = 0; w < SLOTS; w++) begin : f_gen_slot
      always_comb begin
        // A length that is to be held changes only after an issue of the warp.
        assume (!f_started_q || !rst_ni || !f_holds_q[w] ||
                length_i[w*LENGTH_W+:LENGTH_W] == f_length_q[w*LENGTH_W+:LENGTH_W]);
      end
    end
  end

  // Keys of length_i by their definition: saturation, then what the KEPT leading bits leave. Without PAWS
  // there are none.
  localparam int unsigned F_KEY_W = HAS_PAWS ? FIELD_W : 1;
  logic [SLOTS*F_KEY_W-1:0] f_key;
  logic [LENGTH_W-1:0] f_length;
  logic [FIELD_W-1:0] f_field;
  always_comb begin
    f_key = '0;
    for (int w = 0; w < SLOTS; w++) begin
      f_length = length_i[w*LENGTH_W+:LENGTH_W];
      f_field = (f_length >> FIELD_W) != 0 ? {FIELD_W{1'b1}} : f_length[FIELD_W-1:0];
      if (HAS_PAWS) f_key[w*F_KEY_W+:F_KEY_W] = f_field;
      for (int x = KEPT; x < FIELD_W; x++) begin
        if (HAS_PAWS && (f_field >> x) == 1) begin
          f_key[w*F_KEY_W+:F_KEY_W] = (f_field >> (x + 1 - KEPT)) << (x + 1 - KEPT);
        end
      end
    end
  end

  // The definition.
  logic [SLOTS-1:0] f_ready_q, f_active_q, f_pending_q, f_collected_q;
  logic [SLOTS-1:0] f_ready_d, f_active_d, f_pending_d, f_collected_d;
  logic [SLOTS-1:0] f_leaves, f_wakes, f_front, f_admitted, f_head, f_promoted;
  logic [SLOTS-1:0] f_due_q;  // with an age limit
  logic [16:0] f_issues_q;
  logic f_reached, f_gather, f_relief;
  logic [SLOTS*SLOTS-1:0] f_ahead_q, f_older_q, f_arrived_q, f_earlier_q, f_before;
  logic [SLOTS*F_KEY_W-1:0] f_key_q;
  logic [WARP_W:0] f_ready_count;
  logic f_promotes, f_quiet;

  always_comb begin
    f_ready_count = '0;
    for (int w = 0; w < SLOTS; w++) f_ready_count = f_ready_count + (WARP_W + 1)'(f_ready_q[w]);
    // Who goes before whom in active: due warps, then RR by arrival, GTO by age, PAWS by length and then
    // by age or arrival.
    for (int v = 0; v < SLOTS; v++) begin
      for (int w = 0; w < SLOTS; w++) begin
        f_before[v*SLOTS+w] = f_due_q[v] != f_due_q[w] ? f_due_q[v] :
            policy_i == paws_pkg::RR ? f_arrived_q[v*SLOTS+w] :
            policy_i == paws_pkg::GTO ? f_older_q[v*SLOTS+w] :
            f_key_q[v*F_KEY_W+:F_KEY_W] != f_key_q[w*F_KEY_W+:F_KEY_W] ?
                f_key_q[v*F_KEY_W+:F_KEY_W] < f_key_q[w*F_KEY_W+:F_KEY_W] :
            TIE_ARRIVAL ? f_arrived_q[v*SLOTS+w] : f_older_q[v*SLOTS+w];
      end
    end
    f_reached = 32'(f_issues_q) == AGE_LIMIT - 1;
    f_gather = AGE_LIMIT > 0 && issue_valid_o && f_reached && f_due_q == '0;
    f_relief = AGE_LIMIT > 0 && issue_valid_o && f_reached && f_due_q != '0 &&
        32'(f_ready_count) == READY;
    f_leaves = f_ready_q & (waits_i | (f_issued & ~exit_i & {SLOTS{f_relief}}));
    f_wakes = f_pending_q & ~long_outstanding_i & ~waits_i & ~f_ended;
    // The front of the collector woke earliest, and is the lowest slot or the oldest of those.
    // The head of active is the one that no other active warp goes before.
    f_front = f_collected_q;
    f_head = f_active_q;
    for (int v = 0; v < SLOTS; v++) begin
      for (int w = 0; w < SLOTS; w++) begin
        if (v != w && f_collected_q[v] && (f_earlier_q[v*SLOTS+w] ||
            (!f_earlier_q[w*SLOTS+v] && (WAKE_OLDEST ? f_older_q[v*SLOTS+w] : v < w)))) begin
          f_front[w] = 1'b0;
        end
        if (v != w && f_active_q[v] && f_before[v*SLOTS+w]) f_head[w] = 1'b0;
      end
    end
    // A late end takes the way out of active or of the collector.
    f_admitted = f_front & {SLOTS{!launch_valid_i && (f_ended & f_collected_q) == '0}};
    f_promotes = |f_active_q && 32'(f_ready_count) < READY && (f_ended & f_active_q) == '0;
    f_promoted = f_head & {SLOTS{f_promotes}};
    f_quiet = !launch_valid_i && f_ended == '0 && f_collected_q == '0 && !f_promotes &&
        (f_ready_q & (waits_i | issuable_i)) == '0 && f_wakes == '0;
    f_ready_d = (f_ready_q & ~f_leaves & ~(f_issued & exit_i)) | f_promoted;
    f_active_d = (f_active_q & ~f_promoted) | f_launched | f_admitted;
    f_pending_d = (f_pending_q & ~f_wakes) | f_leaves;
    f_collected_d = (f_collected_q & ~f_admitted) | f_wakes;
    // Whatever else the cycle does to it, the warp of a late end is nowhere afterwards.
    f_ready_d = f_ready_d & ~f_ended;
    f_active_d = f_active_d & ~f_ended;
    f_pending_d = f_pending_d & ~f_ended;
    f_collected_d = f_collected_d & ~f_ended;
  end
  always_ff @(posedge clk_i) begin
    f_ready_q <= rst_ni ? f_ready_d : '0;
    f_active_q <= rst_ni ? f_active_d : '0;
    f_pending_q <= rst_ni ? f_pending_d : '0;
    f_collected_q <= rst_ni ? f_collected_d : '0;
    f_due_q <= rst_ni ? (f_due_q | (f_active_q & {SLOTS{f_gather}})) & ~f_promoted & ~f_ended : '0;
    if (!rst_ni || f_gather || f_relief) f_issues_q <= '0;
    else if (AGE_LIMIT > 0 && issue_valid_o && !f_reached) f_issues_q <= f_issues_q + 1'b1;
    for (int w = 0; w < SLOTS; w++) begin
      if (f_launched[w] || f_leaves[w]) begin
        f_key_q[w*F_KEY_W+:F_KEY_W] <= f_key[w*F_KEY_W+:F_KEY_W];
      end
      for (int v = 0; v < SLOTS; v++) begin
        if (f_launched[v]) f_older_q[v*SLOTS+w] <= 1'b0;
        else if (f_launched[w]) f_older_q[v*SLOTS+w] <= 1'b1;
        if (f_launched[v] || f_admitted[v]) f_arrived_q[v*SLOTS+w] <= 1'b0;
        else if (f_launched[w] || f_admitted[w]) f_arrived_q[v*SLOTS+w] <= 1'b1;
        if (f_wakes[v]) f_earlier_q[v*SLOTS+w] <= 1'b0;
        else if (f_wakes[w]) f_earlier_q[v*SLOTS+w] <= 1'b1;
        // Ready: a promoted warp comes behind all others, an issuer behind all but that.
        f_ahead_q[v*SLOTS+w] <= f_promoted[w] ? 1'b1 : f_promoted[v] ? 1'b0 :
            f_issued[w] ? 1'b1 : f_issued[v] ? 1'b0 : f_ahead_q[v*SLOTS+w];
      end
    end
  end

`ifdef PROVE_paws_two_level_parts
`include "paws_two_level_parts.svh"
`endif
  // What is promised.
  always_comb begin
    // Where its clock gate is closed no warp begins to be pending or ceases to be.
    assert (pending_change || pending_d == pending_q);
    if (f_started_q) begin
      // A live warp is in exactly one of ready, active, pending and collector; none is lost or doubled.
      assert ((f_ready_q ^ f_active_q ^ f_pending_q ^ f_collected_q) == f_live_q &&
              (f_ready_q & f_active_q) == '0 && (f_ready_q & f_pending_q) == '0 &&
              (f_ready_q & f_collected_q) == '0 && (f_active_q & f_pending_q) == '0 &&
              (f_active_q & f_collected_q) == '0 && (f_pending_q & f_collected_q) == '0);
      // The RTL's ready queue holds the warps of the definition's.
      assert (\u_ready.members == f_ready_q);
      // So does its active queue.
      assert ((f_sorted | f_entrant) == f_active_q);
      // No warp is in order and the entrant at once.
      assert ((f_sorted & f_entrant) == '0);
      // So do its pending warps.
      assert (pending_q == f_pending_q);
      // So does its collector.
      assert (collected == f_collected_q);
      // Due are the warps that the definition says, all of active.
      assert (due == f_due_q && (f_due_q & ~f_active_q) == '0);
      // The count of issues is that of the definition.
      assert (AGE_LIMIT == 0 || (\gen_limit.u_limit.f_issues_q == f_issues_q &&
              32'(f_issues_q) < AGE_LIMIT));
      // An entrant is not due.
      assert ((f_due_q & f_entrant) == '0);
      // No more than READY warps are in ready.
      assert (32'(f_ready_count) <= READY);
    end
    if (f_started_q && rst_ni) begin
      // If a warp of ready may issue and issuing is enabled, one is issued; else none is.
      assert (issue_valid_o == (issue_en_i && (f_ready_q & issuable_i) != '0));
      // Only a warp of ready that may issue is issued.
      assert ((f_issued & ~(f_ready_q & issuable_i)) == '0);
      // A promotion happens exactly if active is not empty and ready has room.
      assert (promote == f_promotes);
      // The promoted warp is the head of active in the order of the policy.
      assert (!promote || f_head == SLOTS'(1) << head_warp);
      // The front of the collector woke earliest and is the lowest slot or the oldest of those that woke
      // with it.
      assert (any_front_slot == f_front);
      // The front is admitted exactly if nothing is launched and no collected warp ends late.
      assert (admit == (|f_collected_q && !launch_valid_i && (f_ended & f_collected_q) == '0));
      // A warp that ends late does not issue.
      assert ((f_ended & f_issued) == '0);
      // quiet_o says that no event of the definition can happen.
      assert (quiet_o == f_quiet);
    end
  end
  for (genvar w = 0; w < SLOTS; w++) begin : f_gen_issued
    for (genvar v = 0; v < SLOTS; v++) begin : f_gen_ahead
      if (v != w) begin : f_gen_two
        always_comb begin
          // No warp of ready that may issue stands ahead of the issued one.
          assert (!f_started_q || !rst_ni || !f_issued[w] || !f_ready_q[v] || !issuable_i[v] ||
                  !f_ahead_q[v*SLOTS+w]);
        end
      end
    end
  end

  // What it takes to show that: how the RTL's state stands to the definition's.
  for (genvar w = 0; w < SLOTS; w++) begin : f_gen_slot
    logic [KEY_W-1:0] f_code;
    logic [F_KEY_W-1:0] f_stored, f_entrant_key;
    if (HAS_PAWS) begin : f_gen_key
      // The lengths that codes mean: the exponent stands above KEPT - 1 bits of fraction.
      localparam int unsigned FRACTION_W = KEPT - 1;
      logic [FIELD_W-1:0] f_entrant_fraction, f_fraction;
      assign f_fraction = FIELD_W'(f_code) & ~({FIELD_W{1'b1}} << FRACTION_W);
      assign f_entrant_fraction = FIELD_W'(f_entrant_code) & ~({FIELD_W{1'b1}} << FRACTION_W);
      always_comb begin
        f_stored = f_fraction;
        f_entrant_key = f_entrant_fraction;
        for (int x = 1; x <= FIELD_W - FRACTION_W; x++) begin
          if (f_code >> FRACTION_W == x) f_stored = (f_fraction | 1 << FRACTION_W) << (x - 1);
          if (f_entrant_code >> FRACTION_W == x) begin
            f_entrant_key = (f_entrant_fraction | 1 << FRACTION_W) << (x - 1);
          end
        end
        if (f_started_q) begin
          // No code that is stored of a live warp is beyond the largest.
          assert (!f_live_q[w] || HELD_LENGTH || 32'(f_code) < F_CODES);
          // Nor is the entrant's.
          assert (!f_entrant[w] || 32'(f_entrant_code) < F_CODES);
        end
      end
    end else begin : f_gen_no_key
      assign f_stored = '0;
      assign f_entrant_key = '0;
    end
    always_comb begin
      for (int b = 0; b < KEY_W; b++) f_code[b] = stored_length[b*SLOTS+w];
      if (f_started_q) begin
        // A live warp has been launched as far as ages know, unless it is the entrant.
        assert (!HAS_AGE || !f_live_q[w] || f_fresh[w] || \gen_age.u_age.f_launched_q [w]);
        // The stored key of a live warp is that of its last sample (where the host holds it, of those
        // that are not in ready).
        assert (!f_live_q[w] || !HAS_PAWS || f_stored == f_key_q[w*F_KEY_W+:F_KEY_W] ||
                (HELD_LENGTH && (!rst_ni || f_ready_q[w])));
        // The place of a collected warp is the one that the collector means.
        assert (!f_collected_q[w] || \u_places.f_place [w*WARP_W+:WARP_W] ==
                \u_collector.f_place_q [w*WARP_W+:WARP_W]);
      end
    end
    if (SORTER == 2) begin : f_gen_place
      always_comb begin
        // The place of a warp in order is the one that the sorter means.
        assert (!f_started_q || !f_sorted[w] || \u_places.f_place [w*WARP_W+:WARP_W] ==
                \gen_sorted.gen_rank.u_active.f_place_q [w*WARP_W+:WARP_W]);
      end
    end
    if (SORTER != 1) begin : f_gen_entrant
      always_comb begin
        if (f_started_q) begin
          // The age of the entrant is the one that its slot has.
          assert (!HAS_AGE || !f_entrant[w] ||
                  \gen_sorted.u_entrant.age_q == \gen_age.u_age.f_rank [w*WARP_W+:WARP_W]);
          // The length of the entrant is the stored one.
          assert (!f_entrant[w] || !HAS_PAWS ||
                  f_entrant_key == f_key_q[w*F_KEY_W+:F_KEY_W]);
          // Without an entrant its line names no live warp.
          assert (\gen_sorted.u_entrant.valid_q || !\gen_sorted.u_entrant.slot_q [w] || !f_live_q[w]);
        end
      end
    end
    for (genvar v = 0; v < SLOTS; v++) begin : f_gen_pair
      if (v != w) begin : f_gen_two
        always_comb begin
          if (f_started_q) begin
            // Of two warps of ready the same one is ahead in the RTL's list.
            assert (!f_ready_q[v] || !f_ready_q[w] ||
                    f_ahead_q[v*SLOTS+w] == \u_ready.f_ahead_q [v*SLOTS+w]);
            // Of two collected warps the same one woke earlier as far as the collector knows.
            assert (!f_collected_q[v] || !f_collected_q[w] ||
                    f_earlier_q[v*SLOTS+w] == \u_collector.f_earlier_q [v*SLOTS+w]);
            // Ages are the order of launches.
            assert (!HAS_AGE || !f_live_q[v] || !f_live_q[w] || f_fresh[v] || f_fresh[w] ||
                    f_older_q[v*SLOTS+w] == (\gen_age.u_age.f_rank [v*WARP_W+:WARP_W] <
                                             \gen_age.u_age.f_rank [w*WARP_W+:WARP_W]));
            // A launched entrant is younger than all others.
            assert (!f_fresh[w] || !f_live_q[v] ||
                    (f_older_q[v*SLOTS+w] && !f_older_q[w*SLOTS+v]));
          end
        end
        if (SORTER == 1) begin : f_gen_arrival
          always_comb begin
            // The tree's order of arrival is that of the definition.
            assert (!f_started_q || !f_active_q[v] || !f_active_q[w] ||
                    f_arrived_q[v*SLOTS+w] == \gen_tree.u_active.f_arrived_q [v*SLOTS+w]);
          end
        end else begin : f_gen_order
          always_comb begin
            // The entrant arrived after all that are in order.
            assert (!f_started_q || !f_entrant[w] || !f_sorted[v] ||
                    (f_arrived_q[v*SLOTS+w] && !f_arrived_q[w*SLOTS+v]));
            // The order of active is that of the policy.
            assert (!f_started_q || !rst_ni || !f_sorted[v] || !f_sorted[w] ||
                    f_order[v*SLOTS+w] == f_before[v*SLOTS+w]);
            // The entrant goes before a warp if the policy says so.
            assert (!f_started_q || !rst_ni || !f_entrant[v] || !f_sorted[w] ||
                    f_goes[w] == f_before[v*SLOTS+w]);
          end
        end
      end
    end
  end

`ifdef PROVE_paws_two_level_parts
`include "paws_two_level_heads.svh"
`endif
`include "paws_two_level_quiet.svh"
`include "paws_two_level_limit.svh"
`include "paws_two_level_progress.svh"
`ifdef PROVE_paws_two_level
  if (LATE_EXIT) begin : f_gen_cover_late
    always_comb begin
      // A late end of a warp of active that is not the head, while ready has room.
      cover (f_started_q && rst_ni && |(f_ended & f_active_q & ~f_head) && 32'(f_ready_count) < READY);
      // A late end of a collected warp while the front would be admitted.
      cover (f_started_q && rst_ni && |(f_ended & f_collected_q & ~f_front) && !launch_valid_i);
      // A late end of a warp of ready that waits, beside an issue.
      cover (f_started_q && rst_ni && |(f_ended & f_ready_q & waits_i) && (issue_valid_o || READY == 1));
      // A late end of a pending warp that would wake.
      cover (f_started_q && rst_ni && |(f_ended & f_pending_q & ~long_outstanding_i & ~waits_i));
      // A late end of a warp in the cycle after its launch.
      cover (f_started_q && rst_ni && |(f_ended & f_fresh) || SORTER == 1);
    end
  end
  if (AGE_LIMIT == 0) begin : f_gen_cover
    always_comb begin
      // Launch, promotion and issue coincide.
      cover (f_started_q && rst_ni && launch_valid_i && promote && issue_valid_o);
      // An admission waits for a launch.
      cover (f_started_q && rst_ni && front_valid && launch_valid_i);
      // Two warps wake at once.
      cover (f_started_q && rst_ni && f_wakes[0] && f_wakes[1]);
      // Of two warps that woke at once the younger one is admitted first, or the one of the higher slot.
      cover (f_started_q && rst_ni && f_admitted[WAKE_OLDEST] && f_collected_q[!WAKE_OLDEST] &&
             !f_earlier_q[1] && !f_earlier_q[SLOTS] && f_older_q[SLOTS]);
    end
  end
  if (AGE_LIMIT == 0 && READY > 1) begin : f_gen_cover_several
    always_comb begin
      // One warp issues while another leaves ready.
      cover (f_started_q && rst_ni && issue_valid_o && |f_leaves);
      // A warp is promoted in the cycle of an exit.
      cover (f_started_q && rst_ni && promote && (f_issued & exit_i) != '0);
    end
  end
  if (AGE_LIMIT == 0 && READY < SLOTS) begin : f_gen_cover_quiet
    always_comb begin
      // It is quiet while warps of active stand before a full ready queue.
      cover (f_started_q && rst_ni && quiet_o && |f_active_q);
    end
  end
  // The order of active shows, policy by policy, where warps stand before a full ready queue.
  if (AGE_LIMIT == 0 && READY < 3 && HAS_RR) begin : f_gen_cover_rr
    always_comb begin
      // RR: a warp is promoted before one that is older.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::RR && f_promoted[2] && f_active_q[1] &&
             f_older_q[1*SLOTS+2]);
    end
  end
  if (AGE_LIMIT == 0 && READY < 3 && HAS_GTO) begin : f_gen_cover_gto
    always_comb begin
      // GTO: a warp is promoted before one that arrived before it.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::GTO && f_promoted[2] && f_active_q[1] &&
             f_arrived_q[1*SLOTS+2]);
    end
  end
  if (AGE_LIMIT == 0 && READY < 3 && HAS_PAWS) begin : f_gen_cover_paws
    always_comb begin
      // PAWS: a warp is promoted before one that is older and arrived before it.
      cover (f_started_q && rst_ni && policy_i == paws_pkg::PAWS && f_promoted[2] && f_active_q[1] &&
             f_older_q[1*SLOTS+2] && f_arrived_q[1*SLOTS+2]);
    end
  end
`endif
