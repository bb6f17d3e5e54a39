// SPDX-License-Identifier: MIT
// Two-level warp scheduler: ready, active and pending queues, RR, GTO or PAWS order in active.
//
// Responsibility: one issue decision in every cycle that the host enables, and the path of every warp
// launch -> active -> ready -> pending -> collector -> active. docs/reference/microarchitecture.md, "Cycle
// semantics", is the specification; the modules below hold one queue each.
// Policy: ready is always a round-robin list. Active is ordered by arrival (RR), age (GTO), or stored
// phase length and then age (PAWS). A warp that sorts last stays in active as long as others keep
// sorting before it, and all of active waits while no warp of ready leaves; AGE_LIMIT ends both.
// Timing: issuable_i (and issue_en_i) to issue_valid_o, issue_warp_o is combinational. quiet_o
// depends on issuable_i, waits_i, long_outstanding_i, launch_valid_i and end_valid_i. All else is registered: the
// effect of an event in t is seen in t+1. A launched warp can issue two cycles after its launch.
// Coincidences (all of one cycle take effect together at its end):
//   launch and admission       the launch goes to active, the front of the collector stays
//   insertion and promotion    the head of active leaves even if the new warp sorts before it
//   issue and promotion        both to the tail of ready, the promoted warp behind the issuer
//   exit and promotion         the freed entry of ready is filled in the next cycle at the earliest
//   several wait / wake        all leave ready / enter the collector in that cycle
//   demotion and wake          a warp that leaves ready in t can wake in t+1 at the earliest
//   gather and promotion       the promoted warp is not due, all others of active are
//   gather and insertion       the new warp is not due
//   relief and exit            the warp ends, its entry of ready is free as after any exit
//   exit and launch            different slots only; the slot of an exit may launch one cycle later
// Late ends (LATE_EXIT): the warp of end_valid_i is not issuable in that cycle. At its end it is nowhere, and
// it is not due, whatever else the cycle does to it:
//   end and promotion          an end from active takes the way out of active: no warp is promoted
//   end and admission          an end from the collector takes the way out of it: no warp is admitted
//   end and wake, leave        the warp enters neither the collector nor pending
//   end and gather             the warp does not become due
//   end and issue or exit      of different warps; both happen
//   end and launch             of different slots; the slot of an end may launch one cycle later
//   end, after its launch      in the next cycle at the earliest, in which the warp is in active
// Warps that wake in one cycle come back to active one by one, the lowest slot first, or the oldest first
// with WAKE_OLDEST.
// Lengths: sampled and stored at launch and when a warp leaves ready. With HELD_LENGTH they are not
// stored, because the host presents the same value until the warp issues again.
// Clock gates: with CLOCK_GATES the clock of nearly all flip-flops goes through a paws_clock_gate and rises
// only where state may change; at the ports nothing differs. The number says how many warp slots share a
// gate where warps change one by one (places and lengths); state that changes as a whole has one gate.
// Cost: a stored length, an age and a place per warp, and the gates that compare and move them. A build
// with one policy has the hardware of that policy alone: RR has no lengths and, without WAKE_OLDEST, no
// ages.
`default_nettype none

`ifdef PAWS_ASSERT
// Cycles for which ready may be silent before an assertion says so (docs/guide/integration.md, "Progress").
`ifndef PAWS_SILENCE
`define PAWS_SILENCE 10000
`endif
`endif

module paws_two_level #(
    parameter int WARPS = 24,      // warp slots, 4 to 64
    parameter int READY = 6,       // entries of ready, 1 to WARPS
    parameter int PHASE_W = 9,     // width of a stored phase length, 2 to 16
    parameter int LENGTH_W = 16,   // width of the host's phase length, PHASE_W to 16
    parameter int PRECISION = 16,  // leading bits of a length that count, 1 to 16
    parameter int POLICIES = paws_pkg::TWO_LEVEL,  // policies built, bit mask by policy code
    parameter bit TIE_ARRIVAL = 1'b0,       // PAWS: equal lengths by age (0) or by arrival (1)
    parameter bit WAKE_OLDEST = 1'b0,       // within one cycle the oldest wakes first, not the lowest slot
    parameter int SORTER = 2,      // active queue: 0 shift register, 1 selection tree, 2 ranks
    parameter int AGE_LIMIT = 0,   // issues after which passed-over warps are due; 0: never
    parameter bit HELD_LENGTH = 1'b0,       // length_i of a warp changes only after an issue of it
    parameter int CLOCK_GATES = 0, // 0: no clock gates; else see "Clock gates" above
    parameter bit LATE_EXIT = 1'b0          // end_valid_i and end_warp_i are looked at
) (
    input  wire logic                      clk_i,               // clock
    input  wire logic                      rst_ni,              // synchronous reset, active low
    input  wire logic [paws_pkg::POLICY_W-1:0] policy_i,        // policy code; stable outside reset
    input  wire logic                      issue_en_i,          // an instruction may issue
    input  wire logic [         WARPS-1:0] issuable_i,          // the warp's next instruction can issue now
    input  wire logic [         WARPS-1:0] waits_i,             // the warp waits: long operation or barrier
    input  wire logic [         WARPS-1:0] long_outstanding_i,  // a long operation is outstanding
    input  wire logic [         WARPS-1:0] exit_i,              // the warp's next instruction ends the warp
    input  wire logic [WARPS*LENGTH_W-1:0] length_i,            // phase length of the warp's next instruction
    input  wire logic                      launch_valid_i,      // a warp starts
    input  wire logic [ $clog2(WARPS)-1:0] launch_warp_i,       // in this slot
    input  wire logic                      end_valid_i,         // a warp ends without an issue
    input  wire logic [ $clog2(WARPS)-1:0] end_warp_i,          // in this slot
    output logic                           issue_valid_o,       // a warp issues
    output logic      [ $clog2(WARPS)-1:0] issue_warp_o,        // that warp; 0 while none does
    output logic                           quiet_o              // nothing changes while inputs hold
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass.
  if (WARPS < 4 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_two_level: WARPS must be 4 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (READY < 1 || READY > WARPS) begin : gen_check_ready
`ifndef __ICARUS__
    $error("paws_two_level: READY must be 1 to WARPS");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PHASE_W < 2 || PHASE_W > 16) begin : gen_check_phase
`ifndef __ICARUS__
    $error("paws_two_level: PHASE_W must be 2 to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (LENGTH_W < PHASE_W || LENGTH_W > 16) begin : gen_check_length
`ifndef __ICARUS__
    $error("paws_two_level: LENGTH_W must be PHASE_W to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PRECISION < 1 || PRECISION > 16) begin : gen_check_precision
`ifndef __ICARUS__
    $error("paws_two_level: PRECISION must be 1 to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (POLICIES < 1 || (POLICIES & ~paws_pkg::TWO_LEVEL) != 0) begin : gen_check_policies
`ifndef __ICARUS__
    $error("paws_two_level: POLICIES must be a mask of the policies in paws_pkg::TWO_LEVEL");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (SORTER > 2) begin : gen_check_sorter
`ifndef __ICARUS__
    $error("paws_two_level: SORTER must be 0 (shift register), 1 (selection tree) or 2 (ranks)");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (AGE_LIMIT > 65535) begin : gen_check_limit
`ifndef __ICARUS__
    $error("paws_two_level: AGE_LIMIT must be 0 to 65535");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (CLOCK_GATES > 64) begin : gen_check_gates
`ifndef __ICARUS__
    $error("paws_two_level: CLOCK_GATES must be 0 (none) or 1 to 64 (warp slots that share one)");
`endif
    paws_illegal_parameter u_stop ();
  end
  // Relief samples the length of an instruction that issues; the host does not hold that length.
  if (HELD_LENGTH && AGE_LIMIT != 0) begin : gen_check_relief
`ifndef __ICARUS__
    $error("paws_two_level: HELD_LENGTH and AGE_LIMIT exclude each other");
`endif
    paws_illegal_parameter u_stop ();
  end

  // Derived parameters are legal even if a parameter is not, so that its message above appears first.
  localparam int SLOTS = WARPS < 4 ? 4 : WARPS;
  localparam int ENTRIES = READY < 1 ? 1 : READY;
  localparam int FIELD_W = PHASE_W < 1 || PHASE_W > LENGTH_W ? LENGTH_W : PHASE_W;
  localparam int KEPT = PRECISION < 1 ? 1 : PRECISION > FIELD_W ? FIELD_W : PRECISION;
  localparam int WARP_W = $clog2(SLOTS);
  localparam bit HAS_RR = ((POLICIES >> paws_pkg::RR) & 1) != 0;
  localparam bit HAS_GTO = ((POLICIES >> paws_pkg::GTO) & 1) != 0;
  localparam bit HAS_PAWS = ((POLICIES >> paws_pkg::PAWS) & 1) != 0;
  localparam bit HAS_AGE = WAKE_OLDEST || HAS_GTO || (HAS_PAWS && !TIE_ARRIVAL);

  // A policy that is built alone needs no policy_i.
  logic by_length, by_age;
  assign by_length = HAS_PAWS && (!(HAS_RR || HAS_GTO) || policy_i == paws_pkg::PAWS);
  assign by_age = HAS_GTO && (!(HAS_RR || HAS_PAWS) || policy_i == paws_pkg::GTO);

  logic room, ready_settled, head_valid, front_valid, promote, admit, relief;
  logic [WARP_W-1:0] head_warp;
  logic [SLOTS-1:0] leave, wake, launch_slot, front_slot, collected, active, due;
  logic [SLOTS-1:0] pending_q, pending_d;

  always_comb begin
    for (int w = 0; w < SLOTS; w++) begin
      launch_slot[w] = launch_valid_i & (launch_warp_i == WARP_W'(w));
    end
  end

  // The warp of a late end. In active and in the collector it takes the way out of the head and of the front.
  logic late_end, ends_in_active, ends_in_collector, any_head, any_front;
  logic [SLOTS-1:0] any_front_slot, would_wake;
  logic [SLOTS-1:0] end_slot;
  if (LATE_EXIT) begin : gen_late
    assign late_end = end_valid_i;
    always_comb begin
      for (int w = 0; w < SLOTS; w++) end_slot[w] = end_valid_i & (end_warp_i == WARP_W'(w));
    end
    assign ends_in_active = |(active & end_slot);
    assign ends_in_collector = |(collected & end_slot);
  end else begin : gen_no_late
    logic unused_late;
    assign late_end = 1'b0;
    assign end_slot = '0;
    assign ends_in_active = 1'b0;
    assign ends_in_collector = 1'b0;
    assign unused_late = ^{end_valid_i, end_warp_i};
  end
  assign head_valid = any_head & !ends_in_active;
  assign front_valid = any_front & !ends_in_collector;
  assign front_slot = any_front_slot & {SLOTS{!ends_in_collector}};

  // One insertion port: a launch cannot be held back, the collector can.
  assign admit = front_valid & !launch_valid_i;
  assign promote = head_valid & room;
  assign would_wake = pending_q & ~long_outstanding_i & ~waits_i;
  assign wake = would_wake & ~end_slot;
  // A late end alone makes it low, so it need not know which queue the end is in.
  assign quiet_o = !launch_valid_i & !late_end & !any_front & !(any_head & room) & ready_settled & ~|would_wake;

  always_comb begin
    if (!rst_ni) pending_d = '0;
    else pending_d = (pending_q & ~wake) | leave;
    pending_d = pending_d & ~end_slot;
  end
  logic pending_change;
  assign pending_change = (|wake) | (|leave) | late_end | !rst_ni;
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_pending_change;
    assign unused_pending_change = pending_change;
    always_ff @(posedge clk_i) pending_q <= pending_d;
  end else begin : gen_gated
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(SLOTS),
        .GROUP(1)
    ) u_pending (
        .clk_i   (clk_i),
        .change_i(pending_change),
        .next_i  (pending_d),
        .state_o (pending_q)
    );
  end

  paws_ready_list #(
      .WARPS     (SLOTS),
      .READY     (ENTRIES),
      .HAS_RELIEF(AGE_LIMIT > 0),
      .LATE_EXIT (LATE_EXIT),
      .CLOCK_GATES(CLOCK_GATES)
  ) u_ready (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .issue_en_i     (issue_en_i),
      .issuable_i     (issuable_i),
      .waits_i        (waits_i),
      .exit_i         (exit_i),
      .relief_i       (relief),
      .end_i          (end_slot),
      .promote_valid_i(promote),
      .promote_warp_i (head_warp),
      .room_o         (room),
      .issue_valid_o  (issue_valid_o),
      .issue_warp_o   (issue_warp_o),
      .leave_o        (leave),
      .settled_o      (ready_settled)
  );

  // Due warps go before all others of active. If ready stays full, they cannot be promoted. Then an
  // issuer leaves ready (relief).
  if (AGE_LIMIT > 0) begin : gen_limit
    logic reached, gather;
    logic [SLOTS-1:0] promoted;
    assign gather = issue_valid_o & reached & ~|due;
    assign relief = issue_valid_o & reached & (|due) & !room;
    always_comb begin
      for (int w = 0; w < SLOTS; w++) promoted[w] = promote & (head_warp == WARP_W'(w));
    end
    paws_age_limit #(
        .WARPS(SLOTS),
        .LIMIT(AGE_LIMIT),
        .CLOCK_GATES(CLOCK_GATES)
    ) u_limit (
        .clk_i      (clk_i),
        .rst_ni     (rst_ni),
        .count_i    (issue_valid_o),
        .gather_i   (gather),
        .restart_i  (relief),
        .candidate_i(active),
        .past_i     (promoted | end_slot),
        .reached_o  (reached),
        .due_o      (due)
    );
  end else begin : gen_no_limit
    logic unused_limit;
    assign unused_limit = ^active;
    assign due = '0;
    assign relief = 1'b0;
  end

  // Ages, where an order needs them.
  logic [SLOTS*WARP_W-1:0] age, next_age;
  logic [WARP_W-1:0] subject_age;
  logic [SLOTS-1:0] age_launch, younger;
  if (HAS_AGE) begin : gen_age
    paws_ages #(
        .WARPS      (SLOTS),
        .CLOCK_GATES(CLOCK_GATES)
    ) u_age (
        .clk_i        (clk_i),
        .rst_ni       (rst_ni),
        .launch_i     (age_launch),
        .subject_age_i(subject_age),
        .younger_o    (younger),
        .age_o        (age),
        .next_age_o   (next_age)
    );
  end else begin : gen_no_age
    logic unused_age;
    assign age = '0;
    assign next_age = '0;
    assign younger = '0;
    assign unused_age = ^{age_launch, subject_age};
  end

  logic [SLOTS-1:0] place_first, place_behind, place_same, place_down, enter, enter_up, enter_down;
  logic [WARP_W-1:0] batch, position;
  paws_collector #(
      .WARPS      (SLOTS),
      .OLDEST     (WAKE_OLDEST),
      .LATE_EXIT  (LATE_EXIT),
      .CLOCK_GATES(CLOCK_GATES)
  ) u_collector (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .wake_i       (wake),
      .age_i        (age),
      .admit_i      (admit),
      .first_i      (place_first),
      .end_i        (end_slot),
      .behind_i     (place_behind),
      .same_i       (place_same),
      .batch_o      (batch),
      .down_o       (place_down),
      .member_o     (collected),
      .front_valid_o(any_front),
      .front_slot_o (any_front_slot)
  );

  paws_places #(
      .WARPS      (SLOTS),
      .LATE_EXIT  (LATE_EXIT),
      .CLOCK_GATES(CLOCK_GATES)
  ) u_places (
      .clk_i     (clk_i),
      .wake_i    (wake),
      .batch_i   (batch),
      .enter_i   (enter),
      .position_i(position),
      .up_i      (enter_up & ~collected),
      .down_i    (place_down | (enter_down & ~collected)),
      .end_i     (end_slot),
      .behind_o  (place_behind),
      .same_o    (place_same),
      .first_o   (place_first)
  );

  // Phase lengths, as keys of KEY_W bits where PAWS is built, else one bit that is never looked at.
  localparam int KEY_W = HAS_PAWS ? $clog2((FIELD_W - KEPT + 2) << (KEPT - 1)) : 1;
  logic [SLOTS*KEY_W-1:0] length, stored_length;

  if (HAS_PAWS) begin : gen_phase
    logic [SLOTS*FIELD_W-1:0] whole_length;
    paws_saturate #(
        .COUNT(SLOTS),
        .IN_W (LENGTH_W),
        .OUT_W(FIELD_W)
    ) u_saturate (
        .value_i    (length_i),
        .saturated_o(whole_length)
    );
    paws_quantize #(
        .COUNT    (SLOTS),
        .FIELD_W  (FIELD_W),
        .PRECISION(KEPT),
        .KEY_W    (KEY_W)
    ) u_quantize (
        .value_i(whole_length),
        .key_o  (length)
    );
    if (HELD_LENGTH) begin : gen_held
      // The host holds the lengths: the same values, only transposed into slices.
      logic [SLOTS*KEY_W-1:0] held_length;
      for (genvar w = 0; w < SLOTS; w++) begin : gen_slot
        for (genvar b = 0; b < KEY_W; b++) begin : gen_bit
          assign held_length[b*SLOTS+w] = length[w*KEY_W+b];
        end
      end
      assign stored_length = held_length;
    end else begin : gen_store
      paws_phase_store #(
          .WARPS  (SLOTS),
          .PHASE_W(KEY_W),
          .CLOCK_GATES(CLOCK_GATES)
      ) u_phase (
          .clk_i   (clk_i),
          .sample_i(leave | launch_slot),
          .length_i(length),
          .length_o(stored_length)
      );
    end
  end else begin : gen_no_phase
    logic unused_phase;
    assign length = '0;
    assign stored_length = '0;
    assign unused_phase = ^{length_i, length};
  end

  if (SORTER == 1) begin : gen_tree
    logic unused_tree;
    logic [SLOTS-1:0] insert;
    logic [WARP_W-1:0] insert_warp;
    assign unused_tree = ^{younger, next_age};
    assign enter = '0;
    assign position = '0;
    assign enter_up = '0;
    assign enter_down = '0;
    assign age_launch = launch_slot;
    assign insert = launch_slot | (front_slot & {SLOTS{!launch_valid_i}});
    always_comb begin
      insert_warp = '0;
      for (int w = 0; w < SLOTS; w++) insert_warp = insert_warp | (WARP_W'(w) & {WARP_W{insert[w]}});
      for (int b = 0; b < WARP_W; b++) subject_age[b] = |(age[b*SLOTS+:SLOTS] & launch_slot);
    end
    paws_sorter_tree #(
        .WARPS      (SLOTS),
        .KEY_W      (KEY_W),
        .TIE_ARRIVAL(TIE_ARRIVAL),
        .HAS_RR     (HAS_RR),
        .HAS_GTO    (HAS_GTO),
        .HAS_PAWS   (HAS_PAWS),
        .LATE_EXIT  (LATE_EXIT),
        .CLOCK_GATES(CLOCK_GATES)
    ) u_active (
        .clk_i        (clk_i),
        .rst_ni       (rst_ni),
        .by_length_i  (by_length),
        .by_age_i     (by_age),
        .insert_i     (|insert),
        .insert_warp_i(insert_warp),
        .length_i     (stored_length),
        .age_i        (age),
        .due_i        (due),
        .remove_i     (promote),
        .end_i        (end_slot),
        .member_o     (active),
        .head_valid_o (any_head),
        .head_warp_o  (head_warp)
    );
  end else begin : gen_sorted
    logic entrant_valid;
    logic [SLOTS-1:0] entrant_slot, entrant_before, goes_before, sorted;
    logic [WARP_W-1:0] entrant_warp;
    paws_entrant #(
        .WARPS      (SLOTS),
        .KEY_W      (KEY_W),
        .HAS_LENGTH (HAS_PAWS),
        .TIE_ARRIVAL(TIE_ARRIVAL),
        .HELD       (HELD_LENGTH),
        .CLOCK_GATES(CLOCK_GATES)
    ) u_entrant (
        .clk_i      (clk_i),
        .rst_ni     (rst_ni),
        .by_length_i(by_length),
        .by_age_i   (by_age),
        .launching_i(launch_valid_i),
        .launch_i   (launch_slot),
        .front_valid_i(front_valid),
        .front_i    (front_slot),
        .sample_i   (length),
        .length_i   (stored_length),
        .next_age_i (next_age),
        .younger_i  (younger),
        .valid_o    (entrant_valid),
        .slot_o     (entrant_slot),
        .warp_o     (entrant_warp),
        .age_o      (subject_age),
        .launch_o   (age_launch),
        .before_o   (entrant_before)
    );
    assign goes_before = entrant_before & ~due;
    assign active = sorted | (entrant_slot & {SLOTS{entrant_valid}});
    // An entrant that ends is never put in order.
    logic enters;
    assign enters = entrant_valid & ~|(entrant_slot & end_slot);
    if (SORTER == 0) begin : gen_shift
      // While ready is not full, active loses as many warps per cycle as it can gain. So it grows only
      // while ready is full, and then at most SLOTS - ENTRIES warps are outside ready.
      localparam int DEPTH = SLOTS > ENTRIES ? SLOTS - ENTRIES : 1;
      logic unused_slot;
      assign unused_slot = ^entrant_slot;
      assign enter = '0;
      assign position = '0;
      assign enter_up = '0;
      assign enter_down = '0;
      paws_sorter_shift #(
          .WARPS(SLOTS),
          .DEPTH(DEPTH),
          .LATE_EXIT(LATE_EXIT),
          .CLOCK_GATES(CLOCK_GATES)
      ) u_active (
          .clk_i          (clk_i),
          .rst_ni         (rst_ni),
          .entrant_valid_i(enters),
          .entrant_warp_i (entrant_warp),
          .before_i       (goes_before),
          .remove_i       (promote),
          .end_i          (end_slot),
          .member_o       (sorted),
          .head_valid_o   (any_head),
          .head_warp_o    (head_warp)
      );
    end else begin : gen_rank
      paws_sorter_rank #(
          .WARPS      (SLOTS),
          .LATE_EXIT  (LATE_EXIT),
          .CLOCK_GATES(CLOCK_GATES)
      ) u_active (
          .clk_i          (clk_i),
          .rst_ni         (rst_ni),
          .entrant_valid_i(enters),
          .entrant_slot_i (entrant_slot),
          .entrant_warp_i (entrant_warp),
          .before_i       (goes_before),
          .remove_i       (promote),
          .first_i        (place_first),
          .end_i          (end_slot),
          .behind_i       (place_behind),
          .enter_o        (enter),
          .position_o     (position),
          .up_o           (enter_up),
          .down_o         (enter_down),
          .member_o       (sorted),
          .head_valid_o   (any_head),
          .head_warp_o    (head_warp)
      );
    end
  end

`ifdef PAWS_ASSERT
  // The promises of the host, and that every live warp is in exactly one queue.
  logic [SLOTS-1:0] live, in_ready;
  paws_host_checks #(
      .WARPS    (SLOTS),
      .LENGTH_W (LENGTH_W),
      .POLICIES (POLICIES),
      .TWO_LEVEL(1'b1),
      .LIMITED  (AGE_LIMIT > 0),
      .HELD     (HELD_LENGTH),
      .LATE_EXIT(LATE_EXIT)
  ) u_host (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .policy_i          (policy_i),
      .issue_en_i        (issue_en_i),
      .issuable_i        (issuable_i),
      .waits_i           (waits_i),
      .long_outstanding_i(long_outstanding_i),
      .exit_i            (exit_i),
      .length_i          (length_i),
      .pair_i            ('0),
      .row_i             ('0),
      .second_i          ('0),
      .yield_i           ('0),
      .launch_valid_i    (launch_valid_i),
      .launch_warp_i     (launch_warp_i),
      .end_valid_i       (end_valid_i),
      .end_warp_i        (end_warp_i),
      .issue_valid_i     (issue_valid_o),
      .issue_warp_i      (issue_warp_o),
      .live_o            (live)
  );

  always_comb begin
    in_ready = '0;
    for (int k = 0; k < ENTRIES; k++) begin
      if (u_ready.valid_q[k]) in_ready[u_ready.warp_q[k]] = 1'b1;
    end
  end
  // Cycles in which ready is full, none of its warps can issue or leave, and a live warp outside could issue.
  logic ready_is_silent;
  logic [31:0] silent_q;
  assign ready_is_silent = !room && (in_ready & (issuable_i | waits_i)) == '0 && (issuable_i & ~in_ready) != '0 && !late_end;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !ready_is_silent || silent_q == `PAWS_SILENCE) silent_q <= '0;
    else silent_q <= silent_q + 1;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_place_per_warp: assert ((in_ready ^ active ^ collected ^ pending_q) == live &&
                                  $countones(in_ready) + $countones(active) + $countones(collected) +
                                  $countones(pending_q) == $countones(live))
      else $error("two-level: a live warp is not in exactly one of the queues");
      issuer_is_issuable:
      assert (!issue_valid_o || (in_ready[issue_warp_o] && issuable_i[issue_warp_o] && issue_en_i))
      else $error("two-level: the issued warp is not an issuable warp of ready");
      issue_warp_is_0_without_issue: assert (issue_valid_o || issue_warp_o == '0)
      else $error("two-level: issue_warp_o is not 0 without an issue");
      leave_excludes_wake: assert ((wake & leave) == '0)
      else $error("two-level: a warp leaves ready and wakes at once");
      due_is_active: assert ((due & ~active) == '0)
      else $error("two-level: a warp is due that is not in active");
      ready_is_served: assert (silent_q != `PAWS_SILENCE)
      else $error("host: ready silent for %0d cycles while a warp outside can issue: ready %b, outside %b. %s", silent_q,
                  in_ready, issuable_i & ~in_ready,
                  "Serve the warps of ready whatever the others do (fetch credits), and report each end.");
      quiet_changes_nothing:
      assert (!quiet_o || !(launch_valid_i || late_end || admit || promote || issue_valid_o || |wake || |leave))
      else $error("two-level: quiet, and yet something happens");
    end
  end
`endif

`ifdef FORMAL
`include "paws_two_level.svh"
`endif
endmodule

`default_nettype wire
