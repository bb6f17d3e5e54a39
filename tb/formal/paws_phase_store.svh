// A stored length is the one of the last sample.
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_slot
    for (genvar b = 0; b < PHASE_W; b++) begin : f_gen_bit
      always_comb begin
        // A warp that is sampled stores its length, any other keeps what it has.
        assert (length_d[b][w] == (sample_i[w] ? length_i[w*PHASE_W+b] : length_q[b][w]));
        // The length that is given is the stored one.
        assert (length_o[b*WARPS+w] == length_q[b][w]);
      end
    end
  end
`ifdef PROVE_paws_phase_store
  always_comb begin
    // All lengths go from the smallest to the largest.
    cover (&sample_i && &length_i && length_o == '0);
    // Nobody is sampled, and lengths are kept.
    cover (sample_i == '0 && |length_o);
  end
`endif
