// SPDX-License-Identifier: MIT
// Functional cover points of SCA's choice; see two_level_cover.sv.
`default_nettype none
// Cover properties count nevertheless.
// verilator coverage_off

module paws_sca_cover #(
    parameter int unsigned WARPS = 24,
    parameter int unsigned ROW_W = 4
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             issue_i,
    input wire logic [WARPS-1:0] candidate_i,
    input wire logic [WARPS-1:0] second_i,
    // Of the module that this is bound into.
    input wire logic             group_valid_q,
    input wire logic             last_second_q,
    input wire logic [ROW_W-1:0] row_q,
    input wire logic [WARPS-1:0] group,
    input wire logic [WARPS-1:0] member,
    input wire logic [WARPS-1:0] turn,
    input wire logic [WARPS-1:0] launched,
    input wire logic [WARPS-1:0] ended,
    input wire logic             has_partner,
    input wire logic             turn_issues,
    input wire logic             stays,
    input wire logic             has_first,
    input wire logic [ROW_W-1:0] next_row
);
  logic others, last_can;
  assign others = |(candidate_i & ~turn);
  assign last_can = |(group & ~turn & candidate_i);  // the last issuer, while its partner lives

  logic launched_q, issued_q;
  logic [WARPS-1:0] group_before_q;
  always_ff @(posedge clk_i) begin
    launched_q <= |launched & rst_ni;
    issued_q <= issue_i & rst_ni;
    group_before_q <= group;
  end

  // The partner has its turn though others might issue.
  turn_of_second: cover property (@(posedge clk_i)
    rst_ni && issue_i && turn_issues && has_partner && !last_second_q && others);
  // The same, back to the first member.
  turn_of_first: cover property (@(posedge clk_i)
    rst_ni && issue_i && turn_issues && has_partner && last_second_q && others);
  // The partner goes though the last issuer could.
  turn_changes: cover property (@(posedge clk_i) rst_ni && issue_i && turn_issues && last_can);
  // Alone in its group, a warp goes again though others might.
  turn_alone: cover property (@(posedge clk_i) rst_ni && issue_i && turn_issues && !has_partner && others);
  // A member ends in its turn; its partner is left.
  turn_ends: cover property (@(posedge clk_i) rst_ni && turn_issues && |ended && |(group & ~ended));
  // The last member ends.
  group_ends: cover property (@(posedge clk_i) rst_ni && turn_issues && |ended && ~|(group & ~ended));
  // The pair goes on with another row, though the last issuer could.
  leaves_row: cover property (@(posedge clk_i) rst_ni && issue_i && !turn_issues && stays && last_can && next_row != row_q);
  // The next row is beyond the last one: round to a lower one.
  wraps: cover property (@(posedge clk_i) rst_ni && issue_i && !turn_issues && stays && next_row < row_q);
  // The last issuer goes again, for want of another row and of its partner.
  returns_to_row: cover property (@(posedge clk_i)
    rst_ni && issue_i && !turn_issues && stays && next_row == row_q && |(member & group));
  // The pair goes on although its last group has ended.
  stays_without_group: cover property (@(posedge clk_i) rst_ni && issue_i && stays && group == '0);
  // The pair is left, though its members live.
  leaves_pair: cover property (@(posedge clk_i) rst_ni && issue_i && !turn_issues && !stays && |group);
  // The first issue after reset.
  first_group: cover property (@(posedge clk_i) rst_ni && issue_i && !group_valid_q);
  // Both members of a new group could issue; the first does.
  begins_with_first: cover property (@(posedge clk_i)
    rst_ni && issue_i && !turn_issues && has_first && |(member & second_i));
  // A new group begins with its second member.
  begins_with_second: cover property (@(posedge clk_i) rst_ni && issue_i && !turn_issues && !has_first);
  // A warp is launched into the last issuer's group, which was alone or gone.
  joins_group: cover property (@(posedge clk_i)
    rst_ni && launched_q && !issued_q && |(group & ~group_before_q));
endmodule

bind paws_sca paws_sca_cover #(
    .WARPS(WARPS),
    .ROW_W(ROW_W)
) u_cover (
    .*
);

// verilator coverage_on
`default_nettype wire
