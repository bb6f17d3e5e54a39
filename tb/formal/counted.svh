// SPDX-License-Identifier: MIT
// How many bits are set among the first ones, bit by bit, and what follows from two bits. A proof at full
// size counts with it: each assertion here is one step from the one of the bit before.
module counted #(
    parameter int SLOTS = 24,
    parameter int COUNT_W = $clog2(SLOTS + 1)
) (
    input  wire logic [        SLOTS-1:0] bits_i,
    output logic      [SLOTS*COUNT_W-1:0] upto_o  // [w*COUNT_W +: COUNT_W]: of bits 0 to w
);
  logic [COUNT_W-1:0] count;
  logic one, two, no_one, no_two;  // one bit or two so far are set, or are not
  logic [2*SLOTS-1:0] ones, zeros;  // [2*w +: 2]: how many bits 0 to w are known to be, 2 at most
  always_comb begin
    count = '0;
    {one, two, no_one, no_two} = '0;
    for (int w = 0; w < SLOTS; w++) begin
      count = count + COUNT_W'(bits_i[w]);
      upto_o[w*COUNT_W+:COUNT_W] = count;
      two = two | (one & bits_i[w]);
      one = one | bits_i[w];
      no_two = no_two | (no_one & !bits_i[w]);
      no_one = no_one | !bits_i[w];
      ones[2*w+:2] = {two, one & !two};
      zeros[2*w+:2] = {no_two, no_one & !no_two};
    end
  end
  for (genvar w = 0; w < SLOTS; w++) begin : gen_bit
    always_comb begin
      // The count is as large as the number of bits that are known to be set, at least.
      assert (32'(upto_o[w*COUNT_W+:COUNT_W]) >= 32'(ones[2*w+:2]));
      // With the bits that are known not to be set it is as large as the number of bits, at most.
      assert (32'(upto_o[w*COUNT_W+:COUNT_W]) + 32'(zeros[2*w+:2]) <= w + 1);
    end
  end
endmodule
