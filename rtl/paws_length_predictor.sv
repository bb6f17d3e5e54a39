// SPDX-License-Identifier: MIT
// Predictor of phase lengths, for cores whose programs come without them: learns at run time how long a phase is.
//
// Responsibility: a table by program counter. A phase begins with an instruction that waited for a long operation, or with
// the first one of a warp. When a phase of a warp has ended, the entry of its first instruction gets the number of
// instructions that it had. At decode the table gives the length of the phase that would begin with an instruction, which
// the i-buffer carries along. For each warp the module says what is left of the phase that it is in.
// Policy: the last length counts. An entry that has learned nothing gives 0. Entries have no tag: instructions
// ENTRIES * 2^SHIFT bytes apart share one, and change the order of warps, nothing else.
// Timing: the length of the program counter of t is at length_o in t+1. remaining_o comes from registers.
// Coincidences: an entry that is learned in t is read in t+1 at the earliest. A launch beside an issue is of another warp.
// Cost: ENTRIES * (LENGTH_W+1) flip-flops or bits of memory; per warp two lengths, the number of an entry and a flag.
`default_nettype none

module paws_length_predictor #(
    parameter int WARPS = 8,      // warp slots, 1 to 64
    parameter int ENTRIES = 64,   // a power of 2, 2 to 1,024
    parameter int LENGTH_W = 9,   // width of a length, 2 to 16; a longer phase counts as the longest
    parameter int PC_W = 32,      // width of a program counter, log2 of the bytes of all entries to 64
    parameter int SHIFT = 2,      // log2 of the bytes of an instruction
    localparam int WARP_W = WARPS < 2 ? 1 : $clog2(WARPS)
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_ni,          // synchronous, active low
    // Decode.
    input  wire logic [          PC_W-1:0] pc_i,            // of the instruction that is decoded
    output logic      [      LENGTH_W-1:0] length_o,        // of a phase that began with that of the cycle before
    // Issue.
    input  wire logic [         WARPS-1:0] waits_i,         // as at the scheduler
    input  wire logic [         WARPS-1:0] launch_i,        // a warp starts in this slot
    input  wire logic                      issue_valid_i,   // an instruction issues
    input  wire logic [        WARP_W-1:0] issue_warp_i,
    input  wire logic [          PC_W-1:0] issue_pc_i,
    input  wire logic [      LENGTH_W-1:0] issue_length_i,  // what length_o said of it
    output logic      [         WARPS-1:0] begins_o,        // the warp's next instruction begins a phase
    output logic [WARPS*LENGTH_W-1:0]      remaining_o      // else: what is left of the warp's phase
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass.
  if (WARPS < 1 || WARPS > 64) begin : gen_check_warps
`ifndef __ICARUS__
    $error("paws_length_predictor: WARPS must be 1 to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (ENTRIES < 2 || ENTRIES > 1024 || (ENTRIES & (ENTRIES - 1)) != 0) begin : gen_check_entries
`ifndef __ICARUS__
    $error("paws_length_predictor: ENTRIES must be a power of 2, 2 to 1024");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (LENGTH_W < 2 || LENGTH_W > 16) begin : gen_check_length
`ifndef __ICARUS__
    $error("paws_length_predictor: LENGTH_W must be 2 to 16");
`endif
    paws_illegal_parameter u_stop ();
  end

  localparam int INDEX_W = ENTRIES < 2 ? 1 : $clog2(ENTRIES);
  if (PC_W < INDEX_W + SHIFT || PC_W > 64 || SHIFT < 0 || SHIFT > 4) begin : gen_check_pc
`ifndef __ICARUS__
    $error("paws_length_predictor: SHIFT must be 0 to 4, PC_W log2 of the bytes of all entries to 64");
`endif
    paws_illegal_parameter u_stop ();
  end
  localparam logic [LENGTH_W-1:0] LONGEST = {LENGTH_W{1'b1}};

  logic [LENGTH_W-1:0] lengths_q[0:ENTRIES-1];
  logic [ENTRIES-1:0] known_q;
  logic [LENGTH_W-1:0] read_q, learned;
  logic read_known_q, learns;
  logic [INDEX_W-1:0] read_index, issue_index, learned_index;
  logic unused_pc;
  assign unused_pc = ^{pc_i, issue_pc_i};
  assign read_index = pc_i[SHIFT+:INDEX_W];
  assign issue_index = issue_pc_i[SHIFT+:INDEX_W];

  // Of each warp: its next instruction begins a phase; entry of the phase that it is in, predicted length, and how many
  // instructions of it have issued; whether it is in one at all.
  logic [WARPS-1:0] begins_q, inside_q, issues;
  logic [WARPS*INDEX_W-1:0] start_q;
  logic [WARPS*LENGTH_W-1:0] predicted_q, issued_q;
  always_comb begin
    for (int w = 0; w < WARPS; w++) issues[w] = issue_valid_i & (issue_warp_i == WARP_W'(w));
  end

  // An issue that begins a phase ends the one before, whose length is known now.
  always_comb begin
    learns = 1'b0;
    learned = '0;
    learned_index = '0;
    for (int w = 0; w < WARPS; w++) begin
      if (issues[w] && begins_q[w] && inside_q[w]) begin
        learns = 1'b1;
        learned = learned | issued_q[w*LENGTH_W+:LENGTH_W];
        learned_index = learned_index | start_q[w*INDEX_W+:INDEX_W];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (learns) lengths_q[learned_index] <= learned;
    read_q <= lengths_q[read_index];
    read_known_q <= known_q[read_index];
    if (!rst_ni) known_q <= '0;
    else if (learns) known_q[learned_index] <= 1'b1;
  end
  assign length_o = read_q & {LENGTH_W{read_known_q}};

  always_ff @(posedge clk_i) begin
    for (int w = 0; w < WARPS; w++) begin
      if (!rst_ni || launch_i[w]) begin
        begins_q[w] <= 1'b1;
        inside_q[w] <= 1'b0;
      end else begin
        begins_q[w] <= (begins_q[w] & !issues[w]) | waits_i[w];
        inside_q[w] <= inside_q[w] | issues[w];
      end
      if (issues[w]) begin
        if (begins_q[w]) begin
          start_q[w*INDEX_W+:INDEX_W] <= issue_index;
          predicted_q[w*LENGTH_W+:LENGTH_W] <= issue_length_i;
          issued_q[w*LENGTH_W+:LENGTH_W] <= LENGTH_W'(1);
        end else if (issued_q[w*LENGTH_W+:LENGTH_W] != LONGEST) begin
          issued_q[w*LENGTH_W+:LENGTH_W] <= issued_q[w*LENGTH_W+:LENGTH_W] + 1'b1;
        end
      end
    end
  end
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      remaining_o[w*LENGTH_W+:LENGTH_W] =
          predicted_q[w*LENGTH_W+:LENGTH_W] > issued_q[w*LENGTH_W+:LENGTH_W]
          ? predicted_q[w*LENGTH_W+:LENGTH_W] - issued_q[w*LENGTH_W+:LENGTH_W] : '0;
    end
  end
  assign begins_o = begins_q;

`ifdef FORMAL
`include "paws_length_predictor.svh"
`endif
endmodule

`default_nettype wire
