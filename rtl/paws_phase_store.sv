// SPDX-License-Identifier: MIT
// Phase length of every warp, sampled at launch and at demotion.
//
// Responsibility: keep the saturated phase length that a warp had when it was last sampled.
// Structure: bit slices as in paws_ages, slice b at [b*WARPS +: WARPS].
// Timing: registered; a length sampled in t is read in t+1.
// Coincidences: any number of warps may be sampled in one cycle.
// Cost: WARPS * PHASE_W flip-flops with enable. No reset: a length is sampled before it is used.
`default_nettype none

module paws_phase_store #(
    parameter int WARPS = 24,      // warp slots
    parameter int PHASE_W = 9,     // width of a length
    parameter int CLOCK_GATES = 0  // warps behind one clock gate; 0: no gates
) (
    input  wire logic                     clk_i,     // clock
    input  wire logic [        WARPS-1:0] sample_i,  // store the warp's length
    input  wire logic [WARPS*PHASE_W-1:0] length_i,  // length of slot w at [w*PHASE_W +: PHASE_W]
    output logic      [WARPS*PHASE_W-1:0] length_o   // the stored lengths, in slices
);
  (* mem2reg *) logic [WARPS-1:0] length_q[0:PHASE_W-1];

  (* mem2reg *) logic [WARPS-1:0] length_d[0:PHASE_W-1];

  always_comb begin
    for (int b = 0; b < PHASE_W; b++) length_d[b] = length_q[b];
    for (int w = 0; w < WARPS; w++) begin
      if (sample_i[w]) begin
        for (int b = 0; b < PHASE_W; b++) length_d[b][w] = length_i[w*PHASE_W+b];
      end
    end
  end
  if (CLOCK_GATES == 0) begin : gen_free
    always_ff @(posedge clk_i) begin
      for (int b = 0; b < PHASE_W; b++) length_q[b] <= length_d[b];
    end
  end else begin : gen_gated
    logic [WARPS*PHASE_W-1:0] state, next;
    paws_gated_register #(
        .SLOTS(WARPS),
        .WIDTH(PHASE_W),
        .GROUP(CLOCK_GATES)
    ) u_length (
        .clk_i   (clk_i),
        .change_i(sample_i),
        .next_i  (next),
        .state_o (state)
    );
    always_comb begin
      for (int b = 0; b < PHASE_W; b++) begin
        // With a gate of its own a length is loaded only when it is sampled, and needs no select.
        for (int w = 0; w < WARPS; w++) begin
          next[b*WARPS+w] = CLOCK_GATES == 1 ? length_i[w*PHASE_W+b] : length_d[b][w];
        end
        length_q[b] = state[b*WARPS+:WARPS];
      end
    end
  end

  for (genvar b = 0; b < PHASE_W; b++) begin : gen_slice
    assign length_o[b*WARPS+:WARPS] = length_q[b];
  end

`ifdef FORMAL
`include "paws_phase_store.svh"
`endif
endmodule

`default_nettype wire
