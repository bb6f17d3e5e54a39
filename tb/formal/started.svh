// SPDX-License-Identifier: MIT
// Time of a proof: the first cycle is a reset, and what follows means something. In the first cycle
// f_started_q is 0 and registers hold anything.
  logic f_started_q;
  initial f_started_q = 1'b0;
  always_ff @(posedge clk_i) f_started_q <= 1'b1;
  always_comb if (!f_started_q) assume (!rst_ni);
// What helps to prove a part at full size helps to prove the whole with the part inside.
// A sorter that is left out has the members that it shows.
`ifdef PROVE_paws_two_level_contract
`define PROVE_paws_two_level_parts
`define PAWS_MEMBERS(held) member_o
`else
`define PAWS_MEMBERS(held) held
`endif
`ifdef PROVE_paws_two_level_parts
`define PROVE_paws_two_level
`define PAWS_INVARIANTS
`endif
