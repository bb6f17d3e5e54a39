// SPDX-License-Identifier: MIT
// The front end of a core with large warps, for scripts/plot waves: fetch groups and the sub-warp packer, with
// one cycle from the selection of a large warp to its load; and branch masks, which see the sub-warps of mode
// packed at once.
`default_nettype none

module large_warp_front (
    input  wire logic        clk_i,
    input  wire logic        rst_ni,
    input  wire logic [ 3:0] issuable_i,      // large warps that may be selected
    input  wire logic        launch_valid_i,
    input  wire logic [ 1:0] launch_warp_i,
    input  wire logic [ 1:0] load_mode_i,     // of the large warp that was selected in the cycle before
    input  wire logic [15:0] load_mask_i,
    input  wire logic        take_i,
    input  wire logic [15:0] outcome_i,       // of every thread of the large warp, if it takes the branch
    output logic             issue_valid_o,
    output logic      [ 1:0] issue_warp_o,
    output logic             load_valid_o,
    output logic      [ 1:0] load_warp_o,
    output logic             valid_o,
    output logic      [ 3:0] mask_o,
    output logic      [ 7:0] row_o,
    output logic             last_o,
    output logic             busy_o,
    output logic      [15:0] taken_o,
    output logic      [15:0] fall_o,
    output logic             diverged_o
);
  logic unused_quiet;
  paws_fetch_group #(
      .WARPS(4),
      .GROUP(2)
  ) u_group (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .issue_en_i    (!busy_o),
      .issuable_i    (issuable_i),
      .exit_i        (4'd0),
      .launch_valid_i(launch_valid_i),
      .launch_warp_i (launch_warp_i),
      .issue_valid_o (issue_valid_o),
      .issue_warp_o  (issue_warp_o),
      .quiet_o       (unused_quiet)
  );

  logic [15:0] active_q, active;
  logic branch_q, branch;
  always_ff @(posedge clk_i) begin
    load_valid_o <= issue_valid_o & rst_ni;
    load_warp_o <= issue_warp_o;
    active_q <= active;
    branch_q <= branch;
  end
  assign active = load_valid_o ? load_mask_i : active_q;
  assign branch = load_valid_o ? load_mode_i == 2'd0 : branch_q;

  paws_subwarp_packer #(
      .LANES(4),
      .ROWS (4)
  ) u_packer (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .load_valid_i(load_valid_o),
      .load_mode_i (load_mode_i),
      .load_mask_i (load_mask_i),
      .take_i      (take_i),
      .valid_o     (valid_o),
      .mask_o      (mask_o),
      .row_o       (row_o),
      .last_o      (last_o),
      .busy_o      (busy_o)
  );

  // An outcome stands at the lane of its thread.
  logic [3:0] outcome;
  always_comb begin
    for (int c = 0; c < 4; c++) outcome[c] = outcome_i[{row_o[c*2+:2], 2'(c)}];
  end
  paws_branch_masks #(
      .LANES(4),
      .ROWS (4)
  ) u_branch (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .valid_i   (valid_o & take_i & branch),
      .last_i    (last_o & take_i & branch),
      .mask_i    (mask_o),
      .row_i     (row_o),
      .taken_i   (outcome),
      .active_i  (active),
      .taken_o   (taken_o),
      .fall_o    (fall_o),
      .diverged_o(diverged_o)
  );
endmodule

`default_nettype wire
