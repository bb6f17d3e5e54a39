// SPDX-License-Identifier: MIT
// Test bench top around one scheduler: input registers, so that one evaluation is one cycle.
//
// The simulator evaluates whatever hangs on an input in every evaluation, and again when state
// changes. With the inputs in registers of their own, loaded at the edge that ends the cycle before,
// the new state and the outputs that it has with the new inputs come out of one pass: a rising
// clk_i ends a cycle with the inputs in the registers, a change of load_i, load_levels_i, load_phase_i
// or load_groups_i loads the next ones, and all may happen at once. There are four, because what hangs
// on inputs that were not loaded is not evaluated: lengths and groups are many bits and change seldom. The
// scheduler in between is the RTL (or its netlist) as it is.
// PAWS_TWO_LEVEL, PAWS_FETCH_GROUP or PAWS_ORDERED, and PAWS_NETLIST choose what stands in the middle, and
// PAWS_PARAMETERS its parameters (module.sh); a netlist has none.
`default_nettype none
// verilator coverage_off

module engine_top (
    input  wire logic                     clk_i,
    // Each change of one of these loads some of the inputs below.
    input  wire logic                     load_i,         // issue_en_i and issuable_i
    input  wire logic                     load_phase_i,   // phase_i
    input  wire logic                     load_groups_i,  // pair_i, row_i and second_i
    input  wire logic                     load_levels_i,  // the others
    input  wire logic                     rst_ni,
    input  wire logic [paws_pkg::POLICY_W-1:0] policy_i,
    input  wire logic                     issue_en_i,
    input  wire logic [        `PAWS_WARPS-1:0] issuable_i,
    input  wire logic [        `PAWS_WARPS-1:0] waits_i,
    input  wire logic [        `PAWS_WARPS-1:0] long_outstanding_i,
    input  wire logic [        `PAWS_WARPS-1:0] exit_i,
    input  wire logic [     `PAWS_WARPS*16-1:0] phase_i,
    input  wire logic [      `PAWS_WARPS*8-1:0] pair_i,
    input  wire logic [      `PAWS_WARPS*8-1:0] row_i,
    input  wire logic [        `PAWS_WARPS-1:0] second_i,
    input  wire logic [        `PAWS_WARPS-1:0] yield_i,
    input  wire logic                     launch_valid_i,
    input  wire logic [$clog2(`PAWS_WARPS)-1:0] launch_warp_i,
    input  wire logic                     end_valid_i,
    input  wire logic [$clog2(`PAWS_WARPS)-1:0] end_warp_i,
    output logic                          issue_valid_o,
    output logic      [$clog2(`PAWS_WARPS)-1:0] issue_warp_o,
    output logic                          quiet_o
);
  localparam int unsigned WARPS = `PAWS_WARPS;
  localparam int unsigned LENGTH_W = `PAWS_LENGTH_W;  // of the scheduler; what does not fit is saturated here
  logic rst_n;
  logic [paws_pkg::POLICY_W-1:0] policy;
  logic issue_en, launch_valid, end_valid;
  logic [WARPS-1:0] issuable, waits, long_outstanding, exits;
  logic [WARPS*16-1:0] phase;
  logic [WARPS*LENGTH_W-1:0] narrow_phase;
  logic [$clog2(WARPS)-1:0] launch_warp, end_warp;

  always_ff @(posedge load_i or negedge load_i) begin
    issue_en <= issue_en_i;
    issuable <= issuable_i;
  end
  always_ff @(posedge load_levels_i or negedge load_levels_i) begin
    rst_n <= rst_ni;
    policy <= policy_i;
    waits <= waits_i;
    long_outstanding <= long_outstanding_i;
    exits <= exit_i;
    launch_valid <= launch_valid_i;
    launch_warp <= launch_warp_i;
    end_valid <= end_valid_i;
    end_warp <= end_warp_i;
  end
  always_ff @(posedge load_phase_i or negedge load_phase_i) phase <= phase_i;

`ifndef PAWS_TWO_LEVEL
  localparam int unsigned PAIR_W = `PAWS_PAIR_W;
  localparam int unsigned ROW_W = $clog2(WARPS) - 1;
  logic [WARPS-1:0] second, yields;
  logic [WARPS*8-1:0] wide_pair, wide_row;
  logic [WARPS*PAIR_W-1:0] pair;
  logic [WARPS*ROW_W-1:0] row;
  always_ff @(posedge load_levels_i or negedge load_levels_i) yields <= yield_i;
  always_ff @(posedge load_groups_i or negedge load_groups_i) begin
    wide_pair <= pair_i;
    wide_row <= row_i;
    second <= second_i;
  end
  for (genvar w = 0; w < WARPS; w++) begin : gen_group
    assign pair[w*PAIR_W+:PAIR_W] = wide_pair[w*8+:PAIR_W];
    assign row[w*ROW_W+:ROW_W] = wide_row[w*8+:ROW_W];
  end
`endif

  // A host with a narrower field saturates itself.
  if (LENGTH_W == 16) begin : gen_whole
    assign narrow_phase = phase;
  end else begin : gen_narrow
    for (genvar w = 0; w < WARPS; w++) begin : gen_warp
      assign narrow_phase[w*LENGTH_W+:LENGTH_W] =
          phase[w*16+:LENGTH_W] | {LENGTH_W{|phase[w*16+LENGTH_W+:16-LENGTH_W]}};
    end
  end

`ifdef PAWS_TWO_LEVEL
  paws_two_level
`ifndef PAWS_NETLIST
  #(`PAWS_PARAMETERS)
`endif
  u_scheduler (
      .clk_i             (clk_i),
      .rst_ni            (rst_n),
      .policy_i          (policy),
      .issue_en_i        (issue_en),
      .issuable_i        (issuable),
      .waits_i           (waits),
      .long_outstanding_i(long_outstanding),
      .exit_i            (exits),
      .length_i          (narrow_phase),
      .launch_valid_i    (launch_valid),
      .launch_warp_i     (launch_warp),
      .end_valid_i       (end_valid),
      .end_warp_i        (end_warp),
      .issue_valid_o     (issue_valid_o),
      .issue_warp_o      (issue_warp_o),
      .quiet_o           (quiet_o)
  );
`elsif PAWS_FETCH_GROUP
  paws_fetch_group
`ifndef PAWS_NETLIST
  #(`PAWS_PARAMETERS)
`endif
  u_scheduler (
      .clk_i         (clk_i),
      .rst_ni        (rst_n),
      .issue_en_i    (issue_en),
      .issuable_i    (issuable),
      .exit_i        (exits),
      .launch_valid_i(launch_valid),
      .launch_warp_i (launch_warp),
      .issue_valid_o (issue_valid_o),
      .issue_warp_o  (issue_warp_o),
      .quiet_o       (quiet_o)
  );
`elsif PAWS_ORDERED
  // Distances of the cycle before, of which the host says whether they have changed; 0 before the first.
  logic [WARPS*16-1:0] phase_before;
  logic [WARPS-1:0] moved;
  always_ff @(posedge clk_i) phase_before <= rst_n ? phase : '0;
  for (genvar w = 0; w < WARPS; w++) begin : gen_moved
    assign moved[w] = phase[w*16+:16] != phase_before[w*16+:16];
  end

  paws_ordered
`ifndef PAWS_NETLIST
  #(`PAWS_PARAMETERS)
`endif
  u_scheduler (
      .clk_i         (clk_i),
      .rst_ni        (rst_n),
      .issue_en_i    (issue_en),
      .issuable_i    (issuable),
      .exit_i        (exits),
      .distance_i    (narrow_phase),
      .moved_i       (moved),
      .launch_valid_i(launch_valid),
      .launch_warp_i (launch_warp),
      .end_valid_i   (end_valid),
      .end_warp_i    (end_warp),
      .issue_valid_o (issue_valid_o),
      .issue_warp_o  (issue_warp_o),
      .quiet_o       (quiet_o)
  );
`else
  paws_single_level
`ifndef PAWS_NETLIST
  #(`PAWS_PARAMETERS)
`endif
  u_scheduler (
      .clk_i         (clk_i),
      .rst_ni        (rst_n),
      .policy_i      (policy),
      .issue_en_i    (issue_en),
      .issuable_i    (issuable),
      .exit_i        (exits),
      .distance_i    (narrow_phase),
      .pair_i        (pair),
      .row_i         (row),
      .second_i      (second),
      .yield_i       (yields),
      .launch_valid_i(launch_valid),
      .launch_warp_i (launch_warp),
      .end_valid_i   (end_valid),
      .end_warp_i    (end_warp),
      .issue_valid_o (issue_valid_o),
      .issue_warp_o  (issue_warp_o),
      .quiet_o       (quiet_o)
  );
`endif
endmodule

// verilator coverage_on
`default_nettype wire
