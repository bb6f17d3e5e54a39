// SPDX-License-Identifier: MIT
// Age matrix, for comparison (docs/evidence/synthesis.md, "Beside public schedulers"): one bit for every pair of
// slots says which was launched first; the oldest ready slot is the one that no ready slot is older than.
// STATE 0 has the bits for inputs, and so shows the selection alone.
`default_nettype none

module paws_reference_age_matrix #(
    parameter int unsigned COUNT = 32,  // slots
    parameter bit STATE = 1'b0          // 0: the matrix is an input; 1: kept here
) (
    input  wire logic                               clk_i,
    input  wire logic [                  COUNT-1:0] ready_i,
    input  wire logic [                  COUNT-1:0] launch_i,  // one slot becomes the youngest
    input  wire logic [      COUNT*(COUNT-1)/2-1:0] older_i,   // pair (i, j), j < i, at i(i-1)/2+j: j is older
    output logic                                    valid_o,
    output logic      [          $clog2(COUNT)-1:0] index_o
);
  localparam int unsigned BITS = $clog2(COUNT);
  localparam int unsigned PAIRS = COUNT * (COUNT - 1) / 2;

  logic [PAIRS-1:0] older;
  logic [COUNT-1:0] oldest;
  always_comb begin
    oldest = ready_i;
    for (int i = 1; i < COUNT; i++) begin
      for (int j = 0; j < i; j++) begin
        if (ready_i[j] && older[i*(i-1)/2+j]) oldest[i] = 1'b0;
        if (ready_i[i] && !older[i*(i-1)/2+j]) oldest[j] = 1'b0;
      end
    end
    index_o = '0;
    for (int i = 0; i < COUNT; i++) index_o = index_o | (BITS'(i) & {BITS{oldest[i]}});
  end
  assign valid_o = |ready_i;

  if (STATE) begin : gen_state
    logic unused;
    logic [PAIRS-1:0] older_q;
    always_ff @(posedge clk_i) begin
      for (int i = 1; i < COUNT; i++) begin
        for (int j = 0; j < i; j++) begin
          older_q[i*(i-1)/2+j] <= (older_q[i*(i-1)/2+j] | launch_i[i]) & !launch_i[j];
        end
      end
    end
    assign older = older_q;
    assign unused = ^older_i;
  end else begin : gen_external
    logic unused;
    assign older = older_i;
    assign unused = ^{clk_i, launch_i};
  end
endmodule

`default_nettype wire
