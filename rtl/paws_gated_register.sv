// SPDX-License-Identifier: MIT
// Registers in bit slices behind clock gates, one gate for GROUP neighbouring slots.
//
// Responsibility: load next_i of a slot in every cycle in which change_i of any slot of its group is 1, and
// keep the state in all other cycles. The user promises: where change_i of a slot is 0, its next_i
// is its state (with GROUP 1 next_i may be anything there). So the registers behave as if they loaded in
// every cycle, and it does not matter which slots share a gate. tb/formal/ proves the promise of
// every user.
// Structure: slice b at [b*SLOTS +: SLOTS] holds bit b of all slots, as in paws_ages. State that changes
// as a whole is one slot of many bits.
// Timing: registered. change_i must be stable a setup time of paws_clock_gate before the clock edge.
// Reset: none; a user that has a reset sets change_i during reset.
// Cost: WIDTH * SLOTS flip-flops, a paws_clock_gate and an OR of GROUP inputs for every group.
`default_nettype none

module paws_gated_register #(
    parameter int SLOTS = 24,  // slots
    parameter int WIDTH = 5,   // bits of a slot
    parameter int GROUP = 4    // slots behind one gate, 1 or more; the last group may be smaller
) (
    input  wire logic                   clk_i,     // clock
    input  wire logic [      SLOTS-1:0] change_i,  // the slot's state may change
    input  wire logic [SLOTS*WIDTH-1:0] next_i,    // state of the next cycle, in slices
    output logic      [SLOTS*WIDTH-1:0] state_o    // state, in slices
);
  for (genvar g = 0; g < SLOTS; g = g + GROUP) begin : gen_group
    localparam int SIZE = SLOTS - g < GROUP ? SLOTS - g : GROUP;
    logic clk;
    logic [SIZE*WIDTH-1:0] state_q;
    paws_clock_gate u_gate (
        .clk_i        (clk_i),
        .enable_i     (|change_i[g+:SIZE]),
        .test_enable_i(1'b0),
        .clk_o        (clk)
    );
    always_ff @(posedge clk) begin
      for (int b = 0; b < WIDTH; b++) state_q[b*SIZE+:SIZE] <= next_i[b*SLOTS+g+:SIZE];
    end
    for (genvar b = 0; b < WIDTH; b++) begin : gen_slice
      assign state_o[b*SLOTS+g+:SIZE] = state_q[b*SIZE+:SIZE];
    end
  end
endmodule

`default_nettype wire
