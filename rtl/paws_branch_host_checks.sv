// SPDX-License-Identifier: MIT
// What a host promises to branch masks, one assertion for each promise. The module drives no hardware.
//
// Responsibility: watch the ports of one paws_branch_masks and report which promise the host breaks, in the
// cycle in which it does. The module contains one in builds with PAWS_ASSERT. A host that uses a netlist of
// it instantiates one beside it. docs/guide/integration.md says why each promise is needed.
// Coincidences: the sub-warp after a last one begins another branch.
`default_nettype none

module paws_branch_host_checks #(
    parameter int LANES = 32,  // threads of a sub-warp, as of the branch masks
    parameter int ROWS = 8     // threads of a lane, as of the branch masks
) (
    input  wire logic                  clk_i,
    input  wire logic                  rst_ni,
    input  wire logic                  valid_i,
    input  wire logic                  last_i,
    input  wire logic [     LANES-1:0] mask_i,
    input  wire logic [LANES*$clog2(ROWS>1?ROWS:2)-1:0] row_i,
    input  wire logic [     LANES-1:0] taken_i,
    input  wire logic [ROWS*LANES-1:0] active_i
);
`ifdef PAWS_ASSERT
  localparam int ROW_W = ROWS > 1 ? $clog2(ROWS) : 1;

  logic [ROWS*LANES-1:0] seen_q, threads;  // threads of the branch so far, and of the sub-warp
  logic [LANES-1:0] exists;
  always_comb begin
    for (int c = 0; c < LANES; c++) exists[c] = 32'(row_i[c*ROW_W+:ROW_W]) < ROWS;
    for (int r = 0; r < ROWS; r++) begin
      for (int c = 0; c < LANES; c++) begin
        threads[r*LANES+c] = valid_i & mask_i[c] & (row_i[c*ROW_W+:ROW_W] == ROW_W'(r));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    seen_q <= (seen_q | threads) & {ROWS * LANES{rst_ni & !last_i}};
    if (rst_ni) begin
      valid_is_known: assert (!$isunknown({valid_i, last_i}))
      else $error("host: valid_i or last_i is unknown");
      last_is_of_a_subwarp: assert (!last_i || valid_i)
      else $error("host: last_i without a sub-warp");
      mask_is_known: assert (!valid_i || !$isunknown({mask_i, taken_i & mask_i}))
      else $error("host: mask_i, or taken_i of a lane in it, is unknown");
      subwarp_has_a_thread: assert (!valid_i || |mask_i)
      else $error("host: a sub-warp without threads");
      active_is_known: assert (!last_i || !$isunknown(active_i))
      else $error("host: active_i is unknown with last_i");
      thread_comes_once: assert ((threads & seen_q) == '0)
      else $error("host: a thread is in two sub-warps of a branch");
      active_threads_came: assert (!last_i || (threads | seen_q) == active_i)
      else $error("host: the threads of the sub-warps are not the active ones");
      for (int c = 0; c < LANES; c++) begin
        row_is_known: assert (!valid_i || !mask_i[c] || !$isunknown(row_i[c*ROW_W+:ROW_W]))
        else $error("host: the row of a lane is unknown");
        row_exists: assert (!valid_i || !mask_i[c] || exists[c])
        else $error("host: a row that does not exist");
      end
    end
  end
`else
  logic unused_inputs;
  assign unused_inputs = ^{clk_i, rst_ni, valid_i, last_i, mask_i, row_i, taken_i, active_i};
`endif
endmodule

`default_nettype wire
