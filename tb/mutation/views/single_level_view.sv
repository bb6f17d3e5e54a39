// SPDX-License-Identifier: MIT
// What a state of paws_single_level means, for proofs that a fault changes nothing; see
// two_level_view.sv.
// PAWS_LIMIT says that there is an age limit, LIMIT.
`default_nettype none

module single_level_view #(
    parameter int unsigned WARPS = 5,
    parameter int unsigned LIMIT = 0
) (
    input  wire logic [paws_pkg::POLICY_W-1:0] policy_i,
    input  wire logic [              WARPS-1:0] live_i,  // what the host knows
    input  wire logic                           last_valid_q,
    input  wire logic [      $clog2(WARPS)-1:0] last_warp_q,
    input  wire logic [WARPS*$clog2(WARPS)-1:0] u_age_rank_q,
`ifdef PAWS_LIMIT
    input  wire logic [              WARPS-1:0] u_limit_due_q,
    input  wire logic [(LIMIT > 2 ? $clog2(LIMIT) : 1)-1:0] u_limit_count_q,
    output logic      [              WARPS-1:0] care_u_limit_due_q,
    output logic      [(LIMIT > 2 ? $clog2(LIMIT) : 1)-1:0] care_u_limit_count_q,
`endif
    output logic                                care_last_valid_q,
    output logic      [      $clog2(WARPS)-1:0] care_last_warp_q,
    output logic      [WARPS*$clog2(WARPS)-1:0] care_u_age_rank_q,
    output logic                                good_o,
    output logic      [ WARPS*WARPS+2*WARPS+15:0] meaning_o
);
  localparam int unsigned L = $clog2(WARPS);
  logic is_rr, is_gto, last_counts;
  assign is_rr = policy_i == paws_pkg::RR;
  assign is_gto = policy_i == paws_pkg::GTO;

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

  // RR's pointer names a slot, live or not; GTO's greedy warp is live. Nobody else keeps it: then it
  // stays as reset has left it.
  logic last_good;
  logic [WARPS-1:0] last;
  assign last = WARPS'(1) << last_warp_q;
  assign last_good = is_gto ? !last_valid_q | (|(last & live_i))
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

  assign good_o = ages_good & last_good & due_good;
  assign last_counts = (is_rr | is_gto) & last_valid_q;
  assign meaning_o = {older, last & {WARPS{last_counts}}, due, count};
  assign care_last_valid_q = is_rr | is_gto;
  assign care_last_warp_q = {L{last_counts}};
  assign care_u_age_rank_q = '1;
endmodule

`default_nettype wire
