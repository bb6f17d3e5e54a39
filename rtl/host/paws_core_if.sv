// SPDX-License-Identifier: MIT
// The ports of paws_core_adapter as a SystemVerilog interface; paws_core_adapter_on_if is the adapter behind it.
//
// The signals are the adapter's ports without _i and _o (docs/reference/host_modules.md). A core has modport core.
// It is for tools that read interfaces, so it is in no file list; Yosys 0.23 and Icarus 11 do not.
`default_nettype none

interface paws_core_if #(
    parameter int WARPS = 8,
    parameter int LENGTH_W = 9,
    parameter int PAYLOAD_W = 1
) (
    input wire logic clk,
    input wire logic rst_n
);
  localparam int WARP_W = WARPS < 2 ? 1 : $clog2(WARPS);
  logic [WARPS-1:0] active, issuable, waits, long_outstanding, taken, live;
  logic [WARPS*LENGTH_W-1:0] length;
  logic [WARPS*PAYLOAD_W-1:0] payload;
  logic issue_valid, issue_ready;
  logic [WARP_W-1:0] issue_warp;
  logic [PAYLOAD_W-1:0] issue_payload;

  modport core(
      input clk, rst_n, taken, live, issue_valid, issue_warp, issue_payload,
      output active, issuable, waits, long_outstanding, length, payload, issue_ready
  );
  modport scheduler(
      input clk, rst_n, active, issuable, waits, long_outstanding, length, payload, issue_ready,
      output taken, live, issue_valid, issue_warp, issue_payload
  );
endinterface

`default_nettype wire
