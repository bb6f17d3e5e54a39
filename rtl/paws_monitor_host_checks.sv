// SPDX-License-Identifier: MIT
// What a host promises to a block monitor, one assertion for each promise. The module drives no hardware.
//
// Responsibility: watch the ports of one block monitor and report which promise the host breaks, in the
// cycle in which it does. The block monitor contains one in builds with PAWS_ASSERT. A host that uses a
// netlist of it instantiates one beside it. docs/guide/integration.md says why each promise is needed.
// Coincidences: a restart goes before starts, these before issues and ends. The promises hold from a
// restart to the first end, that cycle included: later inputs have no meaning.
`default_nettype none

module paws_monitor_host_checks #(
    parameter int SLOTS = 8,  // block slots, as of the block monitor
    parameter int PORTS = 2   // schedulers, as of the block monitor
) (
    input  wire logic                                   clk_i,
    input  wire logic                                   rst_ni,
    input  wire logic                                   restart_i,
    input  wire logic [                      SLOTS-1:0] starts_i,
    input  wire logic [                      PORTS-1:0] issue_valid_i,
    input  wire logic [PORTS*$clog2(SLOTS>1?SLOTS:2)-1:0] issue_slot_i,
    input  wire logic [                      SLOTS-1:0] ends_i,
    input  wire logic                                   busy_i,  // busy_o of the block monitor
    input  wire logic                                   done_i   // done_o of the block monitor
);
`ifdef PAWS_ASSERT
  localparam int SLOT_W = SLOTS > 1 ? $clog2(SLOTS) : 1;

  logic [SLOTS-1:0] resident_q, kept, resident, issues;
  logic [PORTS-1:0] exists, from_resident;
  logic [SLOT_W-1:0] slot;
  assign kept = resident_q & {SLOTS{!restart_i}};
  assign resident = kept | starts_i;
  always_comb begin
    issues = '0;
    for (int p = 0; p < PORTS; p++) begin
      slot = issue_slot_i[p*SLOT_W+:SLOT_W];
      exists[p] = 32'(slot) < SLOTS;
      from_resident[p] = 1'b0;
      for (int s = 0; s < SLOTS; s++) begin
        if (32'(slot) == s) begin
          issues[s] = issues[s] | issue_valid_i[p];
          from_resident[p] = resident[s];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    resident_q <= rst_ni ? resident : '0;
    if (rst_ni) begin
      restart_is_known: assert (!$isunknown(restart_i))
      else $error("host: restart_i is unknown");
    end
    if (rst_ni && (restart_i || !(busy_i || done_i))) begin
      inputs_are_known: assert (!$isunknown({starts_i, issue_valid_i, ends_i}))
      else $error("host: an input is unknown");
      start_slot_is_free: assert ((starts_i & kept) == '0)
      else $error("host: a block starts in a slot that is not free");
      ended_block_is_resident: assert ((ends_i & ~resident) == '0)
      else $error("host: a block ends in a slot where none is resident");
      ended_block_issues: assert ((ends_i & ~issues) == '0)
      else $error("host: a block ends and no warp of it issues");
      for (int p = 0; p < PORTS; p++) begin
        issue_slot_is_known: assert (!issue_valid_i[p] || !$isunknown(issue_slot_i[p*SLOT_W+:SLOT_W]))
        else $error("host: issue_slot_i of an issue is unknown");
        issue_slot_exists: assert (!issue_valid_i[p] || exists[p])
        else $error("host: an issue from a slot that does not exist");
        issuing_block_is_resident: assert (!issue_valid_i[p] || !exists[p] || from_resident[p])
        else $error("host: an issue from a slot where no block is resident");
      end
    end
  end
`else
  logic unused_inputs;
  assign unused_inputs = ^{clk_i, rst_ni, restart_i, starts_i, issue_valid_i, issue_slot_i, ends_i, busy_i, done_i};
`endif
endmodule

`default_nettype wire
