// SPDX-License-Identifier: MIT
// Single-level warp scheduler: every live warp is a candidate in every cycle; RR, GTO, PAWS, oldest,
// youngest, CGGTY, SCA.
//
// Responsibility: one issue decision in every cycle that the host enables. docs/reference/microarchitecture.md,
// "Cycle semantics", is the specification.
// Policy: RR: first issuable slot after the last issued one. GTO: the last issued warp while it can
// issue, else the oldest that can. PAWS: smallest key of the phase distance, then oldest. Oldest: the
// oldest that can. Youngest: the youngest that can. CGGTY: the last issued warp while it can issue,
// else the youngest that can; an issue with yield_i bars its warp in the next enabled cycle, in which nothing
// issues if no other can. SCA: the warps of two paired blocks in turn (paws_sca). Only RR is fair; the others
// may starve a warp as long as a better one can issue, unless AGE_LIMIT makes it due.
// Structure: a key is the distance above the age, and one module finds the smallest key. Youngest and
// CGGTY complement the age, which reverses the order. PICKER chooses
// delay or area, the same at the ports. With PICKER 1 there are no keys: a matrix holds the order of ages
// (paws_order_matrix). The module also returns marks of the winner: whether it exits,
// whether it yields, and its group. So neither the greedy warp nor the bar nor SCA waits for a look-up
// behind the search.
// Timing: all inputs except launch_*, exit_i and yield_i reach issue_warp_o combinationally; quiet_o depends
// on issuable_i, launch_valid_i and end_valid_i. Ages, the last issued warp, the bar and SCA's group are registered.
// Coincidences: launch and issue: the new warp's age counts from the next cycle. Exit: RR's pointer
// stays where the warp was, GTO and CGGTY have no greedy warp, and an exit that yields bars nobody. Exit and
// launch are of different slots. The issuer is no longer due, even if warps are gathered in the same
// cycle. A barred warp is one that is not issuable, also for the age limit.
// Late ends (LATE_EXIT): the warp ends in the cycle of end_valid_i, in which it is not issuable. It is neither
// due nor barred after it. An issue of another warp in that cycle is remembered as ever; without one GTO and
// CGGTY have no greedy warp if it was that warp. RR's pointer and SCA's group stay.
// Cost: one search for the smallest key for all policies but RR (PHASE_W + log2 WARPS bits), the age
// ranks, one rotating priority for RR, paws_sca for SCA. A build with one policy has the hardware of that policy
// alone.
`default_nettype none

module paws_single_level #(
    parameter int WARPS = 24,      // warp slots, 4 to 64
    parameter int PHASE_W = 9,     // width of a compared phase distance, 2 to 16
    parameter int LENGTH_W = 16,   // width of the host's phase distance, PHASE_W to 16
    parameter int PRECISION = 16,  // leading bits of a distance that count, 1 to 16
    parameter int PICKER = 3,      // smallest key: in matches of 2 to 8 keys; 0 by elimination; 1, without
                                   // PAWS: an order of ages, one bit for every pair of slots
    parameter int POLICIES = paws_pkg::SINGLE_LEVEL,  // policies built, bit mask by policy code
    parameter int AGE_LIMIT = 0,   // issues after which passed-over warps are due; 0: never
    parameter int CLOCK_GATES = 0, // 1: ages and due warps behind clock gates; 0: no gates
    parameter int PAIR_W = 3,      // SCA: width of the number of a pair of blocks, 1 to 5
    parameter bit LATE_EXIT = 1'b0          // end_valid_i and end_warp_i are looked at
) (
    input  wire logic                      clk_i,           // clock
    input  wire logic                      rst_ni,          // synchronous reset, active low
    input  wire logic [paws_pkg::POLICY_W-1:0] policy_i,    // policy code; stable outside reset
    input  wire logic                      issue_en_i,      // an instruction may issue
    input  wire logic [         WARPS-1:0] issuable_i,      // the warp's next instruction can issue now
    input  wire logic [         WARPS-1:0] exit_i,          // the warp's next instruction ends the warp
    input  wire logic [WARPS*LENGTH_W-1:0] distance_i,      // phase distance of the warp's next instruction
    input  wire logic [  WARPS*PAIR_W-1:0] pair_i,          // SCA: pair of blocks that the warp belongs to
    input  wire logic [WARPS*$clog2((WARPS+1)/2)-1:0] row_i,           // SCA: its group in the pair
    input  wire logic [         WARPS-1:0] second_i,        // SCA: it is the group's second member
    input  wire logic [         WARPS-1:0] yield_i,         // CGGTY: its next instruction, once issued, bars it
    input  wire logic                      launch_valid_i,  // a warp starts
    input  wire logic [ $clog2(WARPS)-1:0] launch_warp_i,   // in this slot
    input  wire logic                      end_valid_i,     // a warp ends without an issue
    input  wire logic [ $clog2(WARPS)-1:0] end_warp_i,      // in this slot
    output logic                           issue_valid_o,   // a warp issues
    output logic      [ $clog2(WARPS)-1:0] issue_warp_o,    // that warp; 0 while none does
    output logic                           quiet_o          // nothing changes while inputs hold
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass. Icarus 11 cannot parse such an $error.
  if (WARPS < 4 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_single_level: WARPS must be 4 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PHASE_W < 2 || PHASE_W > 16) begin : gen_check_phase
`ifndef __ICARUS__
    $error("paws_single_level: PHASE_W must be 2 to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (LENGTH_W < PHASE_W || LENGTH_W > 16) begin : gen_check_length
`ifndef __ICARUS__
    $error("paws_single_level: LENGTH_W must be PHASE_W to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PRECISION < 1 || PRECISION > 16) begin : gen_check_precision
`ifndef __ICARUS__
    $error("paws_single_level: PRECISION must be 1 to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PICKER < 0 || PICKER > 8) begin : gen_check_picker
`ifndef __ICARUS__
    $error("paws_single_level: PICKER must be 2 to 8 (keys of a match), 0 (elimination) or 1 (order of ages)");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PICKER == 1 && ((POLICIES >> paws_pkg::PAWS) & 1) != 0) begin : gen_check_order
`ifndef __ICARUS__
    $error("paws_single_level: PICKER 1 (order of ages) has no PAWS; paws_ordered has");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (POLICIES < 1 || (POLICIES & ~paws_pkg::SINGLE_LEVEL) != 0) begin : gen_check_policies
`ifndef __ICARUS__
    $error("paws_single_level: POLICIES must be a mask of the policies in paws_pkg::SINGLE_LEVEL");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (AGE_LIMIT > 65535) begin : gen_check_limit
`ifndef __ICARUS__
    $error("paws_single_level: AGE_LIMIT must be 0 to 65535");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (CLOCK_GATES > 1) begin : gen_check_gates
`ifndef __ICARUS__
    $error("paws_single_level: CLOCK_GATES must be 0 or 1");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PAIR_W < 1 || PAIR_W > 5) begin : gen_check_pair
`ifndef __ICARUS__
    $error("paws_single_level: PAIR_W must be 1 to 5");
`endif
    paws_illegal_parameter u_stop ();
  end

  // Derived parameters are legal even if a parameter is not, so that its message above appears first.
  localparam int SLOTS = WARPS < 4 ? 4 : WARPS;
  localparam int FIELD_W = PHASE_W < 1 || PHASE_W > LENGTH_W ? LENGTH_W : PHASE_W;
  localparam int KEPT = PRECISION < 1 ? 1 : PRECISION > FIELD_W ? FIELD_W : PRECISION;
  localparam int ARITY = PICKER < 2 ? 2 : PICKER;
  localparam int WARP_W = $clog2(SLOTS);
  localparam int ROW_W = WARP_W - 1;
  localparam int NUMBER_W = PAIR_W < 1 ? 1 : PAIR_W;
  localparam bit HAS_RR = ((POLICIES >> paws_pkg::RR) & 1) != 0;
  localparam bit HAS_GTO = ((POLICIES >> paws_pkg::GTO) & 1) != 0;
  localparam bit HAS_PAWS = ((POLICIES >> paws_pkg::PAWS) & 1) != 0;
  localparam bit HAS_YOUNGEST = ((POLICIES >> paws_pkg::YOUNGEST) & 1) != 0;
  localparam bit HAS_CGGTY = ((POLICIES >> paws_pkg::CGGTY) & 1) != 0;
  localparam bit HAS_SCA = ((POLICIES >> paws_pkg::SCA) & 1) != 0;
  localparam bit HAS_MIN = POLICIES != (1 << paws_pkg::RR);  // all others take the smallest key
  localparam bit HAS_LAST = HAS_RR || HAS_GTO || HAS_CGGTY;

  // A policy that is built alone needs no policy_i.
  logic is_rr, is_gto, is_paws, is_youngest, is_cggty, is_sca;
  assign is_rr = HAS_RR && (!HAS_MIN || policy_i == paws_pkg::RR);
  assign is_gto = HAS_GTO && (POLICIES == (1 << paws_pkg::GTO) || policy_i == paws_pkg::GTO);
  assign is_paws = HAS_PAWS && (POLICIES == (1 << paws_pkg::PAWS) || policy_i == paws_pkg::PAWS);
  assign is_youngest =
      HAS_YOUNGEST && (POLICIES == (1 << paws_pkg::YOUNGEST) || policy_i == paws_pkg::YOUNGEST);
  assign is_cggty = HAS_CGGTY && (POLICIES == (1 << paws_pkg::CGGTY) || policy_i == paws_pkg::CGGTY);
  assign is_sca = HAS_SCA && (POLICIES == (1 << paws_pkg::SCA) || policy_i == paws_pkg::SCA);

  // able: issuable and not barred. late_warp and the marks of the winner are late: little follows them.
  logic [SLOTS-1:0] able, end_slot;
  logic any, greedy, ends, least_ends, least_yields, last_valid, barred;
  logic [WARP_W-1:0] turn_warp, least_warp, late_warp, last_warp, other_warp;
  logic [NUMBER_W-1:0] least_pair;
  logic [ROW_W-1:0] least_row;

  // The warp of a late end, which may be the last issued one.
  logic late_end, last_ends;
  if (LATE_EXIT) begin : gen_late
    assign late_end = end_valid_i;
    always_comb begin
      for (int w = 0; w < SLOTS; w++) end_slot[w] = end_valid_i & (end_warp_i == WARP_W'(w));
    end
    assign last_ends = end_valid_i & (end_warp_i == last_warp);
  end else begin : gen_no_late
    logic unused_late;
    assign late_end = 1'b0;
    assign end_slot = '0;
    assign last_ends = 1'b0;
    assign unused_late = ^{end_valid_i, end_warp_i};
  end

  // While a due warp can issue, due warps are the only candidates. RR is fair and has no due warps.
  logic [SLOTS-1:0] candidate;
  if (AGE_LIMIT > 0 && HAS_MIN) begin : gen_limit
    logic reached, served, count;
    logic [SLOTS-1:0] due, issuer;
    assign served = |(due & able);
    assign candidate = able & (due | {SLOTS{!served}});
    assign count = issue_valid_o & !is_rr & !served;
    always_comb begin
      for (int w = 0; w < SLOTS; w++) issuer[w] = issue_valid_o & (issue_warp_o == WARP_W'(w));
    end
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

  assign any = |able;
  assign issue_valid_o = any & issue_en_i;
  assign other_warp = is_rr ? turn_warp : last_warp;
  assign issue_warp_o = (late_warp & {WARP_W{issue_valid_o & !is_rr & !greedy}}) |
      (other_warp & {WARP_W{issue_valid_o & (is_rr | greedy)}});
  assign quiet_o = !launch_valid_i & !late_end & !(|issuable_i) & !barred;

  // The last issued warp: RR's pointer, the greedy warp of GTO and CGGTY. Not kept for the other policies.
  if (HAS_LAST) begin : gen_last
    logic last_valid_q, keeps;
    logic [WARP_W-1:0] last_warp_q;
    assign keeps = issue_valid_o & (is_rr | is_gto | is_cggty);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) last_valid_q <= 1'b0;
      else if (keeps) last_valid_q <= is_rr | !ends;
      else if (last_ends & (is_gto | is_cggty)) last_valid_q <= 1'b0;
      if (keeps) last_warp_q <= issue_warp_o;
    end
    assign last_valid = last_valid_q;
    assign last_warp  = last_warp_q;
    // A greedy warp that can issue is the only candidate.
    assign greedy = (is_gto | is_cggty) & last_valid & candidate[last_warp];
    assign ends = greedy ? exit_i[last_warp] : least_ends;
  end else begin : gen_no_last
    logic unused_last;
    assign last_valid = 1'b0;
    assign last_warp = '0;
    assign greedy = 1'b0;
    assign ends = 1'b0;
    assign unused_last = ^{last_valid, ends, least_ends, is_gto, last_ends};
  end

  // The greedy warp of CGGTY is barred in the first enabled cycle after an issue that yields.
  if (HAS_CGGTY) begin : gen_bar
    logic barred_q, yields;
    assign yields = greedy ? yield_i[last_warp] : least_yields;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) barred_q <= 1'b0;
      else if (issue_en_i) barred_q <= is_cggty & any & yields & !ends;
      else if (last_ends) barred_q <= 1'b0;
    end
    assign barred = barred_q;
    always_comb begin
      for (int w = 0; w < SLOTS; w++) able[w] = issuable_i[w] & !(barred & (last_warp == WARP_W'(w)));
    end
  end else begin : gen_no_bar
    logic unused_bar;
    assign able = issuable_i;
    assign barred = 1'b0;
    assign unused_bar = ^{yield_i, least_yields, is_cggty};
  end

  if (HAS_RR) begin : gen_turn
    logic unused_turn_valid;
    paws_rotate_pick #(
        .COUNT(SLOTS)
    ) u_turn (
        .request_i(issuable_i),
        .rotate_i (last_valid),
        .after_i  (last_warp),
        .valid_o  (unused_turn_valid),
        .index_o  (turn_warp)
    );
  end else begin : gen_no_turn
    assign turn_warp = '0;
  end

  if (HAS_MIN) begin : gen_min
    // Marks of a warp: that it exits, that it yields, its group; those that a policy of the build needs.
    localparam int GROUP_AT = HAS_CGGTY ? 2 : 1;
    localparam int MARK_W = GROUP_AT + (HAS_SCA ? NUMBER_W + ROW_W : 0);
    logic [SLOTS*MARK_W-1:0] mark;
    logic [MARK_W-1:0] least_mark;
    for (genvar w = 0; w < SLOTS; w++) begin : gen_mark
      assign mark[w*MARK_W] = exit_i[w];
      if (HAS_CGGTY) begin : gen_yield
        assign mark[w*MARK_W+1] = yield_i[w];
      end
      if (HAS_SCA) begin : gen_group
        assign mark[w*MARK_W+GROUP_AT+:NUMBER_W+ROW_W] = {pair_i[w*NUMBER_W+:NUMBER_W], row_i[w*ROW_W+:ROW_W]};
      end
    end
    assign least_ends = least_mark[0];
    if (HAS_CGGTY) begin : gen_least_yields
      assign least_yields = least_mark[1];
    end else begin : gen_no_least_yields
      assign least_yields = 1'b0;
    end
    if (HAS_SCA) begin : gen_least_group
      assign {least_pair, least_row} = least_mark[GROUP_AT+:NUMBER_W+ROW_W];
    end else begin : gen_no_least_group
      assign {least_pair, least_row} = '0;
    end

    if (PICKER == 1) begin : gen_order
      // The order of launch in a matrix: the choice compares nothing.
      logic [SLOTS-1:0] launched, choice;
      logic unused_search;
      assign unused_search = ^{rst_ni, distance_i, is_paws};
      always_comb begin
        for (int w = 0; w < SLOTS; w++) launched[w] = launch_valid_i & (launch_warp_i == WARP_W'(w));
        least_warp = '0;
        least_mark = '0;
        for (int w = 0; w < SLOTS; w++) begin
          least_warp = least_warp | (WARP_W'(w) & {WARP_W{choice[w]}});
          least_mark = least_mark | (mark[w*MARK_W+:MARK_W] & {MARK_W{choice[w]}});
        end
      end
      paws_order_matrix #(
          .WARPS      (SLOTS),
          .SUBJECTS   (1),
          .CLOCK_GATES(CLOCK_GATES)
      ) u_order (
          .clk_i      (clk_i),
          .subject_i  (launched),
          .first_i    ({SLOTS{1'b0}}),
          .reverse_i  (is_youngest | is_cggty),
          .candidate_i(candidate),
          .choice_o   (choice)
      );
    end else begin : gen_search
      logic [SLOTS*WARP_W-1:0] rank, age;
      logic [SLOTS-1:0] unused_younger;
      assign age = rank ^ {SLOTS * WARP_W{is_youngest | is_cggty}};  // the complement reverses the order
      paws_order_rank #(
          .WARPS      (SLOTS),
          .CLOCK_GATES(CLOCK_GATES)
      ) u_age (
          .clk_i    (clk_i),
          .rst_ni   (rst_ni),
          .event_i  (launch_valid_i),
          .subject_i(launch_warp_i),
          .later_o  (unused_younger),
          .rank_o   (rank)
      );

      // Keys: the distance, if PAWS is built, above the age. Only PAWS looks at the distance.
      localparam int CODE_W = HAS_PAWS ? $clog2((FIELD_W - KEPT + 2) << (KEPT - 1)) : 0;
      localparam int KEY_W = CODE_W + WARP_W;
      logic [SLOTS*KEY_W-1:0] key;
      logic [KEY_W-1:0] counts;
      if (HAS_PAWS) begin : gen_distance
        logic [SLOTS*FIELD_W-1:0] distance;
        logic [ SLOTS*CODE_W-1:0] code;
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
            .KEY_W    (CODE_W)
        ) u_quantize (
            .value_i(distance),
            .key_o  (code)
        );
        for (genvar w = 0; w < SLOTS; w++) begin : gen_key
          assign key[w*KEY_W+:KEY_W] = {code[w*CODE_W+:CODE_W], age[w*WARP_W+:WARP_W]};
        end
        assign counts = {{CODE_W{is_paws}}, {WARP_W{1'b1}}};
      end else begin : gen_age
        logic unused_distance;
        assign unused_distance = ^{distance_i, is_paws};
        assign key = age;
        assign counts = '1;
      end

      if (PICKER == 0) begin : gen_eliminate
        paws_eliminate #(
            .COUNT(SLOTS),
            .KEY_W(KEY_W),
            .MARK_W(MARK_W)
        ) u_least (
            .valid_i (candidate),
            .key_i   (key),
            .counts_i(counts),
            .mark_i  (mark),
            .index_o (least_warp),
            .mark_o  (least_mark)
        );
      end else begin : gen_tournament
        paws_tournament #(
            .COUNT (SLOTS),
            .KEY_W (KEY_W),
            .ARITY (ARITY),
            .MARK_W(MARK_W)
        ) u_least (
            .valid_i(candidate),
            .key_i  (key & {SLOTS{counts}}),
            .mark_i (mark),
            .index_o(least_warp),
            .mark_o (least_mark)
        );
      end
    end
  end else begin : gen_no_min
    logic unused_min;
    assign least_warp = '0;
    assign least_ends = 1'b0;
    assign least_yields = 1'b0;
    assign {least_pair, least_row} = '0;
    assign unused_min = ^{candidate, distance_i, exit_i, is_paws, is_youngest, launch_warp_i};
  end

  if (HAS_SCA) begin : gen_sca
    logic [WARP_W-1:0] sca_warp;
    paws_sca #(
        .WARPS (SLOTS),
        .PAIR_W(NUMBER_W)
    ) u_sca (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .launch_valid_i(launch_valid_i),
        .launch_warp_i (launch_warp_i),
        .candidate_i   (candidate),
        .exit_i        (exit_i),
        .pair_i        (pair_i),
        .row_i         (row_i),
        .second_i      (second_i),
        .oldest_pair_i (least_pair),
        .oldest_row_i  (least_row),
        .issue_i       (issue_valid_o & is_sca),
        .end_i         (end_slot),
        .warp_o        (sca_warp)
    );
    assign late_warp = is_sca ? sca_warp : least_warp;
  end else begin : gen_no_sca
    logic unused_sca;
    assign late_warp = least_warp;
    assign unused_sca = ^{pair_i, row_i, second_i, least_pair, least_row, is_sca};
  end

`ifdef PAWS_ASSERT
  // The promises of the host, and the legality of the decision.
  logic [SLOTS-1:0] live;
  paws_host_checks #(
      .WARPS    (SLOTS),
      .LENGTH_W (LENGTH_W),
      .POLICIES (POLICIES),
      .TWO_LEVEL(1'b0),
      .LIMITED  (AGE_LIMIT > 0),
      .LATE_EXIT(LATE_EXIT),
      .PAIR_W   (NUMBER_W)
  ) u_host (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .policy_i          (policy_i),
      .issue_en_i        (issue_en_i),
      .issuable_i        (issuable_i),
      .waits_i           ('0),
      .long_outstanding_i('0),
      .exit_i            (exit_i),
      .length_i          (distance_i),
      .pair_i            (pair_i),
      .row_i             (row_i),
      .second_i          (second_i),
      .yield_i           (yield_i),
      .launch_valid_i    (launch_valid_i),
      .launch_warp_i     (launch_warp_i),
      .end_valid_i       (end_valid_i),
      .end_warp_i        (end_warp_i),
      .issue_valid_i     (issue_valid_o),
      .issue_warp_i      (issue_warp_o),
      .live_o            (live)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      issuer_is_issuable: assert (!issue_valid_o || (issuable_i[issue_warp_o] && issue_en_i))
      else $error("single-level: the issued warp is not issuable");
      issues_if_one_can: assert (issue_valid_o == (any && issue_en_i))
      else $error("single-level: a warp can issue, is not barred, and none does");
      issue_warp_is_0_without_issue: assert (issue_valid_o || issue_warp_o == '0)
      else $error("single-level: issue_warp_o is not 0 without an issue");
      greedy_warp_is_live: assert (!(is_gto || is_cggty) || !last_valid || live[last_warp])
      else $error("single-level: the greedy warp is not live");
      greedy_warp_is_barred: assert (!barred || (is_cggty && last_valid))
      else $error("single-level: a warp is barred that is not greedy");
    end
  end
`endif

`ifdef FORMAL
`include "paws_single_level.svh"
`endif
endmodule

`default_nettype wire
