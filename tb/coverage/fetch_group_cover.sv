// SPDX-License-Identifier: MIT
// Functional cover points of the fetch groups; see two_level_cover.sv.
`default_nettype none
// Cover properties count nevertheless.
// verilator coverage_off

module paws_fetch_group_cover #(
    parameter int unsigned WARPS = 32,
    parameter int unsigned GROUP = 8
) (
    input wire logic                     clk_i,
    input wire logic                     rst_ni,
    input wire logic                     issue_en_i,
    input wire logic [        WARPS-1:0] issuable_i,
    input wire logic [        WARPS-1:0] exit_i,
    input wire logic                     launch_valid_i,
    input wire logic [$clog2(WARPS)-1:0] launch_warp_i,
    input wire logic                     issue_valid_o,
    input wire logic [$clog2(WARPS)-1:0] issue_warp_o,
    input wire logic                     quiet_o,
    // Of the module that this is bound into.
    input wire logic [        WARPS-1:0] own,
    input wire logic                     last_valid_q,
    input wire logic [$clog2(WARPS)-1:0] last_q,
    input wire logic                     expired,
    input wire logic                     own_can,
    input wire logic                     stays
);
  logic several, ends, switches;
  int unsigned last_group, next_group;
  assign several = |(issuable_i & (issuable_i - 1'b1));
  assign ends = issue_valid_o & exit_i[issue_warp_o];
  assign switches = issue_valid_o & last_valid_q & !stays;
  assign last_group = 32'(last_q) / GROUP;
  assign next_group = 32'(issue_warp_o) / GROUP;

  logic [WARPS-1:0] live_q, left_q;  // left: slots of the group that was left last
  always_ff @(posedge clk_i) begin
    if (!rst_ni) live_q <= '0;
    else live_q <= (live_q | (WARPS'(launch_valid_i) << launch_warp_i)) & ~(WARPS'(ends) << issue_warp_o);
    if (!rst_ni) left_q <= '0;
    else if (switches) left_q <= own;
  end

  // Several warps can issue, and issuing is off.
  issue_off: cover property (@(posedge clk_i) rst_ni && !issue_en_i && several);
  // Quiet with live warps.
  quiet_live: cover property (@(posedge clk_i) rst_ni && quiet_o && live_q != '0);
  // The first issue after reset is not of group 0.
  first_elsewhere: cover property (@(posedge clk_i) rst_ni && issue_valid_o && !last_valid_q && next_group != 0);
  // The turn in a group wraps round to a lower slot.
  turn_wraps: cover property (@(posedge clk_i) rst_ni && issue_valid_o && stays && issue_warp_o < last_q);
  // The last issued slot is the only one of its group that can, and goes again though others can.
  goes_again: cover property (@(posedge clk_i)
    rst_ni && issue_valid_o && stays && issue_warp_o == last_q && |(issuable_i & ~own));
  // The group goes on before a lower slot of another group.
  stays_before_lower: cover property (@(posedge clk_i)
    rst_ni && issue_valid_o && stays && |(issuable_i & ~own & ((WARPS'(1) << issue_warp_o) - 1'b1)));
  // A switch to the next group.
  switch_next: cover property (@(posedge clk_i) rst_ni && switches && next_group == last_group + 1);
  // A switch past an idle group.
  switch_past: cover property (@(posedge clk_i) rst_ni && switches && next_group > last_group + 1);
  // A switch wraps to a lower group.
  switch_wraps: cover property (@(posedge clk_i) rst_ni && switches && next_group < last_group);
  // A switch to a group in which several can: its lowest slot begins.
  switch_several: cover property (@(posedge clk_i)
    rst_ni && switches && |(issuable_i & ~own & ~(WARPS'(1) << issue_warp_o)));
  // A premature switch: the group that is left has live warps, none of which can issue.
  switch_premature: cover property (@(posedge clk_i) rst_ni && switches && !own_can && |(live_q & own));
  // The old group can again, and the new one keeps the priority.
  keeps_priority: cover property (@(posedge clk_i) rst_ni && issue_valid_o && stays && |(issuable_i & left_q & ~own));
  // A return to the group that was left last.
  returns: cover property (@(posedge clk_i) rst_ni && switches && left_q[issue_warp_o]);
  // The last issued warp has ended, and its group goes on.
  last_ended: cover property (@(posedge clk_i) rst_ni && issue_valid_o && stays && !live_q[last_q]);
  // A launch into the last issued slot, which is free.
  launch_into_last: cover property (@(posedge clk_i)
    rst_ni && launch_valid_i && last_valid_q && launch_warp_i == last_q);
  // A launch into the last group in the cycle of an issue.
  launch_into_group: cover property (@(posedge clk_i)
    rst_ni && launch_valid_i && issue_valid_o && last_valid_q && own[launch_warp_i]);
  // Timeout: a group that could go on is left.
  timeout_leaves: cover property (@(posedge clk_i) rst_ni && switches && expired && own_can);
  // Timeout: nobody else can, and the group goes on.
  timeout_alone: cover property (@(posedge clk_i) rst_ni && issue_valid_o && expired && stays);
  // Reset in the cycle of an issue.
  reset_issue: cover property (@(posedge clk_i) !rst_ni && live_q != '0 && issue_valid_o);
  // Reset in the cycle of a launch.
  reset_launch: cover property (@(posedge clk_i) !rst_ni && live_q != '0 && launch_valid_i);
endmodule

bind paws_fetch_group paws_fetch_group_cover #(
    .WARPS(SLOTS),
    .GROUP(SIZE)
) u_cover (
    .*
);

// verilator coverage_on
`default_nettype wire
