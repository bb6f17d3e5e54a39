// SPDX-License-Identifier: MIT
// Toggle points for signals of generate blocks, which Verilator's toggle coverage leaves out: the port
// of this module is watched in their stead. instrument.py puts one beside each such signal.
`default_nettype none

module paws_cover_bits #(
    parameter int unsigned WIDTH = 1
) (
    input wire logic [WIDTH-1:0] bits_i
);
endmodule

`default_nettype wire
