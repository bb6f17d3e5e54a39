// SPDX-License-Identifier: MIT
// Functional cover points of the single-level scheduler; see two_level_cover.sv.
`default_nettype none
// Cover properties count nevertheless.
// verilator coverage_off

module paws_single_level_cover #(
    parameter int unsigned WARPS = 24,
    parameter int unsigned PHASE_W = 9,
    parameter int unsigned LENGTH_W = 16
) (
    input wire logic                      clk_i,
    input wire logic                      rst_ni,
    input wire logic                      issue_en_i,
    input wire logic [         WARPS-1:0] issuable_i,
    input wire logic [         WARPS-1:0] exit_i,
    input wire logic [         WARPS-1:0] candidate,
    input wire logic [WARPS*LENGTH_W-1:0] distance_i,
    input wire logic [         WARPS-1:0] yield_i,
    input wire logic                      launch_valid_i,
    input wire logic [ $clog2(WARPS)-1:0] launch_warp_i,
    input wire logic                      issue_valid_o,
    input wire logic [ $clog2(WARPS)-1:0] issue_warp_o,
    input wire logic                      quiet_o,
    // Of the module that this is bound into.
    input wire logic                      is_rr,
    input wire logic                      is_gto,
    input wire logic                      is_paws,
    input wire logic                      is_youngest,
    input wire logic                      is_cggty,
    input wire logic                      is_sca,
    input wire logic                      barred,
    input wire logic [         WARPS-1:0] end_slot,
    input wire logic                      last_valid,
    input wire logic [ $clog2(WARPS)-1:0] last_warp,
    input wire logic                      greedy
);
  logic several, ends, is_oldest;
  assign several = |(issuable_i & (issuable_i - 1'b1));
  assign ends = issue_valid_o & exit_i[issue_warp_o];
  assign is_oldest = !is_rr & !is_gto & !is_paws & !is_youngest & !is_cggty & !is_sca;

  logic [WARPS-1:0] live_q;
  logic ends_q, quiet_q;
  logic [$clog2(WARPS)-1:0] ended_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) live_q <= '0;
    else live_q <= (live_q | (WARPS'(launch_valid_i) << launch_warp_i)) & ~(WARPS'(ends) << issue_warp_o) & ~end_slot;
    ends_q <= ends & rst_ni;
    quiet_q <= quiet_o & rst_ni;
    ended_q <= issue_warp_o;
  end

  // The order of launches, as a matrix: bit w*WARPS + v says that w was launched before v.
  logic [WARPS*WARPS-1:0] older_q;
  always_ff @(posedge clk_i) begin
    for (int w = 0; w < WARPS; w++) begin
      for (int v = 0; v < WARPS; v++) begin
        if (!rst_ni) older_q[w*WARPS+v] <= 1'b0;
        else if (launch_valid_i && 32'(launch_warp_i) == w) older_q[w*WARPS+v] <= 1'b0;
        else if (launch_valid_i && 32'(launch_warp_i) == v) older_q[w*WARPS+v] <= 1'b1;
      end
    end
  end

  function automatic logic [PHASE_W-1:0] field(input logic [LENGTH_W-1:0] distance);
    if (32'(distance) >= (1 << PHASE_W)) field = '1;
    else field = PHASE_W'(distance);
  endfunction

  // Other candidates, compared with the winner.
  logic tie_above, tie_below, tie_saturated, older_lost, younger_lost, older_above, shorter_lost;
  logic [PHASE_W-1:0] best;
  always_comb begin
    best = field(distance_i[issue_warp_o*LENGTH_W+:LENGTH_W]);
    tie_above = 1'b0;
    tie_below = 1'b0;
    tie_saturated = 1'b0;
    older_lost = 1'b0;
    younger_lost = 1'b0;
    older_above = 1'b0;
    shorter_lost = 1'b0;
    for (int w = 0; w < WARPS; w++) begin
      if (issue_valid_o && issuable_i[w] && 32'(issue_warp_o) != w) begin
        if (field(distance_i[w*LENGTH_W+:LENGTH_W]) == best) begin
          tie_above = tie_above | (32'(issue_warp_o) < w);
          tie_below = tie_below | (32'(issue_warp_o) > w);
          tie_saturated = tie_saturated | (distance_i[w*LENGTH_W+:LENGTH_W] !=
              distance_i[issue_warp_o*LENGTH_W+:LENGTH_W]);
        end
        older_lost = older_lost | older_q[w*WARPS+32'(issue_warp_o)];
        younger_lost = younger_lost | older_q[32'(issue_warp_o)*WARPS+w];
        shorter_lost = shorter_lost | (field(distance_i[w*LENGTH_W+:LENGTH_W]) < best);
        older_above = older_above | (32'(issue_warp_o) > w);
      end
    end
  end

  // A warp is launched while another issues.
  launch_and_issue: cover property (@(posedge clk_i) rst_ni && launch_valid_i && issue_valid_o);
  // A warp is launched while another ends.
  launch_and_exit: cover property (@(posedge clk_i) rst_ni && launch_valid_i && ends);
  // The slot of an exit launches in the next cycle.
  exit_then_launch: cover property (@(posedge clk_i)
    rst_ni && ends_q && launch_valid_i && launch_warp_i == ended_q);
  // Nobody can issue though the host enables it and warps live.
  no_candidate: cover property (@(posedge clk_i) rst_ni && issue_en_i && issuable_i == '0 && live_q != '0);
  // A single candidate.
  one_candidate: cover property (@(posedge clk_i) rst_ni && issue_valid_o && !several);
  // Several candidates.
  several_candidates: cover property (@(posedge clk_i) rst_ni && issue_valid_o && several);
  // Every slot is a candidate.
  all_candidates: cover property (@(posedge clk_i) rst_ni && issue_valid_o && &issuable_i);
  // A candidate, and the host does not enable it.
  candidate_not_enabled: cover property (@(posedge clk_i) rst_ni && !issue_en_i && |issuable_i);
  // Every slot is live.
  all_live: cover property (@(posedge clk_i) rst_ni && &live_q);
  // No slot is live, after some were.
  none_live_again: cover property (@(posedge clk_i) rst_ni && live_q == '0 && ends_q);
  // Quiet with live warps.
  quiet_live: cover property (@(posedge clk_i) rst_ni && quiet_o && live_q != '0);
  // A launch ends the quiet.
  quiet_launch: cover property (@(posedge clk_i) rst_ni && quiet_q && launch_valid_i);
  // A candidate ends the quiet.
  quiet_issuable: cover property (@(posedge clk_i) rst_ni && quiet_q && |issuable_i);
  // Reset while warps live.
  reset_busy: cover property (@(posedge clk_i) !rst_ni && live_q != '0);
  // Reset in the cycle of an issue.
  reset_issue: cover property (@(posedge clk_i) !rst_ni && live_q != '0 && issue_valid_o);
  // Reset in the cycle of a launch.
  reset_launch: cover property (@(posedge clk_i) !rst_ni && live_q != '0 && launch_valid_i);
  // Reset for a single cycle.
  reset_once: cover property (@(posedge clk_i) rst_ni && $past(!rst_ni && live_q != '0));
  // RR: the turn wraps round to a lower slot.
  rr_wraps: cover property (@(posedge clk_i) rst_ni && is_rr && issue_valid_o && last_valid && issue_warp_o < last_warp);
  // RR: the turn wraps from the last slot to the first.
  rr_wraps_from_last: cover property (@(posedge clk_i)
    rst_ni && is_rr && issue_valid_o && last_valid && 32'(last_warp) == WARPS - 1 && issue_warp_o == '0);
  // RR: the last issued warp is the only candidate and goes again.
  rr_again: cover property (@(posedge clk_i)
    rst_ni && is_rr && issue_valid_o && last_valid && issue_warp_o == last_warp);
  // RR: the first issue after reset is one of several.
  rr_first: cover property (@(posedge clk_i) rst_ni && is_rr && issue_valid_o && !last_valid && several);
  // RR: the last issued warp ended and its slot is free, the pointer stays there.
  rr_pointer_free: cover property (@(posedge clk_i)
    rst_ni && is_rr && issue_valid_o && last_valid && !live_q[last_warp]);
  // GTO: the greedy warp goes on among others.
  gto_greedy: cover property (@(posedge clk_i) rst_ni && is_gto && issue_valid_o && greedy && several);
  // GTO: it goes on though another candidate is older.
  gto_greedy_younger: cover property (@(posedge clk_i)
    rst_ni && is_gto && issue_valid_o && greedy && older_lost);
  // GTO: the greedy warp cannot issue, others can.
  gto_falls_back: cover property (@(posedge clk_i)
    rst_ni && is_gto && issue_valid_o && last_valid && !greedy && several);
  // GTO: the greedy warp ends among other candidates.
  gto_greedy_ends: cover property (@(posedge clk_i) rst_ni && is_gto && ends && greedy && several);
  // GTO: a warp that is not the greedy one ends.
  gto_other_ends: cover property (@(posedge clk_i) rst_ni && is_gto && ends && !greedy);
  // GTO: no greedy warp, several candidates.
  gto_no_greedy: cover property (@(posedge clk_i)
    rst_ni && is_gto && issue_valid_o && !last_valid && several);
  // PAWS: the shortest distance wins against an older warp.
  paws_shortest: cover property (@(posedge clk_i) rst_ni && is_paws && older_lost);
  // PAWS: a tie that a warp of a lower slot wins.
  paws_tie_low: cover property (@(posedge clk_i) rst_ni && is_paws && tie_above);
  // PAWS: a tie that a warp of a higher slot wins, by age.
  paws_tie_high: cover property (@(posedge clk_i) rst_ni && is_paws && tie_below);
  // PAWS: a tie of distances that both saturate.
  paws_tie_saturated: cover property (@(posedge clk_i) rst_ni && is_paws && tie_saturated);
  // Age limit: a due warp goes before others that can issue.
  due_first: cover property (@(posedge clk_i) rst_ni && issue_valid_o && !is_rr && candidate != issuable_i);
  // Age limit: the greedy warp can issue, but others are due.
  due_before_greedy: cover property (@(posedge clk_i)
    rst_ni && is_gto && issue_valid_o && last_valid && issuable_i[last_warp] && !candidate[last_warp]);
  // Age limit, PAWS: a due warp goes before a shorter distance.
  due_before_shorter: cover property (@(posedge clk_i) rst_ni && is_paws && issue_valid_o && shorter_lost);
  // Oldest: the oldest candidate is not of the lowest slot.
  oldest_not_lowest: cover property (@(posedge clk_i) rst_ni && is_oldest && older_above);
  // CGGTY: the greedy warp goes on though a younger one could.
  cggty_greedy_older: cover property (@(posedge clk_i)
    rst_ni && is_cggty && issue_valid_o && greedy && younger_lost);
  // CGGTY: without it the youngest goes before an older one.
  cggty_youngest: cover property (@(posedge clk_i) rst_ni && is_cggty && issue_valid_o && !greedy && older_lost);
  // CGGTY: the greedy warp yields.
  cggty_greedy_yields: cover property (@(posedge clk_i)
    rst_ni && is_cggty && issue_valid_o && greedy && yield_i[issue_warp_o] && !ends);
  // CGGTY: a warp that is not the greedy one yields.
  cggty_other_yields: cover property (@(posedge clk_i)
    rst_ni && is_cggty && issue_valid_o && !greedy && yield_i[issue_warp_o] && !ends);
  // CGGTY: an exit that yields bars nobody.
  cggty_exit_yields: cover property (@(posedge clk_i) rst_ni && is_cggty && ends && yield_i[issue_warp_o]);
  // CGGTY: the only candidate is barred: nothing issues.
  cggty_bubble: cover property (@(posedge clk_i) rst_ni && barred && issue_en_i && |issuable_i && !issue_valid_o);
  // CGGTY: another warp issues beside the barred one.
  cggty_other_issues: cover property (@(posedge clk_i) rst_ni && barred && issuable_i[last_warp] && issue_valid_o);
  // CGGTY: the bar lasts while issuing is not enabled.
  cggty_bar_waits: cover property (@(posedge clk_i) rst_ni && barred && !issue_en_i && |issuable_i);
  // CGGTY: the bar alone keeps it from being quiet.
  cggty_bar_not_quiet: cover property (@(posedge clk_i) rst_ni && barred && issuable_i == '0 && !launch_valid_i);
  // CGGTY: the barred warp goes on when the bar has ended.
  cggty_goes_on: cover property (@(posedge clk_i)
    rst_ni && is_cggty && greedy && issue_valid_o && $past(rst_ni && barred && issue_en_i && !issue_valid_o));
  // Late ends, GTO: the greedy warp ends while no other issues.
  late_greedy: cover property (@(posedge clk_i)
    rst_ni && is_gto && last_valid && end_slot[last_warp] && !issue_valid_o);
  // Late ends, GTO: the greedy warp ends while another issues.
  late_greedy_issue: cover property (@(posedge clk_i)
    rst_ni && is_gto && last_valid && end_slot[last_warp] && issue_valid_o);
  // Late ends, CGGTY: the barred warp ends while issuing is not enabled.
  late_barred: cover property (@(posedge clk_i) rst_ni && barred && end_slot[last_warp] && !issue_en_i);
  // Age limit, CGGTY: the greedy warp can issue, but others are due.
  cggty_due_before_greedy: cover property (@(posedge clk_i)
    rst_ni && is_cggty && issue_valid_o && last_valid && issuable_i[last_warp] && !barred && !candidate[last_warp]);
  // Age limit, SCA: some warps are due, and others could issue.
  sca_due_first: cover property (@(posedge clk_i) rst_ni && is_sca && issue_valid_o && candidate != issuable_i);
endmodule

bind paws_single_level paws_single_level_cover #(
    .WARPS   (SLOTS),
    .PHASE_W (FIELD_W),
    .LENGTH_W(LENGTH_W)
) u_cover (
    .*
);

// verilator coverage_on
`default_nettype wire
