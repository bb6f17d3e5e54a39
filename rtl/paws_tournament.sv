// SPDX-License-Identifier: MIT
// Smallest of COUNT keys by a tournament: the choice with the least delay.
//
// Responsibility: among the entries with valid_i, find the one with the smallest key. Equal keys go to
// the lower index, so the result is always one definite entry; users that need age as the tie-break
// put the age rank below the key.
// Structure: rounds of matches of up to ARITY entries. A match compares all pairs of its entries
// at the same time. The winner's key, mark and index go to the next round. ARITY 2 is a tree of
// comparators; larger matches need fewer rounds and more comparators.
// Timing: combinational, ceil(log ARITY of COUNT) rounds of compare and select. Validity does not enter
// the comparison, only the select, so a late valid_i skips the carry chain of the first round.
// Cost: per match of m entries m * (m-1) / 2 comparators and a select of m keys.
`default_nettype none

module paws_tournament #(
    parameter int COUNT = 24,  // number of entries, 2 or more
    parameter int KEY_W = 14,  // width of a key
    parameter int ARITY = 5,   // entries of a match, 2 or more
    parameter int MARK_W = 1   // width of a mark
) (
    input  wire logic [        COUNT-1:0] valid_i,  // the entry takes part
    input  wire logic [  COUNT*KEY_W-1:0] key_i,    // key of entry e at [e*KEY_W +: KEY_W]
    input  wire logic [ COUNT*MARK_W-1:0] mark_i,   // more bits per entry, returned for the winner
    output logic      [$clog2(COUNT)-1:0] index_o,  // the winner; 0 if none takes part
    output logic      [       MARK_W-1:0] mark_o    // its mark; 0 if none takes part
);
  localparam int INDEX_W = $clog2(COUNT);
  localparam int PRIZE_W = INDEX_W + MARK_W;  // a winner's mark and index
  // At least the rounds that are needed; a round with one entry passes it on.
  localparam int ROUNDS = ARITY == 2 ? INDEX_W : (INDEX_W + 1) / 2 + 1;

  for (genvar r = 0; r <= ROUNDS; r++) begin : gen_round
    localparam int STRIDE = ARITY ** r;  // inputs that one entry of this round represents
    localparam int ENTRIES = (COUNT + STRIDE - 1) / STRIDE;
    logic [ENTRIES-1:0] valid;
    logic [ENTRIES*KEY_W-1:0] key;
    logic [ENTRIES*PRIZE_W-1:0] prize;

    if (r == 0) begin : gen_begin
      assign valid = valid_i;
      assign key   = key_i;
      for (genvar e = 0; e < COUNT; e++) begin : gen_prize
        assign prize[e*PRIZE_W+:PRIZE_W] = {mark_i[e*MARK_W+:MARK_W], INDEX_W'(e)};
      end
    end else begin : gen_matches
      localparam int BELOW = (COUNT + STRIDE / ARITY - 1) / (STRIDE / ARITY);
      for (genvar m = 0; m < ENTRIES; m++) begin : gen_match
        localparam int PLAYERS = BELOW - m * ARITY < ARITY ? BELOW - m * ARITY : ARITY;
        logic [PLAYERS-1:0] player, lost;
        logic [PLAYERS*KEY_W-1:0] player_key;
        logic [PLAYERS*PRIZE_W-1:0] player_prize;
        logic [KEY_W-1:0] best_key;
        logic [PRIZE_W-1:0] best_prize;
        logic later_wins;
        assign player = gen_round[r-1].valid[m*ARITY+:PLAYERS];
        assign player_key = gen_round[r-1].key[m*ARITY*KEY_W+:PLAYERS*KEY_W];
        assign player_prize = gen_round[r-1].prize[m*ARITY*PRIZE_W+:PLAYERS*PRIZE_W];

        always_comb begin
          lost = '0;
          for (int j = 1; j < PLAYERS; j++) begin
            for (int i = 0; i < j; i++) begin
              later_wins = player_key[j*KEY_W+:KEY_W] < player_key[i*KEY_W+:KEY_W];
              lost[i] = lost[i] | (player[j] & later_wins);
              lost[j] = lost[j] | (player[i] & !later_wins);
            end
          end
          best_key   = '0;
          best_prize = '0;
          for (int p = 0; p < PLAYERS; p++) begin
            best_key = best_key | (player_key[p*KEY_W+:KEY_W] & {KEY_W{player[p] & !lost[p]}});
            best_prize =
                best_prize | (player_prize[p*PRIZE_W+:PRIZE_W] & {PRIZE_W{player[p] & !lost[p]}});
          end
        end
        assign valid[m] = |player;
        assign key[m*KEY_W+:KEY_W] = best_key;
        assign prize[m*PRIZE_W+:PRIZE_W] = best_prize;
      end
    end
  end

  assign {mark_o, index_o} = gen_round[ROUNDS].prize;

  logic unused_last;
  assign unused_last = ^{gen_round[ROUNDS].key, gen_round[ROUNDS].valid};

`ifdef FORMAL
`include "paws_tournament.svh"
`endif
endmodule

`default_nettype wire
