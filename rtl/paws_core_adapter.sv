// SPDX-License-Identifier: MIT
// Core adapter: a scheduler of any level and policy behind the signals that cores have.
//
// Responsibility: what every host would write. The core says which warps are active, as a level; the adapter makes
// launches and ends of it, one of each in a cycle. A warp that is not active is silent, whatever its other inputs say.
// The instruction that issues leaves through a buffer with valid and ready.
// Policy: that of the scheduler. Warps that start together launch one by one, the lowest slot first; so do ends.
// Bound: of n warps that become active or inactive in t, the last one is launched or ended in t + n - 1, if no other
// follows. A slot that becomes inactive and active again ends before it launches.
// Timing: active_i, issuable_i and length_i reach taken_o combinationally. live_o and issue_*_o come from registers.
// What taken_o shows in t is at the issue port in t+1 at the earliest.
// Coincidences: a launch and an end in one cycle are of different slots. An instruction in the buffer stays there if its
// warp ends.
// Cost: the scheduler, two flip-flops per warp slot, two choices of the lowest slot, the selection of the payload and two
// entries of the buffer. With fewer than four warps the scheduler has four slots, of which the others are constant.
`default_nettype none

module paws_core_adapter #(
    parameter int WARPS = 8,       // warp slots, 1 to 64
    parameter int LEVEL = 0,       // 0: single level, 1: two levels, 2: ordered PAWS
    parameter int POLICY = 2,      // the policy code, see paws_pkg; 2 is PAWS; nothing in ordered PAWS
    parameter int READY = 6,       // two levels: entries of ready, from 1 on; there are never more than WARPS
    parameter int LENGTH_W = 9,    // width of a phase length or distance, 2 to 16
    parameter int AGE_LIMIT = 0,   // issues after which passed-over warps are due; 0: never
    parameter int CLOCK_GATES = 0, // see the scheduler
    parameter int PAYLOAD_W = 1,   // bits of an instruction that go with it to the issue port
    localparam int WARP_W = WARPS < 2 ? 1 : $clog2(WARPS)
) (
    input  wire logic                       clk_i,               // clock
    input  wire logic                       rst_ni,              // synchronous reset, active low
    input  wire logic [          WARPS-1:0] active_i,            // the slot has a warp; from registers
    // The next instruction of each warp, from registers.
    input  wire logic [          WARPS-1:0] issuable_i,          // it is there and can issue now
    input  wire logic [          WARPS-1:0] waits_i,             // two levels: it waits: long operation or barrier
    input  wire logic [          WARPS-1:0] long_outstanding_i,  // two levels: a long operation is outstanding
    input  wire logic [ WARPS*LENGTH_W-1:0] length_i,            // two levels: length of its phase; else its distance
    input  wire logic [WARPS*PAYLOAD_W-1:0] payload_i,           // what the issue port shows of it
    output logic      [          WARPS-1:0] taken_o,             // it is taken in this cycle
    output logic      [          WARPS-1:0] live_o,              // the scheduler has the warp
    // The instruction that was taken.
    output logic                            issue_valid_o,
    input  wire logic                       issue_ready_i,
    output logic      [         WARP_W-1:0] issue_warp_o,
    output logic      [      PAYLOAD_W-1:0] issue_payload_o
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass.
  if (WARPS < 1 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_core_adapter: WARPS must be 1 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (LEVEL < 0 || LEVEL > 2) begin : gen_check_level
`ifndef __ICARUS__
    $error("paws_core_adapter: LEVEL must be 0 (single level), 1 (two levels) or 2 (ordered PAWS)");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (LEVEL == 0 && POLICY == 32'(paws_pkg::SCA)) begin : gen_check_policy
`ifndef __ICARUS__
    $error("paws_core_adapter: SCA needs numbers of groups, for which there are no ports");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (READY < 1) begin : gen_check_ready
`ifndef __ICARUS__
    $error("paws_core_adapter: READY must be 1 or more");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PAYLOAD_W < 1) begin : gen_check_payload
`ifndef __ICARUS__
    $error("paws_core_adapter: PAYLOAD_W must be 1 or more");
`endif
    paws_illegal_parameter u_stop ();
  end

  localparam int SLOTS = WARPS < 4 ? 4 : WARPS;
  localparam int SLOT_W = $clog2(SLOTS);
  localparam int ENTRIES = READY < 1 ? 1 : READY > SLOTS ? SLOTS : READY;
  localparam int ITEM_W = PAYLOAD_W < 1 ? 1 : PAYLOAD_W;

  // Slots that the core does not have are never active.
  logic [SLOTS-1:0] active, issuable, waits, long_outstanding;
  logic [SLOTS*LENGTH_W-1:0] length;
  assign active = SLOTS'(active_i);
  assign long_outstanding = SLOTS'(long_outstanding_i);
  assign length = (SLOTS * LENGTH_W)'(length_i);

  // live_q: the scheduler has the warp. fell_q: it was inactive since, so it ends even if a new warp is there.
  logic [SLOTS-1:0] live_q, fell_q, must_end, must_launch, ended, launched, speaks;
  logic [SLOT_W-1:0] end_warp, launch_warp;
  assign must_end = live_q & (~active | fell_q);
  assign must_launch = active & ~live_q;
  assign ended = must_end & (~must_end + 1'b1);  // lowest bit
  assign launched = must_launch & (~must_launch + 1'b1);
  always_comb begin
    end_warp = '0;
    launch_warp = '0;
    for (int w = 0; w < SLOTS; w++) begin
      end_warp = end_warp | (SLOT_W'(w) & {SLOT_W{ended[w]}});
      launch_warp = launch_warp | (SLOT_W'(w) & {SLOT_W{launched[w]}});
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q <= '0;
      fell_q <= '0;
    end else begin
      live_q <= (live_q | launched) & ~ended;
      fell_q <= must_end & ~ended;
    end
  end
  assign live_o = live_q[WARPS-1:0];
  assign speaks = live_q & ~must_end;
  assign issuable = SLOTS'(issuable_i) & speaks;
  assign waits = SLOTS'(waits_i) & speaks;

  logic may_issue, issue;
  logic [SLOT_W-1:0] issue_slot;
  if (LEVEL == 1) begin : gen_two_level
    logic unused_quiet;
    paws_two_level #(
        .WARPS      (SLOTS),
        .READY      (ENTRIES),
        .PHASE_W    (LENGTH_W),
        .LENGTH_W   (LENGTH_W),
        .POLICIES   (1 << POLICY),
        .AGE_LIMIT  (AGE_LIMIT),
        .CLOCK_GATES(CLOCK_GATES),
        .LATE_EXIT  (1'b1)
    ) u_scheduler (
        .clk_i             (clk_i),
        .rst_ni            (rst_ni),
        .policy_i          (paws_pkg::POLICY_W'(POLICY)),
        .issue_en_i        (may_issue),
        .issuable_i        (issuable),
        .waits_i           (waits),
        .long_outstanding_i(long_outstanding),
        .exit_i            ({SLOTS{1'b0}}),
        .length_i          (length),
        .launch_valid_i    (|must_launch),
        .launch_warp_i     (launch_warp),
        .end_valid_i       (|must_end),
        .end_warp_i        (end_warp),
        .issue_valid_o     (issue),
        .issue_warp_o      (issue_slot),
        .quiet_o           (unused_quiet)
    );
  end else begin : gen_one_level
    logic unused_waits, unused_quiet;
    assign unused_waits = ^{waits, long_outstanding};
    if (LEVEL == 2) begin : gen_ordered
      // A distance that differs from that of the cycle before has moved.
      logic [SLOTS*LENGTH_W-1:0] length_q;
      logic [SLOTS-1:0] moved;
      always_ff @(posedge clk_i) length_q <= rst_ni ? length : '0;
      always_comb begin
        for (int w = 0; w < SLOTS; w++) moved[w] = length[w*LENGTH_W+:LENGTH_W] != length_q[w*LENGTH_W+:LENGTH_W];
      end
      paws_ordered #(
          .WARPS      (SLOTS),
          .PHASE_W    (LENGTH_W),
          .LENGTH_W   (LENGTH_W),
          .COMPARES   (2),
          .AGE_LIMIT  (AGE_LIMIT),
          .CLOCK_GATES(CLOCK_GATES),
          .LATE_EXIT  (1'b1)
      ) u_scheduler (
          .clk_i         (clk_i),
          .rst_ni        (rst_ni),
          .issue_en_i    (may_issue),
          .issuable_i    (issuable),
          .exit_i        ({SLOTS{1'b0}}),
          .distance_i    (length),
          .moved_i       (moved),
          .launch_valid_i(|must_launch),
          .launch_warp_i (launch_warp),
          .end_valid_i   (|must_end),
          .end_warp_i    (end_warp),
          .issue_valid_o (issue),
          .issue_warp_o  (issue_slot),
          .quiet_o       (unused_quiet)
      );
    end else begin : gen_single
      // PAWS needs a search among keys; RR has none, and the others have the order of ages as state. CGGTY's yield and SCA's groups are
      // inputs that this adapter does not have.
      paws_single_level #(
          .WARPS      (SLOTS),
          .PHASE_W    (LENGTH_W),
          .LENGTH_W   (LENGTH_W),
          .PICKER     (POLICY == 32'(paws_pkg::PAWS) ? 3 : 1),
          .POLICIES   (1 << POLICY),
          .AGE_LIMIT  (AGE_LIMIT),
          .CLOCK_GATES(CLOCK_GATES),
          .LATE_EXIT  (1'b1)
      ) u_scheduler (
          .clk_i         (clk_i),
          .rst_ni        (rst_ni),
          .policy_i      (paws_pkg::POLICY_W'(POLICY)),
          .issue_en_i    (may_issue),
          .issuable_i    (issuable),
          .exit_i        ({SLOTS{1'b0}}),
          .distance_i    (length),
          .pair_i        ({3 * SLOTS{1'b0}}),
          .row_i         ({(SLOT_W - 1) * SLOTS{1'b0}}),
          .second_i      ({SLOTS{1'b0}}),
          .yield_i       ({SLOTS{1'b0}}),
          .launch_valid_i(|must_launch),
          .launch_warp_i (launch_warp),
          .end_valid_i   (|must_end),
          .end_warp_i    (end_warp),
          .issue_valid_o (issue),
          .issue_warp_o  (issue_slot),
          .quiet_o       (unused_quiet)
      );
    end
  end

  // issue_slot is 0 without an issue, so the payload is known then, too.
  logic [SLOTS*ITEM_W-1:0] payload;
  assign payload = (SLOTS * ITEM_W)'(payload_i);
  always_comb begin
    for (int w = 0; w < WARPS; w++) taken_o[w] = issue & (issue_slot == SLOT_W'(w));
  end
  paws_issue_buffer #(
      .WIDTH(WARP_W + ITEM_W)
  ) u_buffer (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .may_push_o(may_issue),
      .push_i    (issue),
      .data_i    ({WARP_W'(issue_slot), payload[issue_slot*ITEM_W+:ITEM_W]}),
      .valid_o   (issue_valid_o),
      .ready_i   (issue_ready_i),
      .data_o    ({issue_warp_o, issue_payload_o})
  );

`ifdef FORMAL
`include "paws_core_adapter.svh"
`endif
endmodule

`default_nettype wire
