// SPDX-License-Identifier: MIT
// Example of a host: the issue stage of a core with a scoreboard and valid/ready ports, around one scheduler.
//
// Responsibility: to show how a scheduler goes into a core that is built as most cores are: a bit per warp that says
// which are alive (active mask), which are stopped (stall mask) and which may issue (ready mask, from the
// scoreboard); instructions at the head of one buffer per warp; one instruction per cycle out, with valid and ready.
// What the stage adds to the scheduler:
//   active_q        set by a spawn, cleared when the last instruction of the warp issues
//   scoreboard      issuable, waits and long_outstanding of each warp (warp_scoreboard.sv)
//   skid buffer     the scheduler has no ready: an issue that it shows has happened. issue_en is a flip-flop of the
//                   buffer, so what issues has an entry, and issue_ready_i ends at the buffer (skid_buffer.sv)
//   selection       the fields of the instruction that issues, from those of all warps
// Decoding is outside: each warp's next instruction comes as its registers and three facts (long, ends, phase).
// Timing: issue_*_o and exit_*_o come from flip-flops. take_o is combinational from flip-flops of this stage and from
// the next instructions; in the cycle after take_o the next instruction of the warp must be at the port, or decoded_i be
// low. An instruction shows at issue_valid_o one cycle after take_o at the earliest.
// Coincidences: a spawn and an exit in one cycle are of different slots. A slot whose warp has ended is free when its
// last register is written. The buffer may then still hold instructions of the old warp; they are before the new ones.
// Cost: the scheduler, two flip-flops per register and warp, and two entries of the buffer.
`default_nettype none

module issue_stage #(
    parameter int WARPS = 8,         // warp slots, 4 to 64
    parameter int REGISTERS = 32,    // registers of a warp, a power of 2; register 0 is constant
    parameter int LENGTH_W = 9,      // width of a phase length or distance
    parameter bit TWO_LEVEL = 1'b1,  // the scheduler: paws_two_level, or paws_single_level
    parameter int READY = 4,         // two-level: entries of the ready queue
    parameter int POLICY = 2,        // the policy code, see paws_pkg; 2 is PAWS
    localparam int WARP_W = $clog2(WARPS),
    localparam int REG_W = $clog2(REGISTERS)
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_ni,         // synchronous, active low
    // A warp starts. Its slot must be free.
    input  wire logic                      spawn_valid_i,
    input  wire logic [        WARP_W-1:0] spawn_warp_i,
    output logic      [         WARPS-1:0] free_o,         // slots that may be spawned to
    // The next instruction of each warp, from flip-flops. Register 0 stands for "none".
    input  wire logic [         WARPS-1:0] decoded_i,      // it is there
    input  wire logic [   WARPS*REG_W-1:0] dest_i,
    input  wire logic [   WARPS*REG_W-1:0] source_a_i,
    input  wire logic [   WARPS*REG_W-1:0] source_b_i,
    input  wire logic [         WARPS-1:0] long_i,         // a long operation: a load
    input  wire logic [         WARPS-1:0] ends_i,         // it ends the warp
    input  wire logic [WARPS*LENGTH_W-1:0] phase_i,        // length of its phase; single level: distance to its end
    output logic      [         WARPS-1:0] take_o,         // it issues in this cycle
    // Stops, from flip-flops.
    input  wire logic [         WARPS-1:0] stall_i,        // what is decoded may be wrong: branch, fence, debugger
    input  wire logic [         WARPS-1:0] barrier_i,      // the warp stands at a barrier
    // The instruction that was issued, to the operand read.
    output logic                           issue_valid_o,
    input  wire logic                      issue_ready_i,
    output logic      [        WARP_W-1:0] issue_warp_o,
    output logic      [         REG_W-1:0] issue_dest_o,
    output logic      [         REG_W-1:0] issue_source_a_o,
    output logic      [         REG_W-1:0] issue_source_b_o,
    output logic                           issue_long_o,
    output logic                           issue_ends_o,
    // Write-back: one register per cycle, whether the operation was long or not.
    input  wire logic                      write_valid_i,
    input  wire logic [        WARP_W-1:0] write_warp_i,
    input  wire logic [         REG_W-1:0] write_register_i,
    // What the rest of the core asks.
    output logic      [         WARPS-1:0] active_o,       // slots with a warp that has not ended
    output logic                           exit_valid_o,   // the warp of this slot ended in the cycle before
    output logic      [        WARP_W-1:0] exit_warp_o,
    output logic                           quiet_o         // the scheduler changes nothing while its inputs hold
);
  localparam int ITEM_W = WARP_W + 3 * REG_W + 2;

  logic may_issue, issue;
  logic [WARP_W-1:0] issue_warp;
  logic [WARPS-1:0] active_q, next_valid, held, issuable, waits, long_outstanding, clear;
  logic [REG_W-1:0] dest, source_a, source_b;
  logic is_long, ends;

  // A warp that is stalled has no next instruction: it neither issues nor waits, and keeps its place in the scheduler.
  // A slot without a warp says nothing at all.
  assign next_valid = active_q & decoded_i & ~stall_i;
  assign held = active_q & barrier_i;

  warp_scoreboard #(
      .WARPS    (WARPS),
      .REGISTERS(REGISTERS)
  ) u_scoreboard (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .valid_i           (next_valid),
      .held_i            (held),
      .dest_i            (dest_i),
      .source_a_i        (source_a_i),
      .source_b_i        (source_b_i),
      .issue_i           (issue),
      .issue_warp_i      (issue_warp),
      .issue_dest_i      (dest),
      .issue_long_i      (is_long),
      .write_i           (write_valid_i),
      .write_warp_i      (write_warp_i),
      .write_register_i  (write_register_i),
      .issuable_o        (issuable),
      .waits_o           (waits),
      .long_outstanding_o(long_outstanding),
      .clear_o           (clear)
  );

  if (TWO_LEVEL) begin : gen_two_level
    paws_two_level #(
        .WARPS   (WARPS),
        .READY   (READY),
        .PHASE_W (LENGTH_W),
        .LENGTH_W(LENGTH_W),
        .POLICIES(1 << POLICY)
    ) u_scheduler (
        .clk_i             (clk_i),
        .rst_ni            (rst_ni),
        .policy_i          (paws_pkg::POLICY_W'(POLICY)),
        .issue_en_i        (may_issue),
        .issuable_i        (issuable),
        .waits_i           (waits),
        .long_outstanding_i(long_outstanding),
        .exit_i            (ends_i),
        .length_i          (phase_i),
        .launch_valid_i    (spawn_valid_i),
        .launch_warp_i     (spawn_warp_i),
        .end_valid_i       (1'b0),
        .end_warp_i        ({WARP_W{1'b0}}),
        .issue_valid_o     (issue),
        .issue_warp_o      (issue_warp),
        .quiet_o           (quiet_o)
    );
  end else begin : gen_single_level
    // No queues: a warp that waits is only one that is not issuable.
    logic unused_waits;
    assign unused_waits = ^{waits, long_outstanding};
    paws_single_level #(
        .WARPS   (WARPS),
        .PHASE_W (LENGTH_W),
        .LENGTH_W(LENGTH_W),
        .POLICIES(1 << POLICY)
    ) u_scheduler (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .policy_i      (paws_pkg::POLICY_W'(POLICY)),
        .issue_en_i    (may_issue),
        .issuable_i    (issuable),
        .exit_i        (ends_i),
        .distance_i    (phase_i),
        .pair_i        ({3 * WARPS{1'b0}}),
        .row_i         ({(WARP_W - 1) * WARPS{1'b0}}),
        .second_i      ({WARPS{1'b0}}),
        .yield_i       ({WARPS{1'b0}}),
        .launch_valid_i(spawn_valid_i),
        .launch_warp_i (spawn_warp_i),
        .end_valid_i   (1'b0),
        .end_warp_i    ({WARP_W{1'b0}}),
        .issue_valid_o (issue),
        .issue_warp_o  (issue_warp),
        .quiet_o       (quiet_o)
    );
  end

  // The fields of the instruction that issues. issue_warp is 0 without an issue, so they are known then, too.
  assign dest = dest_i[issue_warp*REG_W+:REG_W];
  assign source_a = source_a_i[issue_warp*REG_W+:REG_W];
  assign source_b = source_b_i[issue_warp*REG_W+:REG_W];
  assign is_long = long_i[issue_warp];
  assign ends = ends_i[issue_warp];

  logic [WARPS-1:0] spawned;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      spawned[w] = spawn_valid_i & (spawn_warp_i == WARP_W'(w));
      take_o[w] = issue & (issue_warp == WARP_W'(w));
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= '0;
      exit_valid_o <= 1'b0;
    end else begin
      active_q <= (active_q | spawned) & ~(take_o & ends_i);
      exit_valid_o <= issue & ends;
    end
    exit_warp_o <= issue_warp;
  end
  assign active_o = active_q;
  assign free_o = ~active_q & clear;

  skid_buffer #(
      .WIDTH(ITEM_W)
  ) u_skid (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .may_push_o(may_issue),
      .push_i    (issue),
      .data_i    ({issue_warp, dest, source_a, source_b, is_long, ends}),
      .valid_o   (issue_valid_o),
      .ready_i   (issue_ready_i),
      .data_o    ({issue_warp_o, issue_dest_o, issue_source_a_o, issue_source_b_o, issue_long_o, issue_ends_o})
  );

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      spawn_slot_is_free: assert ((spawned & ~free_o) == '0)
      else $error("issue_stage: a warp is spawned to a slot that is not free");
    end
  end
`endif
endmodule

`default_nettype wire
