// SPDX-License-Identifier: MIT
// The front end of a core with large warps between registers, for the path from the mask of a load through
// busy_o to the next selection (docs/evidence/synthesis.md): fetch groups, the sub-warp packer, and the registers
// of a pipeline before and behind them. The mask of the selected large warp is read in the cycle of the selection.
`default_nettype none

module paws_large_warp_front #(
    parameter int unsigned LANES = 32,  // as of the packer, the next two too
    parameter int unsigned ROWS = 8,
    parameter int unsigned MODES = 7,
    parameter int unsigned WARPS = 4,   // as of the fetch groups
    parameter int unsigned GROUP = 2    // as of the fetch groups
) (
    input  wire logic                     clk_i,
    input  wire logic                     rst_ni,
    input  wire logic [        WARPS-1:0] selectable_i,
    input  wire logic [              1:0] mode_i,       // of the selected large warp
    input  wire logic [   ROWS*LANES-1:0] mask_i,       // its active threads
    input  wire logic                     take_i,
    output logic                          select_o,
    output logic      [$clog2(WARPS)-1:0] selected_o,
    output logic                          valid_o,
    output logic      [        LANES-1:0] lanes_o,
    output logic      [LANES*$clog2(ROWS>1?ROWS:2)-1:0] rows_o,
    output logic                          last_o
);
  logic [WARPS-1:0] selectable_q;
  logic [1:0] mode_q;
  logic [ROWS*LANES-1:0] mask_q;
  logic load_q, take_q, select, busy, valid, last, unused_quiet;
  logic [$clog2(WARPS)-1:0] selected;
  logic [LANES-1:0] lanes;
  logic [LANES*$clog2(ROWS>1?ROWS:2)-1:0] rows;

  paws_fetch_group #(
      .WARPS(WARPS),
      .GROUP(GROUP)
  ) u_group (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .issue_en_i    (!busy),
      .issuable_i    (selectable_q),
      .exit_i        ('0),
      .launch_valid_i(1'b0),
      .launch_warp_i ('0),
      .issue_valid_o (select),
      .issue_warp_o  (selected),
      .quiet_o       (unused_quiet)
  );
  paws_subwarp_packer #(
      .LANES(LANES),
      .ROWS (ROWS),
      .MODES(MODES)
  ) u_packer (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .load_valid_i(load_q),
      .load_mode_i (mode_q),
      .load_mask_i (mask_q),
      .take_i      (take_q),
      .valid_o     (valid),
      .mask_o      (lanes),
      .row_o       (rows),
      .last_o      (last),
      .busy_o      (busy)
  );
  always_ff @(posedge clk_i) begin
    selectable_q <= selectable_i;
    mode_q <= mode_i;
    mask_q <= mask_i;
    take_q <= take_i;
    load_q <= select & rst_ni;
    select_o <= select;
    selected_o <= selected;
    valid_o <= valid;
    lanes_o <= lanes;
    rows_o <= rows;
    last_o <= last;
  end
endmodule

`default_nettype wire
