// SPDX-License-Identifier: MIT
// The same of the promoted warp and of the front, where the orders are known.
  for (genvar w = 0; w < SLOTS; w++) begin : f_gen_first
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
