// SPDX-License-Identifier: MIT
// Example of a host: a small SIMT core around paws_core_adapter, from fetch to write-back, without lanes.
//
// Responsibility: to show a scheduler in a whole front end, and what the front end owes it. All warps run the program in
// the instruction memory: add, load, barrier and exit on 16 registers of 16 bits. A block of WARPS warps starts at once.
//
//   fetch ──► decode ──► i-buffers ──► scoreboard ──► paws_core_adapter ──► operand read ──► adder, memory ──► write-back
//   one warp  one place, two each     pending bits,   taken, valid, ready
//   a cycle   shared                  paws_long_tracker
//
//   credits_i      fetch serves only warps with a free place in their i-buffer (paws_fetch_credit), so that decode never
//                  stands. Without, it serves every warp, and an instruction whose i-buffer is full holds up all
//                  others. With two levels that stops the core for ever: the warps outside of ready hold decode, those
//                  in ready get no instruction (docs/guide/integration.md, "Progress")
//   empty_waits_i  the other way to keep the promise: a warp whose i-buffer is empty waits, and leaves ready
// An exit ends its warp at execute (a late end): the adapter sees its bit in active_q fall.
// Timing: a program counter that is fetched in t is decoded in t+1 and in the i-buffer in t+2. An instruction that is
// taken in t reads its operands in t+1 at the earliest. An add writes ADD_LATENCY cycles later, a load NEAR_LATENCY
// or FAR_LATENCY, by its address.
// Coincidences: several warps start and end in one cycle; three registers are written in one cycle at most.
`default_nettype none

module small_core #(
    parameter int WARPS = 8,            // warp slots, 2 to 64
    parameter int LEVEL = 1,            // as of the adapter: 0 single level, 1 two levels, 2 ordered PAWS
    parameter int POLICY = 2,           // the policy code, see paws_pkg; 2 is PAWS
    parameter int READY = 4,            // two levels: entries of ready
    parameter int LENGTH_W = 9,         // width of a phase length or distance
    parameter int PROGRAM = 1024,       // instructions of the memory, a power of 2
    parameter int ADD_LATENCY = 4,      // cycles, 2 or more, as the next two
    parameter int NEAR_LATENCY = 20,    // loads from odd addresses
    parameter int FAR_LATENCY = 120,    // loads from even addresses
    localparam int WARP_W = $clog2(WARPS),
    localparam int PC_W = $clog2(PROGRAM)
) (
    input  wire logic                clk_i,
    input  wire logic                rst_ni,         // synchronous, active low
    input  wire logic                credits_i,      // see above; stable outside reset, as the next one
    input  wire logic                empty_waits_i,
    // The program, written while no warp is active: {op, dest, a, b} and the length of the instruction's phase.
    input  wire logic                write_valid_i,
    input  wire logic [    PC_W-1:0] write_pc_i,
    input  wire logic [        13:0] write_code_i,
    input  wire logic [LENGTH_W-1:0] write_length_i,
    // A block starts in all slots, which must be free. Register 1 of slot w is first_i + w, the others are 0.
    input  wire logic                start_i,
    input  wire logic [        15:0] first_i,
    output logic                     free_o,         // every slot is
    // An instruction reads its operands.
    output logic                     issue_valid_o,
    output logic      [  WARP_W-1:0] issue_warp_o,
    output logic      [        13:0] issue_code_o,
    output logic      [        15:0] issue_a_o,
    output logic      [        15:0] issue_b_o
);
  // Operations; the code of an instruction has the operation above three numbers of registers. 0 as a destination is none.
  localparam logic [1:0] ADD = 2'd0, LOAD = 2'd1, BARRIER = 2'd2, EXIT = 2'd3;
  localparam int CODE_W = 14;
  localparam int ITEM_W = LENGTH_W + CODE_W;
  localparam int WRITE_W = 1 + WARP_W + 4 + 16;  // valid, warp, register, value

  // Warps. An exit that has been decoded stops the fetch of its warp; at execute it ends the warp.
  logic [WARPS-1:0] active_q, stopped_q, barrier_q, live, ended, taken;
  logic [WARPS*PC_W-1:0] pc_q;

  // Fetch: the next warp behind the last one that may be fetched for. Not the one in decode: it may be at its exit.
  logic [WARPS-1:0] may_fetch, wants, behind, turn, fetched, decoding;
  logic fetch, moves;
  logic [WARP_W-1:0] fetch_warp, last_q;
  logic [PC_W-1:0] fetch_pc;
  assign wants = active_q & ~stopped_q & ~decoding & (may_fetch | {WARPS{!credits_i}});
  assign fetch = moves & |wants;
  // The lowest behind the last one, else the lowest of all.
  assign behind = wants & ~((WARPS'(2) << last_q) - 1'b1);
  assign turn = |behind ? behind : wants;
  assign fetched = turn & (~turn + 1'b1) & {WARPS{fetch}};
  always_comb begin
    fetch_warp = '0;
    for (int w = 0; w < WARPS; w++) fetch_warp = fetch_warp | (WARP_W'(w) & {WARP_W{fetched[w]}});
  end
  assign fetch_pc = pc_q[fetch_warp*PC_W+:PC_W];

  // Decode: one place for all warps. It is left when the i-buffer of its warp has room.
  logic decode_valid_q;
  logic [WARP_W-1:0] decode_warp_q;
  logic [PC_W-1:0] decode_pc_q, read_pc;
  logic [CODE_W-1:0] program_q[0:PROGRAM-1];
  logic [CODE_W-1:0] decode_code_q;
  logic [LENGTH_W-1:0] decode_length;
  logic [WARPS-1:0] room, pushed;
  assign moves = !decode_valid_q | room[decode_warp_q];
  assign read_pc = moves ? fetch_pc : decode_pc_q;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      decoding[w] = decode_valid_q & (decode_warp_q == WARP_W'(w));
      pushed[w] = decoding[w] & room[w];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) decode_valid_q <= 1'b0;
    else if (moves) decode_valid_q <= fetch;
    if (moves) begin
      decode_warp_q <= fetch_warp;
      decode_pc_q <= fetch_pc;
    end
    if (write_valid_i) program_q[write_pc_i] <= write_code_i;
    decode_code_q <= program_q[read_pc];
    if (!rst_ni) last_q <= '0;
    else if (fetch) last_q <= fetch_warp;
  end
  paws_length_store #(
      .ENTRIES (PROGRAM),
      .LENGTH_W(LENGTH_W),
      .PC_W    (PC_W),
      .SHIFT   (0)
  ) u_lengths (
      .clk_i         (clk_i),
      .write_valid_i (write_valid_i),
      .write_index_i (write_pc_i),
      .write_length_i(write_length_i),
      .base_i        ({PC_W{1'b0}}),
      .pc_i          (read_pc),
      .length_o      (decode_length)
  );
  paws_fetch_credit #(
      .WARPS(WARPS),
      .DEPTH(2)
  ) u_credit (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .fetch_valid_i(fetch & credits_i),
      .fetch_warp_i (fetch_warp),
      .taken_i      (taken & {WARPS{credits_i}}),
      .flush_i      ({WARPS{1'b0}}),
      .may_fetch_o  (may_fetch)
  );

  // I-buffers of two instructions, and the scoreboard: what each warp's next instruction is, and whether it can issue.
  logic [WARPS-1:0] full_q, valid_q, issuable, waits, needs_long, long_outstanding, busy;
  logic [WARPS*ITEM_W-1:0] front_q, second_q;
  logic [WARPS*CODE_W-1:0] code;
  logic [WARPS*LENGTH_W-1:0] length;
  logic [WARPS*12-1:0] registers;
  logic [3*WRITE_W-1:0] writes;
  logic [WARP_W-1:0] taken_warp;
  logic [5:0] taken_code;  // operation and destination
  logic taken_any;
  assign room = ~full_q;
  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    logic [15:0] pending_q, set, written;
    logic [CODE_W-1:0] next;
    logic [3:0] dest;
    logic writes_it;
    assign next = front_q[w*ITEM_W+:CODE_W];
    assign dest = next[11:8];
    assign writes_it = taken[w] & !next[13];
    assign code[w*CODE_W+:CODE_W] = next;
    assign registers[w*12+:12] = next[11:0];
    assign length[w*LENGTH_W+:LENGTH_W] = front_q[w*ITEM_W+CODE_W+:LENGTH_W];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q[w] <= 1'b0;
        full_q[w] <= 1'b0;
      end else begin
        valid_q[w] <= full_q[w] | pushed[w] | (valid_q[w] & !taken[w]);
        full_q[w] <= (full_q[w] & !taken[w]) | (pushed[w] & valid_q[w] & !taken[w]);
      end
      if (taken[w] & full_q[w]) front_q[w*ITEM_W+:ITEM_W] <= second_q[w*ITEM_W+:ITEM_W];
      else if (pushed[w] & (!valid_q[w] | taken[w])) front_q[w*ITEM_W+:ITEM_W] <= {decode_length, decode_code_q};
      if (pushed[w]) second_q[w*ITEM_W+:ITEM_W] <= {decode_length, decode_code_q};
    end

    always_comb begin
      for (int r = 0; r < 16; r++) begin
        set[r] = r != 0 & writes_it & (dest == 4'(r));
        written[r] = 1'b0;
        for (int p = 0; p < 3; p++) begin
          written[r] = written[r] | (writes[p*WRITE_W+20+WARP_W] & (writes[p*WRITE_W+20+:WARP_W] == WARP_W'(w)) &
                                     (writes[p*WRITE_W+16+:4] == 4'(r)));
        end
      end
    end
    always_ff @(posedge clk_i) pending_q <= rst_ni ? (pending_q | set) & ~written : '0;
    assign issuable[w] = valid_q[w] & !barrier_q[w] & !pending_q[dest] & !pending_q[next[7:4]] &
                         !pending_q[next[3:0]];
    assign waits[w] = needs_long[w] | (empty_waits_i & active_q[w] & !valid_q[w]);
    assign busy[w] = active_q[w] | live[w] | (|pending_q);
  end
  assign free_o = busy == '0;
  always_comb begin
    taken_warp = '0;
    for (int w = 0; w < WARPS; w++) taken_warp = taken_warp | (WARP_W'(w) & {WARP_W{taken[w]}});
  end
  assign taken_any = |taken;
  assign taken_code = code[taken_warp*CODE_W+8+:6];
  paws_long_tracker #(
      .WARPS    (WARPS),
      .REGISTERS(16),
      .READS    (3),
      .WRITES   (3)
  ) u_tracker (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .valid_i           (valid_q),
      .registers_i       (registers),
      .held_i            (barrier_q),
      .issue_valid_i     (taken_any & (taken_code[5:4] == LOAD)),
      .issue_warp_i      (taken_warp),
      .issue_register_i  (taken_code[3:0]),
      .write_valid_i     ({writes[2*WRITE_W+20+WARP_W], writes[WRITE_W+20+WARP_W], writes[20+WARP_W]}),
      .write_warp_i      ({writes[2*WRITE_W+20+:WARP_W], writes[WRITE_W+20+:WARP_W], writes[20+:WARP_W]}),
      .write_register_i  ({writes[2*WRITE_W+16+:4], writes[WRITE_W+16+:4], writes[16+:4]}),
      .clear_i           ({WARPS{1'b0}}),
      .waits_o           (needs_long),
      .long_outstanding_o(long_outstanding)
  );

  // The scheduler. The memory takes a load every second cycle.
  logic issue_ready, load_q;
  logic [CODE_W-1:0] issue_code;
  logic [1:0] issue_op;
  logic issue_valid;
  assign issue_op = issue_code[13:12];
  paws_core_adapter #(
      .WARPS    (WARPS),
      .LEVEL    (LEVEL),
      .POLICY   (POLICY),
      .READY    (READY),
      .LENGTH_W (LENGTH_W),
      .PAYLOAD_W(CODE_W)
  ) u_adapter (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .active_i          (active_q),
      .issuable_i        (issuable),
      .waits_i           (waits),
      .long_outstanding_i(long_outstanding),
      .length_i          (length),
      .payload_i         (code),
      .taken_o           (taken),
      .live_o            (live),
      .issue_valid_o     (issue_valid),
      .issue_ready_i     (issue_ready),
      .issue_warp_o      (issue_warp_o),
      .issue_payload_o   (issue_code)
  );
  assign issue_ready = !(load_q & (issue_op == LOAD));
  assign issue_valid_o = issue_valid & issue_ready;
  assign issue_code_o = issue_code;
  always_ff @(posedge clk_i) load_q <= rst_ni & issue_valid_o & (issue_op == LOAD);

  // Operand read, the adder, and a memory whose contents are three times the address and one. Each is a line of registers.
  logic [WARPS*256-1:0] registers_q;
  logic [ADD_LATENCY*WRITE_W-1:0] add_q;
  logic [NEAR_LATENCY*WRITE_W-1:0] near_q;
  logic [FAR_LATENCY*WRITE_W-1:0] far_q;
  logic [WRITE_W-2:0] result;
  logic adds, loads;
  assign issue_a_o = registers_q[{issue_warp_o, issue_code[7:4], 4'b0}+:16];
  assign issue_b_o = registers_q[{issue_warp_o, issue_code[3:0], 4'b0}+:16];
  assign adds = issue_valid_o & (issue_op == ADD);
  assign loads = issue_valid_o & (issue_op == LOAD);
  assign result = {issue_warp_o, issue_code[11:8],
                   issue_code[12] ? issue_a_o + (issue_a_o << 1) + 16'd1 : issue_a_o + issue_b_o + 16'd1};
  assign writes = {far_q[(FAR_LATENCY-1)*WRITE_W+:WRITE_W], near_q[(NEAR_LATENCY-1)*WRITE_W+:WRITE_W],
                   add_q[(ADD_LATENCY-1)*WRITE_W+:WRITE_W]};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      add_q <= '0;
      near_q <= '0;
      far_q <= '0;
    end else begin
      add_q <= {add_q[(ADD_LATENCY-1)*WRITE_W-1:0], adds, result};
      near_q <= {near_q[(NEAR_LATENCY-1)*WRITE_W-1:0], loads & issue_a_o[0], result};
      far_q <= {far_q[(FAR_LATENCY-1)*WRITE_W-1:0], loads & !issue_a_o[0], result};
    end
    for (int p = 0; p < 3; p++) begin
      if (writes[p*WRITE_W+20+WARP_W] && writes[p*WRITE_W+16+:4] != '0) begin
        registers_q[{writes[p*WRITE_W+20+:WARP_W], writes[p*WRITE_W+16+:4], 4'b0}+:16] <= writes[p*WRITE_W+:16];
      end
    end
    if (start_i) begin
      for (int w = 0; w < WARPS; w++) begin
        registers_q[w*256+:256] <= '0;
        registers_q[w*256+16+:16] <= first_i + 16'(w);
      end
    end
  end

  // Starts, ends and barriers. A warp that has ended does not hold up the others at a barrier.
  logic opens;
  assign opens = (barrier_q | ~active_q) == '1;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      ended[w] = issue_valid_o & (issue_op == EXIT) & (issue_warp_o == WARP_W'(w));
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= '0;
      barrier_q <= '0;
    end else begin
      active_q <= (active_q | {WARPS{start_i}}) & ~ended;
      for (int w = 0; w < WARPS; w++) begin
        barrier_q[w] <= (taken[w] & (code[w*CODE_W+12+:2] == BARRIER)) | (barrier_q[w] & !opens);
      end
    end
    for (int w = 0; w < WARPS; w++) begin
      stopped_q[w] <= !start_i & (stopped_q[w] | (pushed[w] & (decode_code_q[13:12] == EXIT)));
      if (start_i) pc_q[w*PC_W+:PC_W] <= '0;
      else if (fetched[w]) pc_q[w*PC_W+:PC_W] <= pc_q[w*PC_W+:PC_W] + 1'b1;
    end
  end

`ifdef PAWS_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      start_is_free: assert (!start_i || free_o)
      else $error("small_core: a block starts while warps are there");
      decode_never_stands: assert (!credits_i || moves)
      else $error("small_core: decode stands although fetch has credits");
    end
  end
`endif
endmodule

`default_nettype wire
