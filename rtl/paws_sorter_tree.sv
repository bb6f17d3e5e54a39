// SPDX-License-Identifier: MIT
// Active queue, micro-architecture 1: selection tree over unsorted keys.
//
// Responsibility and order: those of paws_sorter_shift, but a warp enters without an entrant
// register. The active warps are a bit per slot, and nothing moves. In every cycle a search finds the
// head: the member with the smallest key. The keys are kept outside.
// Policy: RR: arrival. GTO: age. PAWS: stored length, then age, or arrival with TIE_ARRIVAL. While some
// members are due, the head is one of them.
// Timing: head_valid_o, head_warp_o come from registers through a minimum tree over the slots.
// Cost: WARPS flip-flops and a minimum tree of KEY_W + log2 WARPS bits, instead of a shift register of
// all fields; where arrival is an order, WARPS * log2 WARPS more flip-flops for its rank.
`default_nettype none

module paws_sorter_tree #(
    parameter int WARPS = 24,      // warp slots
    parameter int KEY_W = 9,       // width of a length
    parameter bit TIE_ARRIVAL = 1'b0,       // PAWS: equal lengths by arrival instead of by age
    parameter bit HAS_RR = 1'b1,            // RR is built
    parameter bit HAS_GTO = 1'b1,           // GTO is built
    parameter bit HAS_PAWS = 1'b1,          // PAWS is built
    parameter int CLOCK_GATES = 0  // with clock gates; 0: without
) (
    input  wire logic                           clk_i,          // clock
    input  wire logic                           rst_ni,         // synchronous reset, active low
    input  wire logic                           by_length_i,    // PAWS: sort by length
    input  wire logic                           by_age_i,       // GTO: sort by age; neither: arrival
    input  wire logic                           insert_i,       // a warp comes in
    input  wire logic [      $clog2(WARPS)-1:0] insert_warp_i,  // that warp
    input  wire logic [        WARPS*KEY_W-1:0] length_i,       // lengths, in slices as in paws_ages
    input  wire logic [WARPS*$clog2(WARPS)-1:0] age_i,          // age ranks, in slices
    input  wire logic [              WARPS-1:0] due_i,          // these members go before all others
    input  wire logic                           remove_i,       // the head leaves
    output logic      [              WARPS-1:0] member_o,       // the warp is here
    output logic                                head_valid_o,   // the queue is not empty
    output logic      [      $clog2(WARPS)-1:0] head_warp_o     // its first warp
);
  localparam int WARP_W = $clog2(WARPS);
  localparam bit HAS_ARRIVAL = HAS_RR || (HAS_PAWS && TIE_ARRIVAL);
  localparam bit HAS_AGE = HAS_GTO || (HAS_PAWS && !TIE_ARRIVAL);

  // Keys are compared slot by slot, so the slices are transposed.
  logic [WARPS*WARP_W-1:0] age;
  logic [WARPS*KEY_W-1:0] length;
  for (genvar w = 0; w < WARPS; w++) begin : gen_slot
    for (genvar b = 0; b < WARP_W; b++) begin : gen_age_bit
      assign age[w*WARP_W+b] = age_i[b*WARPS+w];
    end
    for (genvar b = 0; b < KEY_W; b++) begin : gen_length_bit
      assign length[w*KEY_W+b] = length_i[b*WARPS+w];
    end
  end

  logic [WARPS-1:0] member_q, member_d, eligible;
  assign member_o = member_q;
  assign eligible = |due_i ? due_i : member_q;
  logic [WARPS*WARP_W-1:0] order;  // rank that decides below the length

  if (HAS_ARRIVAL) begin : gen_arrival
    logic [WARPS*WARP_W-1:0] arrival;
    logic [WARPS-1:0] unused_later;
    paws_order_rank #(
        .WARPS      (WARPS),
        .CLOCK_GATES(CLOCK_GATES)
    ) u_arrival (
        .clk_i    (clk_i),
        .rst_ni   (rst_ni),
        .event_i  (insert_i),
        .subject_i(insert_warp_i),
        .later_o  (unused_later),
        .rank_o   (arrival)
    );
    if (HAS_AGE) begin : gen_both
      assign order = (by_age_i | (by_length_i & !TIE_ARRIVAL)) ? age : arrival;
    end else begin : gen_only
      logic unused_age;
      assign unused_age = ^{age, by_age_i};
      assign order = arrival;
    end
  end else begin : gen_age
    logic unused_by_age;
    assign unused_by_age = by_age_i;
    assign order = age;
  end

  if (HAS_PAWS) begin : gen_length
    logic [WARPS*(KEY_W+WARP_W)-1:0] key;
    for (genvar w = 0; w < WARPS; w++) begin : gen_key
      assign key[w*(KEY_W+WARP_W)+:KEY_W+WARP_W] = {
        length[w*KEY_W+:KEY_W] & {KEY_W{by_length_i}}, order[w*WARP_W+:WARP_W]
      };
    end
    paws_min_tree #(
        .COUNT(WARPS),
        .KEY_W(KEY_W + WARP_W)
    ) u_head (
        .valid_i(eligible),
        .key_i  (key),
        .valid_o(head_valid_o),
        .index_o(head_warp_o)
    );
  end else begin : gen_order
    logic unused_length;
    assign unused_length = ^{length, by_length_i};
    paws_min_tree #(
        .COUNT(WARPS),
        .KEY_W(WARP_W)
    ) u_head (
        .valid_i(eligible),
        .key_i  (order),
        .valid_o(head_valid_o),
        .index_o(head_warp_o)
    );
  end

  always_comb begin
    member_d = member_q;
    for (int w = 0; w < WARPS; w++) begin
      if (!rst_ni) member_d[w] = 1'b0;
      else if (insert_i && insert_warp_i == WARP_W'(w)) member_d[w] = 1'b1;
      else if (remove_i && head_warp_o == WARP_W'(w)) member_d[w] = 1'b0;
    end
  end

  logic change;
  assign change = insert_i | remove_i | !rst_ni;
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_change;
    assign unused_change = change;
    always_ff @(posedge clk_i) member_q <= member_d;
  end else begin : gen_gated
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(WARPS),
        .GROUP(1)
    ) u_member (
        .clk_i   (clk_i),
        .change_i(change),
        .next_i  (member_d),
        .state_o (member_q)
    );
  end

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      removes_a_member: assert (!remove_i || head_valid_o)
      else $error("sorter: removal from an empty queue");
      enters_once: assert (!insert_i || !member_q[insert_warp_i])
      else $error("sorter: a warp enters twice");
      head_is_a_member: assert (!head_valid_o || member_q[head_warp_o])
      else $error("sorter: the head is no member");
    end
  end
`endif

`ifdef FORMAL
`include "paws_sorter_tree.svh"
`endif
endmodule

`default_nettype wire
