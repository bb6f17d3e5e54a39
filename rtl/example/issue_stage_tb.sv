// SPDX-License-Identifier: MIT
// Test bench of the example issue_stage: the rest of a core, with random latencies, and a check of everything that the
// stage promises. It runs in Verilator and in Icarus, with the same result for the same seed (rtl/example/run).
//
// Plusargs: seed=N (default 1), wave=FILE (VCD).
// The core: PROGRAMS warps with random programs of 4 to LONGEST instructions start as slots become free. Short
// operations write 2 to 6 cycles after the operand read takes them, loads 20 to 150, one register per cycle in all.
// Fetch misses, stalls and barriers last for random times, and ready has phases: always, at times, hardly.
// What does not count has random values: the fields of an instruction that is not decoded, every input of a free slot.
// Checked in every cycle, against a list of the instructions in flight:
//   order       instructions of a warp issue in order, each once, and only if none of their registers is pending
//   scoreboard  issuable, waits and long_outstanding of every slot, as the scheduler's contract defines them
//   ports       what issued reaches the port once, in order, unchanged; valid and data stay until they are taken
//   warps       active and free slots, exit events; at the end every warp has ended and nothing was lost
// A run in which a case did not happen (full buffer, wait, barrier, used slot) fails as well: it would prove nothing.
`default_nettype none

module issue_stage_tb;
  parameter int WARPS = 8;
  parameter int REGISTERS = 16;
  parameter int LENGTH_W = 6;
  parameter int TWO_LEVEL = 1;
  parameter int READY = 3;
  parameter int POLICY = 2;
  parameter int PROGRAMS = 40;
  parameter int LONGEST = 60;
  localparam int WARP_W = $clog2(WARPS);
  localparam int REG_W = $clog2(REGISTERS);
  localparam int FLIGHTS = WARPS * REGISTERS;  // one per register at most
  localparam int QUEUE = 4;                    // issued, not yet taken: two at most
  localparam int LIMIT = 500 * PROGRAMS + 20000;

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;

  logic spawn_valid = 1'b0, issue_ready = 1'b0, write_valid = 1'b0;
  logic [WARP_W-1:0] spawn_warp = '0, write_warp = '0;
  logic [REG_W-1:0] write_register = '0;
  logic [WARPS-1:0] decoded = '0, longs = '0, ends = '0, stall = '0, barrier = '0;
  logic [WARPS*REG_W-1:0] dests = '0, sources_a = '0, sources_b = '0;
  logic [WARPS*LENGTH_W-1:0] phases = '0;
  logic [WARPS-1:0] free, take, active;
  logic issue_valid, issue_long, issue_ends, exit_valid, quiet;
  logic [WARP_W-1:0] issue_warp, exit_warp;
  logic [REG_W-1:0] issue_dest, issue_source_a, issue_source_b;

  issue_stage #(
      .WARPS    (WARPS),
      .REGISTERS(REGISTERS),
      .LENGTH_W (LENGTH_W),
      .TWO_LEVEL(TWO_LEVEL != 0),
      .READY    (READY),
      .POLICY   (POLICY)
  ) dut (
      .clk_i           (clk),
      .rst_ni          (rst_n),
      .spawn_valid_i   (spawn_valid),
      .spawn_warp_i    (spawn_warp),
      .free_o          (free),
      .decoded_i       (decoded),
      .dest_i          (dests),
      .source_a_i      (sources_a),
      .source_b_i      (sources_b),
      .long_i          (longs),
      .ends_i          (ends),
      .phase_i         (phases),
      .take_o          (take),
      .stall_i         (stall),
      .barrier_i       (barrier),
      .issue_valid_o   (issue_valid),
      .issue_ready_i   (issue_ready),
      .issue_warp_o    (issue_warp),
      .issue_dest_o    (issue_dest),
      .issue_source_a_o(issue_source_a),
      .issue_source_b_o(issue_source_b),
      .issue_long_o    (issue_long),
      .issue_ends_o    (issue_ends),
      .write_valid_i   (write_valid),
      .write_warp_i    (write_warp),
      .write_register_i(write_register),
      .active_o        (active),
      .exit_valid_o    (exit_valid),
      .exit_warp_o     (exit_warp),
      .quiet_o         (quiet)
  );

  // Random numbers that are the same in every simulator: xorshift, and one number per statement, because the order of
  // evaluation within an expression is the simulator's choice.
  int seed;
  logic [31:0] random_q;
  function [31:0] random(input [31:0] below);
    begin
      random_q = random_q ^ (random_q << 13);
      random_q = random_q ^ (random_q >> 17);
      random_q = random_q ^ (random_q << 5);
      random = random_q % below;
    end
  endfunction

  // The programs. Instruction i of program p stands at p * LONGEST + i.
  logic [REG_W-1:0] prog_dest[0:PROGRAMS*LONGEST-1];
  logic [REG_W-1:0] prog_source_a[0:PROGRAMS*LONGEST-1];
  logic [REG_W-1:0] prog_source_b[0:PROGRAMS*LONGEST-1];
  logic [LENGTH_W-1:0] prog_phase[0:PROGRAMS*LONGEST-1];
  logic [PROGRAMS*LONGEST-1:0] prog_long, prog_barrier;
  int prog_size[0:PROGRAMS-1];
  int instructions;

  // Registers 0 to 6 are the most frequent, so that operands are often pending.
  logic [REG_W-1:0] some;
  task random_register(input [31:0] others);
    int draw;
    begin
      draw = random(others);
      some = REG_W'(random(draw == 0 ? REGISTERS : 7));
    end
  endtask

  // A phase ends before an instruction with a source that a load of the phase writes. Each instruction counts as one
  // cycle.
  task make_programs;
    int p, i, k, first, left;
    logic [REGISTERS-1:0] loaded;
    begin
      instructions = 0;
      for (p = 0; p < PROGRAMS; p = p + 1) begin
        prog_size[p] = 4 + random(LONGEST - 3);
        instructions = instructions + prog_size[p];
        for (i = 0; i < prog_size[p]; i = i + 1) begin
          random_register(8);
          prog_dest[p*LONGEST+i] = some;
          random_register(8);
          prog_source_a[p*LONGEST+i] = some;
          random_register(2);
          prog_source_b[p*LONGEST+i] = some;
          prog_barrier[p*LONGEST+i] = random(24) == 0;
          k = random(6);
          prog_long[p*LONGEST+i] = k == 0 && prog_dest[p*LONGEST+i] != 0;
        end
        first = 0;
        loaded = '0;
        for (i = 0; i <= prog_size[p]; i = i + 1) begin
          if (i == prog_size[p] || loaded[prog_source_a[p*LONGEST+i]] || loaded[prog_source_b[p*LONGEST+i]]) begin
            for (k = first; k < i; k = k + 1) begin
              left = TWO_LEVEL != 0 ? i - first : i - k;
              prog_phase[p*LONGEST+k] = left >= 1 << LENGTH_W ? '1 : LENGTH_W'(left);
            end
            first = i;
            loaded = '0;
          end
          if (i < prog_size[p] && prog_long[p*LONGEST+i]) loaded[prog_dest[p*LONGEST+i]] = 1'b1;
        end
      end
    end
  endtask

  // The warps: what each slot runs, and until when something stops it.
  int program_of[0:WARPS-1];
  int at[0:WARPS-1];  // next instruction
  int fetch_until[0:WARPS-1], stall_until[0:WARPS-1], barrier_until[0:WARPS-1];
  logic [WARPS-1:0] alive;
  int started, ended;

  // Instructions in flight that will write a register, from issue to write: the first `flights` entries.
  int flights;
  logic [FLIGHTS-1:0] flight_taken, flight_long;
  logic [WARP_W-1:0] flight_warp[0:FLIGHTS-1];
  logic [REG_W-1:0] flight_register[0:FLIGHTS-1];
  int flight_due[0:FLIGHTS-1];
  int writing;  // the one that is written in this cycle; -1: none

  // Instructions that were issued and have not been taken at the port.
  int queue_at[0:QUEUE-1];
  logic [WARP_W-1:0] queue_warp[0:QUEUE-1];
  int queued;

  // Of the cycle before.
  logic held, exit_expected;
  logic [WARP_W-1:0] exit_slot;
  logic [WARP_W+3*REG_W+1:0] held_data;

  int cycle, taken, mode, mode_until, idle;
  int full_cycles, wait_cycles, early_cycles, barrier_waits, used_slots;

  task fail(input int what);
    begin
      case (what)
        0: $display("FAILED: more than one instruction issues in a cycle");
        1: $display("FAILED: an instruction issues that is not there or whose registers are pending");
        2: $display("FAILED: issuable is %b", dut.issuable);
        3: $display("FAILED: waits is %b", dut.waits);
        4: $display("FAILED: long_outstanding is %b", dut.long_outstanding);
        5: $display("FAILED: active is %b, expected %b", active, alive);
        6: $display("FAILED: free is %b", free);
        7: $display("FAILED: an instruction at the port that did not issue, or again");
        8: $display("FAILED: the instruction at the port is not the one that issued");
        9: $display("FAILED: valid or data changed before ready");
        10: $display("FAILED: an issue that the buffer cannot hold");
        11: $display("FAILED: exit event");
        12: $display("FAILED: %0d of %0d instructions taken, %0d of %0d warps ended", taken, instructions, ended,
                     PROGRAMS);
        13: $display("FAILED: %0d of %0d warps ended after %0d cycles", ended, PROGRAMS, cycle);
        14: $display("FAILED: a case did not happen: full buffer %0d, waits %0d, load outstanding without wait %0d, ",
                     full_cycles, wait_cycles, early_cycles, "barriers %0d, used slots %0d", barrier_waits, used_slots);
        default: $display("FAILED: not quiet at the end");
      endcase
      $fatal(1, "issue_stage_tb: cycle %0d, seed %0d", cycle, seed);
    end
  endtask

  // The reference: what the scheduler must be told in this cycle.
  logic [WARPS-1:0] blocked, blocked_long, outstanding, unwritten, shown, expected_issuable, expected_waits;
  logic touches;
  task expect_signals;
    int f, w;
    begin
      blocked = '0;
      blocked_long = '0;
      outstanding = '0;
      unwritten = '0;
      for (f = 0; f < flights; f = f + 1) begin
        w = 32'(flight_warp[f]);
        touches = flight_register[f] == dests[w*REG_W+:REG_W] || flight_register[f] == sources_a[w*REG_W+:REG_W] ||
            flight_register[f] == sources_b[w*REG_W+:REG_W];
        unwritten[w] = 1'b1;
        if (flight_long[f]) outstanding[w] = 1'b1;
        if (touches) blocked[w] = 1'b1;
        if (touches && flight_long[f]) blocked_long[w] = 1'b1;
      end
      shown = alive & decoded & ~stall;
      expected_issuable = shown & ~blocked & ~barrier;
      expected_waits = alive & (barrier | (shown & blocked_long));
      if (dut.issuable !== expected_issuable) fail(2);
      if (dut.waits !== expected_waits) fail(3);
      if (dut.long_outstanding !== outstanding) fail(4);
      if (active !== alive) fail(5);
      if (free !== (~alive & ~unwritten)) fail(6);
      if (|expected_waits) wait_cycles = wait_cycles + 1;
      if (|(outstanding & ~expected_waits & alive)) early_cycles = early_cycles + 1;
    end
  endtask

  // What issues in this cycle goes to the queue of the port, and into flight.
  task see_issue;
    int w, places;
    begin
      places = 0;
      for (w = 0; w < WARPS; w = w + 1) begin
        if (take[w]) begin
          places = places + 1;
          if (!expected_issuable[w]) fail(1);
          if (queued == 2) fail(10);
          queue_at[queued] = program_of[w] * LONGEST + at[w];
          queue_warp[queued] = WARP_W'(w);
          queued = queued + 1;
          if (dests[w*REG_W+:REG_W] != 0) begin
            flight_taken[flights] = 1'b0;
            flight_long[flights] = longs[w];
            flight_warp[flights] = WARP_W'(w);
            flight_register[flights] = dests[w*REG_W+:REG_W];
            flights = flights + 1;
          end
        end
      end
      if (places > 1) fail(0);
    end
  endtask

  // A register was written. The last entry takes the place of the one that ends.
  task see_write;
    begin
      flights = flights - 1;
      flight_taken[writing] = flight_taken[flights];
      flight_long[writing] = flight_long[flights];
      flight_warp[writing] = flight_warp[flights];
      flight_register[writing] = flight_register[flights];
      flight_due[writing] = flight_due[flights];
    end
  endtask

  // The instruction at the port, and the operand read that takes it.
  task see_port;
    int f, k;
    logic [WARP_W+3*REG_W+1:0] data;
    begin
      data = {issue_warp, issue_dest, issue_source_a, issue_source_b, issue_long, issue_ends};
      if (held && (!issue_valid || data !== held_data)) fail(9);
      held = issue_valid && !issue_ready;
      held_data = data;
      if (issue_valid && issue_ready) begin
        if (queued == 0) fail(7);
        k = queue_at[0];
        if (data !== {queue_warp[0], prog_dest[k], prog_source_a[k], prog_source_b[k], prog_long[k],
                      k % LONGEST == prog_size[k/LONGEST] - 1}) fail(8);
        for (f = 0; f < flights; f = f + 1) begin
          if (flight_warp[f] == issue_warp && flight_register[f] == issue_dest) begin
            flight_taken[f] = 1'b1;
            flight_due[f] = cycle + random(flight_long[f] ? 131 : 5) + (flight_long[f] ? 20 : 2);
          end
        end
        for (k = 0; k < QUEUE - 1; k = k + 1) begin
          queue_at[k] = queue_at[k+1];
          queue_warp[k] = queue_warp[k+1];
        end
        queued = queued - 1;
        taken = taken + 1;
      end
    end
  endtask

  // The warps go on: the next cycle's inputs.
  logic may_start;
  task drive_warps;
    int w, k, draw;
    logic [WARPS-1:0] starts;
    begin
      starts = '0;
      draw = random(3);
      may_start = draw == 0 && started < PROGRAMS;
      if (exit_valid !== exit_expected || (exit_expected && exit_warp !== exit_slot)) fail(11);
      exit_expected = 1'b0;
      if (spawn_valid) alive[spawn_warp] = 1'b1;
      spawn_valid <= 1'b0;
      for (w = 0; w < WARPS; w = w + 1) begin
        if (take[w]) begin
          k = program_of[w] * LONGEST + at[w];
          fetch_until[w] = cycle + random(12);
          stall_until[w] = cycle + random(8);
          draw = random(20);
          if (draw % 4 != 0) fetch_until[w] = cycle;
          if (draw / 4 != 0) stall_until[w] = cycle;
          at[w] = at[w] + 1;
          if (at[w] == prog_size[program_of[w]]) begin
            alive[w] = 1'b0;
            ended = ended + 1;
            exit_expected = 1'b1;
            exit_slot = WARP_W'(w);
          end else if (prog_barrier[k]) begin
            barrier_waits = barrier_waits + 1;
            barrier_until[w] = cycle + 5 + random(60);
          end
        end else if (may_start && starts == '0 && free[w] && !(spawn_valid && spawn_warp == WARP_W'(w))) begin
          starts[w] = 1'b1;
          if (started >= WARPS) used_slots = used_slots + 1;
          program_of[w] = started;
          at[w] = 0;
          fetch_until[w] = cycle + random(6);
          stall_until[w] = cycle;
          barrier_until[w] = cycle;
          started = started + 1;
          spawn_valid <= 1'b1;
          spawn_warp <= WARP_W'(w);
        end
        if (alive[w] || starts[w]) begin
          k = program_of[w] * LONGEST + at[w];
          decoded[w] <= cycle >= fetch_until[w];
          stall[w] <= cycle < stall_until[w];
          barrier[w] <= cycle < barrier_until[w];
          phases[w*LENGTH_W+:LENGTH_W] <= prog_phase[k];
          if (cycle >= fetch_until[w] && cycle >= stall_until[w]) begin
            dests[w*REG_W+:REG_W] <= prog_dest[k];
            sources_a[w*REG_W+:REG_W] <= prog_source_a[k];
            sources_b[w*REG_W+:REG_W] <= prog_source_b[k];
            longs[w] <= prog_long[k];
            ends[w] <= at[w] == prog_size[program_of[w]] - 1;
          end
        end else begin
          draw = random(8);
          {decoded[w], stall[w], barrier[w]} <= draw[2:0];
          phases[w*LENGTH_W+:LENGTH_W] <= LENGTH_W'(random(1 << LENGTH_W));
        end
        if (!(alive[w] || starts[w]) || cycle < fetch_until[w] || cycle < stall_until[w]) begin
          dests[w*REG_W+:REG_W] <= REG_W'(random(REGISTERS));
          sources_a[w*REG_W+:REG_W] <= REG_W'(random(REGISTERS));
          sources_b[w*REG_W+:REG_W] <= REG_W'(random(REGISTERS));
          draw = random(4);
          {longs[w], ends[w]} <= draw[1:0];
        end
      end
    end
  endtask

  // The writes of the next cycle, the oldest of those that are due first, and its ready.
  task drive_core;
    int f, draw;
    begin
      writing = -1;
      for (f = 0; f < flights; f = f + 1) begin
        if (flight_taken[f] && flight_due[f] <= cycle &&
            (writing < 0 || flight_due[f] < flight_due[writing < 0 ? 0 : writing])) writing = f;
      end
      write_valid <= writing >= 0;
      write_warp <= WARP_W'(random(WARPS));
      write_register <= REG_W'(random(REGISTERS));
      if (writing >= 0) begin
        write_warp <= flight_warp[writing];
        write_register <= flight_register[writing];
      end
      if (cycle >= mode_until) begin
        mode = random(3);
        mode_until = cycle + 1 + random(80);
      end
      draw = random(mode == 0 ? 1 : mode == 1 ? 2 : 8);
      issue_ready <= draw == 0;
    end
  endtask

  string wave;
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if ($value$plusargs("wave=%s", wave)) begin
      $dumpfile(wave);
      $dumpvars(0, issue_stage_tb);
    end
    random_q = seed ^ 32'h9E37_79B9;
    if (random_q == 0) random_q = 1;
    make_programs;
    alive = '0;
    flights = 0;
    flight_taken = '0;
    flight_long = '0;
    held = 1'b0;
    exit_expected = 1'b0;
    {cycle, taken, started, ended, queued, mode, mode_until, idle} = '0;
    {full_cycles, wait_cycles, early_cycles, barrier_waits, used_slots} = '0;
    writing = -1;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
  end

  always @(posedge clk) begin
    if (rst_n) begin
      expect_signals;
      if (writing >= 0) see_write;
      see_port;
      see_issue;
      if (!dut.may_issue) full_cycles = full_cycles + 1;
      drive_warps;
      drive_core;
      cycle = cycle + 1;
      if (cycle > LIMIT) fail(13);
      // The run goes on for a while behind the end, so that a late or double issue shows.
      idle = ended == PROGRAMS && flights == 0 && queued == 0 ? idle + 1 : 0;
      if (idle == 100) begin
        if (taken != instructions) fail(12);
        if (!quiet) fail(15);
        if (full_cycles == 0 || wait_cycles == 0 || early_cycles == 0) fail(14);
        if (barrier_waits == 0 || used_slots == 0) fail(14);
        $display("passed: %0d warps, %0d instructions in %0d cycles, seed %0d", PROGRAMS, instructions, cycle - 100,
                 seed);
        $display("  buffer full in %0d cycles, a warp waits in %0d, %0d barriers, %0d slots used again", full_cycles,
                 wait_cycles, barrier_waits, used_slots);
        $finish;
      end
    end
  end
endmodule

`default_nettype wire
