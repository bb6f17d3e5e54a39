// SPDX-License-Identifier: MIT
// The order of a queue with an entrant: f_order_q is what before_i said when a member was the entrant.
`ifdef PROVE_paws_two_level_contract
`undef PAWS_INVARIANTS  // of what is left out
`endif
  logic [WARPS-1:0] f_here, f_pushed;
  logic [WARPS*WARPS-1:0] f_before, f_order_q;
  assign f_pushed = f_entrant;
  assign f_here = f_member | f_entrant;
  always_comb begin
    for (int v = 0; v < WARPS; v++) begin
      for (int w = 0; w < WARPS; w++) begin
        f_before[v*WARPS+w] = f_entrant[v] ? before_i[w] : f_entrant[w] ? !before_i[v]
                                                                      : f_order_q[v*WARPS+w];
      end
    end
  end
  always_ff @(posedge clk_i) f_order_q <= f_before;
  for (genvar v = 0; v < WARPS; v++) begin : f_gen_upper
    always_comb begin
      // The entrant is no member.
      assert (!f_started_q || !rst_ni || !f_entrant[v] || !f_member[v]);
    end
    for (genvar w = 0; w < WARPS; w++) begin : f_gen_lower
      if (v != w) begin : f_gen_two
        always_comb begin
          // One warp is the entrant, at most.
          assert (!f_started_q || !rst_ni || !f_entrant[v] || !f_entrant[w]);
          // An entrant that goes before a member goes before all behind that one (required).
          `PAWS_REQUIRE (!f_started_q || !rst_ni || !entrant_valid_i || !f_member[v] ||
                         !f_member[w] || !f_order_q[v*WARPS+w] || !before_i[v] || before_i[w]);
          // Of two members one goes before the other.
          assert (!f_started_q || !f_member[v] || !f_member[w] ||
                  f_order_q[v*WARPS+w] != f_order_q[w*WARPS+v]);
        end
      end
    end
  end
