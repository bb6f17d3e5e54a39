// Phase length of every warp, sampled at an event.
//
// Responsibility: keep the saturated phase length that a warp had when it was last sampled: at
// demotion, and, where the sorter reads its keys from here, at launch.
// Timing: registered; a length sampled in t is read in t+1.
// Coincidences: any number of warps may be sampled in one cycle.
// Cost: WARPS * PHASE_W flip-flops with enable. No reset: a length is sampled before it is used.
`default_nettype none

module paws_phase_store #(
    parameter int WARPS = 24,  // warp slots
    parameter int PHASE_W = 9  // width of a length
) (
    input  wire logic                     clk_i,     // clock
    input  wire logic [        WARPS-1:0] sample_i,  // store the warp's length
    input  wire logic [WARPS*PHASE_W-1:0] length_i,  // length of slot w at [w*PHASE_W +: PHASE_W]
    output logic      [WARPS*PHASE_W-1:0] length_o   // the stored lengths
);
  (* mem2reg *) logic [PHASE_W-1:0] length_q[0:WARPS-1];

  always_ff @(posedge clk_i) begin
    for (int w = 0; w < WARPS; w++) begin
      if (sample_i[w]) length_q[w] <= length_i[w*PHASE_W+:PHASE_W];
    end
  end

  for (genvar w = 0; w < WARPS; w++) begin : gen_length
    assign length_o[w*PHASE_W+:PHASE_W] = length_q[w];
  end
endmodule

`default_nettype wire
