// SPDX-License-Identifier: MIT
// Test bench of the example small_core: runs a program and checks every instruction (rtl/example/run).
//
// Plusargs: program=FILE (image of rtl/example/assemble), name=TEXT (for the report), wave=FILE (VCD), no_credits and
// empty_waits (see small_core).
// BLOCKS blocks of WARPS warps run one after the other. A model of each warp executes the program by itself; every
// instruction that reads its operands must be the next one of its warp, with the values of the model. So a lost, doubled
// or early instruction fails, and so does one that goes past a barrier which another warp has not reached, or a load right
// behind another. A run that takes more than LIMIT cycles fails, too.
`default_nettype none

module small_core_tb;
  parameter int WARPS = 8;
  parameter int LEVEL = 1;
  parameter int POLICY = 2;
  parameter int READY = 4;
  parameter int BLOCKS = 4;
  parameter int LIMIT = 200000;
  localparam int WARP_W = $clog2(WARPS);
  localparam int PROGRAM = 1024;
  localparam int PC_W = $clog2(PROGRAM);

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;

  logic write_valid = 1'b0, start = 1'b0, credits, empty_waits;
  logic [PC_W-1:0] write_pc = '0;
  logic [31:0] word = '0;
  logic [15:0] first = '0;
  logic free, issue_valid;
  logic [WARP_W-1:0] issue_warp;
  logic [13:0] issue_code;
  logic [15:0] issue_a, issue_b;

  small_core #(
      .WARPS (WARPS),
      .LEVEL (LEVEL),
      .POLICY(POLICY),
      .READY (READY)
  ) dut (
      .clk_i         (clk),
      .rst_ni        (rst_n),
      .credits_i     (credits),
      .empty_waits_i (empty_waits),
      .write_valid_i (write_valid),
      .write_pc_i    (write_pc),
      .write_code_i  (word[13:0]),
      .write_length_i(word[24:16]),
      .start_i       (start),
      .first_i       (first),
      .free_o        (free),
      .issue_valid_o (issue_valid),
      .issue_warp_o  (issue_warp),
      .issue_code_o  (issue_code),
      .issue_a_o     (issue_a),
      .issue_b_o     (issue_b)
  );

  logic [31:0] image[0:PROGRAM-1];
  int size, cycles, instructions, block, ended;
  // The model: program counter, barriers that were reached, and registers of each warp; whether a load was the last.
  int pc[0:WARPS-1], barriers[0:WARPS-1];
  logic loaded;
  logic [15:0] value[0:WARPS*16-1];
  logic [8*256-1:0] file, name;
  int w, base;

  // Ends the run. Called at the rising edge, with what was wrong.
  task fail(input [8*48-1:0] what);
    begin
      $display("FAILED: %0s: warp %0d, its instruction %0d, cycle %0d", what, issue_warp, pc[issue_warp], cycles);
      $fatal;
    end
  endtask

  // What the core shows is checked in the middle of the cycle, where inputs change, too.
  always @(negedge clk) begin
    if (rst_n) begin
      cycles = cycles + 1;
      if (cycles > LIMIT) begin
        $display("FAILED: no progress: %0d instructions after %0d cycles", instructions, LIMIT);
        $fatal;
      end
      if (issue_valid) begin
        w = int'(issue_warp);
        base = w * 16;
        if (pc[w] >= size) fail("an instruction behind the exit");
        if (issue_code !== image[pc[w]][13:0]) fail("not the warp's next instruction");
        if (issue_code[13:12] == 2'd0 && issue_b !== value[base+int'(issue_code[3:0])]) fail("second operand is wrong");
        if (issue_code[13] == 1'b0) begin
          if (issue_a !== value[base+int'(issue_code[7:4])]) fail("first operand is wrong");
          if (issue_code[11:8] != 4'd0) begin
            value[base+int'(issue_code[11:8])] =
                issue_code[12] ? issue_a * 16'd3 + 16'd1 : issue_a + issue_b + 16'd1;
          end
        end
        for (int k = 0; k < WARPS; k++) begin
          if (barriers[k] < barriers[w]) fail("past a barrier that another warp has not reached");
        end
        if (issue_code[13:12] == 2'd1 && loaded) fail("a load right behind another");
        if (issue_code[13:12] == 2'd2) barriers[w] = barriers[w] + 1;
        if (issue_code[13:12] == 2'd3) ended = ended + 1;
        pc[w] = pc[w] + 1;
        instructions = instructions + 1;
      end
      loaded = issue_valid && issue_code[13:12] == 2'd1;
      start = 1'b0;
      if (free && !write_valid) begin
        if (ended != block * WARPS) fail("a block is over that has not ended");
        if (block == BLOCKS) begin
          $display("passed: %0s: %0d cycles, %0d instructions", name, cycles, instructions);
          $finish;
        end
        start = 1'b1;
        first = 16'(block * WARPS * 5);
        for (int k = 0; k < WARPS; k++) begin
          pc[k] = 0;
          barriers[k] = 0;
          for (int r = 0; r < 16; r++) value[k*16+r] = r == 1 ? first + 16'(k) : 16'd0;
        end
        block = block + 1;
      end
      if (write_valid) begin
        write_valid = int'(write_pc) + 1 < size;
        write_pc = write_pc + 1'b1;
        word = image[write_pc];
      end
    end
  end

  initial begin
    if (!$value$plusargs("name=%s", name)) name = "small_core";
    if (!$value$plusargs("program=%s", file)) $fatal(1, "no +program=FILE");
    for (int k = 0; k < PROGRAM; k++) image[k] = 32'hffffffff;
    $readmemh(file, image);
    for (size = 0; size < PROGRAM && image[size] != 32'hffffffff; size = size + 1);
    if ($value$plusargs("wave=%s", file)) begin
      $dumpfile(file);
      $dumpvars(0, small_core_tb);
    end
    credits = !$test$plusargs("no_credits");
    empty_waits = $test$plusargs("empty_waits") != 0;
    loaded = 1'b0;
    cycles = 0;
    instructions = 0;
    block = 0;
    ended = 0;
    word = image[0];
    repeat (3) @(negedge clk);
    #1;
    write_valid = 1'b1;
    rst_n = 1'b1;
  end
endmodule

`default_nettype wire
