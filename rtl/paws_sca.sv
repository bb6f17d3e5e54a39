// SPDX-License-Identifier: MIT
// Sequential CTA-aware choice (SCA): the warps of two paired blocks advance together, group by group.
//
// Responsibility: among candidate_i, the warp to issue. A group is the live warps of one pair and one row:
// at most a first and a second member. The members of the last issuer's group take turns. If the member
// whose turn it is cannot issue, the next group of the pair goes on, and if nothing in the pair can
// issue, the group of the oldest candidate. A new group begins with its first member if that can issue.
// docs/reference/microarchitecture.md, "SCA", has the rules (Lee et al., HPCA 2014, section 4.2).
// Structure: pair, row and second are levels that hold as long as a warp lives. So whose turn it is
// is known before candidate_i arrives, and its slot only waits to be let through. The row that is next in
// the pair is found beside the search for the oldest candidate, which takes longer. One row of
// comparators then finds the members of whichever group is chosen. They compare every slot with a
// chosen group and not with every other slot: that would take WARPS * (WARPS-1) / 2 comparators.
// Timing: warp_o is combinational from candidate_i, pair_i, row_i, second_i and the oldest candidate's
// numbers. The group, the member that issued last and live slots are registered.
// Coincidences: a warp counts as a member from the cycle after its launch to the one in which its exit
// issues. The exit does not end the group: its partner goes on alone. Launch and exit of one slot
// never coincide.
// Cost: WARPS * (2 PAIR_W + 2 ROW_W) bits of equality, an AND per slot and row, and WARPS + PAIR_W + ROW_W + 2
// flip-flops; ROW_W is log2 WARPS - 1.
`default_nettype none

module paws_sca #(
    parameter int WARPS = 24,  // warp slots, 4 or more
    parameter int PAIR_W = 3   // width of the number of a pair
) (
    input  wire logic                                clk_i,           // clock
    input  wire logic                                rst_ni,          // synchronous reset, active low
    input  wire logic                                launch_valid_i,  // a warp starts
    input  wire logic [           $clog2(WARPS)-1:0] launch_warp_i,   // in this slot
    input  wire logic [                   WARPS-1:0] candidate_i,     // the warp may be chosen
    input  wire logic [                   WARPS-1:0] exit_i,          // the warp's next instruction ends it
    input  wire logic [            WARPS*PAIR_W-1:0] pair_i,          // pair of slot w at [w*PAIR_W +: PAIR_W]
    input  wire logic [WARPS*$clog2((WARPS+1)/2)-1:0]  row_i,           // row of slot w at [w*ROW_W +: ROW_W]
    input  wire logic [                   WARPS-1:0] second_i,        // the warp is its group's second member
    input  wire logic [                  PAIR_W-1:0] oldest_pair_i,   // pair of the oldest candidate
    input  wire logic [$clog2((WARPS+1)/2)-1:0] oldest_row_i,    // its row
    input  wire logic                                issue_i,         // warp_o issues
    output logic      [           $clog2(WARPS)-1:0] warp_o           // the choice; 0 without candidates
);
  localparam int WARP_W = $clog2(WARPS);
  localparam int ROW_W = WARP_W - 1;
  localparam int ROWS = 1 << ROW_W;

  // The last issuer's group, and which member that was.
  logic group_valid_q, last_second_q;
  logic [PAIR_W-1:0] pair_q;
  logic [ROW_W-1:0] row_q;
  logic [WARPS-1:0] live_q;

  // Whose turn it is: the member that did not issue last, else the one that did.
  logic [WARPS-1:0] same_pair, group, partner, turn;
  logic has_partner, turn_issues;
  logic [WARP_W-1:0] turn_warp;
  always_comb begin
    turn_warp = '0;
    for (int w = 0; w < WARPS; w++) begin
      same_pair[w] = group_valid_q & (pair_i[w*PAIR_W+:PAIR_W] == pair_q);
      group[w] = same_pair[w] & live_q[w] & (row_i[w*ROW_W+:ROW_W] == row_q);
    end
    partner = group & (second_i ^ {WARPS{last_second_q}});
    has_partner = |partner;
    turn = has_partner ? partner : group;
    turn_issues = |(turn & candidate_i);
    for (int w = 0; w < WARPS; w++) turn_warp = turn_warp | (WARP_W'(w) & {WARP_W{turn[w]}});
  end

  // The next row of the pair in which a warp may be chosen, the group's own row last.
  logic [ROWS-1:0] row_asks;
  logic stays;
  logic [ROW_W-1:0] next_row;
  always_comb begin
    row_asks = '0;
    for (int r = 0; r < ROWS; r++) begin
      for (int w = 0; w < WARPS; w++) begin
        row_asks[r] = row_asks[r] | (candidate_i[w] & same_pair[w] & (row_i[w*ROW_W+:ROW_W] == ROW_W'(r)));
      end
    end
  end
  paws_rotate_pick #(
      .COUNT(ROWS)
  ) u_next_row (
      .request_i(row_asks),
      .rotate_i (1'b1),
      .after_i  (row_q),
      .valid_o  (stays),
      .index_o  (next_row)
  );

  // The new group's first member if it may be chosen, else its second.
  logic [PAIR_W-1:0] pair;
  logic [ROW_W-1:0] row;
  logic [WARPS-1:0] member;
  logic has_first;
  logic [WARP_W-1:0] first_warp, second_warp, new_warp;
  assign pair = stays ? pair_q : oldest_pair_i;
  assign row  = stays ? next_row : oldest_row_i;
  always_comb begin
    first_warp  = '0;
    second_warp = '0;
    for (int w = 0; w < WARPS; w++) begin
      member[w] = candidate_i[w] & (pair_i[w*PAIR_W+:PAIR_W] == pair) & (row_i[w*ROW_W+:ROW_W] == row);
      first_warp = first_warp | (WARP_W'(w) & {WARP_W{member[w] & !second_i[w]}});
      second_warp = second_warp | (WARP_W'(w) & {WARP_W{member[w] & second_i[w]}});
    end
  end
  assign has_first = |(member & ~second_i);
  assign new_warp = has_first ? first_warp : second_warp;
  assign warp_o = turn_issues ? turn_warp : new_warp;

  logic [WARPS-1:0] launched, ended;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      launched[w] = launch_valid_i & (launch_warp_i == WARP_W'(w));
      ended[w] = issue_i & (warp_o == WARP_W'(w)) & exit_i[w];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      group_valid_q <= 1'b0;
      live_q <= '0;
    end else begin
      group_valid_q <= group_valid_q | issue_i;
      live_q <= (live_q | launched) & ~ended;
    end
    if (issue_i) begin
      last_second_q <= turn_issues ? last_second_q ^ has_partner : !has_first;
      if (!turn_issues) begin
        pair_q <= pair;
        row_q  <= row;
      end
    end
  end

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      candidates_are_live: assert ((candidate_i & ~live_q) == '0) else $error("SCA: a candidate is not live");
      one_warp_has_its_turn: assert ($onehot0(turn)) else $error("SCA: two warps have their turn");
      choice_is_candidate: assert (!issue_i || candidate_i[warp_o])
      else $error("SCA: the choice is not a candidate");
    end
  end
`endif
endmodule

`default_nettype wire
