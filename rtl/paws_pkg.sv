// SPDX-License-Identifier: MIT
// Names that every module of the warp scheduler shares.
//
// Policy codes of policy_i, as in model/policies.toml. Bit <code> of a POLICIES parameter says that the
// policy is built. Modules write the package's name (paws_pkg::RR), because Yosys knows no import.
`default_nettype none

package paws_pkg;
  // Width of policy_i: room for sixteen policies of each level.
  localparam int POLICY_W = 4;

  localparam logic [POLICY_W-1:0] RR = 4'd0;
  localparam logic [POLICY_W-1:0] GTO = 4'd1;
  localparam logic [POLICY_W-1:0] PAWS = 4'd2;
  localparam logic [POLICY_W-1:0] OLDEST = 4'd3;
  localparam logic [POLICY_W-1:0] YOUNGEST = 4'd4;
  localparam logic [POLICY_W-1:0] CGGTY = 4'd5;
  localparam logic [POLICY_W-1:0] SCA = 4'd6;

  // All policies of a level: the default of POLICIES. A build reads the mask of its own level alone.
  // verilator lint_off UNUSEDPARAM
  localparam int SINGLE_LEVEL =
      (1 << RR) | (1 << GTO) | (1 << PAWS) | (1 << OLDEST) | (1 << YOUNGEST) | (1 << CGGTY) | (1 << SCA);
  localparam int TWO_LEVEL = (1 << RR) | (1 << GTO) | (1 << PAWS);
  // verilator lint_on UNUSEDPARAM
endpackage

`default_nettype wire
