// SPDX-License-Identifier: MIT
// Plays a recording of the ports of a scheduler into your build of it, and compares every output.
//
// The recording is what `paws decisions FILE --scheduler N --ports` prints (docs/guide/traces.md): a line of decimal numbers
// for each cycle. The scheduler is paws_two_level, or paws_single_level with the macro PAWS_SINGLE: the RTL, a netlist, or
// your own module with these ports. A netlist has no parameters: define PAWS_NETLIST.
// Plusargs: recording=FILE, wave=FILE (VCD). Prints the first cycle that differs, and fails.
`default_nettype none

module replay_tb;
  parameter int WARPS = 24;
  parameter int READY = 6;
  parameter int PHASE_W = 9;
  parameter int LENGTH_W = 16;
  parameter int POLICIES = 7;
  localparam int WARP_W = $clog2(WARPS);
  localparam int ROW_W = $clog2((WARPS + 1) / 2);

  logic clk = 1'b0, rst_n = 1'b0, issue_en = 1'b0, launch_valid = 1'b0;
  logic [3:0] policy = '0;
  logic [WARPS-1:0] issuable = '0, waits = '0, long_outstanding = '0, exits = '0, second = '0, yields = '0;
  logic [WARPS*LENGTH_W-1:0] length = '0;
  logic [3*WARPS-1:0] pair = '0;
  logic [WARPS*ROW_W-1:0] row = '0;
  logic [WARP_W-1:0] launch_warp = '0, issue_warp;
  logic issue_valid, quiet;

`ifdef PAWS_SINGLE
  paws_single_level
`ifndef PAWS_NETLIST
  #(.WARPS(WARPS), .PHASE_W(PHASE_W), .LENGTH_W(LENGTH_W), .POLICIES(POLICIES))
`endif
  dut (
      .distance_i(length), .pair_i(pair), .row_i(row), .second_i(second), .yield_i(yields),
`else
  paws_two_level
`ifndef PAWS_NETLIST
  #(.WARPS(WARPS), .READY(READY), .PHASE_W(PHASE_W), .LENGTH_W(LENGTH_W), .POLICIES(POLICIES))
`endif
  dut (
      .waits_i(waits), .long_outstanding_i(long_outstanding), .length_i(length),
`endif
      .clk_i(clk), .rst_ni(rst_n), .policy_i(policy), .issue_en_i(issue_en), .issuable_i(issuable), .exit_i(exits),
      .launch_valid_i(launch_valid), .launch_warp_i(launch_warp), .end_valid_i(1'b0), .end_warp_i({WARP_W{1'b0}}),
      .issue_valid_o(issue_valid), .issue_warp_o(issue_warp), .quiet_o(quiet)
  );

  logic [8*256-1:0] name;
  int file;
  int lines = 0;  // played
  always @(posedge clk) lines <= lines + 1;
  logic [63:0] number, cycle, want_valid, want_warp, want_quiet;
  logic done;

  // The next number of the recording, in `number`; done if there is none.
  task next;
    if ($fscanf(file, "%d", number) != 1) done = 1'b1;
  endtask

  initial begin
    if (!$value$plusargs("recording=%s", name)) $fatal(1, "no +recording=FILE");
    file = $fopen(name, "r");
    if (file == 0) $fatal(1, "%0s cannot be read", name);
    if ($value$plusargs("wave=%s", name)) begin
      $dumpfile(name);
      $dumpvars(0, replay_tb);
    end
    done = 1'b0;
    next;
    if (done) $fatal(1, "the recording is empty");
    while (!done) begin
      cycle = number;
      next; rst_n = number[0];
      next; policy = number[3:0];
      next; issue_en = number[0];
      next; issuable = number[WARPS-1:0];
      next; waits = number[WARPS-1:0];
      next; long_outstanding = number[WARPS-1:0];
      next; exits = number[WARPS-1:0];
      next; launch_valid = number[0];
      next; launch_warp = number[WARP_W-1:0];
      next; want_valid = number;
      next; want_warp = number;
      next; want_quiet = number;
      for (int w = 0; w < WARPS; w++) begin
        next; length[w*LENGTH_W+:LENGTH_W] = number[LENGTH_W-1:0];
      end
`ifdef PAWS_SINGLE
      next; second = number[WARPS-1:0];
      next; yields = number[WARPS-1:0];
      for (int w = 0; w < WARPS; w++) begin
        next; pair[w*3+:3] = number[2:0];
      end
      for (int w = 0; w < WARPS; w++) begin
        next; row[w*ROW_W+:ROW_W] = number[ROW_W-1:0];
      end
`endif
      if (done) $fatal(1, "line %0d of the recording ends too early: are there %0d warps in it?", lines + 1, WARPS);
      #4;
      if (rst_n && (64'(issue_valid) !== want_valid || 64'(issue_warp) !== want_warp || 64'(quiet) !== want_quiet)) begin
        $display("FAILED: cycle %0d, line %0d: issue_valid %b, warp %0d, quiet %b; recorded %0d, %0d, %0d", cycle, lines + 1,
                 issue_valid, issue_warp, quiet, want_valid, want_warp, want_quiet);
        $fatal;
      end
      #1 clk = 1'b1;
      #5 clk = 1'b0;
      next;
    end
    $display("passed: %0d cycles agree", lines);
    $finish;
  end
endmodule

`default_nettype wire
