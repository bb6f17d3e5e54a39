// SPDX-License-Identifier: MIT
// Each spawned warp is launched once, in its turn and within its bound, unless it ends before. f_open_q are the
// warps that were spawned and neither launched nor ended, f_ahead_q (row v, column w) says that v goes first.
`ifdef PROVE_paws_spawn
`define PAWS_REQUIRE assume
`else
`define PAWS_REQUIRE assert
`endif
`include "started.svh"
  logic [SLOTS-1:0] f_open_q, f_launched, f_ended;
  logic [SLOTS*SLOTS-1:0] f_ahead_q;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) begin
      f_launched[w] = launch_valid_o && launch_warp_o == WARP_W'(w);
      f_ended[w] = end_valid_i && end_warp_i == WARP_W'(w);
    end
  end
  always_ff @(posedge clk_i) begin
    f_open_q <= rst_ni ? (f_open_q | spawn_i) & ~f_launched & ~f_ended : '0;
    for (int v = 0; v < SLOTS; v++) begin
      for (int w = 0; w < SLOTS; w++) begin
        // Who comes goes behind all that are here, and among those that come with it by its slot.
        if (spawn_i[w]) f_ahead_q[v*SLOTS+w] <= f_open_q[v] || (spawn_i[v] && v < w);
        else if (spawn_i[v]) f_ahead_q[v*SLOTS+w] <= 1'b0;
      end
    end
  end
  // For any warp: the cycles since its spawn, and the size of its mask.
  (* anyconst *) logic [WARP_W-1:0] f_patient;
  logic [SLOTS-1:0] f_is_patient;
  logic [WARP_W+1:0] f_waited_q, f_size_q, f_size, f_before;
  always_comb begin
    f_is_patient = SLOTS'(1) << f_patient;
    f_size = '0;
    f_before = '0;
    for (int w = 0; w < SLOTS; w++) begin
      f_size = f_size + (WARP_W + 2)'(spawn_i[w]);
      for (int v = 0; v < SLOTS; v++) begin
        if (f_is_patient[w] && v != w && f_open_q[v] && f_ahead_q[v*SLOTS+w]) f_before = f_before + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if ((spawn_i & f_is_patient) != '0) begin
      f_waited_q <= 1;
      f_size_q <= f_size;
    end else f_waited_q <= f_waited_q + 1'b1;
  end
  always_comb begin
    if (f_started_q && rst_ni) begin
      // A mask comes only if at most one warp waits (required).
      `PAWS_REQUIRE (spawn_i == '0 || !busy_o);
      // No slot is spawned that waits (required).
      `PAWS_REQUIRE ((spawn_i & f_open_q) == '0);
      // No warp ends in the cycle of its spawn (required).
      `PAWS_REQUIRE ((spawn_i & f_ended) == '0);
      // Only a warp that was spawned, and was neither launched nor ended, is launched, and none that ends.
      assert ((f_launched & ~(f_open_q | spawn_i)) == '0 && (f_launched & f_ended) == '0);
      // Without a launch the warp is 0.
      assert (launch_valid_o ? 32'(launch_warp_o) < SLOTS : launch_warp_o == '0);
      // A warp launches in every cycle in which one waits, or comes, unless the only one that waits ends.
      assert (launch_valid_o == ((f_open_q & ~f_ended) != '0 || (f_open_q == '0 && spawn_i != '0)));
      // The end of a warp goes on exactly if the warp does not wait.
      assert (end_valid_o == (end_valid_i && (f_open_q & f_ended) == '0) && end_warp_o == end_warp_i);
      // Busy are two warps or more.
      assert (busy_o == ((f_open_q & (f_open_q - 1'b1)) != '0));
      // A warp that waits has waited for no more cycles than its mask leaves.
      assert ((f_open_q & f_is_patient) == '0 || 32'(f_waited_q) + 32'(f_before) <= 32'(f_size_q));
      // Of a mask of n warps the last launches after at most n cycles.
      assert ((f_open_q & f_is_patient) == '0 || 32'(f_waited_q) <= 32'(f_size_q));
    end
    if (f_started_q) begin
      // Who waits was spawned, and was neither launched nor ended.
      assert (waiting_o == f_open_q);
    end
  end
  for (genvar w = 0; w < SLOTS; w++) begin : f_gen_turn
    for (genvar v = 0; v < SLOTS; v++) begin : f_gen_rival
      if (v != w) begin : f_gen_two
        always_comb begin
          // Nobody who waits and does not end goes before the launched warp.
          assert (!f_started_q || !rst_ni || !f_launched[w] || !f_open_q[v] || f_ended[v] ||
                  (f_open_q[w] && !f_ahead_q[v*SLOTS+w]));
          // A mask that meets nobody begins with its lowest slot.
          assert (!f_started_q || !rst_ni || !f_launched[w] || !spawn_i[v] || f_open_q != '0 || w < v);
          // Of two that wait one goes first: the lower slot, as there is one mask.
          assert (!f_started_q || !f_open_q[v] || !f_open_q[w] || f_ahead_q[v*SLOTS+w] == (v < w));
        end
      end
    end
  end
`ifdef PROVE_paws_spawn
  always_comb begin
    // All slots come at once.
    cover (f_started_q && rst_ni && &spawn_i);
    // The last of a mask launches beside the next mask, which waits as a whole.
    cover (f_started_q && rst_ni && launch_valid_o && |f_open_q && |spawn_i && (f_launched & spawn_i) == '0);
    // A warp of a mask launches as late as the bound says.
    cover (f_started_q && rst_ni && (f_launched & f_is_patient & f_open_q) != '0 && 32'(f_waited_q) == SLOTS - 1 &&
           32'(f_size_q) == SLOTS - 1);
    // A warp ends while it waits, beside the launch of another.
    cover (f_started_q && rst_ni && launch_valid_o && (f_open_q & f_ended) != '0);
    // The only warp that waits ends beside a mask.
    cover (f_started_q && rst_ni && f_open_q != '0 && (f_open_q & ~f_ended) == '0 && |spawn_i);
  end
`endif
`undef PAWS_REQUIRE
