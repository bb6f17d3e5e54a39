// SPDX-License-Identifier: MIT
// Branch masks: the outcomes of a branch of a large warp, gathered from its sub-warps until all are known
// (Narasiman et al., MICRO 2011, section 3.1.1).
//
// Responsibility: bring every lane's outcome back to the row of its thread. In the cycle of the last
// sub-warp say which threads take the branch, which fall through, and whether there are both.
// docs/reference/microarchitecture.md, "Branch masks", is the specification.
// Structure: BUFFERS 2 is the paper's: a buffer for the threads that take the branch and one for those
// that do not. With BUFFERS 1 the latter are the active threads that do not take it: the same at the ports.
// Timing: all inputs reach the outputs combinationally: the last sub-warp is included.
// Coincidences: the sub-warp after a last one may come in the next cycle and finds the buffers empty.
// Cost: BUFFERS * ROWS * LANES flip-flops, a decoder of ROWS per lane. One core has one: branches of two
// large warps never mix, because the back end keeps the order of fetch.
`default_nettype none

module paws_branch_masks #(
    parameter int LANES = 32,   // threads of a sub-warp, 1 to 32
    parameter int ROWS = 8,     // threads of a lane, 1 to 32
    parameter int BUFFERS = 2   // 2: taken and fall-through; 1: taken alone
) (
    input  wire logic                  clk_i,     // clock
    input  wire logic                  rst_ni,    // synchronous reset, active low
    input  wire logic                  valid_i,   // a sub-warp of a branch leaves the back end
    input  wire logic                  last_i,    // it is the last of its large warp; 0 without one
    input  wire logic [     LANES-1:0] mask_i,    // its lanes
    input  wire logic [LANES*$clog2(ROWS>1?ROWS:2)-1:0] row_i,  // of each lane's thread
    input  wire logic [     LANES-1:0] taken_i,   // lanes that take the branch; an idle lane may say anything
    input  wire logic [ROWS*LANES-1:0] active_i,  // with last_i: the large warp's active threads
    output logic      [ROWS*LANES-1:0] taken_o,   // with last_i: those that take the branch; else 0
    output logic      [ROWS*LANES-1:0] fall_o,    // with last_i: those that do not; else 0
    output logic                       diverged_o // there are both
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass. Icarus 11 cannot parse such an $error.
  if (LANES < 1 || LANES > 32) begin : gen_check_lanes
`ifndef __ICARUS__
    $error("paws_branch_masks: LANES must be 1 to 32");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (ROWS < 1 || ROWS > 32) begin : gen_check_rows
`ifndef __ICARUS__
    $error("paws_branch_masks: ROWS must be 1 to 32");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (BUFFERS < 1 || BUFFERS > 2) begin : gen_check_buffers
`ifndef __ICARUS__
    $error("paws_branch_masks: BUFFERS must be 1 or 2");
`endif
    paws_illegal_parameter u_stop ();
  end

  // Derived parameters are legal even if a parameter is not, so that its message above appears first.
  localparam int ROW_W = ROWS > 1 ? $clog2(ROWS) : 1;

  // The threads of the sub-warp, and those of the branch so far that take it.
  logic [ROWS*LANES-1:0] threads, takers, taken_q, taken, fall;
  always_comb begin
    for (int r = 0; r < ROWS; r++) begin
      for (int c = 0; c < LANES; c++) begin
        threads[r*LANES+c] = valid_i & mask_i[c] & (row_i[c*ROW_W+:ROW_W] == ROW_W'(r));
        takers[r*LANES+c] = taken_i[c];
      end
    end
  end
  assign taken = taken_q | (threads & takers);
  always_ff @(posedge clk_i) taken_q <= taken & {ROWS * LANES{!last_i & rst_ni}};

  if (BUFFERS > 1) begin : gen_fall
    logic [ROWS*LANES-1:0] fall_q;
    assign fall = fall_q | (threads & ~takers);
    always_ff @(posedge clk_i) fall_q <= fall & {ROWS * LANES{!last_i & rst_ni}};
  end else begin : gen_rest
    assign fall = active_i & ~taken;
  end

  assign taken_o = taken & {ROWS * LANES{last_i}};
  assign fall_o = fall & {ROWS * LANES{last_i}};
  assign diverged_o = last_i & (|taken) & (|fall);

`ifdef PAWS_ASSERT
  // The promises of the host, and what the outputs always are.
  paws_branch_host_checks #(
      .LANES(LANES),
      .ROWS (ROWS)
  ) u_host (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .valid_i (valid_i),
      .last_i  (last_i),
      .mask_i  (mask_i),
      .row_i   (row_i),
      .taken_i (taken_i),
      .active_i(active_i)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      outcome_is_one: assert ((taken_o & fall_o) == '0)
      else $error("branch masks: a thread takes the branch and does not");
      outcome_of_all: assert (!last_i || (taken_o | fall_o) == active_i)
      else $error("branch masks: the outcomes are not those of the active threads");
    end
  end
`else
  if (BUFFERS > 1) begin : gen_active_unused
    logic unused_active;
    assign unused_active = ^active_i;
  end
`endif

`ifdef FORMAL
`include "paws_branch_masks.svh"
`endif
endmodule

`default_nettype wire
