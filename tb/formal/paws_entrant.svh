// SPDX-License-Identifier: MIT
// The entrant is the warp of the cycle before, and goes before others as its policy says.
`ifdef PROVE_paws_entrant
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic f_valid_q, f_launched_q;
  logic [KEY_W-1:0] f_kept_length;
  logic [WARPS-1:0] f_slot_q, f_slot;
  logic [WARPS*$clog2(WARPS)-1:0] f_next_age_q;
  assign f_slot = launching_i ? launch_i : front_i;
  always_ff @(posedge clk_i) begin
    f_valid_q <= rst_ni && (launching_i || front_valid_i);
    f_launched_q <= rst_ni && launching_i;
    f_slot_q <= f_slot;
    f_next_age_q <= next_age_i;
  end
  always_comb begin
    if (f_started_q && rst_ni) begin
      // A launch names one slot (required).
      `PAWS_REQUIRE ((|launch_i) == launching_i && (launch_i & (launch_i - 1'b1)) == '0);
      // The front is one slot where there is one (required).
      `PAWS_REQUIRE ((|front_i) == front_valid_i && (front_i & (front_i - 1'b1)) == '0);
    end
    if (f_started_q) begin
      // There is an entrant exactly if one was launched or admitted in the cycle before.
      assert (valid_o == f_valid_q);
      // Only a launched entrant is launched.
      assert (launch_o == (f_launched_q ? f_slot_q : '0));
      // The entrant is the launched warp, without a launch the front.
      assert (!valid_o || slot_o == f_slot_q);
      // An entrant is one slot.
      assert (!valid_o || (|slot_o && (slot_o & (slot_o - 1'b1)) == '0));
      // Its number is that of its slot.
      assert (!valid_o || (32'(warp_o) < WARPS && slot_o == WARPS'(1) << warp_o));
    end
  end
  always_comb begin
    // Where its clock gate is closed nothing of the entrant would change: there is none and none comes.
    assert (!f_started_q || change || ({launching_i && rst_ni, slot_d, age_d, next_length} ==
            {launched_q, slot_q, age_q, f_kept_length}));
  end
  // Its length: that of its sample if it was launched, else the stored one (where the host holds them,
  // that in either case).
  logic [KEY_W-1:0] f_length_q;
  if (HAS_LENGTH) begin : f_gen_own_length
    assign f_kept_length = gen_length.length_q;
    always_ff @(posedge clk_i) begin
      for (int w = 0; w < WARPS; w++) begin
        for (int b = 0; b < KEY_W; b++) begin
          if (f_slot[w]) begin
            f_length_q[b] <= launching_i && !HELD ? sample_i[w*KEY_W+b] : length_i[b*WARPS+w];
          end
        end
      end
    end
    always_comb begin
      // The entrant's length is that of its slot, when it came.
      assert (!f_started_q || !f_valid_q || gen_length.length_q == f_length_q);
    end
  end else begin : f_gen_no_length
    assign f_kept_length = '0;
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_age
    logic [$clog2(WARPS)-1:0] f_age;
    always_comb begin
      for (int b = 0; b < $clog2(WARPS); b++) f_age[b] = f_next_age_q[b*WARPS+w];
      // The entrant's age is the one that its slot was to have.
      assert (!f_started_q || !f_valid_q || !f_slot_q[w] || age_o == f_age);
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_slot
    logic f_tie;  // who goes first if no length decides
    assign f_tie = (by_age_i || (by_length_i && !TIE_ARRIVAL)) && !f_launched_q && younger_i[w];
    if (HAS_LENGTH) begin : f_gen_length
      logic [KEY_W-1:0] f_length;
      always_comb begin
        for (int b = 0; b < KEY_W; b++) f_length[b] = length_i[b*WARPS+w];
        // By length the shorter goes first, then who wins the tie.
        assert (!f_started_q || !f_valid_q || before_o[w] ==
                (by_length_i && f_length != f_length_q ? f_length_q < f_length : f_tie));
      end
    end else begin : f_gen_tie
      always_comb begin
        // Without lengths the older goes first, or by arrival nobody before another.
        assert (!f_started_q || before_o[w] == f_tie);
      end
    end
  end
`ifdef PROVE_paws_entrant
  always_comb begin
    // A launched entrant goes before slot 0 by its length (without lengths before nobody).
    cover (f_started_q && rst_ni && valid_o && |launch_o && before_o == WARPS'(HAS_LENGTH));
    // An admitted entrant goes before slot 1 alone by its age.
    cover (f_started_q && rst_ni && valid_o && launch_o == '0 && by_age_i && before_o == WARPS'(2));
  end
`endif
`undef PAWS_REQUIRE
