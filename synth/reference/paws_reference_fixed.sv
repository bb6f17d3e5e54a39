// SPDX-License-Identifier: MIT
// Fixed priority, for comparison (docs/evidence/synthesis.md, "Beside public schedulers"): the lowest ready slot.
// What a scheduler that takes the lowest ready index has for a selection.
`default_nettype none

module paws_reference_fixed #(
    parameter int unsigned COUNT = 32  // slots
) (
    input  wire logic [        COUNT-1:0] ready_i,
    output logic                          valid_o,
    output logic      [$clog2(COUNT)-1:0] index_o
);
  always_comb begin
    index_o = '0;
    for (int i = COUNT - 1; i >= 0; i--) begin
      if (ready_i[i]) index_o = $clog2(COUNT)'(i);
    end
  end
  assign valid_o = |ready_i;
endmodule

`default_nettype wire
