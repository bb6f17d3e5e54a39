// SPDX-License-Identifier: MIT
// Ranks are the order of the latest events. Two free constants stand for every pair of slots.
`ifdef PROVE_paws_order_rank
`define PAWS_REQUIRE assume
`elsif PROVE_paws_order_rank_step
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
// What a parent's proof of a single state may take for granted of ranks.
`ifdef PROVE_paws_single_level_pick
`define PAWS_LEGAL assume
`else
`define PAWS_LEGAL assert
`endif
`include "started.svh"
  always_comb begin
    // The subject of an event is a slot that exists (required).
    `PAWS_REQUIRE (!event_i || 32'(subject_i) < WARPS);
  end

  for (genvar v = 0; v < WARPS; v++) begin : f_gen_rank
    always_comb begin
      // The ranks that are given are those that are kept.
      assert (rank_o[v*RANK_W+:RANK_W] == rank_q[v]);
      // Where its clock gate is closed no rank would change.
      assert (change || rank_d[v] == rank_q[v]);
    end
  end

`ifdef PROVE_paws_order_rank_step
  // Induction by hand, for large sizes: if all ranks were legal in the cycle before, those of any two
  // slots are legal now, and in the order of their latest events if they were.
  (* anyconst *) logic [RANK_W-1:0] f_one, f_other;
  logic f_legal, f_was_legal_q, f_event_q;
  logic f_first_q;  // the latest event of f_one was before that of f_other, if ranks said so
  logic [RANK_W-1:0] f_one_rank, f_other_rank;
  always_comb begin
    f_legal = 1'b1;
    f_one_rank = '0;
    f_other_rank = '0;
    for (int v = 0; v < WARPS; v++) begin
      if (32'(rank_q[v]) >= WARPS) f_legal = 1'b0;
      for (int w = 0; w < v; w++) if (rank_q[v] == rank_q[w]) f_legal = 1'b0;
      if (f_one == RANK_W'(v)) f_one_rank = rank_q[v];
      if (f_other == RANK_W'(v)) f_other_rank = rank_q[v];
    end
    assume (f_one != f_other && 32'(f_one) < WARPS && 32'(f_other) < WARPS);
    if (f_started_q) begin
      // After a reset or legal ranks, two slots have different ranks that exist.
      assert (!f_was_legal_q || (f_one_rank != f_other_rank && 32'(f_one_rank) < WARPS));
      // The slot of an event gets the last rank.
      assert (!f_event_q || f_one_rank == LAST);
      // Two other slots keep their order; the slot of an event comes after any other. After a reset the
      // order is that of the numbers.
      assert (!f_was_legal_q || f_first_q == (f_one_rank < f_other_rank));
    end
    // An event finds another slot last.
    cover (f_started_q && f_was_legal_q && f_one_rank == LAST && event_i && f_legal);
    // Two slots that are no subject of an event keep their order, and one of them moves.
    cover (f_started_q && f_was_legal_q && f_legal && event_i && f_first_q &&
           f_one_rank < rank_q[subject_i] && rank_q[subject_i] < f_other_rank);
  end
  always_ff @(posedge clk_i) begin
    f_was_legal_q <= !rst_ni || f_legal;
    f_event_q <= rst_ni && event_i && subject_i == f_one;
    if (!rst_ni) f_first_q <= f_one < f_other;
    else if (event_i && subject_i == f_one) f_first_q <= 1'b0;
    else if (event_i && subject_i == f_other) f_first_q <= 1'b1;
    else f_first_q <= f_one_rank < f_other_rank;
  end
`else
  for (genvar v = 0; v < WARPS; v++) begin : f_gen_slot
    always_comb begin
      // No rank is beyond the last.
      `PAWS_LEGAL (!f_started_q || 32'(rank_q[v]) < WARPS);
      // A slot is later than the subject if its rank is larger.
      assert (32'(subject_i) >= WARPS || later_o[v] == (rank_o[v*RANK_W+:RANK_W] > subject_rank));
      // The rank of the subject is what is compared with.
      assert (subject_i != RANK_W'(v) || subject_rank == rank_o[v*RANK_W+:RANK_W]);
    end
    for (genvar w = 0; w < v; w++) begin : f_gen_pair
      always_comb begin
        // No two slots have the same rank.
        `PAWS_LEGAL (!f_started_q || rank_q[v] != rank_q[w]);
      end
    end
    always_comb begin
      // No other slot has the rank of the subject.
      assert (!f_started_q || 32'(subject_i) >= WARPS || is_subject[v] || rank_q[v] != subject_rank);
    end
  end
`endif

`ifdef PROVE_paws_order_rank
  (* anyconst *) logic [RANK_W-1:0] f_one, f_other;
  logic f_first_q;  // the latest event of f_one was before that of f_other
  logic [RANK_W-1:0] f_one_rank, f_other_rank;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_first_q <= f_one < f_other;
    else if (event_i && subject_i == f_one) f_first_q <= 1'b0;
    else if (event_i && subject_i == f_other) f_first_q <= 1'b1;
  end
  always_comb begin
    f_one_rank = '0;
    f_other_rank = '0;
    for (int w = 0; w < WARPS; w++) begin
      if (f_one == RANK_W'(w)) f_one_rank = rank_o[w*RANK_W+:RANK_W];
      if (f_other == RANK_W'(w)) f_other_rank = rank_o[w*RANK_W+:RANK_W];
    end
    assume (f_one != f_other && 32'(f_one) < WARPS && 32'(f_other) < WARPS);
    // The smaller of two ranks is the one of the earlier latest event.
    assert (!f_started_q || f_first_q == (f_one_rank < f_other_rank));
    // Events have reversed the order that reset gives.
    cover (f_started_q && rst_ni && f_first_q && f_one_rank == LAST - 1'b1 && f_one > f_other);
    // All others are later than the subject of an event.
    cover (f_started_q && event_i && f_one_rank == '0 && later_o == ~(WARPS'(1) << f_one));
  end
`endif
`undef PAWS_REQUIRE
`undef PAWS_LEGAL
