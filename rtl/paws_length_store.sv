// SPDX-License-Identifier: MIT
// Store of phase lengths: the length of an instruction's phase, or its distance, by program counter.
//
// Responsibility: a table that the host fills with the image that `paws phases FILE.elf` writes, and one read
// port at decode. The i-buffer carries the length along with the instruction.
// Policy: entry n is of the instruction at BASE + n * 2^SHIFT. What lies outside of the table has the largest length, so
// that it goes last.
// Timing: the length of the program counter of t is at length_o in t+1, as with a memory block.
// Coincidences: a write and a read of one entry in one cycle: the read gets the old length.
// Cost: ENTRIES * LENGTH_W bits of memory, and a comparison of the program counter.
`default_nettype none

module paws_length_store #(
    parameter int ENTRIES = 1024,  // a power of 2, 2 to 65,536
    parameter int LENGTH_W = 9,    // width of a length, 2 to 16
    parameter int PC_W = 32,       // width of a program counter, log2 of the bytes of all entries to 64
    parameter int SHIFT = 2,       // log2 of the bytes of an entry: 2, or 1 with compressed instructions
    localparam int INDEX_W = ENTRIES < 2 ? 1 : $clog2(ENTRIES)
) (
    input  wire logic                clk_i,
    input  wire logic                write_valid_i,
    input  wire logic [ INDEX_W-1:0] write_index_i,
    input  wire logic [LENGTH_W-1:0] write_length_i,
    input  wire logic [    PC_W-1:0] base_i,          // address of entry 0; stable while instructions are decoded
    input  wire logic [    PC_W-1:0] pc_i,            // of the instruction that is decoded
    output logic      [LENGTH_W-1:0] length_o         // of that of the cycle before
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass.
  if (ENTRIES < 2 || ENTRIES > 65536 || (ENTRIES & (ENTRIES - 1)) != 0) begin : gen_check_entries
`ifndef __ICARUS__
    $error("paws_length_store: ENTRIES must be a power of 2, 2 to 65536");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (LENGTH_W < 2 || LENGTH_W > 16) begin : gen_check_length
`ifndef __ICARUS__
    $error("paws_length_store: LENGTH_W must be 2 to 16");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PC_W < INDEX_W + SHIFT || PC_W > 64 || SHIFT < 0 || SHIFT > 4) begin : gen_check_pc
`ifndef __ICARUS__
    $error("paws_length_store: SHIFT must be 0 to 4, PC_W log2 of the bytes of all entries to 64");
`endif
    paws_illegal_parameter u_stop ();
  end

  logic [LENGTH_W-1:0] lengths_q[0:ENTRIES-1];
  logic [LENGTH_W-1:0] read_q;
  logic [PC_W-1:0] offset;
  logic outside, outside_q;
  assign offset = pc_i - base_i;
  assign outside = |(offset >> (INDEX_W + SHIFT));

  always_ff @(posedge clk_i) begin
    if (write_valid_i) lengths_q[write_index_i] <= write_length_i;
    read_q <= lengths_q[offset[SHIFT+:INDEX_W]];
    outside_q <= outside;
  end
  assign length_o = read_q | {LENGTH_W{outside_q}};

`ifdef FORMAL
`include "paws_length_store.svh"
`endif
endmodule

`default_nettype wire
