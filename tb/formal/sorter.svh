// SPDX-License-Identifier: MIT
// What every micro-architecture of the active queue promises. The module that includes this says who is
// active (f_here), who goes before whom (f_before, row v, column w: v goes before w), who is pushed in
// this cycle (f_pushed; an entrant is active when it comes, so it is pushed in the same cycle), and who
// its members are (f_member). With PROVE_paws_two_level_contract the sorter is left out (cut in proofs.toml) and
// its outputs are any that keep these promises; what it requires is asserted then.
`ifdef PROVE_paws_two_level_contract
`define PAWS_PROMISE assume
`else
`define PAWS_PROMISE assert
`endif
  logic [WARPS-1:0] f_kept_q;  // members by definition: pushes minus pops
  logic [WARPS-1:0] f_head, f_popped;
  assign f_head = WARPS'(1) << head_warp_o;
  assign f_popped = f_head & {WARPS{remove_i}};
  always_ff @(posedge clk_i) f_kept_q <= rst_ni ? (f_kept_q | f_pushed) & ~f_popped & ~end_i : '0;

  always_comb begin
    if (f_started_q && rst_ni) begin
      // Nothing is removed from an empty queue (required).
      `PAWS_REQUIRE (!remove_i || head_valid_o);
      // At most one warp ends, nobody who is pushed, and no member beside a removal (required).
      `PAWS_REQUIRE ((end_i & (end_i - 1'b1)) == '0 && (end_i & f_pushed) == '0 &&
                     (!remove_i || (end_i & f_member) == '0));
      // Nobody is pushed who is a member (required).
      `PAWS_REQUIRE ((f_pushed & f_member) == '0);
    end
  end
  // The same, warp by warp.
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_end
    always_comb begin
      // A warp that ends is not pushed, and no member beside a removal.
      assert (!f_started_q || !rst_ni || !end_i[w] || (!f_pushed[w] && (!remove_i || !f_member[w])));
    end
    for (genvar v = 0; v < w; v++) begin : f_gen_two
      always_comb begin
        // One warp ends, at most.
        assert (!f_started_q || !rst_ni || !end_i[v] || !end_i[w]);
      end
    end
  end
  always_comb begin
    if (f_started_q) begin
      // The members are the pushed warps minus the popped ones and those that ended.
      `PAWS_PROMISE (f_member == f_kept_q);
      // The members that are shown are the same.
      `PAWS_PROMISE (member_o == f_kept_q);
    end
    if (f_started_q && rst_ni) begin
      // There is a head exactly if somebody is active.
      `PAWS_PROMISE (head_valid_o == (|f_here));
      // The head is active.
      `PAWS_PROMISE (!head_valid_o || (|f_head && (f_head & ~f_here) == '0));
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_head
    for (genvar v = 0; v < WARPS; v++) begin : f_gen_rival
      if (v != w) begin : f_gen_two
        always_comb begin
          // Nobody who is active goes before the head.
          `PAWS_PROMISE (!f_started_q || !rst_ni || !head_valid_o || !f_head[w] || !f_here[v] ||
                         !f_before[v*WARPS+w]);
        end
      end
    end
  end
`undef PAWS_PROMISE
