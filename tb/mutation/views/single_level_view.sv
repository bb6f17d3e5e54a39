// SPDX-License-Identifier: MIT
// What a state of paws_single_level means, for proofs that a fault changes nothing; see
// two_level_view.sv.
// PAWS_LIMIT says that there is an age limit, LIMIT.
`default_nettype none

module single_level_view #(
    parameter int unsigned WARPS = 5,
    parameter int unsigned LIMIT = 0,
    parameter int unsigned PAIR_W = 3
) (
    input  wire logic [paws_pkg::POLICY_W-1:0] policy_i,
    input  wire logic [              WARPS-1:0] live_i,  // what the host knows
    input  wire logic                           last_valid_q,
    input  wire logic [      $clog2(WARPS)-1:0] last_warp_q,
    input  wire logic [WARPS*$clog2(WARPS)-1:0] u_age_rank_q,
    input  wire logic                           barred_q,
    input  wire logic                           u_sca_group_valid_q,
    input  wire logic                           u_sca_last_second_q,
    input  wire logic [             PAIR_W-1:0] u_sca_pair_q,
    input  wire logic [      $clog2(WARPS)-2:0] u_sca_row_q,
    input  wire logic [              WARPS-1:0] u_sca_live_q,
`ifdef PAWS_LIMIT
    input  wire logic [              WARPS-1:0] u_limit_due_q,
    input  wire logic [(LIMIT > 2 ? $clog2(LIMIT) : 1)-1:0] u_limit_count_q,
    output logic      [              WARPS-1:0] care_u_limit_due_q,
    output logic      [(LIMIT > 2 ? $clog2(LIMIT) : 1)-1:0] care_u_limit_count_q,
`endif
    output logic                                care_last_valid_q,
    output logic      [      $clog2(WARPS)-1:0] care_last_warp_q,
    output logic      [WARPS*$clog2(WARPS)-1:0] care_u_age_rank_q,
    output logic                                care_barred_q,
    output logic                                care_u_sca_group_valid_q,
    output logic                                care_u_sca_last_second_q,
    output logic      [             PAIR_W-1:0] care_u_sca_pair_q,
    output logic      [      $clog2(WARPS)-2:0] care_u_sca_row_q,
    output logic      [              WARPS-1:0] care_u_sca_live_q,
    output logic                                good_o,
    output logic      [WARPS*WARPS+3*WARPS+PAIR_W+$clog2(WARPS)+17:0] meaning_o
);
  localparam int unsigned L = $clog2(WARPS);
  logic is_rr, is_greedy, is_cggty, is_sca, last_counts;
  assign is_rr = policy_i == paws_pkg::RR;
  assign is_cggty = policy_i == paws_pkg::CGGTY;
  assign is_greedy = policy_i == paws_pkg::GTO | is_cggty;
  assign is_sca = policy_i == paws_pkg::SCA;

  logic ages_good;
  logic [WARPS*WARPS-1:0] older;
  always_comb begin
    ages_good = 1'b1;
    for (int w = 0; w < WARPS; w++) begin
      ages_good = ages_good & (32'(u_age_rank_q[w*L+:L]) < WARPS);
      for (int v = 0; v < WARPS; v++) begin
        if (v != w) begin
          ages_good = ages_good & (u_age_rank_q[w*L+:L] != u_age_rank_q[v*L+:L]);
        end
        older[w*WARPS+v] = !is_rr & live_i[w] & live_i[v] &
            (u_age_rank_q[w*L+:L] < u_age_rank_q[v*L+:L]);
      end
    end
  end

  // RR's pointer names a slot, live or not; the greedy warp of GTO and CGGTY is live. Nobody else keeps it:
  // then it stays as reset has left it.
  logic last_good;
  logic [WARPS-1:0] last;
  assign last = WARPS'(1) << last_warp_q;
  assign last_good = is_greedy ? !last_valid_q | (|(last & live_i))
      : is_rr ? !last_valid_q | (|last) : !last_valid_q;

  // Due warps are live; under RR nobody is.
  logic [WARPS-1:0] due;
  logic [15:0] count;
  logic due_good;
`ifdef PAWS_LIMIT
  assign due = u_limit_due_q;
  assign count = 16'(u_limit_count_q);
  assign due_good = ~|(due & ~live_i) & (32'(count) < LIMIT) &
      (!is_rr | (due == '0 & count == '0));
  assign care_u_limit_due_q = '1;
  assign care_u_limit_count_q = '1;
`else
  assign due = '0;
  assign count = '0;
  assign due_good = 1'b1;
`endif

  // Barred is the greedy warp of CGGTY, which is not due.
  logic bar_good;
  assign bar_good = !barred_q | (is_cggty & last_valid_q & ~|(last & due));

  // SCA knows the live warps, and the last issuer's group once there is one.
  logic sca_good, group_counts;
  assign sca_good = !is_sca | (u_sca_live_q == live_i);
  assign group_counts = is_sca & u_sca_group_valid_q;

  assign good_o = ages_good & last_good & due_good & bar_good & sca_good;
  assign last_counts = (is_rr | is_greedy) & last_valid_q;
  assign meaning_o = {older, last & {WARPS{last_counts}}, due, count, barred_q, u_sca_live_q & {WARPS{is_sca}},
                      group_counts, {u_sca_last_second_q, u_sca_pair_q, u_sca_row_q} &
                      {PAIR_W + L{group_counts}}};
  assign care_barred_q = 1'b1;
  assign care_u_sca_group_valid_q = is_sca;
  assign care_u_sca_last_second_q = group_counts;
  assign care_u_sca_pair_q = {PAIR_W{group_counts}};
  assign care_u_sca_row_q = {L - 1{group_counts}};
  assign care_u_sca_live_q = {WARPS{is_sca}};
  assign care_last_valid_q = is_rr | is_greedy;
  assign care_last_warp_q = {L{last_counts}};
  assign care_u_age_rank_q = '1;
endmodule

`default_nettype wire
