// SPDX-License-Identifier: MIT
// The buffer is a queue of two: f_first_q and f_second_q are what was pushed and not taken, f_count_q says how many.
`ifdef PROVE_paws_issue_buffer
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic [1:0] f_count_q;
  logic [WIDTH-1:0] f_first_q, f_second_q;
  logic f_takes;
  assign f_takes = valid_o & ready_i;
  always_ff @(posedge clk_i) begin
    f_count_q <= rst_ni ? f_count_q + 2'(push_i) - 2'(f_takes) : '0;
    if (f_takes) f_first_q <= f_count_q == 2 ? f_second_q : data_i;
    else if (f_count_q == 0) f_first_q <= data_i;
    if (f_count_q == 1 || f_takes) f_second_q <= data_i;
  end
  always_comb begin
    if (f_started_q && rst_ni) begin
      // What is pushed has room (required).
      `PAWS_REQUIRE (!push_i || may_push_o);
    end
    if (f_started_q) begin
      // There is room exactly if there are fewer than two.
      assert (may_push_o == (f_count_q < 2));
      // The oldest is at the port.
      assert (valid_o == (f_count_q != 0) && (f_count_q == 0 || data_o == f_first_q));
      // The second is kept.
      assert (f_count_q < 2 || (f_count_q == 2 && second_q == f_second_q));
    end
  end
`ifdef PROVE_paws_issue_buffer
  always_comb begin
    // Two are there, and one is taken.
    cover (f_started_q && rst_ni && f_count_q == 2 && f_takes && f_first_q != f_second_q);
    // One is pushed and one taken.
    cover (f_started_q && rst_ni && push_i && f_takes);
  end
`endif
`undef PAWS_REQUIRE
