// SPDX-License-Identifier: MIT
// The lowest of each set: in the set, alone, and nothing of the set below it.
  for (genvar l = 0; l < LANES; l++) begin : f_gen_set
    logic [COUNT-1:0] f_request, f_lowest;
    always_comb begin
      for (int i = 0; i < COUNT; i++) begin
        f_request[i] = request_i[i*LANES+l];
        f_lowest[i] = lowest_o[i*LANES+l];
      end
      // The lowest is there exactly if the set has one.
      assert ((|f_lowest) == (|f_request));
      // It is one of the set.
      assert ((f_lowest & ~f_request) == '0);
      // It is one alone.
      assert ((f_lowest & (f_lowest - 1'b1)) == '0);
      // Nothing of the set is below it.
      assert (f_lowest == '0 || (f_request & (f_lowest - 1'b1)) == '0);
      // There are more exactly if the set has another.
      assert (more_o[l] == ((f_request & ~f_lowest) != '0));
    end
  end
`ifdef PROVE_paws_lowest
  always_comb begin
    // All are in the sets.
    cover (&request_i);
    // The highest of the last set is its lowest.
    cover (lowest_o[COUNT*LANES-1]);
  end
`endif
