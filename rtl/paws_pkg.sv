// SPDX-License-Identifier: MIT
// Names that every module of the warp scheduler shares.
//
// Policy codes of policy_i. Bit <code> of a POLICIES parameter says that the policy is built. Modules
// write the package's name (paws_pkg::RR), because Yosys knows no import.
`default_nettype none

package paws_pkg;
  localparam logic [1:0] RR = 2'd0;
  localparam logic [1:0] GTO = 2'd1;
  localparam logic [1:0] PAWS = 2'd2;
  // Single level only, so a two-level build does not use it.
  // verilator lint_off UNUSEDPARAM
  localparam logic [1:0] OLDEST = 2'd3;
  // verilator lint_on UNUSEDPARAM
endpackage

`default_nettype wire
