// SPDX-License-Identifier: MIT
// The definition of the sub-warp packer: the threads that are left, from which every sub-warp that is taken
// removes those that the ports name; and the number of sub-warps that are to come.
`include "started.svh"
  localparam int unsigned F_NUMBER_W = $clog2(ROWS + 1);

  logic f_open_q;                            // a large warp is loaded, and its last sub-warp not taken
  logic [1:0] f_mode_q, f_mode;
  logic [ROWS*LANES-1:0] f_left_q, f_threads, f_named;
  logic [F_NUMBER_W-1:0] f_number_q, f_number;  // sub-warps to come, that of the cycle included
  logic f_rows, f_once, f_busy_q;
  assign f_mode = load_valid_i ? load_mode_i : f_mode_q;
  assign f_rows = f_mode == 2'd1;
  assign f_once = f_mode == 2'd2;
  assign f_threads = load_valid_i ? load_mask_i : f_open_q ? f_left_q : '0;

  // The promises of the host.
  always_ff @(posedge clk_i) f_busy_q <= busy_o && rst_ni;
  always_comb begin
    if (f_started_q && rst_ni && load_valid_i) begin
      assume (!f_busy_q);
      assume (load_mask_i != '0);
      assume (load_mode_i == 2'd0 || (load_mode_i == 2'd1 && HAS_ROWS) || (load_mode_i == 2'd2 && HAS_ONCE));
    end
  end

  // The threads that the ports name.
  always_comb begin
    for (int r = 0; r < ROWS; r++) begin
      for (int c = 0; c < LANES; c++) begin
        f_named[r*LANES+c] = mask_o[c] && 32'(row_o[c*ROW_W+:ROW_W]) == r;
      end
    end
  end

  // Sub-warps of a set: the largest population of a column, or the rows that are not empty. As a row of
  // ones, bit k - 1: there are k at least.
  logic [LANES*ROWS-1:0] f_column, f_column_left;  // of column c at [c*ROWS+:ROWS]
  logic [ROWS-1:0] f_deep, f_deep_left;
  logic [F_NUMBER_W-1:0] f_rows_used, f_deepest;
  always_comb begin
    f_column = '0;
    f_column_left = '0;
    for (int c = 0; c < LANES; c++) begin
      for (int r = 0; r < ROWS; r++) begin
        if (f_threads[r*LANES+c]) begin
          for (int k = ROWS - 1; k > 0; k--) f_column[c*ROWS+k] = f_column[c*ROWS+k-1];
          f_column[c*ROWS] = 1'b1;
        end
        if (f_left_q[r*LANES+c]) begin
          for (int k = ROWS - 1; k > 0; k--) f_column_left[c*ROWS+k] = f_column_left[c*ROWS+k-1];
          f_column_left[c*ROWS] = 1'b1;
        end
      end
    end
    f_deep = '0;
    f_deep_left = '0;
    for (int c = 0; c < LANES; c++) begin
      f_deep = f_deep | f_column[c*ROWS+:ROWS];
      f_deep_left = f_deep_left | f_column_left[c*ROWS+:ROWS];
    end
    f_rows_used = '0;
    f_deepest = '0;
    for (int r = 0; r < ROWS; r++) begin
      f_rows_used = f_rows_used + F_NUMBER_W'(|f_threads[r*LANES+:LANES]);
      f_deepest = f_deepest + F_NUMBER_W'(f_deep[r]);
    end
    f_number = !load_valid_i ? f_number_q : f_once ? F_NUMBER_W'(1) : f_rows ? f_rows_used : f_deepest;
  end

  logic f_ends;
  assign f_ends = valid_o && last_o && take_i;
  always_ff @(posedge clk_i) begin
    f_open_q <= rst_ni && (load_valid_i || f_open_q) && !f_ends;
    f_mode_q <= f_mode;
    f_left_q <= f_threads & ~(f_named & {ROWS * LANES{take_i}});
    f_number_q <= f_number - F_NUMBER_W'(take_i);
  end

  always_comb begin
    if (f_started_q && rst_ni) begin
      // There is a sub-warp exactly from the load until the last one is taken.
      assert (valid_o == (load_valid_i || f_open_q));
      // A sub-warp has a thread, and only a sub-warp has.
      assert (valid_o == (|mask_o));
      // P1: its threads are of those that are left.
      assert ((f_named & ~f_threads) == '0);
      // P2: each lane that takes part has a row that exists: one thread.
      assert (f_named == chosen);
      // The last one leaves nothing, except where the rest is dropped.
      assert (!last_o || f_once || f_named == f_threads);
      // P3: one that is not the last leaves something, and drops nothing.
      assert (!valid_o || last_o || (!f_once && f_named != f_threads));
      // P3: there are as many as the largest column has threads, or as rows are not empty; once: one.
      assert (!valid_o || last_o == (32'(f_number) == 1));
      // P7: busy until the last one is taken.
      assert (busy_o == (valid_o && !f_ends));
      // P8: nothing is there without a load once the last one is taken.
      assert (f_open_q || load_valid_i || (mask_o == '0 && row_o == '0 && !last_o && !busy_o));
      // What is left is that of the definition.
      assert (rest_valid_q == f_open_q && (!f_open_q || rest_q == f_left_q));
      // Something is.
      assert (!f_open_q || f_left_q != '0);
      // A mode is that of the load.
      assert (!f_open_q || (by_rows == f_rows && once == f_once) || load_valid_i);
      // The mode is one that is built.
      assert (!f_open_q || f_mode_q == 2'd0 || (f_mode_q == 2'd1 && HAS_ROWS) || (f_mode_q == 2'd2 && HAS_ONCE));
      // A large warp that is open made the packer busy.
      assert (f_busy_q == f_open_q);
      // Packed: the sub-warps to come are as many as the largest column that is left has threads.
      assert (!f_open_q || f_mode_q != 2'd0 || (f_deep_left[ROWS-1] ? 32'(f_number_q) == ROWS :
              32'(f_number_q) < ROWS && ((ROWS + 1)'(1) << f_number_q) == {1'b0, f_deep_left} + 1'b1));
      // Once: one is to come.
      assert (!f_open_q || f_mode_q != 2'd2 || 32'(f_number_q) == 1);
    end
  end

  // Rows: as many are to come as rows are not empty.
  logic [F_NUMBER_W-1:0] f_rows_left;
  always_comb begin
    f_rows_left = '0;
    for (int r = 0; r < ROWS; r++) f_rows_left = f_rows_left + F_NUMBER_W'(|f_left_q[r*LANES+:LANES]);
    if (f_started_q && rst_ni) begin
      // Rows: as many sub-warps are to come as rows that are left are not empty.
      assert (!f_open_q || f_mode_q != 2'd1 || f_number_q == f_rows_left);
    end
  end

  // The rows that have been before, of every lane and of all lanes.
  logic [ROWS*LANES-1:0] f_above_q, f_above;  // threads of rows above those that have been
  logic [LANES-1:0] f_mask_q;                 // lanes of the sub-warp before
  always_comb f_above = load_valid_i ? '1 : f_above_q;
  always_ff @(posedge clk_i) begin
    if (take_i) f_mask_q <= mask_o;
    else if (load_valid_i) f_mask_q <= '1;
    for (int c = 0; c < LANES; c++) begin
      for (int r = 0; r < ROWS; r++) begin
        f_above_q[r*LANES+c] <= f_above[r*LANES+c] &&
            !(take_i && mask_o[c] && 32'(row_o[c*ROW_W+:ROW_W]) >= r);
      end
    end
  end
  logic f_held_q;  // the sub-warp of the cycle before was not taken
  logic [LANES-1:0] f_held_mask_q;
  logic [LANES*ROW_W-1:0] f_held_row_q;
  logic f_held_last_q;
  always_ff @(posedge clk_i) begin
    f_held_q <= rst_ni && valid_o && !take_i;
    f_held_mask_q <= mask_o;
    f_held_row_q <= row_o;
    f_held_last_q <= last_o;
  end
  always_comb begin
    if (f_started_q && rst_ni) begin
      // P4: the rows of a lane ascend.
      assert (!valid_o || (f_named & ~f_above) == '0);
      // P4: what is left of a lane is above the rows that have been.
      assert (!f_open_q || (f_left_q & ~f_above_q) == '0);
      // P4: packed, no lane comes back.
      assert (load_valid_i || !f_open_q || f_mode_q == 2'd1 || (mask_o & ~f_mask_q) == '0);
      // P6: a sub-warp that is not taken stays.
      assert (!f_held_q || (valid_o && mask_o == f_held_mask_q && row_o == f_held_row_q &&
              last_o == f_held_last_q));
    end
  end
  for (genvar c = 0; c < LANES; c++) begin : f_gen_lane
    logic f_any;
    always_comb begin
      f_any = 1'b0;
      for (int r = 0; r < ROWS; r++) f_any = f_any | f_left_q[r*LANES+c];
      if (f_started_q && rst_ni) begin
        // Packed: a lane in which a thread is left took part in the sub-warp before.
        assert (!f_open_q || f_mode_q == 2'd1 || !f_any || f_mask_q[c]);
        // An idle lane has row 0.
        assert (mask_o[c] || row_o[c*ROW_W+:ROW_W] == '0);
      end
    end
    for (genvar r = 0; r < ROWS; r++) begin : f_gen_row
      always_comb begin
        if (f_started_q && rst_ni && f_threads[r*LANES+c]) begin
          // Packed: each lane in which a thread is left takes part, with its lowest row.
          assert (f_rows || (mask_o[c] && 32'(row_o[c*ROW_W+:ROW_W]) <= r));
          // P5: in row mode a thread of the row takes part, with all others of it, unless a lower row does.
          assert (!f_rows || f_named[r*LANES+c] || (f_named & ((ROWS * LANES)'(1) << (r * LANES)) - 1'b1) != '0);
          // P5: in row mode all threads are of one row.
          assert (!f_rows || !f_named[r*LANES+c] || f_named == (f_threads & ({{ROWS * LANES - LANES{1'b0}}, {LANES{1'b1}}} << (r * LANES))));
        end
      end
    end
  end

`ifdef PROVE_paws_subwarp_packer
  logic [F_NUMBER_W-1:0] f_of_q, f_of;  // sub-warps of the large warp
  logic f_after_hold_q, f_after_last_q;
  always_comb f_of = load_valid_i ? f_number : f_of_q;
  always_ff @(posedge clk_i) begin
    f_of_q <= f_of;
    f_after_hold_q <= f_started_q && rst_ni && valid_o && !take_i;
    f_after_last_q <= f_started_q && rst_ni && f_ends;
  end
  always_comb begin
    // A large warp of as many sub-warps as there are rows ends, the last one after a hold.
    cover (f_started_q && rst_ni && f_ends && 32'(f_of) == ROWS && f_after_hold_q);
    // A load in the cycle after that of a last sub-warp.
    cover (f_started_q && rst_ni && f_after_last_q && load_valid_i && !last_o);
    // Full columns.
    cover (f_started_q && rst_ni && load_valid_i && &load_mask_i);
  end
  if (HAS_ROWS && ROWS > 2) begin : f_gen_cover_rows
    always_comb begin
      // Row mode: an empty row between full ones.
      cover (f_started_q && rst_ni && f_rows && !load_valid_i && last_o && f_above_q[LANES] && mask_o == '1 &&
             32'(row_o[ROW_W-1:0]) == 2);
    end
  end
  if (HAS_ONCE) begin : f_gen_cover_once
    always_comb begin
      // Once: a rest is dropped after a hold.
      cover (f_started_q && rst_ni && f_once && f_ends && f_named != f_threads && f_after_hold_q);
    end
  end
`endif
