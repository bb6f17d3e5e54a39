// SPDX-License-Identifier: MIT
// Age limit: which warps are due, and when the next warps become due.
//
// Responsibility: count issues up to LIMIT - 1 and hold the set of due warps. The scheduler decides which
// issues count, when warps are gathered and how due warps are preferred
// (docs/reference/microarchitecture.md, "Age limit").
// Timing: all outputs come from registers, which change only with count_i, gather_i, restart_i or past_i.
// Coincidences: a warp that is gathered and past in one cycle is not due. gather_i and restart_i set the
// count to 0 whatever count_i says.
// Cost: WARPS + log2 LIMIT flip-flops.
`default_nettype none

module paws_age_limit #(
    parameter int WARPS = 24,      // warp slots
    parameter int LIMIT = 64,      // issues between two gatherings, 1 to 65535
    parameter int CLOCK_GATES = 0  // with a clock gate; 0: without
) (
    input  wire logic             clk_i,        // clock
    input  wire logic             rst_ni,       // synchronous reset, active low
    input  wire logic             count_i,      // an issue that counts
    input  wire logic             gather_i,     // the candidates become due
    input  wire logic             restart_i,    // the count begins again
    input  wire logic [WARPS-1:0] candidate_i,  // the warps that gather_i marks
    input  wire logic [WARPS-1:0] past_i,       // the warp is no longer due
    output logic                  reached_o,    // LIMIT - 1 issues have been counted
    output logic      [WARPS-1:0] due_o         // the warp is due
);
  localparam int COUNT_W = LIMIT > 2 ? $clog2(LIMIT) : 1;

  logic [WARPS-1:0] due_q, due_d;
  logic [COUNT_W-1:0] count_q;

  assign reached_o = count_q == COUNT_W'(LIMIT - 1);
  assign due_o = due_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
    end else begin
      if (gather_i | restart_i) count_q <= '0;
      else if (count_i & !reached_o) count_q <= count_q + 1'b1;
    end
  end

  always_comb begin
    if (!rst_ni) due_d = '0;
    else due_d = (due_q | (candidate_i & {WARPS{gather_i}})) & ~past_i;
  end
  logic change;
  assign change = gather_i | (|past_i) | !rst_ni;
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_change;
    assign unused_change = change;
    always_ff @(posedge clk_i) due_q <= due_d;
  end else begin : gen_gated
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(WARPS),
        .GROUP(1)
    ) u_due (
        .clk_i   (clk_i),
        .change_i(change),
        .next_i  (due_d),
        .state_o (due_q)
    );
  end

`ifdef FORMAL
`include "paws_age_limit.svh"
`endif
endmodule

`default_nettype wire
