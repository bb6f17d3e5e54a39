// SPDX-License-Identifier: MIT
// A place is a number: it is loaded, or goes up or down by one.
`ifdef PROVE_paws_places
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
  // There is no reset: f_known_q says whose place has been loaded. Before its first reset a parent may
  // break what is required below; of such a slot nothing is known until the next load.
  logic [WARPS-1:0] f_known_q;
  logic [WARPS*PLACE_W-1:0] f_place, f_next, f_place_q;  // slot by slot
  initial f_known_q = '0;
  always_ff @(posedge clk_i) begin
    f_known_q <= (f_known_q & ~(wake_i & enter_i) & ~(up_i & down_i)) | (wake_i ^ enter_i);
    for (int w = 0; w < WARPS; w++) begin
      f_place_q[w*PLACE_W+:PLACE_W] <= wake_i[w] ? batch_i : enter_i[w] ? position_i :
          f_place_q[w*PLACE_W+:PLACE_W] + PLACE_W'(up_i[w]) - PLACE_W'(down_i[w]);
    end
  end
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < PLACE_W; b++) begin
        f_place[w*PLACE_W+b] = place_q[b][w];
        f_next[w*PLACE_W+b] = place_d[b][w];
      end
    end
  end
  logic [PLACE_W-1:0] f_end_place;
  always_comb begin
    f_end_place = '0;
    for (int w = 0; w < WARPS; w++) begin
      if (end_i[w]) f_end_place = f_place[w*PLACE_W+:PLACE_W];
    end
    // At most one warp ends (required).
    `PAWS_REQUIRE ((end_i & (end_i - 1'b1)) == '0);
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_slot
    always_comb begin
      // No warp wakes and enters in one cycle (required).
      `PAWS_REQUIRE (!wake_i[w] || !enter_i[w]);
      // No warp that does neither steps up and down in one cycle (required).
      `PAWS_REQUIRE (wake_i[w] || enter_i[w] || !up_i[w] || !down_i[w]);
      // A warp that wakes takes the place behind all batches.
      assert (!wake_i[w] || enter_i[w] || f_next[w*PLACE_W+:PLACE_W] == batch_i);
      // A warp that enters takes its position.
      assert (!enter_i[w] || wake_i[w] || f_next[w*PLACE_W+:PLACE_W] == position_i);
      // A warp that does neither goes up or down by as much as the lines say.
      assert (wake_i[w] || enter_i[w] || (up_i[w] && down_i[w]) || f_next[w*PLACE_W+:PLACE_W] ==
              f_place[w*PLACE_W+:PLACE_W] + PLACE_W'(up_i[w]) - PLACE_W'(down_i[w]));
      // A place that has been loaded is what loads and steps have made it.
      assert (!f_known_q[w] || f_place[w*PLACE_W+:PLACE_W] == f_place_q[w*PLACE_W+:PLACE_W]);
      // Where its clock gate is closed a place would not change.
      assert (change[w] || f_next[w*PLACE_W+:PLACE_W] == f_place[w*PLACE_W+:PLACE_W]);
      // behind_o and same_o compare with the place of the warp that ends.
      assert (!LATE_EXIT || end_i == '0 || (behind_o[w] == (f_place[w*PLACE_W+:PLACE_W] > f_end_place) &&
              same_o[w] == (f_place[w*PLACE_W+:PLACE_W] == f_end_place)));
      // Nobody comes before the warp of place 0.
      assert (first_o[w] == (f_place[w*PLACE_W+:PLACE_W] == '0));
    end
  end
`ifdef PROVE_paws_places
  always_comb begin
    // Every warp wakes or enters.
    cover (&(wake_i | enter_i) && batch_i != position_i);
    // Every warp steps, and slot 0 alone was first.
    cover (&(up_i | down_i) && first_o == WARPS'(1) && f_next[PLACE_W-1:0] == '0 + 1'b1);
  end
`endif
`undef PAWS_REQUIRE
