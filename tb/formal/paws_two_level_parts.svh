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
    for (genvar v = 0; v < SLOTS; v++) begin : f_gen_pair
      if (v != w) begin : f_gen_two
        always_comb begin
          if (f_started_q && rst_ni) begin
            // Nobody of active goes before the promoted warp.
            assert (!promote || 32'(head_warp) != w || !f_active_q[v] || !f_before[v*SLOTS+w]);
            // Nobody else is the head.
            assert (!promote || 32'(head_warp) != w || !f_head[v]);
            // Nobody of the collector comes before its front.
            assert (!any_front_slot[w] || !f_collected_q[v] || (!f_earlier_q[v*SLOTS+w] &&
                    (f_earlier_q[w*SLOTS+v] || !(WAKE_OLDEST ? f_older_q[v*SLOTS+w] : v < w))));
            // Nobody else is the front.
            assert (!any_front_slot[w] || !f_front[v]);
          end
        end
      end
    end
    always_comb begin
      if (f_started_q && rst_ni) begin
        // The promoted warp is the head.
        assert (!promote || 32'(head_warp) != w || f_head[w]);
        // The ready list takes the warp that the definition promotes,
        assert (f_promoted[w] == \u_ready.f_promoted [w]);
        // and issues the same.
        assert (f_issued[w] == \u_ready.f_issued [w]);
        // The front is that of the definition.
        assert (any_front_slot[w] == f_front[w]);
      end
    end
  end
