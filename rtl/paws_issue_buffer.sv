// SPDX-License-Identifier: MIT
// Issue buffer: valid and ready behind a scheduler, which cannot be held back in the same cycle.
//
// Responsibility: two entries in order of arrival. The front entry is the output register. The other one takes what
// arrives while the output register is occupied and not taken.
// Timing: nothing is combinational from input to output. may_push_o is a flip-flop, so it does not depend on ready_i of
// the same cycle. A push is allowed in every cycle in which may_push_o is high. An output that is always ready takes one
// item per cycle; behind an output that was not ready no cycle is lost either.
// Coincidences: a push and a take in one cycle: the entry that waits, else the pushed one, is the next output.
// Cost: two registers of WIDTH bits and two flip-flops.
`default_nettype none

module paws_issue_buffer #(
    parameter int WIDTH = 8
) (
    input  wire logic             clk_i,
    input  wire logic             rst_ni,
    output logic                  may_push_o,  // a push of this cycle will be kept
    input  wire logic             push_i,
    input  wire logic [WIDTH-1:0] data_i,
    output logic                  valid_o,     // stays, with data_o, until it is taken
    input  wire logic             ready_i,
    output logic      [WIDTH-1:0] data_o
);
  logic front_valid_q, second_valid_q;
  logic [WIDTH-1:0] front_q, second_q;
  logic moves;  // the front entry is free, or becomes free
  assign moves = !front_valid_q | ready_i;
  assign may_push_o = !second_valid_q;
  assign valid_o = front_valid_q;
  assign data_o = front_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      front_valid_q <= 1'b0;
      second_valid_q  <= 1'b0;
    end else if (moves) begin
      front_valid_q <= second_valid_q | push_i;
      second_valid_q  <= 1'b0;
    end else if (push_i) begin
      second_valid_q <= 1'b1;
    end
    if (moves) front_q <= second_valid_q ? second_q : data_i;
    if (push_i) second_q <= data_i;
  end

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      push_is_kept: assert (!push_i || may_push_o)
      else $error("issue buffer: a push while the second entry is occupied would be lost");
    end
  end
`endif

`ifdef FORMAL
`include "paws_issue_buffer.svh"
`endif
endmodule

`default_nettype wire
