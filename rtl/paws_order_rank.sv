// SPDX-License-Identifier: MIT
// Exact order of warps by their latest event, as a compact rank.
//
// Responsibility: every slot holds a rank 0 .. WARPS-1 and no two are equal: the smaller, the earlier.
// An event gives its slot the last rank (WARPS-1) and decrements the ranks behind its old rank. This
// keeps the ranks a permutation, so that order stays exact for ever; a launch counter would wrap.
// With launches as events the rank is the age of the contract; with insertions into active it is the
// order of arrival. Free slots keep a rank, which has no meaning.
// later_o compares one subject slot with all others. It uses the comparators of the update, so
// event and subject are the same slot.
// Timing: ranks are registered: an event in t is seen in t+1. later_o is combinational from subject_i
// and gives the order before the event of the same cycle.
// Coincidences: none; one event per cycle.
// Cost: WARPS * log2(WARPS) flip-flops, WARPS comparators and decrementers of that width. An age
// matrix would answer a pick faster, with WARPS * (WARPS-1) / 2 flip-flops.
`default_nettype none

module paws_order_rank #(
    parameter int WARPS = 24,      // number of slots
    parameter int CLOCK_GATES = 0  // with a clock gate; 0: without
) (
    input  wire logic                           clk_i,      // clock
    input  wire logic                           rst_ni,     // synchronous reset, active low
    input  wire logic                           event_i,    // the subject becomes the last
    input  wire logic [      $clog2(WARPS)-1:0] subject_i,  // the slot that all are compared with
    output logic      [              WARPS-1:0] later_o,    // the slot comes after the subject
    output logic      [WARPS*$clog2(WARPS)-1:0] rank_o      // rank of slot w at [w*R +: R]
);
  localparam int RANK_W = $clog2(WARPS);
  localparam logic [RANK_W-1:0] LAST = RANK_W'(WARPS - 1);

  (* mem2reg *) logic [RANK_W-1:0] rank_q[0:WARPS-1];
  (* mem2reg *) logic [RANK_W-1:0] rank_d[0:WARPS-1];
  logic [RANK_W-1:0] subject_rank;
  logic [ WARPS-1:0] is_subject, moves;

  always_comb begin
    is_subject = WARPS'(1) << subject_i;
    subject_rank = '0;
    for (int w = 0; w < WARPS; w++) begin
      subject_rank = subject_rank | (rank_q[w] & {RANK_W{is_subject[w]}});
    end
    for (int w = 0; w < WARPS; w++) begin
      later_o[w] = rank_q[w] > subject_rank;
    end
    moves = later_o & {WARPS{event_i}};
  end

  // Reset to the identity. Any other permutation would do, but it must be a permutation.
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      if (!rst_ni) rank_d[w] = RANK_W'(w);
      else if (event_i && is_subject[w]) rank_d[w] = LAST;
      else rank_d[w] = rank_q[w] - RANK_W'(moves[w]);
    end
  end

  // Ranks move only at events, all in one cycle: one gate serves them.
  logic change;
  assign change = event_i | !rst_ni;
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_change;
    assign unused_change = change;
    always_ff @(posedge clk_i) begin
      for (int w = 0; w < WARPS; w++) rank_q[w] <= rank_d[w];
    end
  end else begin : gen_gated
    logic [WARPS*RANK_W-1:0] state, next;
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(WARPS * RANK_W),
        .GROUP(1)
    ) u_rank (
        .clk_i   (clk_i),
        .change_i(change),
        .next_i  (next),
        .state_o (state)
    );
    always_comb begin
      for (int w = 0; w < WARPS; w++) begin
        next[w*RANK_W+:RANK_W] = rank_d[w];
        rank_q[w] = state[w*RANK_W+:RANK_W];
      end
    end
  end

  for (genvar w = 0; w < WARPS; w++) begin : gen_rank
    assign rank_o[w*RANK_W+:RANK_W] = rank_q[w];
  end

`ifdef PAWS_ASSERT
  logic [WARPS-1:0] rank_seen;
  always_comb begin
    rank_seen = '0;
    for (int w = 0; w < WARPS; w++) rank_seen[rank_q[w]] = 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ranks_differ: assert (&rank_seen) else $error("order rank: two slots have the same rank");
    end
  end
`endif

`ifdef FORMAL
`include "paws_order_rank.svh"
`endif
endmodule

`default_nettype wire
