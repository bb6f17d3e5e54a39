// SPDX-License-Identifier: MIT
// Every field, if it fits, else the largest that does. Neighbours stand for all pairs of fields.
  for (genvar f = 0; f < COUNT; f++) begin : f_gen_field
    always_comb begin
      // A field that fits stays as it is, and one that does not becomes the largest that does.
      assert (saturated_o[f*OUT_W+:OUT_W] == ((value_i[f*IN_W+:IN_W] >> OUT_W) == 0 ?
              value_i[f*IN_W+:OUT_W] : {OUT_W{1'b1}}));
    end
    if (f > 0) begin : f_gen_pair
      always_comb begin
        // Saturation keeps the order of two fields, except that some become equal.
        assert (value_i[f*IN_W+:IN_W] < value_i[(f-1)*IN_W+:IN_W] ||
                saturated_o[f*OUT_W+:OUT_W] >= saturated_o[(f-1)*OUT_W+:OUT_W]);
      end
    end
  end
`ifdef PROVE_paws_saturate
  always_comb begin
    // Only the topmost bit is too much.
    cover (&saturated_o[OUT_W-1:0] && value_i[IN_W-1:0] == '0 + (1 << (IN_W - 1)));
    // A field fits.
    cover (saturated_o[OUT_W-1:0] == value_i[IN_W-1:0] && |value_i[IN_W-1:0]);
  end
`endif
