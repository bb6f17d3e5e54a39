// SPDX-License-Identifier: MIT
// Ordered PAWS: single-level phase-aware scheduler whose order of warps is state.
//
// Responsibility: one issue decision in every cycle that the host enables. docs/reference/microarchitecture.md,
// "Ordered PAWS", is the specification.
// Policy: the first candidate in an order of the warps by the key of their phase distance; equal keys in the
// order in which they were reached. A warp is placed anew when its key may have changed: in the cycle after its
// issue, and, COMPARES permitting, when moved_i has said so or when it was launched. Until then a moved or launched
// warp waits and is no candidate. Not fair, unless AGE_LIMIT makes a warp due.
// Structure: the order is a matrix of pairs (paws_order_matrix), so the choice compares no keys. One subject, or
// two, are compared with all slots in a cycle of their own, from a register. paws_lowest selects from the
// waiting slots.
// Timing: issue_en_i and issuable_i reach the issue combinationally; distance_i and moved_i reach registers only.
// quiet_o depends on issuable_i, moved_i, launch_valid_i and end_valid_i.
// Coincidences: launch and moved_i of one slot: it waits. Launch of a slot that is a subject: it waits, and is
// placed again. The issuer's moved_i in the next cycle is served by the placing of that cycle. Two subjects: the
// issuer is placed last. An exit changes nothing, and a late end (LATE_EXIT) only that its warp is no longer due.
// Cost: WARPS * (WARPS-1) / 2 flip-flops for the order and 2 * WARPS (COMPARES 2: 3 * WARPS) for slots that wait
// and subjects; WARPS comparators for each subject.
`default_nettype none

module paws_ordered #(
    parameter int WARPS = 24,      // warp slots, 4 to 64
    parameter int PHASE_W = 9,     // width of a compared phase distance, 2 to 16
    parameter int LENGTH_W = 16,   // width of the host's phase distance, PHASE_W to 16
    parameter int PRECISION = 16,  // leading bits of a distance that count, 1 to 16
    parameter int COMPARES = 1,    // warps placed in one cycle, 1 or 2
    parameter int AGE_LIMIT = 0,   // issues after which passed-over warps are due; 0: never
    parameter int CLOCK_GATES = 0, // 1: the order, in tiles, and due warps behind clock gates; 0: no gates
    parameter bit LATE_EXIT = 1'b0          // end_valid_i and end_warp_i are looked at
) (
    input  wire logic                      clk_i,           // clock
    input  wire logic                      rst_ni,          // synchronous reset, active low
    input  wire logic                      issue_en_i,      // an instruction may issue
    input  wire logic [         WARPS-1:0] issuable_i,      // the warp's next instruction can issue now
    input  wire logic [         WARPS-1:0] exit_i,          // the warp's next instruction ends the warp
    input  wire logic [WARPS*LENGTH_W-1:0] distance_i,      // phase distance of the warp's next instruction
    input  wire logic [         WARPS-1:0] moved_i,         // it differs from that of the cycle before
    input  wire logic                      launch_valid_i,  // a warp starts
    input  wire logic [ $clog2(WARPS)-1:0] launch_warp_i,   // in this slot
    input  wire logic                      end_valid_i,     // a warp ends without an issue
    input  wire logic [ $clog2(WARPS)-1:0] end_warp_i,      // in this slot
    output logic                           issue_valid_o,   // a warp issues
    output logic      [ $clog2(WARPS)-1:0] issue_warp_o,    // that warp; 0 while none does
    output logic                           quiet_o          // nothing changes while inputs hold
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass.
  if (WARPS < 4 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_ordered: WARPS must be 4 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PHASE_W < 2 || PHASE_W > 16) begin : gen_check_phase
`ifndef __ICARUS__
    $error("paws_ordered: PHASE_W must be 2 to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (LENGTH_W < PHASE_W || LENGTH_W > 16) begin : gen_check_length
`ifndef __ICARUS__
    $error("paws_ordered: LENGTH_W must be PHASE_W to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PRECISION < 1 || PRECISION > 16) begin : gen_check_precision
`ifndef __ICARUS__
    $error("paws_ordered: PRECISION must be 1 to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (COMPARES < 1 || COMPARES > 2) begin : gen_check_compares
`ifndef __ICARUS__
    $error("paws_ordered: COMPARES must be 1 or 2");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (AGE_LIMIT > 65535) begin : gen_check_limit
`ifndef __ICARUS__
    $error("paws_ordered: AGE_LIMIT must be 0 to 65535");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (CLOCK_GATES > 1) begin : gen_check_gates
`ifndef __ICARUS__
    $error("paws_ordered: CLOCK_GATES must be 0 or 1");
`endif
    paws_illegal_parameter u_stop ();
  end

  // Derived parameters are legal even if a parameter is not, so that its message above appears first.
  localparam int SLOTS = WARPS < 4 ? 4 : WARPS;
  localparam int FIELD_W = PHASE_W < 1 || PHASE_W > LENGTH_W ? LENGTH_W : PHASE_W;
  localparam int KEPT = PRECISION < 1 ? 1 : PRECISION > FIELD_W ? FIELD_W : PRECISION;
  localparam int KEY_W = $clog2((FIELD_W - KEPT + 2) << (KEPT - 1));
  localparam int SUBJECTS = COMPARES < 1 ? 1 : COMPARES;
  localparam int WARP_W = $clog2(SLOTS);

  // Subject 0 is the issuer, or, with one comparison for both, a slot that waits.
  logic [SLOTS-1:0] waiting_q, next, choice, issuer, launched, able, candidate;
  logic [SUBJECTS*SLOTS-1:0] subject_q, subject_d, first;
  logic [SLOTS-1:0] placed;  // all subjects

  always_comb begin
    placed = '0;
    for (int s = 0; s < SUBJECTS; s++) placed = placed | subject_q[s*SLOTS+:SLOTS];
  end

  // The warp of a late end.
  logic late_end;
  logic [SLOTS-1:0] end_slot;
  if (LATE_EXIT) begin : gen_late
    assign late_end = end_valid_i;
    always_comb begin
      for (int w = 0; w < SLOTS; w++) end_slot[w] = end_valid_i & (end_warp_i == WARP_W'(w));
    end
  end else begin : gen_no_late
    logic unused_late;
    assign late_end = 1'b0;
    assign end_slot = '0;
    assign unused_late = ^{end_valid_i, end_warp_i};
  end

  // The choice.
  assign able = issuable_i & ~waiting_q;
  assign issue_valid_o = |able & issue_en_i;
  assign issuer = choice & {SLOTS{issue_en_i}};
  always_comb begin
    issue_warp_o = '0;
    for (int w = 0; w < SLOTS; w++) issue_warp_o = issue_warp_o | (WARP_W'(w) & {WARP_W{issuer[w]}});
  end
  assign quiet_o = !launch_valid_i & !late_end & !(|issuable_i) & !(|moved_i) & !(|waiting_q) & !(|placed);

  // While a due warp can issue, due warps are the only candidates.
  if (AGE_LIMIT > 0) begin : gen_limit
    logic reached, served, count;
    logic [SLOTS-1:0] due;
    assign served = |(due & able);
    assign candidate = able & (due | {SLOTS{!served}});
    assign count = issue_valid_o & !served;
    paws_age_limit #(
        .WARPS(SLOTS),
        .LIMIT(AGE_LIMIT),
        .CLOCK_GATES(CLOCK_GATES)
    ) u_limit (
        .clk_i      (clk_i),
        .rst_ni     (rst_ni),
        .count_i    (count),
        .gather_i   (count & reached),
        .restart_i  (1'b0),
        .candidate_i(able),
        .past_i     (issuer | end_slot),
        .reached_o  (reached),
        .due_o      (due)
    );
  end else begin : gen_no_limit
    logic unused_end;
    assign candidate = able;
    assign unused_end = ^end_slot;
  end

  // Slots that wait, and the subjects of the next cycle.
  logic unused_more;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) launched[w] = launch_valid_i & (launch_warp_i == WARP_W'(w));
  end
  paws_lowest #(
      .COUNT(SLOTS)
  ) u_next (
      .request_i(waiting_q & ~placed),
      .lowest_o (next),
      .more_o   (unused_more)
  );
  if (SUBJECTS == 1) begin : gen_one
    assign subject_d = issuer | (next & {SLOTS{!issue_valid_o}});
  end else begin : gen_two
    assign subject_d = {next, issuer};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      subject_q <= '0;
    end else begin
      waiting_q <= ((waiting_q | moved_i) & ~placed) | launched;
      subject_q <= subject_d;
    end
  end

  // Each subject's key is compared with all keys.
  logic [SLOTS*FIELD_W-1:0] distance;
  logic [  SLOTS*KEY_W-1:0] key;
  logic [KEY_W-1:0] own;
  paws_saturate #(
      .COUNT(SLOTS),
      .IN_W (LENGTH_W),
      .OUT_W(FIELD_W)
  ) u_saturate (
      .value_i    (distance_i),
      .saturated_o(distance)
  );
  paws_quantize #(
      .COUNT    (SLOTS),
      .FIELD_W  (FIELD_W),
      .PRECISION(KEPT),
      .KEY_W    (KEY_W)
  ) u_quantize (
      .value_i(distance),
      .key_o  (key)
  );
  always_comb begin
    for (int s = 0; s < SUBJECTS; s++) begin
      own = '0;
      for (int w = 0; w < SLOTS; w++) own = own | (key[w*KEY_W+:KEY_W] & {KEY_W{subject_q[s*SLOTS+w]}});
      for (int w = 0; w < SLOTS; w++) first[s*SLOTS+w] = own < key[w*KEY_W+:KEY_W];
    end
  end

  paws_order_matrix #(
      .WARPS      (SLOTS),
      .SUBJECTS   (SUBJECTS),
      .CLOCK_GATES(CLOCK_GATES)
  ) u_order (
      .clk_i      (clk_i),
      .subject_i  (subject_q),
      .first_i    (first),
      .reverse_i  (1'b0),
      .candidate_i(candidate),
      .choice_o   (choice)
  );

`ifdef PAWS_ASSERT
  // The promises of the host, and the legality of the decision.
  logic [SLOTS-1:0] live, was_live_q;
  logic [WARPS*LENGTH_W-1:0] distance_q;
  logic issued_q;
  paws_host_checks #(
      .WARPS    (SLOTS),
      .LENGTH_W (LENGTH_W),
      .POLICIES (1 << paws_pkg::PAWS),
      .TWO_LEVEL(1'b0),
      .LIMITED  (AGE_LIMIT > 0),
      .LATE_EXIT(LATE_EXIT)
  ) u_host (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .policy_i          (paws_pkg::PAWS),
      .issue_en_i        (issue_en_i),
      .issuable_i        (issuable_i),
      .waits_i           ({SLOTS{1'b0}}),
      .long_outstanding_i({SLOTS{1'b0}}),
      .exit_i            (exit_i),
      .length_i          (distance_i),
      .pair_i            ({SLOTS{1'b0}}),
      .row_i             ({SLOTS * $clog2((SLOTS + 1) / 2) {1'b0}}),
      .second_i          ({SLOTS{1'b0}}),
      .yield_i           ({SLOTS{1'b0}}),
      .launch_valid_i    (launch_valid_i),
      .launch_warp_i     (launch_warp_i),
      .end_valid_i       (end_valid_i),
      .end_warp_i        (end_warp_i),
      .issue_valid_i     (issue_valid_o),
      .issue_warp_i      (issue_warp_o),
      .live_o            (live)
  );

  always_ff @(posedge clk_i) begin
    distance_q <= distance_i;
    issued_q   <= rst_ni & issue_valid_o;
    was_live_q <= rst_ni ? live & ~(issuer & exit_i) & ~end_slot : '0;
    if (rst_ni) begin
      moves_are_known: assert (!$isunknown(moved_i)) else $error("host: moved_i is unknown");
      rate_is_kept: assert (COMPARES == 2 || !issued_q || !issue_en_i)
      else $error("host: issue_en_i follows an issue, and COMPARES is 1");
      for (int w = 0; w < SLOTS; w++) begin
        moves_are_said:
        assert (!was_live_q[w] || moved_i[w] || distance_i[w*LENGTH_W+:LENGTH_W] == distance_q[w*LENGTH_W+:LENGTH_W])
        else $error("host: a distance changes without moved_i");
      end
      one_issues: assert ($onehot0(choice) && (choice == '0) == (candidate == '0))
      else $error("ordered: the order has not one first candidate");
      issuer_is_issuable: assert (!issue_valid_o || (issuable_i[issue_warp_o] && issue_en_i))
      else $error("ordered: the issued warp is not issuable");
      issue_warp_is_0_without_issue: assert (issue_valid_o || issue_warp_o == '0)
      else $error("ordered: issue_warp_o is not 0 without an issue");
      for (int w = 0; w < SLOTS; w++) begin
        issuer_has_smallest_key:
        assert (!issue_valid_o || !candidate[w] || placed[w] || moved_i[w] ||
                placed[issue_warp_o] || moved_i[issue_warp_o] ||
                key[issue_warp_o*KEY_W+:KEY_W] <= key[w*KEY_W+:KEY_W])
        else $error("ordered: a placed candidate has a smaller key than the issuer");
      end
    end
  end
`else
  logic unused_inputs;
  assign unused_inputs = ^exit_i;
`endif

`ifdef FORMAL
`include "paws_ordered.svh"
`endif
endmodule

`default_nettype wire
