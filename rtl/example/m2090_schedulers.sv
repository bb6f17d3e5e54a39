// SPDX-License-Identifier: MIT
// Example of a host: the two warp schedulers of a Tesla M2090 core, 48 warps.
//
// Responsibility: to show the wiring that a core needs. Warp w of the core is slot w / 2 of scheduler
// w mod 2, so that consecutive warps of a block are spread over both. Each scheduler may issue in one
// cycle of two, scheduler 0 in even and scheduler 1 in odd cycles after reset: two instructions never
// reach a shared unit at once, and the core has one issue port.
// Coincidences: each scheduler takes one launch per cycle (a block's warps come in pairs), whatever issues.
// The core may stop the clock while quiet_o holds and its inputs do.
// Cost: two schedulers and a flip-flop.
`default_nettype none

module m2090_schedulers #(
    parameter int READY = 6,     // entries of the ready queue, per scheduler
    parameter int PHASE_W = 9,   // width of a stored phase length
    parameter int LENGTH_W = 9,  // width of the host's phase length
    parameter int POLICIES = 4,  // policies built; the core of the paper has PAWS alone
    localparam int WARPS = 48,
    localparam int SLOTS = WARPS / 2,
    localparam int SLOT_W = $clog2(SLOTS)
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_ni,
    input  wire logic [paws_pkg::POLICY_W-1:0] policy_i,
    input  wire logic [         WARPS-1:0] issuable_i,          // these by warp of the core
    input  wire logic [         WARPS-1:0] waits_i,
    input  wire logic [         WARPS-1:0] long_outstanding_i,
    input  wire logic [         WARPS-1:0] exit_i,
    input  wire logic [WARPS*LENGTH_W-1:0] length_i,
    input  wire logic [               1:0] launch_valid_i,      // these by scheduler
    input  wire logic [      2*SLOT_W-1:0] launch_slot_i,       // slot of the scheduler
    output logic                           issue_valid_o,
    output logic      [ $clog2(WARPS)-1:0] issue_warp_o,        // warp of the core
    output logic                           quiet_o
);
  logic turn_q;  // the scheduler that may issue in this cycle
  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= 1'b0;
    else turn_q <= ~turn_q;
  end

  logic [1:0] issue_valid, quiet;
  logic [2*SLOT_W-1:0] issue_slot;

  for (genvar s = 0; s < 2; s++) begin : gen_scheduler
    logic [SLOTS-1:0] issuable, waits, long_outstanding, exits;
    logic [SLOTS*LENGTH_W-1:0] lengths;
    for (genvar w = 0; w < SLOTS; w++) begin : gen_slot
      assign issuable[w] = issuable_i[2*w+s];
      assign waits[w] = waits_i[2*w+s];
      assign long_outstanding[w] = long_outstanding_i[2*w+s];
      assign exits[w] = exit_i[2*w+s];
      assign lengths[w*LENGTH_W+:LENGTH_W] = length_i[(2*w+s)*LENGTH_W+:LENGTH_W];
    end
    paws_two_level #(
        .WARPS   (SLOTS),
        .READY   (READY),
        .PHASE_W (PHASE_W),
        .LENGTH_W(LENGTH_W),
        .POLICIES(POLICIES)
    ) u_scheduler (
        .clk_i             (clk_i),
        .rst_ni            (rst_ni),
        .policy_i          (policy_i),
        .issue_en_i        (turn_q == s),
        .issuable_i        (issuable),
        .waits_i           (waits),
        .long_outstanding_i(long_outstanding),
        .exit_i            (exits),
        .length_i          (lengths),
        .launch_valid_i    (launch_valid_i[s]),
        .launch_warp_i     (launch_slot_i[s*SLOT_W+:SLOT_W]),
        .issue_valid_o     (issue_valid[s]),
        .issue_warp_o      (issue_slot[s*SLOT_W+:SLOT_W]),
        .quiet_o           (quiet[s])
    );
  end

  // Only the scheduler whose turn it is can issue.
  assign issue_valid_o = |issue_valid;
  assign issue_warp_o = issue_valid_o ? {issue_slot[turn_q*SLOT_W+:SLOT_W], turn_q} : '0;
  assign quiet_o = &quiet;
endmodule

`default_nettype wire
