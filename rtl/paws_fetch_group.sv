// SPDX-License-Identifier: MIT
// Two-level round-robin over fixed fetch groups (Narasiman et al., MICRO 2011, section 3.2).
//
// Responsibility: one issue decision in every cycle that the host enables. Slots g * GROUP to
// g * GROUP + GROUP - 1 are group g. docs/reference/microarchitecture.md, "Fetch groups", is the specification.
// Policy: the group of the last issued slot goes on, round robin, as long as one of it can issue. Else the
// lowest slot of the next group that can, cyclically. Not fair: a group that never stalls keeps the others
// waiting. With TIMEOUT a group that has issued so many times in succession comes last, until another issues.
// Structure: one paws_rotate_pick among the slots of the last group, or among the others: of these the first
// slot after the last one is the lowest of the next group.
// Timing: issue_en_i and issuable_i reach the issue combinationally; quiet_o depends on issuable_i and
// launch_valid_i. The last issued slot is registered, with TIMEOUT also the issues of its group.
// Coincidences: a launch changes nothing but what the host says next. An exit leaves the last issued slot
// as it is: its group goes on.
// Cost: flip-flops for the last issued slot and its validity, as for RR; a comparison of its number for each
// group, and one gate for each slot. TIMEOUT: a counter.
`default_nettype none

module paws_fetch_group #(
    parameter int WARPS = 32,  // warp slots, 2 to 64
    parameter int GROUP = 8,   // slots of a group; divides WARPS
    parameter int TIMEOUT = 0  // issues in succession after which a group comes last; 0: never
) (
    input  wire logic                     clk_i,           // clock
    input  wire logic                     rst_ni,          // synchronous reset, active low
    input  wire logic                     issue_en_i,      // an instruction may issue
    input  wire logic [        WARPS-1:0] issuable_i,      // the warp's next instruction can issue now
    input  wire logic [        WARPS-1:0] exit_i,          // the warp's next instruction ends the warp
    input  wire logic                     launch_valid_i,  // a warp starts
    input  wire logic [$clog2(WARPS)-1:0] launch_warp_i,   // in this slot
    output logic                          issue_valid_o,   // a warp issues
    output logic      [$clog2(WARPS)-1:0] issue_warp_o,    // that warp; 0 while none does
    output logic                          quiet_o          // nothing changes while inputs hold
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass. Icarus 11 cannot parse such an $error.
  if (WARPS < 2 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_fetch_group: WARPS must be 2 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (GROUP < 1 || GROUP > WARPS || (WARPS / (GROUP < 1 ? 1 : GROUP)) * GROUP != WARPS) begin : gen_check_group
`ifndef __ICARUS__
    $error("paws_fetch_group: GROUP must divide WARPS");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (TIMEOUT != 0 && (TIMEOUT < GROUP || TIMEOUT > 65535)) begin : gen_check_timeout
`ifndef __ICARUS__
    $error("paws_fetch_group: TIMEOUT must be 0 (never) or GROUP to 65535");
`endif
    paws_illegal_parameter u_stop ();
  end

  // Derived parameters are legal even if a parameter is not, so that its message above appears first.
  localparam int SLOTS = WARPS < 2 ? 2 : WARPS;
  localparam int SIZE = GROUP < 1 ? 1 : GROUP;
  localparam int WARP_W = $clog2(SLOTS);

  logic last_valid_q, any, expired, own_can, stays;
  logic [WARP_W-1:0] last_q, choice;

  // Slots of the last group. Before the first issue there is none, and the lowest slot goes first.
  logic [SLOTS-1:0] own, pool;
  for (genvar g = 0; g < SLOTS / SIZE; g++) begin : gen_group
    logic is_last;
    always_comb begin
      is_last = 1'b0;
      for (int s = 0; s < SIZE; s++) is_last = is_last | (last_q == WARP_W'(g * SIZE + s));
    end
    assign own[g*SIZE+:SIZE] = {SIZE{is_last & last_valid_q}};
  end
  assign own_can = |(issuable_i & own);
  assign stays = own_can & !(expired & |(issuable_i & ~own));
  assign pool = issuable_i & (stays ? own : ~own);

  paws_rotate_pick #(
      .COUNT(SLOTS)
  ) u_pick (
      .request_i(pool),
      .rotate_i (last_valid_q),
      .after_i  (last_q),
      .valid_o  (any),
      .index_o  (choice)
  );

  assign issue_valid_o = any & issue_en_i;
  assign issue_warp_o = choice & {WARP_W{issue_valid_o}};
  assign quiet_o = !launch_valid_i & !any;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_valid_q <= 1'b0;
    else if (issue_valid_o) last_valid_q <= 1'b1;
    if (issue_valid_o) last_q <= choice;
  end

  if (TIMEOUT > 0) begin : gen_timeout
    localparam int RUN_W = $clog2(TIMEOUT + 1);
    logic [RUN_W-1:0] run_q;  // issues of the last group in succession, TIMEOUT at most
    assign expired = run_q == RUN_W'(TIMEOUT);
    always_ff @(posedge clk_i) begin
      if (issue_valid_o) run_q <= stays ? run_q + RUN_W'(!expired) : RUN_W'(1);
    end
  end else begin : gen_no_timeout
    assign expired = 1'b0;
  end

`ifdef PAWS_ASSERT
  // The promises of the host, and the legality of the decision. A policy reads no more than RR does.
  localparam int CHECKED = SLOTS < 4 ? 4 : SLOTS;  // slots that the checks know
  localparam int CHECKED_W = $clog2(CHECKED);
  logic [CHECKED-1:0] live;
  paws_host_checks #(
      .WARPS    (CHECKED),
      .LENGTH_W (4),
      .POLICIES (1 << paws_pkg::RR),
      .TWO_LEVEL(1'b0)
  ) u_host (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .policy_i          (paws_pkg::RR),
      .issue_en_i        (issue_en_i),
      .issuable_i        (CHECKED'(issuable_i)),
      .waits_i           ('0),
      .long_outstanding_i('0),
      .exit_i            (CHECKED'(exit_i)),
      .length_i          ('0),
      .pair_i            ('0),
      .row_i             ('0),
      .second_i          ('0),
      .yield_i           ('0),
      .launch_valid_i    (launch_valid_i),
      .launch_warp_i     (CHECKED_W'(launch_warp_i)),
      .end_valid_i       (1'b0),
      .end_warp_i        ('0),
      .issue_valid_i     (issue_valid_o),
      .issue_warp_i      (CHECKED_W'(issue_warp_o)),
      .live_o            (live)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      issuer_is_issuable: assert (!issue_valid_o || (issuable_i[issue_warp_o] && issue_en_i))
      else $error("fetch group: the issued warp is not issuable");
      issuer_is_live: assert (!issue_valid_o || live[CHECKED_W'(issue_warp_o)])
      else $error("fetch group: the issued warp is not live");
      last_group_goes_on: assert (!issue_valid_o || expired || !own_can || own[issue_warp_o])
      else $error("fetch group: another group issues although the last one can");
      launch_slot_exists: assert (!launch_valid_i || 32'(launch_warp_i) < WARPS)
      else $error("host: launch into a slot that does not exist");
    end
  end
`else
  logic unused_inputs;
  assign unused_inputs = ^{exit_i, launch_warp_i};
`endif

`ifdef FORMAL
`include "paws_fetch_group.svh"
`endif
endmodule

`default_nettype wire
