// SPDX-License-Identifier: MIT
// Why the entries of paws_sorter_shift are in order, at any size: a warp that is in entries 0 to e or not says more
// simply than its number where it stands. All warps on one side of a place move alike in a cycle. What the cycle
// before did is in registers (sorter_rank.svh says why).
  // [w*DEPTH + e]: the warp is in entries 0 to e, now and in the cycle before; in entry e, in the cycle before.
  logic [WARPS*DEPTH-1:0] f_upto_d, f_upto_q, f_old_upto_q, f_old_at_q;
  // [e]: somebody of entries 0 to e left; the entrant took one of them; how entry e was filled.
  logic [DEPTH-1:0] f_closes, f_pushes, f_closes_q, f_pushes_q;
  logic [DEPTH-1:0] f_back, f_new, f_forward, f_back_q, f_new_q, f_forward_q;
  logic [WARPS-1:0] f_leaves_at_once, f_stays, f_stays_q, f_in_q;
  logic f_ran_q;  // the cycle before was no reset
  assign f_leaves_at_once = f_entrant & {WARPS{remove_i && behind[0]}};
  assign f_stays = f_member & ~end_i & ~f_popped;
  for (genvar e = 0; e < DEPTH; e++) begin : f_gen_move
    logic f_behind_after, f_closes_before, f_behind_before;
    if (e == DEPTH - 1) begin : f_gen_last
      assign f_behind_after = 1'b1;
    end else begin : f_gen_not_last
      assign f_behind_after = behind[e+1];
    end
    if (e == 0) begin : f_gen_first
      assign f_closes_before = remove_i;
      assign f_behind_before = 1'b0;
    end else begin : f_gen_not_first
      assign f_closes_before = remove_i | ended[e-1];
      assign f_behind_before = behind[e-1];
    end
    assign f_closes[e] = remove_i | ended[e];
    assign f_pushes[e] = entrant_valid_i & (f_closes[e] ? f_behind_after : behind[e]);
    assign f_back[e] = entrant_valid_i & !f_closes_before & f_behind_before;
    assign f_new[e] = !f_back[e] & entrant_valid_i & (f_closes_before | f_closes[e] & !behind[e] ?
        f_behind_after & !behind[e] : behind[e] & !f_behind_before);
    assign f_forward[e] = !f_back[e] & !f_new[e] & f_closes[e] & !(entrant_valid_i & f_behind_after);
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_upto
    for (genvar e = 0; e < DEPTH; e++) begin : f_gen_entry
      assign f_upto_d[w*DEPTH+e] = (e > 0 && f_upto_d[w*DEPTH+(e>0?e-1:0)]) ||
          (valid_d[e] && 32'(warp_d[e*WARP_W+:WARP_W]) == w);
    end
  end
  always_ff @(posedge clk_i) begin
    f_ran_q <= f_started_q && rst_ni;
    f_upto_q <= f_upto_d;
    f_old_upto_q <= f_upto_q;
    for (int w = 0; w < WARPS; w++) begin
      for (int e = 0; e < DEPTH; e++) f_old_at_q[w*DEPTH+e] <= f_slot[e*WARPS+w];
    end
    f_closes_q <= f_closes;
    f_pushes_q <= f_pushes;
    f_back_q <= f_back;
    f_new_q <= f_new;
    f_forward_q <= f_forward;
    f_stays_q <= f_stays;
    f_in_q <= f_entrant & ~f_leaves_at_once;
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_where
    for (genvar e = 0; e < DEPTH; e++) begin : f_gen_entry
      localparam int I = w * DEPTH + e;
      logic f_old_before, f_old_after, f_before_e, f_old_at_before, f_old_at_after;
      assign f_old_before = e > 0 && f_old_upto_q[e>0?I-1:I];
      assign f_old_after = f_old_upto_q[e<DEPTH-1?I+1:I];
      assign f_old_at_before = e > 0 && f_old_at_q[e>0?I-1:I];
      assign f_old_at_after = e < DEPTH - 1 && f_old_at_q[e<DEPTH-1?I+1:I];
      assign f_before_e = e > 0 && f_upto_q[e>0?I-1:I];
      always_comb begin
        // A warp is in entries 0 to e if it is in those before e or in e.
        assert (!f_started_q || f_upto_q[I] == (f_before_e || f_slot[e*WARPS+w]));
        // It was.
        assert (!f_ran_q || f_old_at_q[I] == (f_old_upto_q[I] && !f_old_before));
        // An entry has the warp of the one before it, the entrant, the warp of the one behind it or its own.
        assert (!f_ran_q || f_slot[e*WARPS+w] == (f_back_q[e] ? f_old_at_before : f_new_q[e] ? f_in_q[w] :
                f_forward_q[e] ? f_old_at_after : f_old_at_q[I]));
        // All warps on one side of a place move alike.
        assert (!f_ran_q || f_upto_q[I] == (f_in_q[w] && f_pushes_q[e] || f_stays_q[w] &&
                (f_closes_q[e] == f_pushes_q[e] ? f_old_upto_q[I] : f_closes_q[e] ? f_old_after : f_old_before)));
        // A warp is in one entry.
        assert (!f_started_q || !f_slot[e*WARPS+w] || !f_before_e);
        // A member is in one.
        if (e == DEPTH - 1) assert (!f_started_q || f_member[w] == f_upto_q[I]);
      end
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_order
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_other
      for (genvar e = 0; e < DEPTH - 1; e++) begin : f_gen_entry
        if (v != w) begin : f_gen_two
          always_comb begin
            // Who is in entries 0 to e goes before who is behind them.
            assert (!f_started_q || !f_upto_q[w*DEPTH+e] || f_upto_q[v*DEPTH+e] || !f_member[v] ||
                    f_order_q[w*WARPS+v]);
          end
        end
      end
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_side
    for (genvar e = 0; e < DEPTH; e++) begin : f_gen_entry
      localparam int I = w * DEPTH + e;
      always_comb begin
        // The entrant goes before all from the first entry that it goes before,
        assert (!f_started_q || !rst_ni || !entrant_valid_i || !f_member[w] || !behind[e] ||
                (e > 0 && f_upto_q[e>0?I-1:I]) || before_i[w]);
        // and before nobody in front of it.
        assert (!f_started_q || !rst_ni || !entrant_valid_i || !f_upto_q[I] || behind[e] || !before_i[w]);
        // Entries from that of a warp that ends close up,
        assert (!f_started_q || !rst_ni || !LATE_EXIT || !end_i[w] || !f_member[w] || ended[e] == f_upto_q[I]);
      end
    end
  end
  for (genvar e = 0; e < DEPTH; e++) begin : f_gen_ended
    always_comb begin
      // and no others do.
      assert (!f_started_q || !rst_ni || !ended[e] || |(end_i & f_member));
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_kept
    always_comb begin
      // A member was pushed and since then neither popped nor ended.
      assert (!f_started_q || f_member[w] == f_kept_q[w]);
    end
  end
