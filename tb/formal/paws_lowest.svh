// SPDX-License-Identifier: MIT
// The lowest of a set: in the set, alone, and nothing of the set below it.
  always_comb begin
    // The lowest is there exactly if the set has one.
    assert ((|lowest_o) == (|request_i));
    // It is one of the set.
    assert ((lowest_o & ~request_i) == '0);
    // It is one alone.
    assert ((lowest_o & (lowest_o - 1'b1)) == '0);
    // Nothing of the set is below it.
    assert (lowest_o == '0 || (request_i & (lowest_o - 1'b1)) == '0);
    // There are more exactly if the set has another.
    assert (more_o == ((request_i & ~lowest_o) != '0));
  end
`ifdef PROVE_paws_lowest
  always_comb begin
    // All are in the set.
    cover (&request_i);
    // The highest is the lowest.
    cover (lowest_o[COUNT-1]);
  end
`endif
