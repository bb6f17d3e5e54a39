// SPDX-License-Identifier: MIT
// Spawns: takes a mask of warps that start together and launches them one by one.
//
// Responsibility: stand between a host and the launch port of one scheduler. A scheduler has one insertion
// port, and a launch cannot be held back; so the warps of a mask wait here. With late ends it also stands in
// front of that port: a warp that ends while it waits is never launched, and the scheduler does not see the end.
// Policy: one launch in every cycle in which a warp waits, the masks in the order in which they come, within a
// mask the lowest slot first. The first warp of a mask that meets an empty module launches in the same cycle.
// Bound: of a mask of n warps that comes in t the last one launches in t + n - 1, or in t + n if a warp waited.
// Timing: spawn_i, end_valid_i and end_warp_i to launch_* and end_* are combinational. waiting_o and busy_o come
// from registers.
// Coincidences: a mask beside the only warp that waits: that warp goes first and the mask waits as a whole. The
// end of the only warp that waits beside a mask: no warp launches in that cycle. The end of a warp that waits
// beside the launch of another: both. The end of a warp in the cycle of its spawn is illegal, as is one of a
// slot that is free.
// Cost: WARPS flip-flops and the choice of the lowest slot.
`default_nettype none

module paws_spawn #(
    parameter int WARPS = 24  // warp slots, as of the scheduler, 4 to 64
) (
    input  wire logic                     clk_i,           // clock
    input  wire logic                     rst_ni,          // synchronous reset, active low
    input  wire logic [        WARPS-1:0] spawn_i,         // these warps start; only without busy_o
    input  wire logic                     end_valid_i,     // a warp ends without an issue; else tie to 0
    input  wire logic [$clog2(WARPS)-1:0] end_warp_i,      // in this slot
    output logic                          busy_o,          // the cycle must not bring a mask
    output logic      [        WARPS-1:0] waiting_o,       // the warp was spawned and is not launched yet
    output logic                          launch_valid_o,  // to launch_valid_i of the scheduler
    output logic      [$clog2(WARPS)-1:0] launch_warp_o,   // to launch_warp_i; 0 without a launch
    output logic                          end_valid_o,     // to end_valid_i of a scheduler with LATE_EXIT
    output logic      [$clog2(WARPS)-1:0] end_warp_o       // to end_warp_i
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass.
  if (WARPS < 4 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_spawn: WARPS must be 4 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end

  // Derived parameters are legal even if a parameter is not, so that its message above appears first.
  localparam int SLOTS = WARPS < 4 ? 4 : WARPS;
  localparam int WARP_W = $clog2(SLOTS);

  logic [SLOTS-1:0] waiting_q, waiting_d, end_slot, turn, launched;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) end_slot[w] = end_valid_i & (end_warp_i == WARP_W'(w));
  end

  // While warps wait it is their turn, else that of the mask.
  assign turn = |waiting_q ? waiting_q & ~end_slot : spawn_i;
  assign launched = turn & (~turn + 1'b1);  // lowest bit
  assign launch_valid_o = |turn;
  always_comb begin
    launch_warp_o = '0;
    for (int w = 0; w < SLOTS; w++) launch_warp_o = launch_warp_o | (WARP_W'(w) & {WARP_W{launched[w]}});
  end
  assign waiting_d = (waiting_q | spawn_i) & ~launched & ~end_slot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waiting_q <= '0;
    else waiting_q <= waiting_d;
  end
  assign waiting_o = waiting_q;
  assign busy_o = |(waiting_q & (waiting_q - 1'b1));  // two or more
  assign end_valid_o = end_valid_i & ~|(waiting_q & end_slot);
  assign end_warp_o = end_warp_i;

`ifdef PAWS_ASSERT
  // The promises of the host. That a spawned slot is free is for the checks of the scheduler, which see exits.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      spawns_only_if_not_busy: assert (spawn_i == '0 || !busy_o)
      else $error("spawn: a mask while two or more warps wait");
      spawned_slot_does_not_wait: assert ((spawn_i & waiting_q) == '0)
      else $error("spawn: a slot is spawned that waits");
      spawn_excludes_end: assert ((spawn_i & end_slot) == '0)
      else $error("spawn: a warp ends in the cycle of its spawn");
      spawn_is_known: assert (!$isunknown({spawn_i, end_valid_i}))
      else $error("spawn: spawn_i or end_valid_i is unknown");
    end
  end
`endif

`ifdef FORMAL
`include "paws_spawn.svh"
`endif
endmodule

`default_nettype wire
