// SPDX-License-Identifier: MIT
// What the adapter says to its scheduler, which is cut: f_live_q are the warps that were launched and have not ended.
// The promises of a host are asserted here, since the adapter is the host.
`include "started.svh"
  logic [SLOTS-1:0] f_live_q, f_fell_q, f_launched, f_ended, f_ends, f_launches;
  assign f_ends = f_live_q & (~active | f_fell_q);
  assign f_launches = active & ~f_live_q;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) begin
      f_launched[w] = |must_launch && launch_warp == SLOT_W'(w);
      f_ended[w] = |must_end && end_warp == SLOT_W'(w);
    end
  end
  always_ff @(posedge clk_i) begin
    f_live_q <= rst_ni ? (f_live_q | f_launched) & ~f_ended : '0;
    f_fell_q <= {SLOTS{rst_ni}} & f_ends & ~f_ended;
  end
  always_comb begin
    // What a scheduler does: it issues only if it may, a warp that can issue, and 0 is the warp otherwise.
    if (f_started_q && rst_ni) begin
      assume (issue ? may_issue && issuable[issue_slot] && 32'(issue_slot) < SLOTS : issue_slot == '0);
      // The host: no warp is issuable and waits.
      assume ((issuable_i & waits_i) == '0);
    end
    if (f_started_q) begin
      // The adapter knows who is live.
      assert (live_q == f_live_q && live_o == f_live_q[WARPS-1:0]);
      // It knows who was inactive since its launch and has not ended. Such a warp is live.
      assert (fell_q == f_fell_q && (f_fell_q & ~f_live_q) == '0);
    end
    if (f_started_q && rst_ni) begin
      // One launch, into a free slot that has a warp.
      assert ((f_launched & (f_live_q | ~active)) == '0);
      // One end, of a live warp that cannot issue.
      assert ((f_ended & ~(f_live_q & ~issuable)) == '0);
      // Launch and end are of different slots.
      assert ((f_launched & f_ended) == '0);
      // A free slot is neither issuable nor waits, nor a warp that must end.
      assert (((issuable | waits) & ~(f_live_q & ~f_ends)) == '0);
      // No warp is issuable and waits.
      assert ((issuable & waits) == '0);
      // Of the live warps that are inactive, or were and have not ended, the lowest ends.
      assert (f_ended == (f_ends & (~f_ends + 1'b1)));
      // Of the warps that are active and not live the lowest launches.
      assert (f_launched == (f_launches & (~f_launches + 1'b1)));
      // The instruction that issues is taken, and no other.
      assert ((taken_o != '0) == (issue && 32'(issue_slot) < WARPS) && (taken_o & ~issuable[WARPS-1:0]) == '0);
      // One at most is taken.
      assert ((taken_o & (taken_o - 1'b1)) == '0);
    end
  end
`ifdef PROVE_paws_core_adapter
  always_comb begin
    // Two warps fall at once, and the second ends in the next cycle.
    cover (f_started_q && rst_ni && fell_q != '0 && f_ended == fell_q && (fell_q & active) != '0);
    // A launch beside an end and an issue.
    cover (f_started_q && rst_ni && f_launched != '0 && f_ended != '0 && issue);
    // The core does not accept, and the buffer fills.
    cover (f_started_q && rst_ni && !may_issue && issue_valid_o && !issue_ready_i);
  end
`endif
