// Oldest of a set of warps, by age rank.
//
// Responsibility: among the warps with valid_i, find the one with the smallest rank.
// Precondition: no two valid warps have the same rank (paws_order_rank gives a permutation).
// Structure: elimination from the top bit of the rank down: if a remaining warp has a 0 there, all that
// have a 1 drop out. For ranks, which are narrow, that is smaller than a tree of comparators.
// Timing: combinational, log2 WARPS steps of one wide OR and one select.
// Cost: three gates per warp and step.
`default_nettype none

module paws_oldest #(
    parameter int WARPS = 24  // warp slots
) (
    input  wire logic [              WARPS-1:0] valid_i,  // the warp takes part
    input  wire logic [WARPS*$clog2(WARPS)-1:0] age_i,    // age rank, smaller is older
    output logic      [              WARPS-1:0] choice_o  // the oldest, one bit per slot
);
  localparam int RANK_W = $clog2(WARPS);

  // digit[b*WARPS + w]: bit b of the rank of warp w.
  logic [RANK_W*WARPS-1:0] digit;
  logic [WARPS-1:0] low;

  for (genvar b = 0; b < RANK_W; b++) begin : gen_bit
    for (genvar w = 0; w < WARPS; w++) begin : gen_warp
      assign digit[b*WARPS+w] = age_i[w*RANK_W+b];
    end
  end

  always_comb begin
    choice_o = valid_i;
    for (int b = RANK_W - 1; b >= 0; b--) begin
      low = choice_o & ~digit[b*WARPS+:WARPS];
      if (|low) choice_o = low;
    end
  end
endmodule

`default_nettype wire
