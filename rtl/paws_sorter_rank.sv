// Active queue, micro-architecture 2: every warp knows its rank, and nothing moves.
`default_nettype none

module paws_sorter_rank #(
    parameter int WARPS = 24  // warp slots
) (
    input  wire logic                     clk_i,            // clock
    input  wire logic                     rst_ni,           // synchronous reset, active low
    input  wire logic                     entrant_valid_i,  // there is an entrant
    input  wire logic [        WARPS-1:0] entrant_slot_i,   // it, one bit per slot
    input  wire logic [$clog2(WARPS)-1:0] entrant_warp_i,   // it, by number
    input  wire logic [        WARPS-1:0] before_i,         // it goes before the slot's warp
    input  wire logic                     remove_i,         // the head leaves
    input  wire logic [        WARPS-1:0] first_i,          // place 0
    output logic      [        WARPS-1:0] enter_o,          // to paws_places
    output logic      [$clog2(WARPS)-1:0] position_o,       //
    output logic      [        WARPS-1:0] up_o,             //
    output logic      [        WARPS-1:0] down_o,           //
    output logic                          head_valid_o,     // the queue is not empty
    output logic      [$clog2(WARPS)-1:0] head_warp_o       // its first warp
);
  localparam int WARP_W = $clog2(WARPS);

  logic [WARPS-1:0] member_q, head, stays, ahead;
  logic entrant_first, head_ahead;
  logic [WARP_W-1:0] sorted_warp;

  assign head = member_q & first_i;
  assign entrant_first = entrant_valid_i & !head_ahead;
  always_comb begin
    sorted_warp = '0;
    for (int w = 0; w < WARPS; w++) sorted_warp = sorted_warp | (WARP_W'(w) & {WARP_W{head[w]}});
  end
  assign head_valid_o = |member_q | entrant_valid_i;
  assign head_warp_o = entrant_first ? entrant_warp_i : sorted_warp;

  // If the entrant is the head and leaves, all others are behind it and none of this moves them.
  assign enter_o = entrant_slot_i;
  assign up_o = before_i & {WARPS{entrant_valid_i & !remove_i}};
  assign down_o = ~(before_i & {WARPS{entrant_valid_i}}) & {WARPS{remove_i}};
  // The head counts only if it stays; it comes last into the sum, because that is known last.
  assign ahead = member_q & ~before_i & ~head;
  assign head_ahead = |(head & ~before_i);
  logic [$clog2(WARPS+2)-1:0] count;
  paws_count #(
      .COUNT(WARPS + 1)
  ) u_position (
      .bits_i ({ahead, head_ahead & !remove_i}),
      .count_o(count)
  );
  assign position_o = count[WARP_W-1:0];

  assign stays = member_q & ~(head & {WARPS{remove_i & !entrant_first}});
  always_ff @(posedge clk_i) begin
    if (!rst_ni) member_q <= '0;
    else member_q <= stays | (entrant_slot_i & {WARPS{entrant_valid_i & !(remove_i & entrant_first)}});
  end

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!remove_i || head_valid_o) else $error("sorter: removal from an empty queue");
      assert ($onehot0(head) && (|head) == (|member_q)) else $error("sorter: not one head");
      assert (!entrant_valid_i || (entrant_slot_i & member_q) == '0)
      else $error("sorter: a warp enters twice");
      assert (!entrant_valid_i || ~|(head & before_i) || ~|(member_q & ~before_i))
      else $error("sorter: the entrant goes before the head, but not before all");
    end
  end
`endif
endmodule

`default_nettype wire
