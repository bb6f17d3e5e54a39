// SPDX-License-Identifier: MIT
// Active as a sorted shift register.
`ifdef PROVE_paws_sorter_shift
`define PAWS_REQUIRE assume
`define PAWS_INVARIANTS
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic [WARPS-1:0] f_entrant, f_member, f_held;
  logic [$clog2(WARPS+1)-1:0] f_count_q, f_ones;  // how many members there are
  logic [DEPTH*WARPS-1:0] f_slot;  // the warp of entry e, one bit per slot
  assign f_entrant = (WARPS'(1) << entrant_warp_i) & {WARPS{entrant_valid_i}};
  always_comb begin
    f_held = '0;
    for (int e = 0; e < DEPTH; e++) begin
      f_slot[e*WARPS+:WARPS] = (WARPS'(1) << warp_q[e]) & {WARPS{valid_q[e]}};
      f_held = f_held | f_slot[e*WARPS+:WARPS];
    end
    f_ones = '0;
    for (int w = 0; w < WARPS; w++) f_ones = f_ones + ($bits(f_ones))'(f_member[w]);
  end
  assign f_member = `PAWS_MEMBERS(f_held);
  always_ff @(posedge clk_i) begin
    f_count_q <= !rst_ni ? '0 : f_count_q + ($bits(f_count_q))'(entrant_valid_i) - ($bits(f_count_q))'(remove_i) -
        ($bits(f_count_q))'((end_i & f_member) != '0);
  end
`include "sorter_entrant.svh"
  always_comb begin
    if (f_started_q && rst_ni) begin
      // The entrant is a slot that exists (required).
      `PAWS_REQUIRE (!entrant_valid_i || 32'(entrant_warp_i) < WARPS);
      // Nobody stays in a queue that is full (required).
      `PAWS_REQUIRE (!entrant_valid_i || remove_i || (end_i & f_member) != '0 || 32'(f_count_q) < DEPTH);
      // Without LATE_EXIT nobody ends (required).
      `PAWS_REQUIRE (LATE_EXIT || end_i == '0);
    end
  end
`ifndef PROVE_paws_sorter_shift
  always_comb begin
    // Members are counted.
    assert (!f_started_q || f_count_q == f_ones);
  end
`endif
`ifndef PROVE_paws_two_level_contract
  always_comb begin
    // There are no more of them than entries.
    assert (!f_started_q || 32'(f_count_q) <= DEPTH);
  end
  for (genvar e = 0; e < DEPTH; e++) begin : f_gen_place
    always_comb begin
      // As many entries are filled as there are members.
      assert (!f_started_q || valid_q[e] == (32'(f_count_q) > e));
      // Where its clock gate is closed no entry would change.
      assert (change || (valid_d[e] == valid_q[e] && warp_d[e*WARP_W+:WARP_W] == warp_q[e]));
      // An entry that is filled holds a slot that exists.
      assert (!f_started_q || !valid_q[e] || 32'(warp_q[e]) < WARPS);
    end
    if (e > 0) begin : f_gen_contiguous
      always_comb begin
        // Valid entries are contiguous.
        assert (!f_started_q || !valid_q[e] || valid_q[e-1]);
      end
    end
  end
`ifdef PAWS_INVARIANTS
`include "sorter_shift.svh"
`endif
  for (genvar e = 0; e < DEPTH; e++) begin : f_gen_once
    for (genvar d = 0; d < e; d++) begin : f_gen_pair
      always_comb begin
        // No warp stands in two entries.
        assert (!f_started_q || !valid_q[d] || !valid_q[e] || warp_q[d] != warp_q[e]);
      end
    end
  end
  logic [DEPTH*WARPS-1:0] f_row;    // whom the warp of entry e goes before
  logic [DEPTH*WARPS-1:0] f_after;  // the warps of the entries behind entry e
  always_comb begin
    for (int e = 0; e < DEPTH; e++) begin
      f_row[e*WARPS+:WARPS] = '0;
      f_after[e*WARPS+:WARPS] = '0;
      for (int v = 0; v < WARPS; v++) begin
        f_row[e*WARPS+:WARPS] =
            f_row[e*WARPS+:WARPS] | (f_order_q[v*WARPS+:WARPS] & {WARPS{f_slot[e*WARPS+v]}});
      end
      for (int d = e + 1; d < DEPTH; d++) f_after[e*WARPS+:WARPS] = f_after[e*WARPS+:WARPS] | f_slot[d*WARPS+:WARPS];
    end
  end
  for (genvar e = 0; e < DEPTH; e++) begin : f_gen_entry
    for (genvar w = 0; w < WARPS; w++) begin : f_gen_behind
      always_comb begin
        // Entries are in order.
        assert (!f_started_q || !f_after[e*WARPS+w] || f_row[e*WARPS+w]);
      end
    end
  end
`endif
`include "sorter.svh"
`ifdef PROVE_paws_sorter_shift
  always_comb begin
    // An entrant meets a full queue. At full size this is too far from reset to be searched.
    if (WARPS <= 8) cover (f_started_q && rst_ni && valid_q[DEPTH-1] && entrant_valid_i);
    // An entrant leaves at once and others stay.
    cover (f_started_q && rst_ni && entrant_valid_i && remove_i && behind[0] && valid_q[0]);
    // The first leaves and the entrant stays.
    cover (f_started_q && rst_ni && entrant_valid_i && remove_i && |valid_q && !behind[0]);
  end
`endif
`undef PAWS_REQUIRE
