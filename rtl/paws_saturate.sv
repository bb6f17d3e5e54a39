// SPDX-License-Identifier: MIT
// Saturates unsigned fields to a narrower width.
//
// Responsibility: COUNT fields of IN_W bits become COUNT fields of OUT_W bits; a value that does not
// fit becomes the largest that does, so that a phase beyond the field sorts behind every shorter one.
// Timing: combinational. Cost: one wide OR and OUT_W two-input ORs per field; none if the widths are
// equal.
`default_nettype none

module paws_saturate #(
    parameter int COUNT = 1,  // number of fields
    parameter int IN_W = 16,  // width of a field at the input
    parameter int OUT_W = 9   // width of a field at the output, 1 to IN_W
) (
    input  wire logic [ COUNT*IN_W-1:0] value_i,     // field f at [f*IN_W +: IN_W]
    output logic      [COUNT*OUT_W-1:0] saturated_o  // field f at [f*OUT_W +: OUT_W]
);
  if (IN_W == OUT_W) begin : gen_same
    assign saturated_o = value_i;
  end else begin : gen_narrow
    for (genvar f = 0; f < COUNT; f++) begin : gen_field
      assign saturated_o[f*OUT_W+:OUT_W] =
          value_i[f*IN_W+:OUT_W] | {OUT_W{|value_i[f*IN_W+OUT_W+:IN_W-OUT_W]}};
    end
  end

`ifdef FORMAL
`include "paws_saturate.svh"
`endif
endmodule

`default_nettype wire
