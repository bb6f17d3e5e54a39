// SPDX-License-Identifier: MIT
// Active as one bit per slot. The order is computed anew from the keys; where arrival orders the queue,
// f_arrived_q (row v, column w) says that v came in before w.
`ifdef PROVE_paws_sorter_tree
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  (* hierconn *) logic [WARPS*WARP_W-1:0] \gen_arrival.u_arrival.rank_o ;
  logic [WARPS-1:0] f_here, f_pushed, f_member;
  logic [WARPS*WARPS-1:0] f_before, f_arrived_q;
  logic [WARPS*KEY_W-1:0] f_length;  // slot by slot
  logic [WARPS*WARP_W-1:0] f_age;
  assign f_pushed = (WARPS'(1) << insert_warp_i) & {WARPS{insert_i}};
  assign f_member = member_q;
  assign f_here = member_q;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < KEY_W; b++) f_length[w*KEY_W+b] = length_i[b*WARPS+w];
      for (int b = 0; b < WARP_W; b++) f_age[w*WARP_W+b] = age_i[b*WARPS+w];
    end
    for (int v = 0; v < WARPS; v++) begin
      for (int w = 0; w < WARPS; w++) begin
        f_before[v*WARPS+w] = due_i[v] != due_i[w] ? due_i[v] :
            HAS_PAWS && by_length_i && f_length[v*KEY_W+:KEY_W] != f_length[w*KEY_W+:KEY_W] ?
                f_length[v*KEY_W+:KEY_W] < f_length[w*KEY_W+:KEY_W] :
            HAS_AGE && (by_age_i || (by_length_i && !TIE_ARRIVAL)) ?
                f_age[v*WARP_W+:WARP_W] < f_age[w*WARP_W+:WARP_W] : f_arrived_q[v*WARPS+w];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int v = 0; v < WARPS; v++) begin
      for (int w = 0; w < WARPS; w++) begin
        if (f_pushed[w]) f_arrived_q[v*WARPS+w] <= 1'b1;
        else if (f_pushed[v]) f_arrived_q[v*WARPS+w] <= 1'b0;
      end
    end
  end
`include "sorter.svh"
  always_comb begin
    // Who comes in is a slot that exists, in reset too (required).
    `PAWS_REQUIRE (!insert_i || 32'(insert_warp_i) < WARPS);
    if (f_started_q && rst_ni) begin
      // Due are members alone (required).
      `PAWS_REQUIRE ((due_i & ~member_q) == '0);
      // The order is one that is built, and only one (required).
      `PAWS_REQUIRE ((HAS_ARRIVAL || by_age_i || by_length_i) && !(by_age_i && by_length_i) &&
                     (HAS_AGE || !by_age_i));
    end
  end
  always_comb begin
    // Where its clock gate is closed no member would change.
    assert (change || member_d == member_q);
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_slot
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_pair
      if (v != w) begin : f_gen_two
        always_comb begin
          // No two members are of the same age (required).
          `PAWS_REQUIRE (!f_started_q || !rst_ni || !member_q[v] || !member_q[w] || !HAS_AGE ||
                         f_age[v*WARP_W+:WARP_W] != f_age[w*WARP_W+:WARP_W]);
        end
        if (HAS_ARRIVAL) begin : f_gen_arrival
          always_comb begin
            // The smaller of two members' ranks is the one of the earlier arrival.
            assert (!f_started_q || !member_q[v] || !member_q[w] || f_arrived_q[v*WARPS+w] ==
                    (\gen_arrival.u_arrival.rank_o [v*WARP_W+:WARP_W] <
                     \gen_arrival.u_arrival.rank_o [w*WARP_W+:WARP_W]));
          end
        end
      end
    end
  end
`ifdef PROVE_paws_sorter_tree
  always_comb begin
    // The head leaves a queue that holds all warps. At full size this is too far from reset to be searched.
    if (WARPS <= 8) cover (f_started_q && rst_ni && &member_q && remove_i);
    // A warp comes in while the head leaves.
    cover (f_started_q && rst_ni && |member_q && insert_i && remove_i);
  end
`endif
`undef PAWS_REQUIRE
