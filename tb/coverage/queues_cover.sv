// SPDX-License-Identifier: MIT
// Functional cover points of the queues' modules: what is special to one micro-architecture, and counts
// at their ends. See two_level_cover.sv.
`default_nettype none
// Cover properties count nevertheless.
// verilator coverage_off

module paws_ages_cover #(
    parameter int unsigned WARPS = 24
) (
    input wire logic                           clk_i,
    input wire logic                           rst_ni,
    input wire logic [              WARPS-1:0] launch_i,
    input wire logic [WARPS*$clog2(WARPS)-1:0] age_o
);
  logic oldest, youngest, all_q;
  logic [WARPS-1:0] launched_q;
  always_comb begin
    oldest = 1'b1;
    youngest = 1'b1;
    for (int b = 0; b < $clog2(WARPS); b++) begin
      oldest = oldest & ~|(age_o[b*WARPS+:WARPS] & launch_i);
      youngest = youngest & |(age_o[b*WARPS+:WARPS] & launch_i) == 1'((WARPS - 1) >> b);
    end
  end
  always_ff @(posedge clk_i) begin
    launched_q <= rst_ni ? launched_q | launch_i : '0;
    all_q <= rst_ni & &launched_q;
  end
  // The slot of the oldest launch launches again: the rank goes from 0 to the last.
  oldest_again: cover property (@(posedge clk_i) rst_ni && all_q && |launch_i && oldest);
  // The youngest slot launches again.
  youngest_again: cover property (@(posedge clk_i) rst_ni && all_q && |launch_i && youngest);
endmodule

bind paws_ages paws_ages_cover #(.WARPS(WARPS)) u_cover (.*);

module paws_collector_cover #(
    parameter int unsigned WARPS = 24
) (
    input wire logic                     clk_i,
    input wire logic                     rst_ni,
    input wire logic [        WARPS-1:0] wake_i,
    input wire logic                     admit_i,
    input wire logic [        WARPS-1:0] member_q,
    input wire logic [        WARPS-1:0] serving,
    input wire logic [        WARPS-1:0] front_slot_o,
    input wire logic [WARPS*$clog2(WARPS)-1:0] age_i,
    input wire logic [$clog2(WARPS)-1:0] batches_q,
    input wire logic                     done
);
  logic [$clog2(WARPS)-1:0] front_age, other_age;
  logic older_behind;
  always_comb begin
    for (int b = 0; b < $clog2(WARPS); b++) front_age[b] = |(age_i[b*WARPS+:WARPS] & front_slot_o);
    older_behind = 1'b0;
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < $clog2(WARPS); b++) other_age[b] = age_i[b*WARPS+w];
      older_behind = older_behind | (serving[w] & (other_age < front_age));
    end
  end

  // The lowest slot of a batch is admitted, and an older warp stands behind it.
  lowest_not_oldest: cover property (@(posedge clk_i) rst_ni && admit_i && older_behind);
  // The oldest of a batch is admitted, and a warp of a lower slot stands behind it.
  oldest_not_lowest:
    cover property (@(posedge clk_i) rst_ni && admit_i && |(serving & (front_slot_o - 1'b1)));
  // A batch of several warps is served one by one.
  batch_goes_on: cover property (@(posedge clk_i) rst_ni && admit_i && !done);
  // A batch is done and another follows.
  next_batch: cover property (@(posedge clk_i) rst_ni && done && batches_q > 1);
  // A batch is done in the cycle in which a new one comes behind others.
  done_and_wake: cover property (@(posedge clk_i) rst_ni && done && |wake_i && batches_q > 1);
  // As many batches as there can be for long: a launch in every cycle, which holds them back, takes three
  // slots, because a warp that launches in t can end in t+2 at the earliest.
  most_batches: cover property (@(posedge clk_i) rst_ni && WARPS > 6 && 32'(batches_q) == WARPS - 3);
  // All but one of the warps are here.
  nearly_all_here: cover property (@(posedge clk_i) rst_ni && 32'($countones(member_q)) >= WARPS - 1);
endmodule

bind paws_collector paws_collector_cover #(.WARPS(WARPS)) u_cover (.*);

module paws_ready_cover #(
    parameter int unsigned READY = 6
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic [READY-1:0] valid_q,
    input wire logic [READY-1:0] candidate,
    input wire logic [READY-1:0] issue,
    input wire logic [READY-1:0] free_first
);
  // The only entry of a ready of one is refilled after it was free.
  one_entry: cover property (@(posedge clk_i) rst_ni && READY == 1 && |free_first);
  // All entries are candidates.
  all_candidates: cover property (@(posedge clk_i) rst_ni && &candidate && READY > 1);
  // The list order is not that of the entries: a higher entry issues before a lower candidate.
  order_turned: cover property (@(posedge clk_i) rst_ni && |issue && |(candidate & (issue - 1'b1)));
  // A hole between valid entries is filled.
  hole_filled: cover property (@(posedge clk_i) rst_ni && free_first != '0 && valid_q > free_first);
endmodule

bind paws_ready_list paws_ready_cover #(.READY(READY)) u_cover (.*);

module paws_shift_cover #(
    parameter int unsigned DEPTH = 18
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             entrant_valid_i,
    input wire logic             remove_i,
    input wire logic [DEPTH-1:0] valid_q,
    input wire logic [DEPTH-1:0] behind
);
  logic first, last, empty;
  assign first = behind[0];
  assign last = ~|(valid_q & behind);
  assign empty = ~valid_q[0];
  // All entries are valid.
  full: cover property (@(posedge clk_i) rst_ni && &valid_q);
  // All but one are valid, and the last one is filled.
  last_entry_filled: cover property (@(posedge clk_i)
    rst_ni && entrant_valid_i && !remove_i && $countones(valid_q) == DEPTH - 1);
  // The entrant leaves as the head of an empty queue.
  through_empty: cover property (@(posedge clk_i) rst_ni && entrant_valid_i && remove_i && empty);
  // The entrant leaves as the head before others.
  through_first: cover property (@(posedge clk_i) rst_ni && entrant_valid_i && remove_i && first && !empty);
  // The head leaves and the entrant goes behind all others.
  removal_and_last: cover property (@(posedge clk_i) rst_ni && entrant_valid_i && remove_i && last && !empty);
  // The head leaves and the entrant goes between others.
  removal_and_between: cover property (@(posedge clk_i) rst_ni && entrant_valid_i && remove_i && !first && !last);
  // The head leaves from a full queue while there is no entrant.
  removal_from_full: cover property (@(posedge clk_i) rst_ni && !entrant_valid_i && remove_i && &valid_q);
  // Without a removal the entrant goes before all others.
  first_without_removal: cover property (@(posedge clk_i) rst_ni && entrant_valid_i && !remove_i && first && !empty);
  // Without a removal it goes between others.
  between_without_removal:
    cover property (@(posedge clk_i) rst_ni && entrant_valid_i && !remove_i && !first && !last);
  // Without a removal it goes behind all others.
  last_without_removal: cover property (@(posedge clk_i) rst_ni && entrant_valid_i && !remove_i && last && !empty);
endmodule

bind paws_sorter_shift paws_shift_cover #(.DEPTH(DEPTH)) u_cover (.*);

module paws_rank_cover #(
    parameter int unsigned WARPS = 24
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             entrant_valid_i,
    input wire logic             remove_i,
    input wire logic [WARPS-1:0] before_i,
    input wire logic [WARPS-1:0] member_q,
    input wire logic             entrant_first
);
  logic last, empty;
  assign last = ~|(member_q & before_i);
  assign empty = member_q == '0;
  // The entrant leaves as the head of an empty queue.
  through_empty: cover property (@(posedge clk_i) rst_ni && entrant_first && remove_i && empty);
  // The entrant leaves as the head before others.
  through_first: cover property (@(posedge clk_i) rst_ni && entrant_first && remove_i && !empty);
  // The head leaves and the entrant goes behind all others.
  removal_and_last:
    cover property (@(posedge clk_i) rst_ni && entrant_valid_i && remove_i && last && !empty);
  // The head leaves and the entrant goes between others.
  removal_and_between: cover property (@(posedge clk_i)
    rst_ni && entrant_valid_i && remove_i && !entrant_first && !last);
  // The head leaves and there is no entrant.
  removal_alone: cover property (@(posedge clk_i) rst_ni && !entrant_valid_i && remove_i);
  // Without a removal the entrant goes before all others.
  first_without_removal:
    cover property (@(posedge clk_i) rst_ni && entrant_first && !remove_i && !empty);
  // Without a removal it goes between others.
  between_without_removal: cover property (@(posedge clk_i)
    rst_ni && entrant_valid_i && !remove_i && !entrant_first && !last);
  // Without a removal it goes behind all others.
  last_without_removal:
    cover property (@(posedge clk_i) rst_ni && entrant_valid_i && !remove_i && last && !empty);
endmodule

bind paws_sorter_rank paws_rank_cover #(.WARPS(WARPS)) u_cover (.*);

module paws_tree_cover #(
    parameter int unsigned WARPS = 24
) (
    input wire logic                     clk_i,
    input wire logic                     rst_ni,
    input wire logic                     insert_i,
    input wire logic                     remove_i,
    input wire logic [$clog2(WARPS)-1:0] head_warp_o,
    input wire logic [        WARPS-1:0] member_q
);
  logic several;
  assign several = |(member_q & (member_q - 1'b1));
  // A warp comes in and the head of several leaves.
  insertion_and_removal: cover property (@(posedge clk_i) rst_ni && insert_i && remove_i && several);
  // A warp comes in and the only other one leaves.
  insertion_and_last_removal: cover property (@(posedge clk_i) rst_ni && insert_i && remove_i && !several);
  // A warp comes into an empty queue.
  insertion_into_empty: cover property (@(posedge clk_i) rst_ni && insert_i && member_q == '0);
  // The head is not the member of the lowest slot.
  head_by_key: cover property (@(posedge clk_i)
    rst_ni && several && |(member_q & ((WARPS'(1) << head_warp_o) - 1'b1)));
endmodule

bind paws_sorter_tree paws_tree_cover #(.WARPS(WARPS)) u_cover (.*);

module paws_age_limit_cover #(
    parameter int unsigned WARPS = 24,
    parameter int unsigned LIMIT = 64
) (
    input wire logic             clk_i,
    input wire logic             rst_ni,
    input wire logic             count_i,
    input wire logic             gather_i,
    input wire logic             restart_i,
    input wire logic [WARPS-1:0] candidate_i,
    input wire logic [WARPS-1:0] past_i,
    input wire logic             reached_o,
    input wire logic [WARPS-1:0] due_o
);
  // Several warps become due at once.
  several_gathered:
    cover property (@(posedge clk_i) rst_ni && gather_i && |(candidate_i & ~past_i & (candidate_i & ~past_i) - 1'b1));
  // Nobody is there to be gathered.
  none_gathered: cover property (@(posedge clk_i) rst_ni && gather_i && (candidate_i & ~past_i) == '0);
  // A warp is gathered and past in the same cycle.
  gathered_and_past: cover property (@(posedge clk_i) rst_ni && gather_i && |(candidate_i & past_i));
  // The count stands at its end, for a due warp gets on.
  count_stays: cover property (@(posedge clk_i) rst_ni && LIMIT > 1 && count_i && reached_o && !gather_i && !restart_i);
  // The count begins again without a gathering.
  restarted: cover property (@(posedge clk_i) rst_ni && restart_i);
  // The last due warp is past.
  last_due_past: cover property (@(posedge clk_i) rst_ni && |due_o && (due_o & ~past_i) == '0);
  // A limit of one issue.
  limit_of_one: cover property (@(posedge clk_i) rst_ni && LIMIT == 1 && gather_i && |(candidate_i & ~past_i));
endmodule

bind paws_age_limit paws_age_limit_cover #(.WARPS(WARPS), .LIMIT(LIMIT)) u_cover (.*);

// verilator coverage_on
`default_nettype wire
