// SPDX-License-Identifier: MIT
// Sub-warp packer: cuts the active threads of a large warp into sub-warps of one thread per lane
// (Narasiman et al., MICRO 2011, section 3.1).
//
// Responsibility: one sub-warp in every cycle, from the load until no thread is left.
// docs/reference/microarchitecture.md, "Sub-warp packer", is the specification.
// Modes: packed: each lane gives the thread of its lowest row that is left. Rows: the lowest row that is
// left, for accesses to global memory. Once: as packed, but the first sub-warp is the only one, for
// unconditional jumps.
// Structure: the threads of the cycle are those of the load or those that are left. A paws_lowest finds the
// lowest row of each lane, another one that of all; the mode chooses between the two. What it does not choose
// stays.
// Timing: load_* reach all outputs combinationally, so the first sub-warp is there in the cycle of the load;
// take_i reaches only busy_o.
// Coincidences: a load in the cycle after that of the last sub-warp finds the packer empty. A sub-warp that
// is not taken stays as it is, the first one too. Once nothing is left rest_q means nothing.
// Cost: ROWS * LANES flip-flops for the threads that are left, one that says whether any is, one for each
// mode but packed; LANES + 1 searches of ROWS bits.
`default_nettype none

module paws_subwarp_packer #(
    parameter int LANES = 32,  // threads of a sub-warp, 1 to 32
    parameter int ROWS = 8,    // threads of a lane, 1 to 32
    parameter int MODES = 7    // modes built, bit m for code m: packed (always), rows, once
) (
    input  wire logic                  clk_i,         // clock
    input  wire logic                  rst_ni,        // synchronous reset, active low
    input  wire logic                  load_valid_i,  // a large warp comes; never after a cycle with busy_o
    input  wire logic [           1:0] load_mode_i,   // 0 packed, 1 rows, 2 once
    input  wire logic [ROWS*LANES-1:0] load_mask_i,   // its active threads, one at least: row r at [r*LANES+:LANES]
    input  wire logic                  take_i,        // the back end takes the sub-warp
    output logic                       valid_o,       // there is a sub-warp
    output logic      [     LANES-1:0] mask_o,        // its lanes
    output logic      [LANES*$clog2(ROWS>1?ROWS:2)-1:0] row_o,  // of each lane's thread; 0 for idle lanes
    output logic                       last_o,        // it is the last of its large warp
    output logic                       busy_o         // the next cycle must not bring a large warp
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass. Icarus 11 cannot parse such an $error.
  if (LANES < 1 || LANES > 32) begin : gen_check_lanes
`ifndef __ICARUS__
    $error("paws_subwarp_packer: LANES must be 1 to 32");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (ROWS < 1 || ROWS > 32) begin : gen_check_rows
`ifndef __ICARUS__
    $error("paws_subwarp_packer: ROWS must be 1 to 32");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (MODES > 7 || (MODES & 1) == 0) begin : gen_check_modes
`ifndef __ICARUS__
    $error("paws_subwarp_packer: MODES must be 1 (packed) plus 2 (rows) or 4 (once) or both");
`endif
    paws_illegal_parameter u_stop ();
  end

  // Derived parameters are legal even if a parameter is not, so that its message above appears first.
  localparam int ROW_W = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam int SETS = LANES > 0 ? LANES : 1;
  localparam bit HAS_ROWS = (MODES & 2) != 0;
  localparam bit HAS_ONCE = (MODES & 4) != 0;

  logic rest_valid_q;  // threads are left, in rest_q
  logic [ROWS*LANES-1:0] rest_q, present, chosen;
  logic by_rows, once, more;

  assign valid_o = load_valid_i | rest_valid_q;
  assign present = (load_mask_i & {ROWS * LANES{load_valid_i}}) | (rest_q & {ROWS * LANES{rest_valid_q}});
  assign last_o = valid_o & (once | !more);
  assign busy_o = valid_o & !(last_o & take_i);

  always_ff @(posedge clk_i) begin
    rest_valid_q <= busy_o & rst_ni;
    rest_q <= present & ~(chosen & {ROWS * LANES{take_i}});
  end

  // The mode of the threads that are present.
  if (HAS_ROWS) begin : gen_by_rows
    logic by_rows_q;
    assign by_rows = load_valid_i ? load_mode_i[0] : by_rows_q;
    always_ff @(posedge clk_i) by_rows_q <= by_rows;
  end else begin : gen_not_by_rows
    assign by_rows = 1'b0;
  end
  if (HAS_ONCE) begin : gen_once
    logic once_q;
    assign once = load_valid_i ? load_mode_i[1] : once_q;
    always_ff @(posedge clk_i) once_q <= once;
  end else begin : gen_not_once
    assign once = 1'b0;
  end
  if (MODES != 7) begin : gen_mode_unused
    logic unused_mode;
    assign unused_mode = ^load_mode_i;
  end

  // The lowest row of each lane, and the lowest of all.
  logic [ROWS*LANES-1:0] lowest;
  logic [LANES-1:0] more_in_lane;
  logic [ROWS-1:0] lowest_row;
  logic more_rows;
  paws_lowest #(
      .COUNT(ROWS),
      .LANES(SETS)
  ) u_lowest (
      .request_i(present),
      .lowest_o (lowest),
      .more_o   (more_in_lane)
  );
  if (HAS_ROWS) begin : gen_lowest_row
    logic [ROWS-1:0] occupied;
    for (genvar r = 0; r < ROWS; r++) begin : gen_row
      assign occupied[r] = |present[r*LANES+:LANES];
    end
    paws_lowest #(
        .COUNT(ROWS)
    ) u_lowest (
        .request_i(occupied),
        .lowest_o (lowest_row),
        .more_o   (more_rows)
    );
  end else begin : gen_no_lowest_row
    assign lowest_row = '0;
    assign more_rows = 1'b0;
  end
  assign more = by_rows ? more_rows : |more_in_lane;

  for (genvar r = 0; r < ROWS; r++) begin : gen_chosen
    assign chosen[r*LANES+:LANES] = by_rows ? present[r*LANES+:LANES] & {LANES{lowest_row[r]}} :
        lowest[r*LANES+:LANES];
  end

  // Bit b of the row number of every lane: a row whose number has it is chosen there.
  for (genvar b = 0; b < ROW_W; b++) begin : gen_row_bit
    logic [LANES-1:0] plane;
    always_comb begin
      plane = '0;
      for (int r = 0; r < ROWS; r++) begin
        if (((r >> b) & 1) != 0) plane = plane | chosen[r*LANES+:LANES];
      end
    end
    for (genvar c = 0; c < LANES; c++) begin : gen_lane
      assign row_o[c*ROW_W+b] = plane[c];
    end
  end
  always_comb begin
    mask_o = '0;
    for (int r = 0; r < ROWS; r++) mask_o = mask_o | chosen[r*LANES+:LANES];
  end

`ifdef PAWS_ASSERT
  // The promises of the host, and what a sub-warp always is.
  paws_packer_host_checks #(
      .LANES(LANES),
      .ROWS (ROWS),
      .MODES(MODES)
  ) u_host (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .load_valid_i(load_valid_i),
      .load_mode_i (load_mode_i),
      .load_mask_i (load_mask_i),
      .take_i      (take_i),
      .valid_i     (valid_o),
      .busy_i      (busy_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      subwarp_has_a_thread: assert (valid_o == (|mask_o))
      else $error("sub-warp packer: a sub-warp without threads, or threads without a sub-warp");
      last_ends_it: assert (!(last_o && take_i) || !busy_o)
      else $error("sub-warp packer: busy after the last sub-warp was taken");
    end
  end
`endif

`ifdef FORMAL
`include "paws_subwarp_packer.svh"
`endif
endmodule

`default_nettype wire
