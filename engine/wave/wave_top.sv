// SPDX-License-Identifier: MIT
// The warp schedulers of one core with what the core knows of its warps beside them, for waves.
//
// Schedulers and core are traced in one file on one time base: the levels of the core come in as
// ports and are named and split here. Verilator alone reads this file.
// Parameters of the scheduler are PAWS_PARAMETERS (module.sh). Fields of ports are those of WaveCycle (wave_model.h): 64 warp slots a scheduler, whole bytes.
`default_nettype none

module wave_top
    #(parameter int unsigned SCHEDULERS = 2)
    (
        // verilator tracing_off
        input wire logic clk_i,
        input wire logic rst_ni,
        input wire logic [paws_pkg::POLICY_W - 1 : 0] policy_i,
        input wire logic [63 : 0] cycle_i,
        input wire logic [SCHEDULERS * 8 - 1 : 0] issue_en_i,
        input wire logic [SCHEDULERS * 64 - 1 : 0] issuable_i,
        input wire logic [SCHEDULERS * 64 - 1 : 0] waits_i,
        input wire logic [SCHEDULERS * 64 - 1 : 0] long_outstanding_i,
        input wire logic [SCHEDULERS * 64 - 1 : 0] exit_i,
        input wire logic [SCHEDULERS * 64 - 1 : 0] second_i,
        input wire logic [SCHEDULERS * 64 - 1 : 0] yield_i,
        input wire logic [SCHEDULERS * 64 * 8 - 1 : 0] pair_i,
        input wire logic [SCHEDULERS * 64 * 8 - 1 : 0] row_i,
        input wire logic [SCHEDULERS * 8 - 1 : 0] launch_valid_i,
        input wire logic [SCHEDULERS * 8 - 1 : 0] launch_warp_i,
        input wire logic [SCHEDULERS * 64 * 16 - 1 : 0] phase_i,
        input wire logic [SCHEDULERS * 8 - 1 : 0] state_i,
        input wire logic [SCHEDULERS * 64 * 8 - 1 : 0] condition_i,
        input wire logic [SCHEDULERS * 64 * 8 - 1 : 0] place_i,
        input wire logic [SCHEDULERS * 64 * 32 - 1 : 0] pc_i,
        input wire logic [SCHEDULERS * 64 * 32 - 1 : 0] phase_number_i,
        input wire logic [SCHEDULERS * 64 * 32 - 1 : 0] block_i,
        input wire logic [SCHEDULERS * 64 * 32 - 1 : 0] in_block_i,
        input wire logic [SCHEDULERS * 64 * 32 - 1 : 0] in_flight_i,
        input wire logic [SCHEDULERS * 64 * 8 - 1 : 0] ready_i,
        input wire logic [SCHEDULERS * 64 * 8 - 1 : 0] active_i,
        input wire logic [SCHEDULERS * 64 * 8 - 1 : 0] collector_i,
        output logic [SCHEDULERS * 8 - 1 : 0] issue_valid_o,
        output logic [SCHEDULERS * 8 - 1 : 0] issue_warp_o,
        output logic [SCHEDULERS * 8 - 1 : 0] quiet_o
        // verilator tracing_on
    );
  localparam int unsigned WARPS = `PAWS_WARPS;
  localparam int unsigned WARP_W = $clog2(WARPS);

  logic clk;
  logic [63 : 0] cycle;
  assign clk = clk_i;
  assign cycle = cycle_i;

  for (genvar s = 0; s < SCHEDULERS; s++) begin : scheduler
    if (1) begin : inputs
      logic issue_en, launch_valid;
      logic [WARPS - 1 : 0] issuable, waits, long_outstanding, exits;
      logic [WARP_W - 1 : 0] launch_warp;
      assign issue_en = issue_en_i[s * 8];
      assign issuable = issuable_i[s * 64 +: WARPS];
      assign waits = waits_i[s * 64 +: WARPS];
      assign long_outstanding = long_outstanding_i[s * 64 +: WARPS];
      assign exits = exit_i[s * 64 +: WARPS];
      assign launch_valid = launch_valid_i[s * 8];
      assign launch_warp = launch_warp_i[s * 8 +: WARP_W];
    end

    if (1) begin : outputs
      logic issue_valid, quiet;
      logic [WARP_W - 1 : 0] issue_warp;
      assign issue_valid_o[s * 8 +: 8] = {7'b0, issue_valid};
      assign issue_warp_o[s * 8 +: 8] = {{8 - WARP_W{1'b0}}, issue_warp};
      assign quiet_o[s * 8 +: 8] = {7'b0, quiet};
    end

`ifdef PAWS_TWO_LEVEL
    paws_two_level #(`PAWS_PARAMETERS)
        u_scheduler(.clk_i(clk_i),
                    .rst_ni(rst_ni),
                    .policy_i(policy_i),
                    .issue_en_i(inputs.issue_en),
                    .issuable_i(inputs.issuable),
                    .waits_i(inputs.waits),
                    .long_outstanding_i(inputs.long_outstanding),
                    .exit_i(inputs.exits),
                    .length_i(phase_i[s * 64 * 16 +: WARPS * 16]),
                    .launch_valid_i(inputs.launch_valid),
                    .launch_warp_i(inputs.launch_warp),
                    .end_valid_i(1'b0),
                    .end_warp_i('0),
                    .issue_valid_o(outputs.issue_valid),
                    .issue_warp_o(outputs.issue_warp),
                    .quiet_o(outputs.quiet));

    // The queues in their order, 255 where there is none.
    if (1) begin : queues
      for (genvar k = 0; k < `PAWS_READY; k++) begin : ready
        logic [7 : 0] warp;
        assign warp = ready_i[(s * 64 + k) * 8 +: 8];
      end
      for (genvar k = 0; k < WARPS; k++) begin : active
        logic [7 : 0] warp;
        assign warp = active_i[(s * 64 + k) * 8 +: 8];
      end
      for (genvar k = 0; k < WARPS; k++) begin : collector
        logic [7 : 0] warp;
        assign warp = collector_i[(s * 64 + k) * 8 +: 8];
      end
    end
`elsif PAWS_FETCH_GROUP
    paws_fetch_group #(`PAWS_PARAMETERS)
        u_scheduler(.clk_i(clk_i),
                    .rst_ni(rst_ni),
                    .issue_en_i(inputs.issue_en),
                    .issuable_i(inputs.issuable),
                    .exit_i(inputs.exits),
                    .launch_valid_i(inputs.launch_valid),
                    .launch_warp_i(inputs.launch_warp),
                    .issue_valid_o(outputs.issue_valid),
                    .issue_warp_o(outputs.issue_warp),
                    .quiet_o(outputs.quiet));
`elsif PAWS_ORDERED
    // Distances of the cycle before; 0 before the first.
    logic [WARPS * 16 - 1 : 0] phase_before;
    logic [WARPS - 1 : 0] moved;
    always_ff @(posedge clk_i) phase_before <= rst_ni ? phase_i[s * 64 * 16 +: WARPS * 16] : '0;
    for (genvar w = 0; w < WARPS; w++) begin : distances
      assign moved[w] = phase_i[(s * 64 + w) * 16 +: 16] != phase_before[w * 16 +: 16];
    end

    paws_ordered #(`PAWS_PARAMETERS)
        u_scheduler(.clk_i(clk_i),
                    .rst_ni(rst_ni),
                    .issue_en_i(inputs.issue_en),
                    .issuable_i(inputs.issuable),
                    .exit_i(inputs.exits),
                    .distance_i(phase_i[s * 64 * 16 +: WARPS * 16]),
                    .moved_i(moved),
                    .launch_valid_i(inputs.launch_valid),
                    .launch_warp_i(inputs.launch_warp),
                    .end_valid_i(1'b0),
                    .end_warp_i('0),
                    .issue_valid_o(outputs.issue_valid),
                    .issue_warp_o(outputs.issue_warp),
                    .quiet_o(outputs.quiet));
`else
    // Narrow numbers, as the scheduler takes them.
    if (1) begin : groups
      localparam int unsigned PAIR_W = `PAWS_PAIR_W;
      localparam int unsigned ROW_W = WARP_W - 1;
      logic [WARPS - 1 : 0] second, yields;
      logic [WARPS * PAIR_W - 1 : 0] pair;
      logic [WARPS * ROW_W - 1 : 0] row;
      assign second = second_i[s * 64 +: WARPS];
      assign yields = yield_i[s * 64 +: WARPS];
      for (genvar w = 0; w < WARPS; w++) begin : narrow
        assign pair[w * PAIR_W +: PAIR_W] = pair_i[(s * 64 + w) * 8 +: PAIR_W];
        assign row[w * ROW_W +: ROW_W] = row_i[(s * 64 + w) * 8 +: ROW_W];
      end
    end

    paws_single_level #(`PAWS_PARAMETERS)
        u_scheduler(.clk_i(clk_i),
                    .rst_ni(rst_ni),
                    .policy_i(policy_i),
                    .issue_en_i(inputs.issue_en),
                    .issuable_i(inputs.issuable),
                    .exit_i(inputs.exits),
                    .distance_i(phase_i[s * 64 * 16 +: WARPS * 16]),
                    .pair_i(groups.pair),
                    .row_i(groups.row),
                    .second_i(groups.second),
                    .yield_i(groups.yields),
                    .launch_valid_i(inputs.launch_valid),
                    .launch_warp_i(inputs.launch_warp),
                    .end_valid_i(1'b0),
                    .end_warp_i('0),
                    .issue_valid_o(outputs.issue_valid),
                    .issue_warp_o(outputs.issue_warp),
                    .quiet_o(outputs.quiet));
`endif

    if (1) begin : core
      logic [2:0] state;
      assign state = state_i[s * 8 +: 3];
      for (genvar w = 0; w < WARPS; w++) begin : warp
        logic [3:0] condition;
        logic [2:0] place;
        logic [31 : 0] pc, phase, block, in_block, in_flight;
        logic [15 : 0] phase_length;
        assign condition = condition_i[(s * 64 + w) * 8 +: 4];
        assign place = place_i[(s * 64 + w) * 8 +: 3];
        assign pc = pc_i[(s * 64 + w) * 32 +: 32];
        assign phase = phase_number_i[(s * 64 + w) * 32 +: 32];
        assign phase_length = phase_i[(s * 64 + w) * 16 +: 16];
        assign block = block_i[(s * 64 + w) * 32 +: 32];
        assign in_block = in_block_i[(s * 64 + w) * 32 +: 32];
        assign in_flight = in_flight_i[(s * 64 + w) * 32 +: 32];
      end
    end
  end
endmodule

`default_nettype wire
