// SPDX-License-Identifier: MIT
// What every search for the smallest key promises. The module that includes this says f_found (there
// is a winner), f_key (keys, as far as they count). A free number stands for every rival.
  (* anyseq *) logic [$clog2(COUNT)-1:0] f_rival;
  logic f_wins, f_asks;  // the winner, the rival takes part
  logic [KEY_W-1:0] f_least, f_rival_key;
  always_comb begin
    f_wins = 1'b0;
    f_asks = 1'b0;
    f_least = '0;
    f_rival_key = '0;
    for (int e = 0; e < COUNT; e++) begin
      if (index_o == $clog2(COUNT)'(e)) begin
        f_wins = valid_i[e];
        f_least = f_key[e*KEY_W+:KEY_W];
      end
      if (f_rival == $clog2(COUNT)'(e)) begin
        f_asks = valid_i[e];
        f_rival_key = f_key[e*KEY_W+:KEY_W];
      end
    end
    // The winner takes part if anybody does.
    assert (f_wins == (|valid_i));
    // Nobody who takes part has a smaller key than the winner.
    assert (!f_asks || f_least <= f_rival_key);
    // Without entries that take part the winner is entry 0.
    assert (|valid_i || index_o == '0);
  end
