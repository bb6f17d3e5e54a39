// SPDX-License-Identifier: MIT
// A stored length is the one of the last sample. There is no reset: f_sampled_q says who has had one.
  logic [WARPS-1:0] f_sampled_q;
  logic [WARPS*PHASE_W-1:0] f_length_q;  // slot by slot
  initial f_sampled_q = '0;
  always_ff @(posedge clk_i) begin
    f_sampled_q <= f_sampled_q | sample_i;
    for (int w = 0; w < WARPS; w++) begin
      if (sample_i[w]) f_length_q[w*PHASE_W+:PHASE_W] <= length_i[w*PHASE_W+:PHASE_W];
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_slot
    for (genvar b = 0; b < PHASE_W; b++) begin : f_gen_bit
      always_comb begin
        // A sampled length is that of the input, any other would not change: so says its clock gate.
        assert (length_d[b][w] == (sample_i[w] ? length_i[w*PHASE_W+b] : length_q[b][w]));
        // The length that is given is the one of the last sample.
        assert (!f_sampled_q[w] || length_o[b*WARPS+w] == f_length_q[w*PHASE_W+b]);
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
