// SPDX-License-Identifier: MIT
// Block monitor: how many thread blocks of a core keep it busy (LCS; Lee et al., HPCA 2014).
//
// Responsibility: count the warp instructions of every resident block until the first block ends, and
// divide their sum by the largest count. docs/reference/microarchitecture.md, "Block monitor", is the
// specification.
// Structure: issues are added to the counts one cycle later, so that late inputs meet a decoder and no
// adder. The count of slot 0 is kept in sum_q and max_q. In the cycle after the first end the last issues
// are added. Then the counts of the other slots move past slot 1, one in each cycle, into sum and
// maximum. Then one limit after the other is tried: the maximum is taken from the sum once more.
// Timing: all outputs come from registers. After an end in cycle t the monitor is busy from t + 1 to
// t + 2 * SLOTS; done_o and limit_o follow, until restart_i.
// Coincidences: restart_i goes before starts_i, these before issues, these before ends_i. Several ports
// may issue from one slot. A count that would overflow halves all counts, with the issues of that cycle.
// Inputs other than restart_i count only until the first end.
// Cost: COUNT_W * (SLOTS + 1) flip-flops for counts, sum and maximum, log2 (PORTS + 1) per slot for the
// issues to be added, about 3 * log2 SLOTS + 6 more; one adder per slot and one comparator.
// starts_i drives no hardware: counts are 0 after a restart, and only residents issue.
`default_nettype none

module paws_block_monitor #(
    parameter int SLOTS = 8,     // block slots of the core, 1 to 32
    parameter int PORTS = 2,     // schedulers of the core, 1 to 4
    parameter int COUNT_W = 20,  // bits of a count, 4 to 32
    parameter int ROUNDING = 0   // of the quotient: 0 down, 1 to nearest (half up), 2 up
) (
    input  wire logic                                   clk_i,          // clock
    input  wire logic                                   rst_ni,         // synchronous reset, active low
    input  wire logic                                   restart_i,      // nothing is resident or counted
    input  wire logic [                      SLOTS-1:0] starts_i,       // a block starts in the slot
    input  wire logic [                      PORTS-1:0] issue_valid_i,  // the scheduler issues
    input  wire logic [PORTS*$clog2(SLOTS>1?SLOTS:2)-1:0] issue_slot_i,   // a warp of this slot's block
    input  wire logic [                      SLOTS-1:0] ends_i,         // the block's last warp exits
    output logic                                        busy_o,         // the limit is being worked out
    output logic                                        done_o,         // it is known
    output logic      [            $clog2(SLOTS+1)-1:0] limit_o         // blocks; 0 while not done
);
  // An elaboration $error is a warning to Verilator, so each check also names a module that does not
  // exist, which no option lets pass. Icarus 11 cannot parse such an $error.
  if (SLOTS < 1 || SLOTS > 32) begin : gen_check_slots
`ifndef __ICARUS__
    $error("paws_block_monitor: SLOTS must be 1 to 32");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (PORTS < 1 || PORTS > 4) begin : gen_check_ports
`ifndef __ICARUS__
    $error("paws_block_monitor: PORTS must be 1 to 4");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (COUNT_W < 4 || COUNT_W > 32) begin : gen_check_count
`ifndef __ICARUS__
    $error("paws_block_monitor: COUNT_W must be 4 to 32");
`endif
    paws_illegal_parameter u_stop ();
  end
  if (ROUNDING > 2) begin : gen_check_rounding
`ifndef __ICARUS__
    $error("paws_block_monitor: ROUNDING must be 0 (down), 1 (nearest) or 2 (up)");
`endif
    paws_illegal_parameter u_stop ();
  end

  // Derived parameters are legal even if a parameter is not, so that its message above appears first.
  localparam int SLOT_W = SLOTS > 1 ? $clog2(SLOTS) : 1;
  localparam int LIMIT_W = SLOTS < 1 ? 1 : $clog2(SLOTS + 1);
  localparam int SUM_W = COUNT_W + $clog2(SLOTS) + 1;  // all counts, and the sign of a remainder
  localparam int INC_W = $clog2(PORTS + 1);
  localparam int LOW_W = $clog2(PORTS);  // a count overflows only if all bits above these are 1

  logic busy_q, scan_q, compare_q, done_q;
  logic [SLOT_W-1:0] step_q;  // of the first half (issues added, then the scan) or the second (comparison)
  logic counting, over, first_end, last;
  assign counting = !busy_q & !done_q;
  assign over = restart_i | !rst_ni;
  assign first_end = (|ends_i) & (counting | restart_i) & rst_ni;
  assign last = step_q == SLOT_W'(SLOTS - 1);

  always_ff @(posedge clk_i) begin
    busy_q <= first_end | (busy_q & !(compare_q & last) & !over);
    scan_q <= busy_q & !compare_q & !last & !over;
    compare_q <= busy_q & (compare_q ^ last) & !over;
    done_q <= (done_q | (compare_q & last)) & !over;
    step_q <= (step_q + 1'b1) & {SLOT_W{busy_q & !last & !over}};
  end

  // Issues of the last cycle, by slot.
  logic [SLOTS*INC_W-1:0] issues_q;
  logic [SLOTS*INC_W-1:0] issues;
  always_comb begin
    issues = '0;
    for (int s = 0; s < SLOTS; s++) begin
      for (int p = 0; p < PORTS; p++) begin
        if (issue_valid_i[p] && issue_slot_i[p*SLOT_W+:SLOT_W] == SLOT_W'(s)) begin
          issues[s*INC_W+:INC_W] = issues[s*INC_W+:INC_W] + 1'b1;
        end
      end
    end
  end
  always_ff @(posedge clk_i) issues_q <= issues & {SLOTS * INC_W{(counting | restart_i) & rst_ni}};

  // Of each count, whether the issues do not fit. Found beside the addition.
  logic [SLOTS-1:0] overflow;
  logic halve;
  assign halve = |overflow;

  // Sum of the counts, then the remainder; before that the count of slot 0. Once negative, a remainder
  // stays so.
  logic [SUM_W-1:0] sum_q, sum, operand;
  logic carry;
  logic [COUNT_W-1:0] max_q, head;
  assign sum = sum_q + operand + SUM_W'(carry);
  always_ff @(posedge clk_i) begin
    sum_q <= (halve ? sum >> 1 : sum) & {SUM_W{!over}};
    if (scan_q) begin
      if (head > max_q) max_q <= head;
    end else if (!compare_q) begin
      max_q <= (halve ? sum[COUNT_W:1] : sum[COUNT_W-1:0]) & {COUNT_W{!over}};
    end
  end

  // A limit k is not too high if k times the maximum fits the sum; or, when the quotient is rounded to
  // nearest or up, if this is so with half of a maximum less, or with all of it less and a one more. So
  // in the first step another number is taken from the sum than in the others.
  logic [COUNT_W-1:0] taken;
  logic [INC_W-1:0] issued;  // in slot 0
  if (ROUNDING == 0) begin : gen_down
    assign taken = max_q;
    assign carry = compare_q;
  end else begin : gen_not_down
    logic first;
    assign first = step_q == '0;
    if (ROUNDING == 1) begin : gen_nearest
      assign taken = first ? max_q >> 1 : max_q;
      assign carry = compare_q & !(first & max_q[0]);
    end else begin : gen_up
      assign taken = first ? '0 : max_q;
      assign carry = compare_q & !first;
    end
  end
  assign issued = issues_q[INC_W-1:0];
  always_comb begin
    operand = '0;
    if (compare_q) operand = ~{{SUM_W - COUNT_W{1'b0}}, taken};
    else if (scan_q) operand[COUNT_W-1:0] = head;
    else operand[INC_W-1:0] = issued;
  end

  logic [LIMIT_W-1:0] limit_q;
  always_ff @(posedge clk_i) begin
    if (compare_q) limit_q <= limit_q + LIMIT_W'(!sum[SUM_W-1]);
    else if (!done_q) limit_q <= '0;
  end

  assign busy_o = busy_q;
  assign done_o = done_q;
  assign limit_o = limit_q & {LIMIT_W{done_q}};

  // The counts of the other slots. In the scan that of slot 1 is at the head.
  logic [(SLOTS+1)*COUNT_W-1:0] count;  // slot s at [s*COUNT_W +: COUNT_W]; 0 behind the last
  assign count[COUNT_W-1:0] = sum_q[COUNT_W-1:0];
  assign count[SLOTS*COUNT_W+:COUNT_W] = '0;
  assign head = count[COUNT_W+:COUNT_W];
  for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
    logic [LOW_W:0] low;
    if (LOW_W == 0) begin : gen_one
      assign low = issues_q[s*INC_W+:INC_W];
    end else begin : gen_several
      assign low = (LOW_W + 1)'(count[s*COUNT_W+:LOW_W]) + (LOW_W + 1)'(issues_q[s*INC_W+:INC_W]);
    end
    assign overflow[s] = low[LOW_W] & (&count[s*COUNT_W+LOW_W+:COUNT_W-LOW_W]);

    if (s > 0) begin : gen_count
      logic [COUNT_W-1:0] count_q;
      logic [COUNT_W:0] added;
      assign added = (COUNT_W + 1)'(count_q) + (COUNT_W + 1)'(issues_q[s*INC_W+:INC_W]);
      always_ff @(posedge clk_i) begin
        count_q <= (scan_q ? count[(s+1)*COUNT_W+:COUNT_W] :
                    halve ? added[COUNT_W:1] : added[COUNT_W-1:0]) & {COUNT_W{!over}};
      end
      assign count[s*COUNT_W+:COUNT_W] = count_q;
    end
  end

`ifdef PAWS_ASSERT
  // The promises of the host, and what the registers never say.
  paws_monitor_host_checks #(
      .SLOTS(SLOTS),
      .PORTS(PORTS)
  ) u_host (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .restart_i    (restart_i),
      .starts_i     (starts_i),
      .issue_valid_i(issue_valid_i),
      .issue_slot_i (issue_slot_i),
      .ends_i       (ends_i),
      .busy_i       (busy_o),
      .done_i       (done_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      limit_is_possible: assert (!done_q || (limit_q != '0 && 32'(limit_q) < SLOTS + 1))
      else $error("block monitor: the limit is 0 or higher than the number of slots");
      busy_or_done: assert (!(busy_q && done_q))
      else $error("block monitor: busy and done");
    end
  end
`else
  logic unused_starts;
  assign unused_starts = ^starts_i;
`endif

`ifdef FORMAL
`include "paws_block_monitor.svh"
`endif
endmodule

`default_nettype wire
