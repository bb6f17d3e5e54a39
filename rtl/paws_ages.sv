// SPDX-License-Identifier: MIT
// Ages of all warps: the order of launch, exact, as a compact rank.
//
// Responsibility: a rank per slot; the smaller rank is the older warp. No two warps launched since reset
// have the same rank. A launch gives its slot the last rank (WARPS-1) and decrements the ranks behind its
// old rank, so that order stays exact for ever; a launch counter would wrap.
// younger_o compares the subject with all others. It uses the comparators of the update, so in a launch
// the subject must be the launched warp.
// Structure: bit slices: slice b at [b*WARPS +: WARPS] holds bit b of all ranks. In this form every
// step, also in the modules that read the ranks, is a few operations on one vector.
// Reset: all slots become the youngest, which needs no more gates than a launch. N warps launched since
// then have the N last ranks. All other slots have one equal rank before these: younger_o includes equals.
// Timing: ranks are registered: a launch in t is seen in t+1. younger_o is combinational from
// subject_age_i and gives the order before the launch of the same cycle. next_age_o are the ranks of
// the next cycle, for modules that keep a rank in a register.
// Coincidences: none; one launch per cycle.
// Cost: WARPS * log2(WARPS) flip-flops, WARPS comparators and decrementers of that width. An age
// matrix would answer a pick faster, with WARPS * (WARPS-1) / 2 flip-flops.
`default_nettype none

module paws_ages #(
    parameter int WARPS = 24,      // warp slots
    parameter int CLOCK_GATES = 0  // with a clock gate; 0: without
) (
    input  wire logic                           clk_i,          // clock
    input  wire logic                           rst_ni,         // synchronous reset, active low
    input  wire logic [              WARPS-1:0] launch_i,       // the slot becomes the youngest
    input  wire logic [      $clog2(WARPS)-1:0] subject_age_i,  // rank of that slot or another subject
    output logic      [              WARPS-1:0] younger_o,      // the slot is younger than the subject
    output logic      [WARPS*$clog2(WARPS)-1:0] age_o,          // ranks, in slices
    output logic      [WARPS*$clog2(WARPS)-1:0] next_age_o      // ranks of the next cycle, in slices
);
  localparam int RANK_W = $clog2(WARPS);
  localparam logic [RANK_W-1:0] LAST = RANK_W'(WARPS - 1);

  (* mem2reg *) logic [WARPS-1:0] rank_q[0:RANK_W-1];
  (* mem2reg *) logic [WARPS-1:0] rank_d[0:RANK_W-1];
  logic [WARPS-1:0] later, borrow, youngest;

  always_comb begin
    // Not less than, from the lowest bit on.
    later = '1;
    for (int b = 0; b < RANK_W; b++) begin
      later = subject_age_i[b] ? rank_q[b] & later : rank_q[b] | later;
    end
    // Minus one.
    borrow = later & {WARPS{|launch_i}};
    youngest = launch_i | {WARPS{!rst_ni}};
    for (int b = 0; b < RANK_W; b++) begin
      rank_d[b] = LAST[b] ? (rank_q[b] ^ borrow) | youngest : (rank_q[b] ^ borrow) & ~youngest;
      borrow = borrow & ~rank_q[b];
    end
  end

  // Ranks move only at launches, all in one cycle: one gate serves them.
  logic change;
  assign change = |launch_i | !rst_ni;
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_change;
    assign unused_change = change;
    always_ff @(posedge clk_i) begin
      for (int b = 0; b < RANK_W; b++) rank_q[b] <= rank_d[b];
    end
  end else begin : gen_gated
    logic [WARPS*RANK_W-1:0] state;
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(WARPS * RANK_W),
        .GROUP(1)
    ) u_rank (
        .clk_i   (clk_i),
        .change_i(change),
        .next_i  (next_age_o),
        .state_o (state)
    );
    always_comb begin
      for (int b = 0; b < RANK_W; b++) rank_q[b] = state[b*WARPS+:WARPS];
    end
  end

  assign younger_o = later;
  for (genvar b = 0; b < RANK_W; b++) begin : gen_slice
    assign age_o[b*WARPS+:WARPS] = rank_q[b];
    assign next_age_o[b*WARPS+:WARPS] = rank_d[b];
  end

`ifdef PAWS_ASSERT
  // The warps launched since reset, and their ranks.
  logic [WARPS-1:0] launched_q, rank_seen;
  logic [RANK_W-1:0] rank;
  always_comb begin
    rank_seen = '0;
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < RANK_W; b++) rank[b] = rank_q[b][w];
      if (launched_q[w]) rank_seen[rank] = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    launched_q <= rst_ni ? launched_q | launch_i : '0;
    if (rst_ni) begin
      ranks_differ: assert ($countones(rank_seen) == $countones(launched_q))
      else $error("ages: two slots have the same rank");
      one_launch: assert ($onehot0(launch_i)) else $error("ages: two launches");
    end
  end
`endif

`ifdef FORMAL
`include "paws_ages.svh"
`endif
endmodule

`default_nettype wire
