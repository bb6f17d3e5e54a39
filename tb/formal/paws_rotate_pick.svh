// SPDX-License-Identifier: MIT
// The choice is the requester that comes first after the given one; nobody asks between the two.
  logic [INDEX_W:0] f_way;  // steps from after_i to the choice
  always_comb begin
    // Steps after after_i, 0 to COUNT-1; from index 0 if after_i does not count.
    f_way = {1'b0, index_o};
    if (rotate_i) begin
      f_way = index_o > after_i ? {1'b0, index_o} - after_i : {1'b0, index_o} + COUNT - after_i;
    end
    // There is a choice exactly if somebody asks.
    assert (valid_o == (|request_i));
    // The choice asks.
    assert (!valid_o || (32'(index_o) < COUNT && request_i[index_o]));
    // Without requesters the choice is 0.
    assert (valid_o || index_o == '0);
  end
  for (genvar r = 0; r < COUNT; r++) begin : f_gen_rival
    logic [INDEX_W:0] f_other_way;
    always_comb begin
      f_other_way = r;
      if (rotate_i) f_other_way = r > after_i ? r - after_i : r + COUNT - after_i;
      // No requester has a shorter way than the choice.
      assert (!request_i[r] || 32'(after_i) >= COUNT || f_way <= f_other_way);
    end
  end
`ifdef PROVE_paws_rotate_pick
  always_comb begin
    // The choice wraps around from the last index to the last but one.
    cover (rotate_i && 32'(after_i) == COUNT - 1 && index_o == INDEX_W'(COUNT - 2));
    // The last choice comes again.
    cover (rotate_i && valid_o && index_o == after_i);
    // Without a last choice the last index is chosen.
    cover (!rotate_i && valid_o && index_o == INDEX_W'(COUNT - 1));
  end
`endif
