// SPDX-License-Identifier: MIT
// Entrant: the warp that entered active in the previous cycle and is not yet in order.
//
// Responsibility: hold the warp that is launched or admitted for one cycle, and compare it with all
// others. It counts as active at once, and may leave as the head before it is ever put in order.
// Policy: before_o says for every slot whether the entrant goes before that slot's warp. RR: never.
// GTO: if it is older. PAWS: by stored length, then by age; with TIE_ARRIVAL never at equal lengths.
// Timing: all outputs are derived from registers. The choice of the entrant and its comparison with
// the others are in two different cycles: no path has both.
// Coincidences: a launch and an admission exclude each other.
// Cost: WARPS + log2 WARPS + KEY_W + 2 flip-flops, two multiplexers of WARPS inputs for every bit
// of a length (one with HELD) and one for every bit of an age, a comparator of KEY_W bits per slot.
`default_nettype none

module paws_entrant #(
    parameter int WARPS = 24,      // warp slots
    parameter int KEY_W = 9,       // width of a length
    parameter bit HAS_LENGTH = 1'b1,        // PAWS is built
    parameter bit TIE_ARRIVAL = 1'b0,       // PAWS: equal lengths by arrival instead of by age
    parameter bit HELD = 1'b0,              // length_i is right for a launched warp, too
    parameter int CLOCK_GATES = 0  // with a clock gate; 0: without
) (
    input  wire logic                           clk_i,        // clock
    input  wire logic                           rst_ni,       // synchronous reset, active low
    input  wire logic                           by_length_i,  // PAWS: sort by length
    input  wire logic                           by_age_i,     // GTO: sort by age; neither: arrival
    input  wire logic                           launching_i,  // there is a launch; the front stays
    input  wire logic [              WARPS-1:0] launch_i,     // the warp is launched
    input  wire logic                           front_valid_i,  // the collector is not empty
    input  wire logic [              WARPS-1:0] front_i,      // the warp is admitted if there is no launch
    input  wire logic [        WARPS*KEY_W-1:0] sample_i,     // present lengths, slot by slot
    input  wire logic [        WARPS*KEY_W-1:0] length_i,     // stored lengths, in slices
    input  wire logic [WARPS*$clog2(WARPS)-1:0] next_age_i,   // ages of the next cycle, in slices
    input  wire logic [              WARPS-1:0] younger_i,    // the warp is younger than the entrant
    output logic                                valid_o,      // there is an entrant
    output logic      [              WARPS-1:0] slot_o,       // the entrant, one bit per slot
    output logic      [      $clog2(WARPS)-1:0] warp_o,       // the entrant, by number
    output logic      [      $clog2(WARPS)-1:0] age_o,        // its age; after a launch its slot's old age
    output logic      [              WARPS-1:0] launch_o,     // the entrant, if it was launched
    output logic      [              WARPS-1:0] before_o      // the entrant goes before the slot's warp
);
  localparam int WARP_W = $clog2(WARPS);

  logic valid_q, launched_q;
  logic [WARPS-1:0] slot_q, slot_d;
  logic [WARP_W-1:0] age_q, age_d;

  assign slot_d = launch_i | (front_i & {WARPS{!launching_i}});
  always_comb begin
    for (int b = 0; b < WARP_W; b++) age_d[b] = |(next_age_i[b*WARPS+:WARPS] & slot_d);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= launching_i | front_valid_i;
  end

  // While there is no entrant and none comes, all of its registers are 0. Reset may leave an entrant
  // that is not valid; one more cycle clears it.
  logic busy_q, change;
  always_ff @(posedge clk_i) busy_q <= launching_i | front_valid_i | !rst_ni;
  assign change = launching_i | front_valid_i | busy_q | !rst_ni;
  logic [KEY_W-1:0] kept_length, next_length;  // with a gate: length of the entrant
  if (CLOCK_GATES == 0) begin : gen_free
    logic unused_change;
    assign unused_change = ^{change, next_length, kept_length};
    assign kept_length = '0;
    always_ff @(posedge clk_i) begin
      launched_q <= launching_i & rst_ni;
      slot_q <= slot_d;
      age_q <= age_d;
    end
  end else begin : gen_gated
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(1 + WARPS + WARP_W + KEY_W),
        .GROUP(1)
    ) u_entrant (
        .clk_i   (clk_i),
        .change_i(change),
        .next_i  ({launching_i & rst_ni, slot_d, age_d, next_length}),
        .state_o ({launched_q, slot_q, age_q, kept_length})
    );
  end

  assign valid_o = valid_q;
  assign slot_o = slot_q;
  assign age_o = age_q;
  always_comb begin
    warp_o = '0;
    for (int w = 0; w < WARPS; w++) warp_o = warp_o | (WARP_W'(w) & {WARP_W{slot_q[w]}});
  end
  assign launch_o = slot_q & {WARPS{launched_q}};

  // Warps that lose a tie against the entrant: none if it was launched, because it is the youngest.
  logic [WARPS-1:0] loses;
  assign loses = younger_i & {WARPS{!launched_q & (by_age_i | (by_length_i & !TIE_ARRIVAL))}};

  if (HAS_LENGTH) begin : gen_length
    logic [KEY_W-1:0] length_q, length_d;
    logic [WARPS-1:0] shorter;
    if (HELD) begin : gen_one_choice
      logic unused_sample;
      assign unused_sample = ^sample_i;
      always_comb begin
        for (int b = 0; b < KEY_W; b++) length_d[b] = |(length_i[b*WARPS+:WARPS] & slot_d);
      end
    end else begin : gen_two_choices
      // Two choices and then a select between them, because the front is known late.
      logic [KEY_W-1:0] admitted, launched;
      always_comb begin
        for (int b = 0; b < KEY_W; b++) admitted[b] = |(length_i[b*WARPS+:WARPS] & front_i);
        launched = '0;
        for (int w = 0; w < WARPS; w++) begin
          if (launch_i[w]) launched = launched | sample_i[w*KEY_W+:KEY_W];
        end
      end
      assign length_d = launching_i ? launched : admitted;
    end
    always_comb begin
      // Less than, from the lowest bit on; the tie decides equal lengths.
      shorter = loses;
      for (int b = 0; b < KEY_W; b++) begin
        shorter = length_q[b] ? length_i[b*WARPS+:WARPS] & shorter
                              : length_i[b*WARPS+:WARPS] | shorter;
      end
    end
    if (CLOCK_GATES == 0) begin : gen_free
      always_ff @(posedge clk_i) length_q <= length_d;
    end else begin : gen_gated
      assign length_q = kept_length;
    end
    assign next_length = length_d;
    assign before_o = by_length_i ? shorter : loses;
  end else begin : gen_no_length
    logic unused_length;
    assign unused_length = ^{sample_i, length_i, kept_length};
    assign next_length = '0;
    assign before_o = loses;
  end

`ifdef FORMAL
`include "paws_entrant.svh"
`endif
endmodule

`default_nettype wire
