// SPDX-License-Identifier: MIT
// What paws_two_level.svh promises of all warps, said again warp by warp and pair by pair, so that each
// question at full size is a small one.
  for (genvar w = 0; w < SLOTS; w++) begin : f_gen_alone
    always_comb begin
      if (f_started_q) begin
        // A live warp is in one queue, any other in none.
        assert (f_live_q[w] == (f_ready_q[w] | f_active_q[w] | f_pending_q[w] | f_collected_q[w]));
        // It is in no two.
        assert (!(f_ready_q[w] && (f_active_q[w] || f_pending_q[w] || f_collected_q[w])) &&
                !(f_active_q[w] && (f_pending_q[w] || f_collected_q[w])) && !(f_pending_q[w] && f_collected_q[w]));
        // The RTL's queues hold it as the definition's do: ready,
        assert (\u_ready.members [w] == f_ready_q[w]);
        // active,
        assert ((f_sorted[w] | f_entrant[w]) == f_active_q[w] && !(f_sorted[w] && f_entrant[w]));
        // pending,
        assert (pending_q[w] == f_pending_q[w]);
        // collector.
        assert (collected[w] == f_collected_q[w]);
        // Only a warp of active is due.
        assert (due[w] == f_due_q[w] && (!f_due_q[w] || f_active_q[w] && !f_entrant[w]));
      end
    end
  end
