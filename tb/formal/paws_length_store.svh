// SPDX-License-Identifier: MIT
// For any entry: what is read of it is what was last written to it before the cycle of the read.
  (* anyconst *) logic [INDEX_W-1:0] f_entry;
  logic f_written_q, f_reads_q, f_outside_q, f_known_q, f_seen_q;
  logic [LENGTH_W-1:0] f_length_q, f_read_q;
  logic [PC_W-1:0] f_offset;
  assign f_offset = pc_i - base_i;
  initial begin
    f_written_q = 1'b0;
    f_seen_q = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    f_seen_q <= 1'b1;
    f_reads_q <= f_offset >> SHIFT == PC_W'(f_entry);
    f_outside_q <= f_offset >> SHIFT >= PC_W'(ENTRIES);
    f_read_q <= f_length_q;
    f_known_q <= f_written_q;
    if (write_valid_i && write_index_i == f_entry) begin
      f_written_q <= 1'b1;
      f_length_q <= write_length_i;
    end
  end
  always_comb begin
    // The entry keeps what was written.
    assert (!f_written_q || lengths_q[f_entry] == f_length_q);
    if (f_seen_q) begin
      // An entry is read as it was.
      assert (!f_reads_q || !f_known_q || length_o == f_read_q);
      // Outside of the table is the largest length.
      assert (!f_outside_q || length_o == '1);
    end
  end
`ifdef PROVE_paws_length_store
  always_comb begin
    // A write in the cycle of a read that gets another length.
    cover (f_seen_q && f_written_q && f_reads_q && f_known_q && f_length_q != f_read_q);
    // A program counter below the table.
    cover (f_seen_q && pc_i < base_i);
  end
`endif
