// SPDX-License-Identifier: MIT
// What a host promises to a sub-warp packer, one assertion for each promise. The module drives no hardware.
//
// Responsibility: watch the ports of one packer and report which promise the host breaks, in the cycle in
// which it does. The packer contains one in builds with PAWS_ASSERT. A host that uses a netlist of it
// instantiates one beside it. docs/guide/integration.md says why each promise is needed.
// Coincidences: a load in the cycle after that of the last sub-warp keeps the promises.
`default_nettype none

module paws_packer_host_checks #(
    parameter int LANES = 32,  // threads of a sub-warp, as of the packer
    parameter int ROWS = 8,    // threads of a lane, as of the packer
    parameter int MODES = 7    // modes built, as of the packer
) (
    input  wire logic                  clk_i,
    input  wire logic                  rst_ni,
    input  wire logic                  load_valid_i,
    input  wire logic [           1:0] load_mode_i,
    input  wire logic [ROWS*LANES-1:0] load_mask_i,
    input  wire logic                  take_i,
    input  wire logic                  valid_i,  // valid_o of the packer
    input  wire logic                  busy_i    // busy_o of the packer
);
`ifdef PAWS_ASSERT
  logic busy_q;
  always_ff @(posedge clk_i) begin
    busy_q <= busy_i & rst_ni;
    if (rst_ni) begin
      load_is_known: assert (!$isunknown(load_valid_i))
      else $error("host: load_valid_i is unknown");
      load_fields_are_known: assert (!load_valid_i || !$isunknown({load_mode_i, load_mask_i}))
      else $error("host: load_mode_i or load_mask_i of a load is unknown");
      take_is_known: assert (!valid_i || !$isunknown(take_i))
      else $error("host: take_i is unknown while there is a sub-warp");
      load_waits: assert (!load_valid_i || !busy_q)
      else $error("host: a load after a cycle in which the packer was busy");
      load_mask_is_not_empty: assert (!load_valid_i || |load_mask_i)
      else $error("host: a load without threads");
      load_mode_is_built: assert (!load_valid_i || ((MODES >> load_mode_i) & 1) != 0)
      else $error("host: a load in a mode that is not built");
    end
  end
`else
  logic unused_inputs;
  assign unused_inputs = ^{clk_i, rst_ni, load_valid_i, load_mode_i, load_mask_i, take_i, valid_i, busy_i, MODES[0]};
`endif
endmodule

`default_nettype wire
