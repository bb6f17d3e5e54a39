// SPDX-License-Identifier: MIT
// Collector of the two-level scheduler: puts warps that wake together into one line.
//
// Responsibility: take any number of warps per cycle, hand out one per cycle. Order: earliest wake
// first; within one cycle the lowest slot first, or the oldest first with OLDEST. The order is exact, and
// no entry moves: the warps of one cycle are a batch, and the place of a warp is the number of batches
// before its own (kept in paws_places).
// Timing: a warp that wakes in t can be the front of t+1. front_valid_o comes from registers, front_slot_o
// is a choice among registers.
// Coincidences: wake and admit in one cycle are independent. If the last warp of a batch leaves, all other
// batches move one place up, and the new batch enters one place further up as well.
// Cost: WARPS + log2 WARPS flip-flops beside the places; one choice of the lowest slot, which is almost
// free and needs no ages, or one choice of the oldest.
`default_nettype none

module paws_collector #(
    parameter int WARPS = 24,      // warp slots
    parameter bit OLDEST = 1'b0,            // within one cycle the oldest first, not the lowest slot
    parameter int CLOCK_GATES = 0  // with a clock gate; 0: without
) (
    input  wire logic                           clk_i,          // clock
    input  wire logic                           rst_ni,         // synchronous reset, active low
    input  wire logic [              WARPS-1:0] wake_i,         // the warp enters
    input  wire logic [WARPS*$clog2(WARPS)-1:0] age_i,          // age rank, smaller is older; for OLDEST
    input  wire logic                           admit_i,        // the front leaves
    input  wire logic [              WARPS-1:0] first_i,        // no batch before the warp's own
    output logic      [      $clog2(WARPS)-1:0] batch_o,        // batches before the warps that wake now
    output logic      [              WARPS-1:0] down_o,         // one batch less before the warp
    output logic      [              WARPS-1:0] member_o,       // the warp is here
    output logic                                front_valid_o,  // the collector is not empty
    output logic      [              WARPS-1:0] front_slot_o    // its head, one bit per slot
);
  localparam int BATCH_W = $clog2(WARPS);

  logic [WARPS-1:0] member_q, serving;
  logic [BATCH_W-1:0] batches_q;  // at most WARPS-1: see the assertion
  logic last, done;

  assign serving = member_q & first_i;
  if (OLDEST) begin : gen_oldest
    paws_oldest #(
        .WARPS(WARPS)
    ) u_oldest (
        .valid_i (serving),
        .age_i   (age_i),
        .choice_o(front_slot_o)
    );
  end else begin : gen_lowest
    logic unused_age;
    assign unused_age = ^age_i;
    assign front_slot_o = serving & (~serving + 1'b1);  // lowest bit
  end

  // The batch is done when its last warp leaves. A tree over halves finds whether it has other warps, in
  // log2 WARPS steps: the longest path starts here, and a carry chain would be too long.
  localparam int HALF = 1 << (BATCH_W - 1);
  logic [2*HALF-1:0] any, several;
  always_comb begin
    any = (2 * HALF)'(serving);
    several = '0;
    for (int step = HALF; step > 0; step = step / 2) begin
      several = several | (several >> step) | (any & (any >> step));
      any = any | (any >> step);
    end
  end
  assign last = !several[0];
  assign done = admit_i & last;
  assign batch_o = batches_q - BATCH_W'(done);
  assign down_o = member_q & {WARPS{done}};
  assign member_o = member_q;

  logic [WARPS-1:0] member_d;
  logic [BATCH_W-1:0] batches_d;
  always_comb begin
    if (!rst_ni) begin
      member_d = '0;
      batches_d = '0;
    end else begin
      member_d = (member_q & ~(front_slot_o & {WARPS{admit_i}})) | wake_i;
      batches_d = batch_o + BATCH_W'(|wake_i);
    end
  end

  logic change;
  assign change = admit_i | (|wake_i) | !rst_ni;
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_change;
    assign unused_change = change;
    always_ff @(posedge clk_i) begin
      member_q <= member_d;
      batches_q <= batches_d;
    end
  end else begin : gen_gated
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(WARPS + BATCH_W),
        .GROUP(1)
    ) u_member (
        .clk_i   (clk_i),
        .change_i(change),
        .next_i  ({batches_d, member_d}),
        .state_o ({batches_q, member_q})
    );
  end

  assign front_valid_o = |batches_q;

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      admits_a_member: assert (!admit_i || front_valid_o)
      else $error("collector: admission from an empty collector");
      batches_have_warps: assert (front_valid_o == (|member_q))
      else $error("collector: batches and warps disagree");
      first_batch_has_a_warp: assert ((|serving) == (|member_q))
      else $error("collector: the first batch has no warp");
      enters_once: assert ((wake_i & member_q) == '0)
      else $error("collector: a warp enters that is inside");
      one_front: assert ($onehot0(front_slot_o)) else $error("collector: two warps are the front");
      // One-warp batches add up only beside launches, and a launched warp is not in the collector.
      batches_fit: assert (32'(batches_q) < WARPS)
      else $error("collector: more batches than there can be");
    end
  end
`endif

`ifdef FORMAL
`include "paws_collector.svh"
`endif
endmodule

`default_nettype wire
