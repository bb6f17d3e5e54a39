// SPDX-License-Identifier: MIT
// Part of the example issue_stage: the registers that each warp waits for, and what a scheduler must know of them.
//
// Responsibility: two bits per register: pending_q (an instruction that was issued will write it) and long_q (that
// instruction is a long operation, in short: a load). From them and from each warp's next instruction:
//   issuable          the next instruction is there, none of its registers is pending, and no barrier holds the warp
//   waits             the next instruction is there and reads or writes a register of a long operation; or a barrier
//                     holds the warp. Not: a register of a short operation, or no instruction at all
//   long_outstanding  a long operation of the warp has not written its register, whether the warp needs it or not
// Register 0 is constant, as in RISC-V: it is never pending and stands for "none".
// Timing: the outputs are combinational from flip-flops and from the next instructions, which come from flip-flops, too.
// An issue or a write of cycle t shows in t+1. That is what a scheduler needs: a warp that issued in t has, in t+1, its
// next instruction at the port and the destination of the last one in pending_q.
// Coincidences: an issue to a register and the write of the same register are never in one cycle, because a pending
// destination stops the issue.
// Cost: two flip-flops per register and warp, and six selections of a bit among them per warp.
`default_nettype none

module warp_scoreboard #(
    parameter int WARPS = 8,
    parameter int REGISTERS = 32,  // of a warp, a power of 2
    localparam int WARP_W = $clog2(WARPS),
    localparam int REG_W = $clog2(REGISTERS)
) (
    input  wire logic                   clk_i,
    input  wire logic                   rst_ni,
    // The next instruction of each warp.
    input  wire logic [      WARPS-1:0] valid_i,             // it is there, and the warp is alive
    input  wire logic [      WARPS-1:0] held_i,              // a barrier holds the warp
    input  wire logic [WARPS*REG_W-1:0] dest_i,
    input  wire logic [WARPS*REG_W-1:0] source_a_i,
    input  wire logic [WARPS*REG_W-1:0] source_b_i,
    // What happens: an instruction issues, a register is written.
    input  wire logic                   issue_i,
    input  wire logic [     WARP_W-1:0] issue_warp_i,
    input  wire logic [      REG_W-1:0] issue_dest_i,
    input  wire logic                   issue_long_i,
    input  wire logic                   write_i,
    input  wire logic [     WARP_W-1:0] write_warp_i,
    input  wire logic [      REG_W-1:0] write_register_i,
    // For the scheduler.
    output logic      [      WARPS-1:0] issuable_o,
    output logic      [      WARPS-1:0] waits_o,
    output logic      [      WARPS-1:0] long_outstanding_o,
    output logic      [      WARPS-1:0] clear_o              // no register of the warp is pending
);
  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    logic [REGISTERS-1:0] pending_q, long_q, set, written;
    logic [REG_W-1:0] dest, source_a, source_b;
    logic blocked, blocked_long;
    assign dest = dest_i[w*REG_W+:REG_W];
    assign source_a = source_a_i[w*REG_W+:REG_W];
    assign source_b = source_b_i[w*REG_W+:REG_W];

    always_comb begin
      for (int r = 0; r < REGISTERS; r++) begin
        set[r] = r != 0 & issue_i & (issue_warp_i == WARP_W'(w)) & (issue_dest_i == REG_W'(r));
        written[r] = write_i & (write_warp_i == WARP_W'(w)) & (write_register_i == REG_W'(r));
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        pending_q <= '0;
        long_q <= '0;
      end else begin
        pending_q <= (pending_q | set) & ~written;
        long_q <= (long_q | (set & {REGISTERS{issue_long_i}})) & ~written;
      end
    end

    assign blocked = pending_q[dest] | pending_q[source_a] | pending_q[source_b];
    assign blocked_long = long_q[dest] | long_q[source_a] | long_q[source_b];
    assign issuable_o[w] = valid_i[w] & !held_i[w] & !blocked;
    assign waits_o[w] = held_i[w] | (valid_i[w] & blocked_long);
    assign long_outstanding_o[w] = |long_q;
    assign clear_o[w] = ~|pending_q;

`ifdef PAWS_ASSERT
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        write_is_expected: assert ((written & ~pending_q) == '0)
        else $error("warp_scoreboard: a register is written that is not pending");
        issue_is_free: assert ((set & pending_q) == '0)
        else $error("warp_scoreboard: an instruction issues whose destination is pending");
      end
    end
`endif
  end
endmodule

`default_nettype wire
