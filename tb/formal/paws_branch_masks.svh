// SPDX-License-Identifier: MIT
// The definition of the branch masks: the threads of the branch so far, and their outcomes.
`include "started.svh"
  logic [ROWS*LANES-1:0] f_came_q, f_came, f_outcome_q, f_outcome, f_now;
  always_comb begin
    for (int r = 0; r < ROWS; r++) begin
      for (int c = 0; c < LANES; c++) begin
        f_now[r*LANES+c] = valid_i && mask_i[c] && 32'(row_i[c*ROW_W+:ROW_W]) == r;
        f_outcome[r*LANES+c] = f_now[r*LANES+c] ? taken_i[c] : f_outcome_q[r*LANES+c];
      end
    end
    f_came = f_came_q | f_now;
  end
  always_ff @(posedge clk_i) begin
    f_came_q <= rst_ni && !last_i ? f_came : '0;
    f_outcome_q <= f_outcome;
  end

  // The promises of the host: in any order and any number of sub-warps, each active thread comes once.
  always_comb begin
    assume (!last_i || valid_i);
    assume ((f_now & f_came_q) == '0 || !rst_ni);
    assume (!last_i || f_came == active_i || !rst_ni);
    for (int c = 0; c < LANES; c++) begin
      assume (!valid_i || !mask_i[c] || 32'(row_i[c*ROW_W+:ROW_W]) < ROWS);
    end
  end

  always_comb begin
    if (f_started_q && rst_ni) begin
      // B2: diverged exactly if some active threads take the branch and some do not.
      assert (diverged_o == (last_i && (f_came & f_outcome) != '0 && (f_came & ~f_outcome) != '0));
      // Without a last sub-warp there is no outcome.
      assert (last_i || (taken_o == '0 && fall_o == '0));
      // The first buffer has the threads that have come and take the branch.
      assert (taken_q == (f_came_q & f_outcome_q));
    end
  end
  for (genvar t = 0; t < ROWS * LANES; t++) begin : f_gen_thread
    always_comb begin
      if (f_started_q && rst_ni && last_i) begin
        // B1: with the last sub-warp the threads that take the branch are those whose outcome was so.
        assert (taken_o[t] == (active_i[t] && f_outcome[t]));
        // B1: the active threads that do not take it are those whose outcome was so.
        assert (fall_o[t] == (active_i[t] && !f_outcome[t]));
      end
    end
  end
  if (BUFFERS > 1) begin : f_gen_fall
    always_comb begin
      if (f_started_q && rst_ni) begin
        // The second buffer has the threads that have come and do not.
        assert (gen_fall.fall_q == (f_came_q & ~f_outcome_q));
      end
    end
  end

`ifdef PROVE_paws_branch_masks
  if (BUFFERS > 1) begin : f_gen_one_buffer
    // The same inputs with one buffer.
    logic [ROWS*LANES-1:0] f_taken, f_fall;
    logic f_diverged;
    paws_branch_masks #(
        .LANES  (LANES),
        .ROWS   (ROWS),
        .BUFFERS(1)
    ) u_one (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .valid_i   (valid_i),
        .last_i    (last_i),
        .mask_i    (mask_i),
        .row_i     (row_i),
        .taken_i   (taken_i),
        .active_i  (active_i),
        .taken_o   (f_taken),
        .fall_o    (f_fall),
        .diverged_o(f_diverged)
    );
    (* hierconn *) logic [ROWS*LANES-1:0] \u_one.taken_q ;
    (* hierconn *) logic [ROWS*LANES-1:0] \u_one.f_came_q ;
    always_comb begin
      if (f_started_q && rst_ni) begin
        // B3: one buffer says the same as two.
        assert (f_taken == taken_o && f_fall == fall_o && f_diverged == diverged_o);
        // Its buffer is the first of two.
        assert (\u_one.taken_q == taken_q);
        // It has seen the same threads.
        assert (\u_one.f_came_q == f_came_q);
      end
    end
  end
  always_comb begin
    // A branch diverges in its last sub-warp alone.
    cover (f_started_q && rst_ni && diverged_o && taken_q != '0 && (f_came_q & ~f_outcome_q) == '0);
    // All threads of a full large warp fall through.
    cover (f_started_q && rst_ni && last_i && &fall_o);
    // All take the branch.
    cover (f_started_q && rst_ni && last_i && &taken_o);
    // A branch of one sub-warp diverges, after one that did not.
    cover (f_started_q && rst_ni && diverged_o && f_came_q == '0);
  end
`endif
