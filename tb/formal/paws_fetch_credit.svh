// SPDX-License-Identifier: MIT
// For any warp: as many places are taken as instructions of it were fetched and neither taken nor flushed.
`include "started.svh"
  (* anyconst *) logic [WARP_W-1:0] f_warp;
  logic [COUNT_W:0] f_used_q;
  logic f_fetches, f_takes, f_flushes;
  assign f_fetches = fetch_valid_i && fetch_warp_i == f_warp;
  always_comb begin
    f_takes = 1'b0;
    f_flushes = 1'b0;
    for (int w = 0; w < WARPS; w++) begin
      if (32'(f_warp) == w) begin
        f_takes = taken_i[w];
        f_flushes = flush_i[w];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    f_used_q <= !rst_ni || f_flushes ? '0 : f_used_q + (COUNT_W + 1)'(f_fetches) - (COUNT_W + 1)'(f_takes);
  end
  always_comb begin
    assume (32'(f_warp) < WARPS);
    if (f_started_q && rst_ni) begin
      // A fetch has a place, and what is taken was fetched (required).
      assume (!f_fetches || f_flushes || 32'(f_used_q) < PLACES);
      assume (!f_takes || f_flushes || f_used_q != 0);
    end
    if (f_started_q) begin
      for (int w = 0; w < WARPS; w++) begin
        if (32'(f_warp) == w) begin
          // The count is that of the free places.
          assert (32'(f_used_q) <= PLACES && 32'(free_q[w*COUNT_W+:COUNT_W]) == PLACES - 32'(f_used_q));
          // A warp may be fetched for exactly if it has a free place.
          assert (may_fetch_o[w] == (32'(f_used_q) < PLACES));
        end
      end
    end
  end
`ifdef PROVE_paws_fetch_credit
  always_comb begin
    // All places are taken, and one is given back.
    cover (f_started_q && rst_ni && 32'(f_used_q) == PLACES && f_takes);
    // A fetch and a taken instruction in one cycle.
    cover (f_started_q && rst_ni && f_fetches && f_takes && !f_flushes);
    // A flush beside a fetch.
    cover (f_started_q && rst_ni && f_fetches && f_flushes && f_used_q != 0);
  end
`endif
