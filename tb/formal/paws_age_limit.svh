// SPDX-License-Identifier: MIT
// Due warps are those gathered and not past; the count goes up by one and stops before the limit.
`include "started.svh"
  logic [WARPS-1:0] f_due_q;
  logic [16:0] f_issues_q;  // issues counted since reset, gathering or restart
  always_ff @(posedge clk_i) begin
    f_due_q <= !rst_ni ? '0 : gather_i ? (f_due_q | candidate_i) & ~past_i : f_due_q & ~past_i;
    if (!rst_ni || gather_i || restart_i) f_issues_q <= '0;
    else if (count_i && 32'(f_issues_q) < LIMIT - 1) f_issues_q <= f_issues_q + 1'b1;
  end
  always_comb begin
    // Where its clock gate is closed nobody becomes due or ceases to be.
    assert (change || due_d == due_q);
    if (f_started_q) begin
      // Due are the warps that have been gathered and have not got their turn since.
      assert (due_o == f_due_q);
      // The count is that of the issues since it began.
      assert (32'(count_q) == 32'(f_issues_q));
      // It goes no further than one before the limit.
      assert (32'(f_issues_q) < LIMIT);
      // The limit is reached exactly there.
      assert (reached_o == (32'(f_issues_q) == LIMIT - 1));
    end
`ifdef PROVE_paws_age_limit
    // All warps are due when the limit is reached again.
    cover (f_started_q && rst_ni && reached_o && gather_i && &due_o);
    // The limit is reached without gathering, and one warp is due.
    cover (f_started_q && rst_ni && reached_o && !gather_i && due_o == WARPS'(1));
`endif
  end
