// SPDX-License-Identifier: MIT
// paws_core_adapter behind a port that is an interface, paws_core_if.
`default_nettype none

module paws_core_adapter_on_if #(
    parameter int WARPS = 8,
    parameter int LEVEL = 0,
    parameter int POLICY = 2,
    parameter int READY = 6,
    parameter int LENGTH_W = 9,
    parameter int AGE_LIMIT = 0,
    parameter int CLOCK_GATES = 0,
    parameter int PAYLOAD_W = 1
) (
    paws_core_if.scheduler bus  // with the same WARPS, LENGTH_W and PAYLOAD_W
);
  paws_core_adapter #(
      .WARPS      (WARPS),
      .LEVEL      (LEVEL),
      .POLICY     (POLICY),
      .READY      (READY),
      .LENGTH_W   (LENGTH_W),
      .AGE_LIMIT  (AGE_LIMIT),
      .CLOCK_GATES(CLOCK_GATES),
      .PAYLOAD_W  (PAYLOAD_W)
  ) u_adapter (
      .clk_i             (bus.clk),
      .rst_ni            (bus.rst_n),
      .active_i          (bus.active),
      .issuable_i        (bus.issuable),
      .waits_i           (bus.waits),
      .long_outstanding_i(bus.long_outstanding),
      .length_i          (bus.length),
      .payload_i         (bus.payload),
      .taken_o           (bus.taken),
      .live_o            (bus.live),
      .issue_valid_o     (bus.issue_valid),
      .issue_ready_i     (bus.issue_ready),
      .issue_warp_o      (bus.issue_warp),
      .issue_payload_o   (bus.issue_payload)
  );
endmodule

`default_nettype wire
