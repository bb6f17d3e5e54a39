// SPDX-License-Identifier: MIT
// Place of every warp in its queue: the number of warps or batches before it.
//
// Responsibility: one number per warp slot. In the collector it counts the batches before the warp's
// own, in active (paws_sorter_rank) the warps before it. A warp is never in both, so one number serves
// both. The two queues drive its changes. The number of a warp in neither queue has no meaning.
// Structure: bit slices as in paws_ages.
// Timing: registered; first_o is derived from registers.
// Coincidences: any number of warps step in one cycle, each up or down. A step has no effect on a warp
// that wakes or enters. No warp wakes and enters at once.
// Cost: WARPS * log2 WARPS flip-flops, each with a step up or down and two values to load. No reset:
// a place is loaded before it is used.
`default_nettype none

module paws_places #(
    parameter int WARPS = 24,      // warp slots
    parameter int CLOCK_GATES = 0  // warps behind one clock gate; 0: no gates
) (
    input  wire logic                     clk_i,       // clock
    input  wire logic [        WARPS-1:0] wake_i,      // the warp takes place batch_i
    input  wire logic [$clog2(WARPS)-1:0] batch_i,     // batches before the warps that wake
    input  wire logic [        WARPS-1:0] enter_i,     // the warp takes place position_i
    input  wire logic [$clog2(WARPS)-1:0] position_i,  // warps before the one that enters
    input  wire logic [        WARPS-1:0] up_i,        // one more comes before the warp
    input  wire logic [        WARPS-1:0] down_i,      // one less comes before the warp
    output logic      [        WARPS-1:0] first_o      // no warp or batch comes before the warp
);
  localparam int PLACE_W = $clog2(WARPS);

  (* mem2reg *) logic [WARPS-1:0] place_q[0:PLACE_W-1];
  (* mem2reg *) logic [WARPS-1:0] place_d[0:PLACE_W-1];
  logic [WARPS-1:0] carry, borrow;

  always_comb begin
    carry = up_i;
    borrow = down_i;
    first_o = '1;
    for (int b = 0; b < PLACE_W; b++) begin
      place_d[b] = (wake_i & {WARPS{batch_i[b]}}) | (enter_i & {WARPS{position_i[b]}}) |
          ((place_q[b] ^ (carry | borrow)) & ~(wake_i | enter_i));
      carry = carry & place_q[b];
      borrow = borrow & ~place_q[b];
      first_o = first_o & ~place_q[b];
    end
  end

  logic [WARPS-1:0] change;
  assign change = wake_i | enter_i | up_i | down_i;
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_change;
    assign unused_change = ^change;
    always_ff @(posedge clk_i) begin
      for (int b = 0; b < PLACE_W; b++) place_q[b] <= place_d[b];
    end
  end else begin : gen_gated
    logic [WARPS*PLACE_W-1:0] state, next;
    paws_gated_register #(
        .SLOTS(WARPS),
        .WIDTH(PLACE_W),
        .GROUP(CLOCK_GATES)
    ) u_place (
        .clk_i   (clk_i),
        .change_i(change),
        .next_i  (next),
        .state_o (state)
    );
    always_comb begin
      for (int b = 0; b < PLACE_W; b++) begin
        next[b*WARPS+:WARPS] = place_d[b];
        place_q[b] = state[b*WARPS+:WARPS];
      end
    end
  end

`ifdef FORMAL
`include "paws_places.svh"
`endif
endmodule

`default_nettype wire
