// SPDX-License-Identifier: MIT
// Number of ones in a vector.
//
// Structure: a tree of adders. Each adds two numbers and one more bit, its carry input. Adders are written
// gate by gate, because Yosys makes one long chain from the operator.
// Timing: combinational. Cost: a full adder per bit.
`default_nettype none

module paws_count #(
    parameter int COUNT = 24,  // bits, 1 or more
    parameter int OUT_W = $clog2(COUNT + 1)
) (
    input  wire logic [COUNT-1:0] bits_i,
    output logic      [OUT_W-1:0] count_o
);
  if (COUNT == 1) begin : gen_bit
    assign count_o = bits_i;
  end else if (COUNT == 2) begin : gen_pair
    assign count_o = {&bits_i, ^bits_i};
  end else begin : gen_split
    localparam int HIGH = (COUNT - 1) / 2;
    localparam int LOW = COUNT - 1 - HIGH;
    localparam int HIGH_W = $clog2(HIGH + 1);
    localparam int LOW_W = $clog2(LOW + 1);
    logic [HIGH_W-1:0] high;
    logic [LOW_W-1:0] low, addend, sum;
    logic carry;
    paws_count #(
        .COUNT(HIGH)
    ) u_high (
        .bits_i (bits_i[COUNT-1:LOW+1]),
        .count_o(high)
    );
    paws_count #(
        .COUNT(LOW)
    ) u_low (
        .bits_i (bits_i[LOW:1]),
        .count_o(low)
    );
    assign addend = LOW_W'(high);
    always_comb begin
      carry = 1'(bits_i);
      for (int b = 0; b < LOW_W; b++) begin
        sum[b] = low[b] ^ addend[b] ^ carry;
        carry = (low[b] & addend[b]) | (carry & (low[b] ^ addend[b]));
      end
    end
    assign count_o[LOW_W-1:0] = sum;
    if (OUT_W > LOW_W) begin : gen_carry
      assign count_o[LOW_W] = carry;
    end
  end

`ifdef FORMAL
`include "paws_count.svh"
`endif
endmodule

`default_nettype wire
