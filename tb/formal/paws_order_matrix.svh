// SPDX-License-Identifier: MIT
// The choice is the first candidate of an order, and a subject takes the place that it is given. Three free constants
// stand for all slots.
  localparam int unsigned F_W = $clog2(WARPS);

`ifdef PROVE_paws_order_matrix_choice
  // The bits are those of some order of all slots: each has a number, and no two the same.
  (* anyconst *) logic [WARPS*F_W-1:0] f_number;
  logic f_choice_is_first;
  always_comb begin
    for (int i = 1; i < WARPS; i++) begin
      for (int j = 0; j < i; j++) begin
        assume (f_number[i*F_W+:F_W] != f_number[j*F_W+:F_W]);
        assume (lower_q[i*(i-1)/2+j] == (f_number[j*F_W+:F_W] < f_number[i*F_W+:F_W]));
      end
    end
    f_choice_is_first = 1'b1;
    for (int i = 0; i < WARPS; i++) begin
      for (int j = 0; j < WARPS; j++) begin
        if (choice_o[i] && candidate_i[j] && i != j &&
            (f_number[i*F_W+:F_W] < f_number[j*F_W+:F_W]) == reverse_i) f_choice_is_first = 1'b0;
      end
    end
    // O1: the choice is the first candidate, or the last one.
    assert (f_choice_is_first);
    // O2: there is a choice if there is a candidate.
    assert ((choice_o != '0) == (candidate_i != '0));
    // O3: there is one choice at most, and it is a candidate.
    assert ((choice_o & (choice_o - 1'b1)) == '0 && (choice_o & ~candidate_i) == '0);
    // All are candidates, and a middle one is the choice.
    cover (&candidate_i && choice_o[WARPS/2]);
  end
`else
  always_comb begin
    // O4: what is chosen could be, and nothing is chosen without candidates.
    assert ((choice_o & ~candidate_i) == '0);
  end
`endif

`ifdef PROVE_paws_order_matrix
  (* anyconst *) logic [F_W-1:0] f_one, f_other;
  // Whether f_one goes before f_other, by what was said of their places.
  logic f_begun_q = 1'b0;
  logic f_known_q, f_first_q, f_bit, f_next_bit;
  logic [SUBJECTS-1:0] f_one_moves, f_other_moves;
  always_comb begin
    assume (32'(f_other) < 32'(f_one) && 32'(f_one) < WARPS);
    for (int s = 0; s < SUBJECTS; s++) begin
      f_one_moves[s] = subject_i[s*WARPS+f_one];
      f_other_moves[s] = subject_i[s*WARPS+f_other];
      // At most one slot is a subject (required).
      assume ((subject_i[s*WARPS+:WARPS] & (subject_i[s*WARPS+:WARPS] - 1'b1)) == '0);
    end
    f_bit = 1'b0;
    f_next_bit = 1'b0;
    for (int i = 1; i < WARPS; i++) begin
      for (int j = 0; j < i; j++) begin
        if (f_one == F_W'(i) && f_other == F_W'(j)) begin
          f_bit = lower_q[i*(i-1)/2+j];
          f_next_bit = lower_d[i*(i-1)/2+j];
        end
      end
    end
    // O5: two slots have the order that was last said of one of them.
    assert (!f_begun_q || !f_known_q || f_bit == f_first_q);
    // Where its clock gate is closed no pair of a tile would change: only pairs of a subject do.
    assert (f_one_moves != '0 || f_other_moves != '0 || f_next_bit == f_bit);
    // Each of the two takes another place than it had.
    cover (f_begun_q && f_known_q && f_one_moves[0] && !f_first_q);
    cover (f_begun_q && f_known_q && f_other_moves[SUBJECTS-1] && f_first_q);
  end
  always_ff @(posedge clk_i) begin
    f_begun_q <= 1'b1;
    if (!f_begun_q) f_known_q <= 1'b0;
    for (int s = SUBJECTS - 1; s >= 0; s--) begin
      if (f_one_moves[s] || f_other_moves[s]) begin
        f_known_q <= 1'b1;
        f_first_q <= f_other_moves[s] ? first_i[s*WARPS+f_one] : !first_i[s*WARPS+f_other];
      end
    end
  end
`endif
