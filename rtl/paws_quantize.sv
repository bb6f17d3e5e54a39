// SPDX-License-Identifier: MIT
// Rounds unsigned fields down to their leading bits and codes the result in fewer bits.
//
// Responsibility: COUNT fields of FIELD_W bits become COUNT keys of KEY_W bits. A key keeps PRECISION
// bits of its field, from the leading one downwards. Keys have the order of the fields. Fields
// that differ only in lower bits become equal.
// Code: an unsigned floating-point number, the exponent above the fraction. Exponent 0 is for fields
// under 2^(PRECISION-1). With PRECISION 1 the key is the position of the leading one; with
// PRECISION = FIELD_W the key is the field. The exponents run to FIELD_W - PRECISION + 1, so KEY_W is
// clog2((FIELD_W - PRECISION + 2) << (PRECISION - 1)).
// Timing: combinational. Cost: per field one priority chain and FIELD_W - PRECISION + 1 selects of a
// fraction; none if the precision is that of the field.
`default_nettype none

module paws_quantize #(
    parameter int COUNT = 1,      // number of fields
    parameter int FIELD_W = 9,    // width of a field
    parameter int PRECISION = 3,  // bits that are kept, 1 to FIELD_W
    parameter int KEY_W = 5       // width of a key, as above
) (
    input  wire logic [COUNT*FIELD_W-1:0] value_i,  // field f at [f*FIELD_W +: FIELD_W]
    output logic      [  COUNT*KEY_W-1:0] key_o     // key f at [f*KEY_W +: KEY_W]
);
  if (PRECISION == FIELD_W) begin : gen_exact
    assign key_o = value_i;
  end else begin : gen_float
    localparam int FRACTION_W = PRECISION - 1;
    localparam logic [KEY_W-1:0] FRACTION = ~({KEY_W{1'b1}} << FRACTION_W);
    logic [FIELD_W-1:0] value;
    logic [KEY_W-1:0] key;
    logic above;  // the leading one has been met

    always_comb begin
      for (int f = 0; f < COUNT; f++) begin
        value = value_i[f*FIELD_W+:FIELD_W];
        key = '0;
        above = 1'b0;
        // A leading one at FRACTION_W + x - 1 is exponent x; its fraction stands right below it.
        for (int x = FIELD_W - FRACTION_W; x > 0; x--) begin
          key = key | ({KEY_W{value[FRACTION_W+x-1] & !above}} &
              ((KEY_W'(x) << FRACTION_W) | (KEY_W'(value >> (x - 1)) & FRACTION)));
          above = above | value[FRACTION_W+x-1];
        end
        key_o[f*KEY_W+:KEY_W] = key | ({KEY_W{!above}} & KEY_W'(value) & FRACTION);
      end
    end
  end

`ifdef FORMAL
`include "paws_quantize.svh"
`endif
endmodule

`default_nettype wire
