// SPDX-License-Identifier: MIT
// Oldest of a set of warps, by age rank.
//
// Responsibility: among the warps with valid_i, find the one with the smallest rank.
// Precondition: no two valid warps have the same rank (see paws_ages).
// Structure: elimination from the top digit of the rank down. A warp drops out if its digit is larger
// than that of another remaining warp. A digit has up to three bits: evaluating two or three bits
// in parallel instead of in series costs gates, and saves a wide OR and a select for each bit.
// Timing: combinational, ceil(log2(WARPS) / 3) steps of one wide OR and one select.
// Cost: three gates per warp and digit value.
`default_nettype none

module paws_oldest #(
    parameter int WARPS = 24  // warp slots
) (
    input  wire logic [              WARPS-1:0] valid_i,  // the warp takes part
    input  wire logic [WARPS*$clog2(WARPS)-1:0] age_i,    // ranks, slice b at [b*WARPS +: WARPS]
    output logic      [              WARPS-1:0] choice_o  // the oldest, one bit per slot
);
  localparam int RANK_W = $clog2(WARPS);
  // The low digit has LOW_W bits, the high digit the remaining bits, at most three each.
  localparam int LOW_W = RANK_W > 3 ? RANK_W / 2 : RANK_W;
  localparam int HIGH_W = RANK_W - LOW_W;

  localparam int DIGITS = HIGH_W > 0 ? 2 : 1;

  for (genvar d = 0; d < DIGITS; d++) begin : gen_digit
    localparam int BITS = d == DIGITS - 1 ? LOW_W : HIGH_W;
    localparam int BASE = d == DIGITS - 1 ? 0 : LOW_W;
    // The largest value of this digit: no rank is beyond WARPS-1.
    localparam int TOP = d == 0 ? (WARPS - 1) >> BASE : (1 << BITS) - 1;
    logic [WARPS-1:0] top, middle, low, least, left, keep;  // left: warps that the digits above left
    if (d == 0) begin : gen_first
      assign left = valid_i;
    end else begin : gen_next
      assign left = gen_digit[d-1].keep;
    end
    assign low = age_i[BASE*WARPS+:WARPS];
    if (BITS > 1) begin : gen_middle
      assign middle = age_i[(BASE+1)*WARPS+:WARPS];
    end else begin : gen_no_middle
      assign middle = '0;
    end
    if (BITS > 2) begin : gen_top
      assign top = age_i[(BASE+2)*WARPS+:WARPS];
    end else begin : gen_no_top
      assign top = '0;
    end
    always_comb begin
      keep = left;
      for (int value = 1; value <= TOP; value++) begin
        // Warps whose digit is at least this value.
        case (value)
          1: least = top | middle | low;
          2: least = top | middle;
          3: least = top | (middle & low);
          4: least = top;
          5: least = top & (middle | low);
          6: least = top & middle;
          default: least = top & middle & low;
        endcase
        keep = keep & ~(least & {WARPS{|(left & ~least)}});
      end
    end
  end
  assign choice_o = gen_digit[DIGITS-1].keep;

`ifdef FORMAL
`include "paws_oldest.svh"
`endif
endmodule

`default_nettype wire
