// SPDX-License-Identifier: MIT
// Functional cover points of ordered PAWS; see two_level_cover.sv.
`default_nettype none
// Cover properties count nevertheless.
// verilator coverage_off

module paws_ordered_cover #(
    parameter int WARPS = 24,
    parameter int SUBJECTS = 1
) (
    input wire logic                      clk_i,
    input wire logic                      rst_ni,
    input wire logic                      issue_en_i,
    input wire logic [         WARPS-1:0] issuable_i,
    input wire logic [         WARPS-1:0] exit_i,
    input wire logic [         WARPS-1:0] moved_i,
    input wire logic                      launch_valid_i,
    input wire logic                      end_valid_i,
    input wire logic [ $clog2(WARPS)-1:0] end_warp_i,
    input wire logic                      issue_valid_o,
    input wire logic [ $clog2(WARPS)-1:0] issue_warp_o,
    input wire logic                      quiet_o,
    // Of the module that this is bound into.
    input wire logic [         WARPS-1:0] able,
    input wire logic [         WARPS-1:0] candidate,
    input wire logic [         WARPS-1:0] waiting_q,
    input wire logic [         WARPS-1:0] placed,
    input wire logic [         WARPS-1:0] launched,
    input wire logic [         WARPS-1:0] next,
    input wire logic [SUBJECTS*WARPS-1:0] subject_q
);
  logic several_wait, several_can, passed;
  assign several_wait = |(waiting_q & (waiting_q - 1'b1));
  assign several_can = |(candidate & (candidate - 1'b1));
  assign passed = |(issuable_i & waiting_q);  // a warp could issue, but waits for its place

  // Several warps can issue, and issuing is off.
  issue_off: cover property (@(posedge clk_i) rst_ni && !issue_en_i && several_can);
  // A higher slot goes before a lower one.
  higher_first: cover property (@(posedge clk_i)
    rst_ni && issue_valid_o && |(candidate & ((WARPS'(1) << issue_warp_o) - 1'b1)));
  // A warp issues while another that could waits for its place.
  passes_waiting: cover property (@(posedge clk_i) rst_ni && issue_valid_o && passed);
  // Nothing issues, because all that could wait for their places.
  all_wait: cover property (@(posedge clk_i) rst_ni && issue_en_i && !issue_valid_o && passed);
  // Several slots wait.
  several_wait_once: cover property (@(posedge clk_i) rst_ni && several_wait);
  // A slot moves in the cycle of its issue.
  moves_and_issues: cover property (@(posedge clk_i) rst_ni && issue_valid_o && moved_i[issue_warp_o]);
  // A subject moves once more: this placing serves it.
  subject_moves: cover property (@(posedge clk_i) rst_ni && |(placed & moved_i));
  // A slot that waits moves once more.
  waiting_moves: cover property (@(posedge clk_i) rst_ni && |(waiting_q & moved_i & ~placed));
  // A subject is launched again.
  subject_launched: cover property (@(posedge clk_i) rst_ni && |(placed & launched));
  // The slot of an exit is a subject.
  exit_placed: cover property (@(posedge clk_i) rst_ni && issue_valid_o && exit_i[issue_warp_o]);
  // A launch in the cycle of an issue.
  launch_and_issue: cover property (@(posedge clk_i) rst_ni && launch_valid_i && issue_valid_o);
  // An issue, while a slot waits for a comparison.
  issue_while_next: cover property (@(posedge clk_i) rst_ni && issue_valid_o && next != '0);
  // A moved distance alone keeps it from being quiet.
  busy_by_move: cover property (@(posedge clk_i)
    rst_ni && !quiet_o && moved_i != '0 && issuable_i == '0 && waiting_q == '0 && placed == '0 && !launch_valid_i);
  // Quiet.
  quiet: cover property (@(posedge clk_i) rst_ni && quiet_o);
  // A subject is a candidate in the cycle of its placing (COMPARES 2).
  subject_issues: cover property (@(posedge clk_i) rst_ni && issue_valid_o && placed[issue_warp_o]);
  // Two slots are placed in one cycle (COMPARES 2).
  two_placed: cover property (@(posedge clk_i) rst_ni && |(placed & (placed - 1'b1)));
  // A due warp goes before others that can.
  due_first: cover property (@(posedge clk_i) rst_ni && issue_valid_o && candidate != able);
  // Late ends: of a slot that waits, of one that is being placed, beside an issue.
  late_waiting: cover property (@(posedge clk_i) rst_ni && end_valid_i && waiting_q[end_warp_i]);
  late_placed: cover property (@(posedge clk_i) rst_ni && end_valid_i && placed[end_warp_i]);
  late_and_issue: cover property (@(posedge clk_i) rst_ni && end_valid_i && issue_valid_o);
  // Reset while slots wait and are placed.
  reset_waiting: cover property (@(posedge clk_i) !rst_ni && waiting_q != '0 && subject_q != '0);
endmodule

bind paws_ordered paws_ordered_cover #(
    .WARPS(SLOTS),
    .SUBJECTS(SUBJECTS)
) u_cover (
    .*
);

// verilator coverage_on
`default_nettype wire
