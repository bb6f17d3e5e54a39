// SPDX-License-Identifier: MIT
// Smallest of COUNT keys by elimination from the top bit down: the choice with the least area.
//
// Responsibility: among the entries with valid_i, find the one with the smallest key.
// Precondition: no two valid entries have the same key in the bits that count (an age rank in the low
// bits ensures that).
// Structure: for every bit, if a remaining entry has a 0 there, all entries with a 1 drop out. There are
// no comparators. Entries form groups of GROUP, and every group eliminates by itself. The bit of a group's
// smallest key is 0 if one of its remaining entries had a 0. By these bits the groups eliminate each
// other, one bit behind. So a step waits for GROUP entries and not for all.
// Timing: combinational; from valid_i and the top bit KEY_W + 1 steps of an OR of GROUP inputs and a
// select.
// Cost: three gates per entry and bit. Of groups of 3 to 24, groups of 8 gave the smallest area.
`default_nettype none

module paws_eliminate #(
    parameter int COUNT = 24,  // number of entries, 2 or more
    parameter int KEY_W = 14,  // width of a key
    parameter int GROUP = 8,   // entries that eliminate each other first
    parameter int MARK_W = 1   // width of a mark
) (
    input  wire logic [        COUNT-1:0] valid_i,   // the entry takes part
    input  wire logic [  COUNT*KEY_W-1:0] key_i,     // key of entry e at [e*KEY_W +: KEY_W]
    input  wire logic [        KEY_W-1:0] counts_i,  // this bit of the keys counts
    input  wire logic [ COUNT*MARK_W-1:0] mark_i,    // more bits per entry, returned for the winner
    output logic      [$clog2(COUNT)-1:0] index_o,   // the winner; 0 if none takes part
    output logic      [       MARK_W-1:0] mark_o     // its mark; 0 if none takes part
);
  localparam int INDEX_W = $clog2(COUNT);
  localparam int GROUPS = (COUNT + GROUP - 1) / GROUP;
  localparam int PLACES = GROUPS * GROUP;  // including unused entries of the last group

  logic [PLACES-1:0] left, low;
  logic [GROUPS-1:0] group_left, any_low, group_low;

  always_comb begin
    left = PLACES'(valid_i);
    low = '0;
    group_left = '1;  // an empty group has no 0 and no winner, so it does no harm
    for (int b = KEY_W - 1; b >= 0; b--) begin
      for (int e = 0; e < COUNT; e++) low[e] = left[e] & !key_i[e*KEY_W+b];
      for (int g = 0; g < GROUPS; g++) any_low[g] = |low[g*GROUP+:GROUP] & counts_i[b];
      for (int g = 0; g < GROUPS; g++) begin
        if (any_low[g]) left[g*GROUP+:GROUP] = low[g*GROUP+:GROUP];
      end
      group_low = group_left & any_low;
      if (|group_low) group_left = group_low;
    end
  end

  always_comb begin
    index_o = '0;
    mark_o  = '0;
    for (int e = 0; e < COUNT; e++) begin
      index_o = index_o | (INDEX_W'(e) & {INDEX_W{left[e] & group_left[e/GROUP]}});
      mark_o  = mark_o | (mark_i[e*MARK_W+:MARK_W] & {MARK_W{left[e] & group_left[e/GROUP]}});
    end
  end

`ifdef FORMAL
`include "paws_eliminate.svh"
`endif
endmodule

`default_nettype wire
