// SPDX-License-Identifier: MIT
// Ready queue of the two-level scheduler: a round-robin list of READY entries, and the issue decision.
//
// Responsibility: hold up to READY warps in list order; issue the first issuable warp; release the
// warps that wait and the warp that exits; take in one promoted warp per cycle.
// Policy: loose round robin. The issuer goes to the tail, so a warp that can issue waits for at most
// READY-1 issues of others that stay in the list.
// Structure: entries do not move. One flip-flop per pair of entries says which comes first, so any
// number of warps may leave in one cycle without compaction.
// Timing: issuable_i to issue_valid_o and issue_warp_o is combinational; so are leave_o and
// settled_o. room_o and all state are registered: what happens in t is seen in t+1, and an entry
// freed in t is filled in t+1 at the earliest.
// Coincidences: issue and promotion: both go to the tail, the promoted warp behind the issuer. Leaving
// warps, an issue and a promotion are independent: a promotion takes an entry that was free before.
// An issue with exit or relief frees the entry instead. Without relief an issuer cannot go to pending,
// because issuable_i and waits_i are disjoint. A late end frees the entry, too: its warp does not issue, and
// if it waits it leaves all the same (leave_o), but not for pending.
// Cost: READY * (1 + log2 WARPS) + READY * (READY-1) / 2 flip-flops, 2 * READY multiplexers of WARPS
// inputs.
`default_nettype none

module paws_ready_list #(
    parameter int WARPS = 24,      // warp slots
    parameter int READY = 6,       // entries, 1 to WARPS
    parameter bit HAS_RELIEF = 1'b0,        // relief_i is looked at
    parameter bit LATE_EXIT = 1'b1,         // end_i is looked at
    parameter int CLOCK_GATES = 0  // with clock gates; 0: without
) (
    input  wire logic                     clk_i,            // clock
    input  wire logic                     rst_ni,           // synchronous reset, active low
    input  wire logic                     issue_en_i,       // an instruction may issue
    input  wire logic [        WARPS-1:0] issuable_i,       // the warp can issue
    input  wire logic [        WARPS-1:0] waits_i,          // the warp waits
    input  wire logic [        WARPS-1:0] exit_i,           // the warp ends when it issues
    input  wire logic                     relief_i,         // the issuer leaves, too
    input  wire logic [        WARPS-1:0] end_i,            // the warp ends without an issue
    input  wire logic                     promote_valid_i,  // a warp comes in; only with room_o
    input  wire logic [$clog2(WARPS)-1:0] promote_warp_i,   // that warp
    output logic                          room_o,           // an entry is free
    output logic                          issue_valid_o,    // a warp issues
    output logic      [$clog2(WARPS)-1:0] issue_warp_o,     // that warp; 0 while none does
    output logic      [        WARPS-1:0] leave_o,          // the warp leaves ready and goes on living
    output logic                          settled_o         // no warp here is issuable or waits
);
  localparam int WARP_W = $clog2(WARPS);

  logic [WARPS-1:0] end_slot;
  if (LATE_EXIT) begin : gen_late
    assign end_slot = end_i;
  end else begin : gen_no_late
    logic unused_end;
    assign end_slot = '0;
    assign unused_end = ^end_i;
  end

  logic [READY-1:0] valid_q;
  (* mem2reg *) logic [WARP_W-1:0] warp_q[0:READY-1];
  logic [READY*READY-1:0] ahead;  // [k*READY +: READY]: the entries that come before entry k

  logic [WARPS-1:0] slot;     // the warp of an entry, one bit per slot
  logic [WARPS-1:0] members;  // the warps of all entries
  logic [READY*WARPS-1:0] slots;  // the warp of entry k at [k*WARPS +: WARPS]
  // Decoded in rows of eight, which takes fewer gates than one wide shifter.
  localparam int ROWS = (WARPS + 7) / 8;
  logic [ROWS*8-1:0] row;
  logic unused_row;  // the last row may reach beyond the last slot
  assign unused_row = ^row;
  logic [READY-1:0] candidate, ends, waits, ended;
  logic [READY-1:0] first, issue, free_first;

  // Each entry needs two bits per warp: whether the warp can issue; and whether an issuable warp ends,
  // or a warp that is not issuable waits. (issuable_i and waits_i are disjoint.)
  logic [WARPS-1:0] marked;
  logic [READY-1:0] mark;
  assign marked = waits_i | (issuable_i & exit_i);

  always_comb begin
    members = '0;
    for (int k = 0; k < READY; k++) begin
      for (int r = 0; r < ROWS; r++) begin
        row[r*8+:8] = {8{valid_q[k] && 32'(warp_q[k]) >> 3 == r}} & (8'd1 << 3'(warp_q[k]));
      end
      slot = WARPS'(row);
      slots[k*WARPS+:WARPS] = slot;
      members = members | slot;
      candidate[k] = |(slot & issuable_i);
      mark[k] = |(slot & marked);
      ended[k] = |(slot & end_slot);
    end
  end
  assign waits = mark & ~candidate;
  assign ends = mark;

  always_comb begin
    issue_warp_o = '0;
    for (int k = 0; k < READY; k++) begin
      first[k] = candidate[k] & ~|(candidate & ahead[k*READY+:READY]);
      issue_warp_o = issue_warp_o | (warp_q[k] & {WARP_W{first[k] & issue_en_i}});
    end
  end
  assign issue = first & {READY{issue_en_i}};
  assign issue_valid_o = |candidate & issue_en_i;

  // A relieved warp leaves, unless it ends; the entry becomes free in either case.
  logic [READY-1:0] relieved;
  if (HAS_RELIEF) begin : gen_relief
    logic [WARPS-1:0] relieved_slot;
    assign relieved = issue & {READY{relief_i}};
    always_comb begin
      relieved_slot = '0;
      for (int k = 0; k < READY; k++) begin
        relieved_slot = relieved_slot | (slots[k*WARPS+:WARPS] & {WARPS{relieved[k] & !ends[k]}});
      end
    end
    assign leave_o = (members & waits_i) | relieved_slot;
  end else begin : gen_no_relief
    logic unused_relief;
    assign unused_relief = ^{relief_i, slots};
    assign relieved = '0;
    assign leave_o = members & waits_i;
  end
  assign settled_o = ~|(candidate | waits);

  // The lowest free entry takes the promoted warp. The choice of the entry is not visible outside.
  assign room_o = ~&valid_q;
  assign free_first = ~valid_q & (valid_q + 1'b1) & {READY{promote_valid_i}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= (valid_q & ~ended & ~waits & ~(issue & ends) & ~relieved) | free_first;
  end

  // The warps of the entries change only at promotions.
  if (CLOCK_GATES == 0) begin : gen_free
    always_ff @(posedge clk_i) begin
      for (int k = 0; k < READY; k++) begin
        if (free_first[k]) warp_q[k] <= promote_warp_i;
      end
    end
  end else begin : gen_gated
    logic [READY*WARP_W-1:0] warp, next_warp;
    paws_gated_register #(
        .SLOTS(1),
        .WIDTH(READY * WARP_W),
        .GROUP(1)
    ) u_warp (
        .clk_i   (clk_i),
        .change_i(promote_valid_i),
        .next_i  (next_warp),
        .state_o (warp)
    );
    always_comb begin
      for (int k = 0; k < READY; k++) begin
        warp_q[k] = warp[k*WARP_W+:WARP_W];
        next_warp[k*WARP_W+:WARP_W] = free_first[k] ? promote_warp_i : warp[k*WARP_W+:WARP_W];
      end
    end
  end

  // Order of the entries: bit j*(j-1)/2 + i, i < j, says that entry i comes before entry j. An entry
  // gets its place when it is filled, so nothing here needs a reset.
  if (READY > 1) begin : gen_order
    localparam int PAIRS = READY * (READY - 1) / 2;
    logic [PAIRS-1:0] first_q, first_d;

    always_comb begin
      for (int j = 1; j < READY; j++) begin
        for (int i = 0; i < j; i++) begin
          first_d[j*(j-1)/2+i] = free_first[j] | (!free_first[i] &
              (issue[j] | (!issue[i] & first_q[j*(j-1)/2+i])));
        end
      end
    end

    logic change;
    assign change = promote_valid_i | issue_valid_o;
    if (CLOCK_GATES == 0) begin : gen_free
      logic unused_change;
      assign unused_change = change;
      always_ff @(posedge clk_i) first_q <= first_d;
    end else begin : gen_gated
      paws_gated_register #(
          .SLOTS(1),
          .WIDTH(PAIRS),
          .GROUP(1)
      ) u_first (
          .clk_i   (clk_i),
          .change_i(change),
          .next_i  (first_d),
          .state_o (first_q)
      );
    end

    for (genvar j = 0; j < READY; j++) begin : gen_column
      for (genvar i = 0; i < READY; i++) begin : gen_row
        if (i < j) begin : gen_upper
          assign ahead[j*READY+i] = first_q[j*(j-1)/2+i];
        end else if (i > j) begin : gen_lower
          assign ahead[j*READY+i] = !first_q[i*(i-1)/2+j];
        end else begin : gen_self
          assign ahead[j*READY+i] = 1'b0;
        end
      end
    end
  end else begin : gen_alone
    assign ahead = '0;
  end

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      promotion_has_room: assert (!promote_valid_i || room_o)
      else $error("ready list: promotion without room");
      one_first: assert ($onehot0(first)) else $error("ready list: two warps are first");
      candidate_has_a_first: assert ((|first) == (|candidate))
      else $error("ready list: a candidate, but nobody is first");
      issuer_is_issuable: assert (!issue_valid_o || issuable_i[issue_warp_o])
      else $error("ready list: the issued warp is not issuable");
      for (int k = 0; k < READY; k++) begin
        for (int j = 0; j < k; j++) begin
          entries_differ: assert (!(valid_q[k] && valid_q[j] && warp_q[k] == warp_q[j]))
          else $error("ready list: a warp stands in two entries");
        end
      end
    end
  end
`endif

`ifdef FORMAL
`include "paws_ready_list.svh"
`endif
endmodule

`default_nettype wire
