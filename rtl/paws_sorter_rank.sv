// SPDX-License-Identifier: MIT
// Active queue, micro-architecture 2: every warp has a rank, and nothing moves.
//
// Responsibility, policy and order: those of paws_sorter_shift. A member is a bit per slot. Its rank, the
// number of members before it, is in paws_places, which the collector uses for other warps.
// Structure: the rank of the entrant is the number of members that it does not go before. All other
// members step back by one. A head that leaves lets all others step forward. With both in one cycle
// only the members before the entrant step forward. The head is the member of rank 0.
// Timing: the head is derived from registers; the entrant of a cycle can be the head of that cycle.
// Coincidences: entrant and removal: if the entrant is the head, it leaves and never becomes a member.
// All members are behind it, so none of them steps. Removal from an empty queue is illegal.
// Cost: WARPS flip-flops beside the places, a count of WARPS+1 bits.
`default_nettype none

module paws_sorter_rank #(
    parameter int WARPS = 24,      // warp slots
    parameter int CLOCK_GATES = 0  // with a clock gate; 0: without
) (
    input  wire logic                     clk_i,            // clock
    input  wire logic                     rst_ni,           // synchronous reset, active low
    input  wire logic                     entrant_valid_i,  // there is an entrant
    input  wire logic [        WARPS-1:0] entrant_slot_i,   // the entrant, one bit per slot
    input  wire logic [$clog2(WARPS)-1:0] entrant_warp_i,   // the entrant, by number
    input  wire logic [        WARPS-1:0] before_i,         // the entrant goes before the slot's warp
    input  wire logic                     remove_i,         // the head leaves
    input  wire logic [        WARPS-1:0] first_i,          // the warp's place is 0
    output logic      [        WARPS-1:0] enter_o,          // the warp takes place position_o
    output logic      [$clog2(WARPS)-1:0] position_o,       // rank of the entrant
    output logic      [        WARPS-1:0] up_o,             // one more goes before the warp
    output logic      [        WARPS-1:0] down_o,           // one less goes before the warp
    output logic      [        WARPS-1:0] member_o,         // the warp is in order here
    output logic                          head_valid_o,     // the queue is not empty
    output logic      [$clog2(WARPS)-1:0] head_warp_o       // its first warp
);
  localparam int WARP_W = $clog2(WARPS);

  logic [WARPS-1:0] member_q, member_d, head, stays, ahead;
  logic entrant_first, head_ahead;
  logic [WARP_W-1:0] sorted_warp;

  assign head = member_q & first_i;
  assign entrant_first = entrant_valid_i & !head_ahead;
  always_comb begin
    sorted_warp = '0;
    for (int w = 0; w < WARPS; w++) sorted_warp = sorted_warp | (WARP_W'(w) & {WARP_W{head[w]}});
  end
  assign member_o = member_q;
  assign head_valid_o = |member_q | entrant_valid_i;
  assign head_warp_o = entrant_first ? entrant_warp_i : sorted_warp;

  // If the entrant is the head and leaves, all others are behind it, and no member steps.
  assign enter_o = entrant_slot_i;
  assign up_o = before_i & {WARPS{entrant_valid_i & !remove_i}};
  assign down_o = ~(before_i & {WARPS{entrant_valid_i}}) & {WARPS{remove_i}};
  // The head counts only if it stays. That is known last, so the head is added last.
  assign ahead = member_q & ~before_i & ~head;
  assign head_ahead = |(head & ~before_i);
  // At most WARPS-1 warps go before a warp. If the sum has one more bit, that bit is never set.
  localparam int COUNT_W = $clog2(WARPS + 2);
  logic [COUNT_W-1:0] count;
  paws_count #(
      .COUNT(WARPS + 1)
  ) u_position (
      .bits_i ({ahead, head_ahead & !remove_i}),
      .count_o(count)
  );
  assign position_o = count[WARP_W-1:0];
  if (COUNT_W > WARP_W) begin : gen_unused
    logic unused_count;
    assign unused_count = ^count[COUNT_W-1:WARP_W];
  end

  assign stays = member_q & ~(head & {WARPS{remove_i & !entrant_first}});
  always_comb begin
    if (!rst_ni) member_d = '0;
    else
      member_d = stays |
          (entrant_slot_i & {WARPS{entrant_valid_i & !(remove_i & entrant_first)}});
  end

  logic change;
  assign change = entrant_valid_i | remove_i | !rst_ni;
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
      one_head: assert ($onehot0(head) && (|head) == (|member_q))
      else $error("sorter: not one head");
      enters_once: assert (!entrant_valid_i || (entrant_slot_i & member_q) == '0)
      else $error("sorter: a warp enters twice");
      place_is_unique: assert (!entrant_valid_i || ~|(head & before_i) || ~|(member_q & ~before_i))
      else $error("sorter: the entrant goes before the head, but not before all");
    end
  end
`endif

`ifdef FORMAL
`include "paws_sorter_rank.svh"
`endif
endmodule

`default_nettype wire
