// SPDX-License-Identifier: MIT
// Active queue, micro-architecture 0: sorted shift register.
//
// Responsibility: keep the active warps in priority order; give the head; put the entrant in order and
// remove the head in the same cycle.
// Policy: before_i says for every slot whether the entrant goes before that slot's warp (paws_entrant).
// Structure: entries hold the warps' numbers in order. Entries behind the entrant move one place back;
// with a removal all entries move one place forward. The keys do not move; they are in slot order.
// Timing: the head is derived from registers; the entrant of a cycle can be the head of that cycle.
// Coincidences: entrant and removal: the head leaves. If the head is the entrant, no entry moves.
// Removal from an empty queue is illegal. A warp that ends takes the place of a removal: its entry closes.
// Cost: DEPTH * (1 + log2 WARPS) flip-flops, each with a four-input select; DEPTH multiplexers of WARPS
// inputs.
`default_nettype none

module paws_sorter_shift #(
    parameter int WARPS = 24,      // warp slots
    parameter int DEPTH = 18,      // entries
    parameter bit LATE_EXIT = 1'b0,         // end_i is looked at
    parameter int CLOCK_GATES = 0  // with a clock gate; 0: without
) (
    input  wire logic                     clk_i,            // clock
    input  wire logic                     rst_ni,           // synchronous reset, active low
    input  wire logic                     entrant_valid_i,  // there is an entrant
    input  wire logic [$clog2(WARPS)-1:0] entrant_warp_i,   // the entrant
    input  wire logic [        WARPS-1:0] before_i,         // the entrant goes before the slot's warp
    input  wire logic                     remove_i,         // the head leaves
    input  wire logic [        WARPS-1:0] end_i,            // at most one warp, which ends; then the head stays
    output logic      [        WARPS-1:0] member_o,         // the warp is in order here
    output logic                          head_valid_o,     // the queue is not empty
    output logic      [$clog2(WARPS)-1:0] head_warp_o       // its first warp
);
  localparam int WARP_W = $clog2(WARPS);

  // Entry 0 is the first warp in order; valid entries are contiguous.
  logic [DEPTH-1:0] valid_q, valid_d;
  (* mem2reg *) logic [WARP_W-1:0] warp_q[0:DEPTH-1];
  logic [DEPTH*WARP_W-1:0] warp_d;  // the warp of entry e at [e*WARP_W +: WARP_W]

  // behind[e]: entry e is free or sorts behind the entrant. If set, it is set for all later entries.
  logic [DEPTH-1:0] behind;
  always_comb begin
    for (int e = 0; e < DEPTH; e++) behind[e] = !valid_q[e] | before_i[warp_q[e]];
  end

  // ended[e]: the warp of entry e or of an earlier one ends, so that later entries move forward.
  logic [DEPTH-1:0] ended;
  if (LATE_EXIT) begin : gen_late
    logic found;
    always_comb begin
      found = 1'b0;
      for (int e = 0; e < DEPTH; e++) begin
        found = found | (valid_q[e] & end_i[warp_q[e]]);
        ended[e] = found;
      end
    end
  end else begin : gen_no_late
    logic unused_end;
    assign ended = '0;
    assign unused_end = ^end_i;
  end

  for (genvar e = 0; e < DEPTH; e++) begin : gen_entry
    logic valid_now, valid_before, valid_after, behind_before, behind_after, closes_before;
    logic [WARP_W-1:0] warp_now, warp_before, warp_after;
    assign valid_now = valid_q[e];
    assign warp_now  = warp_q[e];

    // Neighbours. The last entry has no successor, which counts as free. Entry 0 has no predecessor, so
    // behind_before is 0 there.
    if (e == 0) begin : gen_first
      assign closes_before = remove_i;
      assign valid_before  = 1'b0;
      assign behind_before = 1'b0;
      assign warp_before   = '0;
    end else begin : gen_not_first
      assign closes_before = remove_i | ended[e-1];
      assign valid_before  = valid_q[e-1];
      assign behind_before = behind[e-1];
      assign warp_before   = warp_q[e-1];
    end
    if (e == DEPTH - 1) begin : gen_last
      assign valid_after  = 1'b0;
      assign behind_after = 1'b1;
      assign warp_after   = warp_q[e];
    end else begin : gen_not_last
      assign valid_after  = valid_q[e+1];
      assign behind_after = behind[e+1];
      assign warp_after   = warp_q[e+1];
    end

    // The next content of this entry: its predecessor, the entrant, its successor, or no change. If the
    // entrant leaves as the head, all entries are behind it, and no entry changes.
    // The entry of a warp that ends takes its predecessor or the entrant if it is behind the entrant.
    logic from_before, from_new, from_after, closes, moves_up;
    assign closes = remove_i | ended[e];
    assign from_before = entrant_valid_i & !closes_before & behind_before;
    assign moves_up = closes_before | (closes & !behind[e]);
    assign from_new = entrant_valid_i & (moves_up ? behind_after & !behind[e] : behind[e] & !behind_before);
    assign from_after = closes & !(entrant_valid_i & behind_after);

    always_comb begin
      if (!rst_ni) valid_d[e] = 1'b0;
      else if (from_before) valid_d[e] = valid_before;
      else if (from_new) valid_d[e] = 1'b1;
      else if (from_after) valid_d[e] = valid_after;
      else valid_d[e] = valid_now;
      if (from_before) warp_d[e*WARP_W+:WARP_W] = warp_before;
      else if (from_new) warp_d[e*WARP_W+:WARP_W] = entrant_warp_i;
      else if (from_after) warp_d[e*WARP_W+:WARP_W] = warp_after;
      else warp_d[e*WARP_W+:WARP_W] = warp_now;
    end
  end

  logic change;
  assign change = entrant_valid_i | remove_i | (|end_i) | !rst_ni;
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_change;
    assign unused_change = change;
    always_ff @(posedge clk_i) begin
      valid_q <= valid_d;
      for (int e = 0; e < DEPTH; e++) warp_q[e] <= warp_d[e*WARP_W+:WARP_W];
    end
  end else begin : gen_gated
    logic [DEPTH*WARP_W-1:0] warp;
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(DEPTH * (WARP_W + 1)),
        .GROUP(1)
    ) u_entries (
        .clk_i   (clk_i),
        .change_i(change),
        .next_i  ({valid_d, warp_d}),
        .state_o ({valid_q, warp})
    );
    always_comb begin
      for (int e = 0; e < DEPTH; e++) warp_q[e] = warp[e*WARP_W+:WARP_W];
    end
  end

  always_comb begin
    member_o = '0;
    for (int e = 0; e < DEPTH; e++) begin
      for (int w = 0; w < WARPS; w++) begin
        if (valid_q[e] && warp_q[e] == WARP_W'(w)) member_o[w] = 1'b1;
      end
    end
  end

  assign head_valid_o = valid_q[0] | entrant_valid_i;
  assign head_warp_o  = entrant_valid_i & behind[0] ? entrant_warp_i : warp_q[0];

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      removes_a_member: assert (!remove_i || head_valid_o)
      else $error("sorter: removal from an empty queue");
      end_excludes_removal: assert (!remove_i || (end_i & member_o) == '0)
      else $error("sorter: a warp ends beside a removal");
      no_overflow: assert (!entrant_valid_i || remove_i || (|end_i) || !valid_q[DEPTH-1])
      else $error("sorter: overflow");
      for (int e = 1; e < DEPTH; e++) begin
        no_gap: assert (!valid_q[e] || valid_q[e-1]) else $error("sorter: a gap between entries");
        place_is_unique: assert (!entrant_valid_i || !behind[e-1] || behind[e])
        else $error("sorter: the place of the entrant is not unique");
      end
    end
  end
`endif

`ifdef FORMAL
`include "paws_sorter_shift.svh"
`endif
endmodule

`default_nettype wire
