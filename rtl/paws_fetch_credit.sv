// SPDX-License-Identifier: MIT
// Fetch credits: which warps a front end may fetch for, so that every fetched instruction has a place in an i-buffer.
//
// Responsibility: a count per warp of places in its i-buffer that are neither filled nor promised. A fetch takes one, an
// instruction that leaves the buffer gives one back. So what is fetched never waits in front of a full buffer, where it
// would hold up the instructions of other warps: the promise of progress that a scheduler of two levels asks for
// (docs/guide/integration.md, "Progress").
// Timing: may_fetch_o comes from registers. What happens in t shows in t+1.
// Coincidences: a fetch and a taken instruction of one warp in one cycle leave its count as it is. A flush gives all
// places back, whatever else the cycle brings; the core drops what it has fetched for the warp and not filled yet.
// Cost: log2 (DEPTH+1) flip-flops per warp and their step by one.
`default_nettype none

module paws_fetch_credit #(
    parameter int WARPS = 8,  // warp slots, 1 to 64
    parameter int DEPTH = 2,  // places in the i-buffer of a warp, 1 to 255
    localparam int WARP_W = WARPS < 2 ? 1 : $clog2(WARPS)
) (
    input  wire logic              clk_i,
    input  wire logic              rst_ni,         // synchronous, active low: all i-buffers are empty
    input  wire logic              fetch_valid_i,  // an instruction of this warp is fetched
    input  wire logic [WARP_W-1:0] fetch_warp_i,
    input  wire logic [ WARPS-1:0] taken_i,        // an instruction leaves the warp's i-buffer
    input  wire logic [ WARPS-1:0] flush_i,        // the warp's i-buffer becomes empty, and what is fetched for it is dropped
    output logic      [ WARPS-1:0] may_fetch_o     // the warp has a place
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass.
  if (WARPS < 1 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_fetch_credit: WARPS must be 1 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (DEPTH < 1 || DEPTH > 255) begin : gen_check_depth
`ifndef __ICARUS__
    $error("paws_fetch_credit: DEPTH must be 1 to 255");
`endif
    paws_illegal_parameter u_stop ();
  end

  localparam int PLACES = DEPTH < 1 ? 1 : DEPTH;
  localparam int COUNT_W = $clog2(PLACES + 1);

  logic [WARPS*COUNT_W-1:0] free_q;
  logic [WARPS-1:0] fetched;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      fetched[w] = fetch_valid_i & (fetch_warp_i == WARP_W'(w));
      may_fetch_o[w] = |free_q[w*COUNT_W+:COUNT_W];
    end
  end
  always_ff @(posedge clk_i) begin
    for (int w = 0; w < WARPS; w++) begin
      if (!rst_ni || flush_i[w]) free_q[w*COUNT_W+:COUNT_W] <= COUNT_W'(PLACES);
      else begin
        free_q[w*COUNT_W+:COUNT_W] <=
            free_q[w*COUNT_W+:COUNT_W] - COUNT_W'(fetched[w]) + COUNT_W'(taken_i[w]);
      end
    end
  end

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      fetch_has_a_place: assert ((fetched & ~may_fetch_o & ~flush_i) == '0)
      else $error("fetch credit: a fetch for a warp without a free place");
      for (int w = 0; w < WARPS; w++) begin
        taken_was_fetched:
        assert (!taken_i[w] || flush_i[w] || 32'(free_q[w*COUNT_W+:COUNT_W]) < PLACES)
        else $error("fetch credit: an instruction leaves an i-buffer that is empty");
      end
    end
  end
`endif

`ifdef FORMAL
`include "paws_fetch_credit.svh"
`endif
endmodule

`default_nettype wire
