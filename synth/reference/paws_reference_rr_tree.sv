// SPDX-License-Identifier: MIT
// Round-robin tree, for comparison (docs/evidence/synthesis.md, "Beside public schedulers"): nodes of two, each
// with the priority bit of its level, as rr_arb_tree of pulp-platform/common_cells arbitrates; written
// anew, without that module's data, grants and locks. STATE 1 adds its fair pointer: the next ready slot.
`default_nettype none

module paws_reference_rr_tree #(
    parameter int unsigned COUNT = 32,  // slots, a power of 2
    parameter bit STATE = 1'b0          // 0: the priority is an input; 1: kept here
) (
    input  wire logic                     clk_i,
    input  wire logic                     rst_ni,
    input  wire logic                     issue_i,   // the chosen slot issues
    input  wire logic [        COUNT-1:0] ready_i,
    input  wire logic [$clog2(COUNT)-1:0] first_i,   // priority, bit b for the nodes of 2**b slots' halves
    output logic                          valid_o,
    output logic      [$clog2(COUNT)-1:0] index_o
);
  localparam int unsigned BITS = $clog2(COUNT);

  logic [BITS-1:0] first;

  // Level l has COUNT / 2**l nodes; node n of it at [n].
  logic [COUNT-1:0] any[0:BITS];
  logic [COUNT*BITS-1:0] index[0:BITS];
  assign any[0] = ready_i;
  assign index[0] = '0;
  for (genvar l = 0; l < BITS; l++) begin : gen_level
    for (genvar n = 0; n < COUNT; n++) begin : gen_node
      if (n < (COUNT >> (l + 1))) begin : gen_used
        logic right;
        assign right = !any[l][2*n] | (any[l][2*n+1] & first[l]);
        assign any[l+1][n] = any[l][2*n] | any[l][2*n+1];
        assign index[l+1][n*BITS+:BITS] =
            (right ? index[l][(2*n+1)*BITS+:BITS] : index[l][2*n*BITS+:BITS]) | (BITS'(right) << l);
      end else begin : gen_unused
        assign any[l+1][n] = 1'b0;
        assign index[l+1][n*BITS+:BITS] = '0;
      end
    end
  end
  assign valid_o = any[BITS][0];
  assign index_o = index[BITS][0+:BITS];

  if (STATE) begin : gen_state
    logic [BITS-1:0] first_q, above, below;
    logic has_above, unused;
    always_comb begin
      above = '0;
      below = '0;
      has_above = 1'b0;
      for (int i = COUNT - 1; i >= 0; i--) begin
        if (ready_i[i] && BITS'(i) > first_q) begin
          above = BITS'(i);
          has_above = 1'b1;
        end
        if (ready_i[i] && BITS'(i) <= first_q) below = BITS'(i);
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) first_q <= '0;
      else if (issue_i && valid_o) first_q <= has_above ? above : below;
    end
    assign first = first_q;
    assign unused = ^first_i;
  end else begin : gen_external
    logic unused;
    assign first = first_i;
    assign unused = ^{clk_i, rst_ni, issue_i};
  end
endmodule

`default_nettype wire
