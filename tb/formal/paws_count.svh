// SPDX-License-Identifier: MIT
// The number is that of the ones. Larger counts are built of smaller ones that keep the same promise.
  logic [OUT_W-1:0] f_sum;
  always_comb begin
    f_sum = '0;
    for (int b = 0; b < COUNT; b++) f_sum = f_sum + OUT_W'(bits_i[b]);
  end

  always_comb begin
    // The count is the sum of all bits.
    assert (count_o == f_sum);
`ifdef PROVE_paws_count
    // All bits are set.
    cover (&bits_i);
    // Half of the bits are set.
    cover (count_o == OUT_W'(COUNT / 2));
`endif
  end
