// SPDX-License-Identifier: MIT
// What paws_count promises: f_count is the number of ones in f_bits. It is proved of the count itself
// (PAWS_PROMISE is assert), and assumed where that is left out (cut in proofs.toml).
  logic [$bits(f_count)-1:0] f_ones;
  always_comb begin
    f_ones = '0;
    for (int b = 0; b < $bits(f_bits); b++) f_ones = f_ones + ($bits(f_count))'(f_bits[b]);
    // The count is the sum of all bits.
    `PAWS_PROMISE (f_count == f_ones);
  end
