// SPDX-License-Identifier: MIT
// What may be unknown stays without consequence: two schedulers (netlists of Yosys) get the same
// stimulus, one of them X wherever an input does not count (docs/reference/microarchitecture.md, "Promises of
// the host"): everything in reset, exit_i of a warp that is not issuable, a length or distance that
// is not looked at, long_outstanding_i of a free slot, launch_warp_i without a launch, the group of a free
// slot or under another policy than SCA, yield_i of a warp that is not issuable or under another policy than
// CGGTY, end_valid_i and end_warp_i (without LATE_EXIT). The registers
// of both begin as X. Their outputs must be the same, and known, in every cycle.
// PAWS_TWO_LEVEL tells which scheduler it is; POLICY_W is the width of policy_i; WARPS, LENGTH_W, LIMITED (an
// AGE_LIMIT), HELD
// (HELD_LENGTH) are its parameters, the policies of the mask POLICIES are run. With PAWS_SPOIL_LENGTHS,
// PAWS_SPOIL_GROUPS or PAWS_SPOIL_YIELDS the X goes where that input does count, and the test must fail. CGGTY and SCA
// are the codes of these policies.
`default_nettype none

module unknowns_tb;
  localparam WARPS = `WARPS;
  localparam LENGTH_W = `LENGTH_W;
  localparam LIMITED = `LIMITED;
  localparam HELD = `HELD;
  localparam WARP_W = $clog2(WARPS);
  localparam PAIR_W = 3;
  localparam ROW_W = WARP_W - 1;
  localparam CYCLES = 3000;  // of every policy

  reg clk = 0, rst_n = 0;
  reg [`POLICY_W-1:0] policy, policy_x;
  reg issue_en, issue_en_x, launch, launch_x;
  reg [WARPS-1:0] issuable, waits, outstanding, exits, live;
  reg [WARPS-1:0] issuable_x, waits_x, outstanding_x, exits_x;
  reg [WARPS*LENGTH_W-1:0] lengths, lengths_x;
  reg [WARPS*PAIR_W-1:0] pairs, pairs_x;
  reg [WARPS*ROW_W-1:0] rows, rows_x;
  reg [WARPS-1:0] seconds, seconds_x, yields, yields_x;
  reg [WARP_W-1:0] launch_warp, launch_warp_x;
  wire valid, valid_x, quiet, quiet_x;
  wire [WARP_W-1:0] warp, warp_x;

`ifdef PAWS_TWO_LEVEL
  paws_two_level known (
      .clk_i(clk), .rst_ni(rst_n), .policy_i(policy), .issue_en_i(issue_en), .issuable_i(issuable),
      .waits_i(waits), .long_outstanding_i(outstanding), .exit_i(exits), .length_i(lengths),
      .launch_valid_i(launch), .launch_warp_i(launch_warp),
      .end_valid_i(1'b0), .end_warp_i({WARP_W{1'b0}}),
      .issue_valid_o(valid), .issue_warp_o(warp), .quiet_o(quiet));
  paws_two_level unknown (
      .clk_i(clk), .rst_ni(rst_n), .policy_i(policy_x), .issue_en_i(issue_en_x), .issuable_i(issuable_x),
      .waits_i(waits_x), .long_outstanding_i(outstanding_x), .exit_i(exits_x), .length_i(lengths_x),
      .launch_valid_i(launch_x), .launch_warp_i(launch_warp_x),
      .end_valid_i(1'bx), .end_warp_i({WARP_W{1'bx}}),
      .issue_valid_o(valid_x), .issue_warp_o(warp_x), .quiet_o(quiet_x));
`else
  paws_single_level known (
      .clk_i(clk), .rst_ni(rst_n), .policy_i(policy), .issue_en_i(issue_en), .issuable_i(issuable),
      .exit_i(exits), .distance_i(lengths), .pair_i(pairs), .row_i(rows), .second_i(seconds), .yield_i(yields),
      .launch_valid_i(launch), .launch_warp_i(launch_warp),
      .end_valid_i(1'b0), .end_warp_i({WARP_W{1'b0}}),
      .issue_valid_o(valid), .issue_warp_o(warp), .quiet_o(quiet));
  paws_single_level unknown (
      .clk_i(clk), .rst_ni(rst_n), .policy_i(policy_x), .issue_en_i(issue_en_x), .issuable_i(issuable_x),
      .exit_i(exits_x), .distance_i(lengths_x), .pair_i(pairs_x), .row_i(rows_x), .second_i(seconds_x),
      .yield_i(yields_x), .launch_valid_i(launch_x), .launch_warp_i(launch_warp_x),
      .end_valid_i(1'bx), .end_warp_i({WARP_W{1'bx}}),
      .issue_valid_o(valid_x), .issue_warp_o(warp_x), .quiet_o(quiet_x));
`endif

  integer code, cycle, w, k, chosen, seed, issues;
  reg counts;
  reg [WARPS-1:0] holds;  // live, and has not issued in the cycle before

  task stimulus;
    begin
      issue_en = $random(seed);
      launch = 0;
      launch_warp = $random(seed);
      for (k = 0; k < WARPS; k = k + 1) begin
        w = (k + cycle) % WARPS;
        if (!live[w] && !launch && ($random(seed) & 7) == 0) begin
          launch = 1;
          launch_warp = w;
        end
      end
      for (w = 0; w < WARPS; w = w + 1) begin
        chosen = $random(seed) & 7;
        issuable[w] = live[w] && chosen < 3;
        waits[w] = live[w] && chosen == 3;
        outstanding[w] = $random(seed);
        exits[w] = ($random(seed) & 15) == 0;
        if (!HELD || !holds[w]) lengths[w*LENGTH_W+:LENGTH_W] = $random(seed);
        // Groups of the same number in a few pairs; a slot's row and side keep members apart.
        if (!live[w]) pairs[w*PAIR_W+:PAIR_W] = $random(seed) & 5;
        rows[w*ROW_W+:ROW_W] = w >> 1;
        seconds[w] = w;
        yields[w] = $random(seed);
      end
      policy_x = policy;
      issue_en_x = issue_en;
      issuable_x = issuable;
      waits_x = waits;
      launch_x = launch;
      outstanding_x = outstanding;
      exits_x = exits;
      lengths_x = lengths;
      pairs_x = pairs;
      rows_x = rows;
      seconds_x = seconds;
      yields_x = yields;
      launch_warp_x = launch_warp;
      if (!rst_n) begin
        {policy_x, issue_en_x, launch_x} = 'bx;
        issuable_x = 'bx;
        waits_x = 'bx;
      end
      if (!rst_n || !launch) launch_warp_x = 'bx;
      for (w = 0; w < WARPS; w = w + 1) begin
        if (!rst_n || !live[w]) outstanding_x[w] = 1'bx;
        if (!rst_n || !issuable[w]) exits_x[w] = 1'bx;
`ifdef PAWS_TWO_LEVEL
        counts = waits[w] || (launch && launch_warp == w) || (LIMITED && issuable[w]) || (HELD && live[w]);
`else
        counts = issuable[w];
`endif
`ifdef PAWS_SPOIL_LENGTHS
        if (counts && cycle > CYCLES / 2) counts = 0;
`endif
        if (!rst_n || !counts) lengths_x[w*LENGTH_W+:LENGTH_W] = 'bx;
        counts = live[w] && policy == `SCA;
`ifdef PAWS_SPOIL_GROUPS
        if (counts && cycle > CYCLES / 2) counts = 0;
`endif
        if (!rst_n || !counts) begin
          pairs_x[w*PAIR_W+:PAIR_W] = 'bx;
          rows_x[w*ROW_W+:ROW_W] = 'bx;
          seconds_x[w] = 1'bx;
        end
        counts = issuable[w] && policy == `CGGTY;
`ifdef PAWS_SPOIL_YIELDS
        if (counts && cycle > CYCLES / 2) counts = 0;
`endif
        if (!rst_n || !counts) yields_x[w] = 1'bx;
      end
    end
  endtask

  initial begin
    issues = 0;
    for (code = 0; code < 16; code = code + 1) if (`POLICIES >> code & 1) begin
      policy = code;
      live = 0;
      holds = 0;
      seed = 1 + code;
      for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
        rst_n = cycle > 1;
        stimulus;
        #1;
        if (rst_n) begin
          if ({valid_x, warp_x, quiet_x} !== {valid, warp, quiet} || (^{valid, warp, quiet}) === 1'bx) begin
            $display("policy %0d, cycle %0d: issue %b of %0d, quiet %b; with X at the inputs %b of %0d, quiet %b",
                     policy, cycle, valid, warp, quiet, valid_x, warp_x, quiet_x);
            $finish_and_return(1);
          end
          if (valid) begin
            issues = issues + 1;
            if (exits[warp]) live[warp] = 0;
          end
          if (launch) live[launch_warp] = 1;
          holds = live;
          if (valid) holds[warp] = 0;
        end
        clk = 1;
        #1 clk = 0;
      end
    end
    $display("%0d issues: the same with X where an input does not count", issues);
    $finish;
  end
endmodule

`default_nettype wire
