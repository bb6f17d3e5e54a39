// SPDX-License-Identifier: MIT
// For any warp and any entry: phases of the warp are counted as defined, and the entry has learned the last one that any
// warp ended.
`include "started.svh"
  (* anyconst *) logic [WARP_W-1:0] f_warp;
  (* anyconst *) logic [INDEX_W-1:0] f_entry;
  logic f_begins_q, f_inside_q, f_issues, f_known_q, f_read_known_q, f_read_q, f_second_q;
  initial f_second_q = 1'b0;
  logic [INDEX_W-1:0] f_start_q;
  logic [LENGTH_W-1:0] f_predicted_q, f_count_q, f_length_q, f_read_length_q;
  assign f_issues = issue_valid_i && issue_warp_i == f_warp;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || launch_i[f_warp]) begin
      f_begins_q <= 1'b1;
      f_inside_q <= 1'b0;
    end else begin
      f_begins_q <= waits_i[f_warp] || (f_begins_q && !f_issues);
      f_inside_q <= f_inside_q || f_issues;
    end
    if (f_issues && f_begins_q) begin
      f_start_q <= issue_pc_i[SHIFT+:INDEX_W];
      f_predicted_q <= issue_length_i;
      f_count_q <= 1;
    end else if (f_issues && f_count_q != '1) f_count_q <= f_count_q + 1'b1;
    // The entry.
    f_second_q <= f_started_q;
    f_known_q <= rst_ni && (f_known_q || (learns && learned_index == f_entry));
    if (learns && learned_index == f_entry) f_length_q <= learned;
    f_read_q <= pc_i[SHIFT+:INDEX_W] == f_entry;
    f_read_known_q <= f_known_q;
    f_read_length_q <= f_length_q;
  end
  always_comb begin
    assume (32'(f_warp) < WARPS);
    if (f_started_q && rst_ni) begin
      // An issue is of a slot that exists, and not beside a launch or a wait of its slot (required).
      assume (!issue_valid_i || (32'(issue_warp_i) < WARPS && !launch_i[issue_warp_i]));
    end
  end
  for (genvar w = 0; w < WARPS; w++) begin : f_gen_warp
    always_comb begin
      if (f_started_q && 32'(f_warp) == w) begin
        // The next instruction begins a phase as defined.
        assert (begins_o[w] == f_begins_q && inside_q[w] == f_inside_q);
        // A warp that is in no phase begins one.
        assert (f_begins_q || f_inside_q);
        // The phase that the warp is in has its entry, its prediction and its count.
        assert (!f_inside_q || (start_q[w*INDEX_W+:INDEX_W] == f_start_q && predicted_q[w*LENGTH_W+:LENGTH_W] == f_predicted_q &&
                                issued_q[w*LENGTH_W+:LENGTH_W] == f_count_q && f_count_q != '0));
        // What is left is the prediction less the count.
        assert (!f_inside_q || remaining_o[w*LENGTH_W+:LENGTH_W] ==
                (f_predicted_q < f_count_q ? '0 : f_predicted_q - f_count_q));
        // An issue that begins a phase ends the one that the warp was in, and teaches its count.
        assert (!rst_ni || !f_issues || !f_begins_q || !f_inside_q ||
                (learns && learned == f_count_q && learned_index == f_start_q));
        // No other issue teaches anything.
        assert (!rst_ni || !f_issues || (f_begins_q && f_inside_q) || !learns);
      end
    end
  end
  always_comb begin
    if (f_started_q) begin
      // Without an issue nothing is learned.
      assert (issue_valid_i || !learns);
      // The entry knows what it has learned.
      assert (known_q[f_entry] == f_known_q && (!f_known_q || lengths_q[f_entry] == f_length_q));
      // What is read of it is that, or 0.
      assert (!f_second_q || !f_read_q || (read_known_q == f_read_known_q &&
                                           length_o == (f_read_known_q ? f_read_length_q : '0)));
    end
  end
`ifdef PROVE_paws_length_predictor
  always_comb begin
    // The entry learns a second, other length.
    cover (f_started_q && rst_ni && f_known_q && learns && learned_index == f_entry && learned != f_length_q);
    // A count is as long as it can be.
    cover (f_started_q && rst_ni && f_inside_q && f_count_q == '1);
  end
`endif
