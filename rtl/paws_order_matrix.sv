// SPDX-License-Identifier: MIT
// Order of warps as one bit for every pair of slots, and the first of a set of warps in it.
//
// Responsibility: keep which of two slots goes first, for all pairs; find the first candidate.
// A subject takes a new place: first_i says before which slots. What the bits then say about the subject's
// pairs is what first_i says, so they form an order only if first_i comes from one: the slots that a subject
// goes before must be the last ones of the order. Of two subjects the one with the lower number has the last
// word about their pair.
// Structure: the bits of the upper triangle. A candidate is the choice if no candidate goes before it: one
// AND for each ordered pair and one wide NOR for each slot, whatever the number of slots. Ranks hold the same
// order in fewer flip-flops, but a search in them takes a step for each bit of a rank.
// Reset: none. A slot has a place only after it was a subject, and only then may it be a candidate.
// Timing: choice_o is combinational from candidate_i; places taken in t are seen in t+1.
// Coincidences: any number of slots may change their candidacy; SUBJECTS slots are placed in one cycle.
// Clock gates: a subject changes only its own row and column. So the pairs are cut into tiles of 4 by 4 slots, and
// the registers of a tile have their clock if a subject is among its rows or columns: with 24 slots 8 of 24 subjects.
// Cost: WARPS * (WARPS-1) / 2 flip-flops.
`default_nettype none

module paws_order_matrix #(
    parameter int WARPS = 8,       // number of slots, 2 or more
    parameter int SUBJECTS = 1,    // slots that take a new place in one cycle
    parameter int CLOCK_GATES = 0  // with clock gates; 0: without
) (
    input  wire logic                      clk_i,        // clock
    input  wire logic [SUBJECTS*WARPS-1:0] subject_i,    // slot that takes a new place, at most one bit each
    input  wire logic [SUBJECTS*WARPS-1:0] first_i,      // the subject goes before this slot
    input  wire logic                      reverse_i,    // the last candidate is the choice, not the first
    input  wire logic [         WARPS-1:0] candidate_i,  // slots to choose from
    output logic      [         WARPS-1:0] choice_o      // the first of them; 0 if there is none
);
  localparam int PAIRS = WARPS * (WARPS - 1) / 2;

  logic [PAIRS-1:0] lower_q, lower_d;  // pair (i, j), j < i, at i*(i-1)/2+j: j goes before i

  always_comb begin
    lower_d = lower_q;
    for (int s = SUBJECTS - 1; s >= 0; s--) begin
      for (int i = 1; i < WARPS; i++) begin
        for (int j = 0; j < i; j++) begin
          lower_d[i*(i-1)/2+j] = (subject_i[s*WARPS+j] & first_i[s*WARPS+i]) |
              (subject_i[s*WARPS+i] & !first_i[s*WARPS+j]) |
              (lower_d[i*(i-1)/2+j] & !subject_i[s*WARPS+i] & !subject_i[s*WARPS+j]);
        end
      end
    end
  end

  if (CLOCK_GATES == 0) begin : gen_free
    always_ff @(posedge clk_i) lower_q <= lower_d;
  end else begin : gen_gated
    localparam int SIDE = 4;  // slots
    logic [WARPS-1:0] touched;
    always_comb begin
      touched = '0;
      for (int s = 0; s < SUBJECTS; s++) touched = touched | subject_i[s*WARPS+:WARPS];
    end
    for (genvar r = 0; r < WARPS; r = r + SIDE) begin : gen_rows
      localparam int ROWS = WARPS - r < SIDE ? WARPS - r : SIDE;
      for (genvar c = 0; c <= r; c = c + SIDE) begin : gen_columns
        // On the diagonal half of a tile; nothing of a slot alone.
        localparam int WIDTH = c < r ? ROWS * SIDE : ROWS * (ROWS - 1) / 2;
        localparam int COLUMNS = c < r ? SIDE : ROWS;
        if (WIDTH > 0) begin : gen_tile
          logic [WIDTH-1:0] next, state;
          for (genvar i = r; i < r + ROWS; i++) begin : gen_row
            for (genvar j = c; j < c + COLUMNS && j < i; j++) begin : gen_pair
              localparam int AT = c < r ? (i - r) * SIDE + j - c : (i - r) * (i - r - 1) / 2 + j - c;
              assign next[AT] = lower_d[i*(i-1)/2+j];
              assign lower_q[i*(i-1)/2+j] = state[AT];
            end
          end
          paws_gated_register #(
              .SLOTS(1),
              .WIDTH(WIDTH),
              .GROUP(1)
          ) u_tile (
              .clk_i   (clk_i),
              .change_i(|touched[r+:ROWS] | (|touched[c+:COLUMNS])),
              .next_i  (next),
              .state_o (state)
          );
        end
      end
    end
  end

  logic lower_first;
  always_comb begin
    choice_o = candidate_i;
    for (int i = 1; i < WARPS; i++) begin
      for (int j = 0; j < i; j++) begin
        lower_first = lower_q[i*(i-1)/2+j] ^ reverse_i;
        if (candidate_i[j] && lower_first) choice_o[i] = 1'b0;
        if (candidate_i[i] && !lower_first) choice_o[j] = 1'b0;
      end
    end
  end

`ifdef FORMAL
`include "paws_order_matrix.svh"
`endif
endmodule

`default_nettype wire
