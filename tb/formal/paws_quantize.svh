// SPDX-License-Identifier: MIT
// Keys have the order of what is left of the fields. f_kept is that by its definition: the PRECISION
// leading bits, from the leading one downwards, and zeros below. Neighbours stand for all pairs.
  logic [COUNT*FIELD_W-1:0] f_kept;
  logic [FIELD_W-1:0] f_field;
  always_comb begin
    for (int f = 0; f < COUNT; f++) begin
      f_field = value_i[f*FIELD_W+:FIELD_W];
      f_kept[f*FIELD_W+:FIELD_W] = f_field;
      for (int x = PRECISION; x < FIELD_W; x++) begin
        if ((f_field >> x) == 1) begin
          f_kept[f*FIELD_W+:FIELD_W] = (f_field >> (x + 1 - PRECISION)) << (x + 1 - PRECISION);
        end
      end
    end
  end

  for (genvar f = 0; f < COUNT; f++) begin : f_gen_field
    always_comb begin
      // No key is beyond the largest exponent.
      assert (32'(key_o[f*KEY_W+:KEY_W]) < ((FIELD_W - PRECISION + 2) << (PRECISION - 1)));
      // A field that has no more than PRECISION bits is its own key.
      assert ((value_i[f*FIELD_W+:FIELD_W] >> PRECISION) != 0 ||
              32'(key_o[f*KEY_W+:KEY_W]) == 32'(value_i[f*FIELD_W+:FIELD_W]));
    end
    if (f > 0) begin : f_gen_pair
      always_comb begin
        // Keys are equal exactly if what is left of the fields is.
        assert ((key_o[f*KEY_W+:KEY_W] == key_o[(f-1)*KEY_W+:KEY_W]) ==
                (f_kept[f*FIELD_W+:FIELD_W] == f_kept[(f-1)*FIELD_W+:FIELD_W]));
        // Keys are in the order of what is left of the fields.
        assert ((key_o[f*KEY_W+:KEY_W] < key_o[(f-1)*KEY_W+:KEY_W]) ==
                (f_kept[f*FIELD_W+:FIELD_W] < f_kept[(f-1)*FIELD_W+:FIELD_W]));
        // Keys keep the order of the fields themselves, except that some become equal.
        assert (value_i[f*FIELD_W+:FIELD_W] < value_i[(f-1)*FIELD_W+:FIELD_W] ||
                key_o[f*KEY_W+:KEY_W] >= key_o[(f-1)*KEY_W+:KEY_W]);
      end
    end
  end
`ifdef PROVE_paws_quantize
  always_comb begin
    // The largest field.
    cover (&value_i[FIELD_W-1:0]);
    // The smallest field.
    cover (value_i[FIELD_W-1:0] == '0);
    // Two fields that differ become equal; without loss of bits there are none.
    cover (PRECISION == FIELD_W || (COUNT > 1 && value_i[0] != value_i[FIELD_W] &&
           value_i[FIELD_W-1] && key_o[KEY_W-1:0] == key_o[KEY_W+:KEY_W]));
  end
`endif
