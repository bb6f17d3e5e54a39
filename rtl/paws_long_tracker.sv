// SPDX-License-Identifier: MIT
// Tracker of long operations: what a scheduler of two levels must know, beside a scoreboard that is there.
//
// Responsibility: one bit for each register of each warp: a long operation that has issued will write it. From these bits
// and from each warp's next instruction:
//   waits_o             the next instruction is there and reads or writes such a register; or a barrier holds the warp
//   long_outstanding_o  the warp has such a register, whether it needs it or not
// The tracker taps the issue and the write-back of the core and holds nothing back: whether an instruction can issue is
// for the core's own scoreboard.
// Timing: the outputs are combinational from flip-flops and from the next instructions. What issues or is written in t
// shows in t+1.
// Coincidences: the issue and the write of one register in one cycle: the issue counts, it is the younger one. A warp that
// is cleared has no such register in the next cycle. A write that still comes of a cleared operation ends a newer one of
// the same register too early; so either it does not come, or the warp is not cleared.
// Cost: a flip-flop per register and warp, and READS selections among them per warp.
`default_nettype none

module paws_long_tracker #(
    parameter int WARPS = 8,       // warp slots, 1 to 64
    parameter int REGISTERS = 32,  // of a warp, 2 to 256
    parameter int READS = 3,       // registers that an instruction names, sources and destination, 1 to 8
    parameter int WRITES = 1,      // ports of the write-back, 1 to 4
    parameter bit ZERO = 1'b1,     // register 0 is constant and stands for "none", as in RISC-V
    localparam int WARP_W = WARPS < 2 ? 1 : $clog2(WARPS),
    localparam int REG_W = REGISTERS < 2 ? 1 : $clog2(REGISTERS)
) (
    input  wire logic                         clk_i,
    input  wire logic                         rst_ni,              // synchronous, active low
    // The next instruction of each warp, from registers.
    input  wire logic [            WARPS-1:0] valid_i,             // it is there
    input  wire logic [WARPS*READS*REG_W-1:0] registers_i,         // what it names
    input  wire logic [            WARPS-1:0] held_i,              // a barrier holds the warp
    // What happens in the core.
    input  wire logic                         issue_valid_i,       // a long operation issues
    input  wire logic [           WARP_W-1:0] issue_warp_i,
    input  wire logic [            REG_W-1:0] issue_register_i,    // that it will write
    input  wire logic [           WRITES-1:0] write_valid_i,       // a register is written, by whatever operation
    input  wire logic [    WRITES*WARP_W-1:0] write_warp_i,
    input  wire logic [     WRITES*REG_W-1:0] write_register_i,
    input  wire logic [            WARPS-1:0] clear_i,             // the warp ends, or its operations are dropped
    // For the scheduler.
    output logic      [            WARPS-1:0] waits_o,
    output logic      [            WARPS-1:0] long_outstanding_o
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass.
  if (WARPS < 1 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_long_tracker: WARPS must be 1 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (REGISTERS < 2 || REGISTERS > 256) begin : gen_check_registers
`ifndef __ICARUS__
    $error("paws_long_tracker: REGISTERS must be 2 to 256");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (READS < 1 || READS > 8) begin : gen_check_reads
`ifndef __ICARUS__
    $error("paws_long_tracker: READS must be 1 to 8");
`endif
    paws_illegal_parameter u_stop ();
  end

  if (WRITES < 1 || WRITES > 4) begin : gen_check_writes
`ifndef __ICARUS__
    $error("paws_long_tracker: WRITES must be 1 to 4");
`endif
    paws_illegal_parameter u_stop ();
  end

  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    logic [REGISTERS-1:0] long_q, set, written;
    logic [(1<<REG_W)-1:0] awaited;
    logic needs;
    assign awaited = (1 << REG_W)'(long_q);
    always_comb begin
      for (int r = 0; r < REGISTERS; r++) begin
        set[r] = !(ZERO && r == 0) & issue_valid_i & (issue_warp_i == WARP_W'(w)) & (issue_register_i == REG_W'(r));
        written[r] = 1'b0;
        for (int p = 0; p < WRITES; p++) begin
          written[r] = written[r] | (write_valid_i[p] & (write_warp_i[p*WARP_W+:WARP_W] == WARP_W'(w)) &
                                     (write_register_i[p*REG_W+:REG_W] == REG_W'(r)));
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) long_q <= '0;
      else long_q <= ((long_q & ~written) | set) & {REGISTERS{!clear_i[w]}};
    end
    always_comb begin
      needs = 1'b0;
      for (int k = 0; k < READS; k++) needs = needs | awaited[registers_i[(w*READS+k)*REG_W+:REG_W]];
    end
    assign waits_o[w] = held_i[w] | (valid_i[w] & needs);
    assign long_outstanding_o[w] = |long_q;
  end

`ifdef FORMAL
`include "paws_long_tracker.svh"
`endif
endmodule

`default_nettype wire
