// SPDX-License-Identifier: MIT
// The definition of the block monitor: counts as the host's issues make them, and the quotient of their
// sum and the largest one.
`include "started.svh"
  localparam int unsigned F_TIME_W = $clog2(2 * SLOTS + 2);
  localparam int unsigned F_W = SUM_W + 2;  // of products and of doubled sums

  logic [SLOTS*COUNT_W-1:0] f_count_q;  // counts of the cycles so far, until the first end
  logic [SLOTS-1:0] f_resident_q;
  logic [F_TIME_W-1:0] f_time_q;        // cycles since the first end, up to 2 * SLOTS + 1; 0 before
  logic f_halved_q;                     // counts have been halved

  // The cycle, by the definition.
  logic f_open, f_over;
  logic [SLOTS-1:0] f_present, f_issues;
  logic [SLOTS*(COUNT_W+1)-1:0] f_added;
  logic [SLOTS*COUNT_W-1:0] f_count;
  always_comb begin
    f_open = restart_i || f_time_q == '0;
    f_present = (restart_i ? '0 : f_resident_q) | starts_i;
    f_issues = '0;
    for (int s = 0; s < SLOTS; s++) begin
      f_added[s*(COUNT_W+1)+:COUNT_W+1] =
          {1'b0, f_count_q[s*COUNT_W+:COUNT_W] & {COUNT_W{!restart_i}}};
      for (int p = 0; p < PORTS; p++) begin
        if (issue_valid_i[p] && 32'(issue_slot_i[p*SLOT_W+:SLOT_W]) == s) begin
          f_issues[s] = 1'b1;
          f_added[s*(COUNT_W+1)+:COUNT_W+1] = f_added[s*(COUNT_W+1)+:COUNT_W+1] + 1'b1;
        end
      end
    end
    f_over = 1'b0;
    for (int s = 0; s < SLOTS; s++) f_over = f_over | f_added[s*(COUNT_W+1)+COUNT_W];
    for (int s = 0; s < SLOTS; s++) begin
      f_count[s*COUNT_W+:COUNT_W] =
          f_over ? f_added[s*(COUNT_W+1)+1+:COUNT_W] : f_added[s*(COUNT_W+1)+:COUNT_W];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_count_q <= '0;
      f_resident_q <= '0;
      f_time_q <= '0;
      f_halved_q <= 1'b0;
    end else if (f_open) begin
      f_count_q <= f_count;
      f_resident_q <= f_present;
      f_time_q <= F_TIME_W'(|ends_i);
      f_halved_q <= (f_halved_q & !restart_i) | f_over;
    end else if (32'(f_time_q) <= 2 * SLOTS) begin
      f_time_q <= f_time_q + 1'b1;
    end
  end

  // The host's promises.
  always_comb begin
    if (rst_ni && f_open) begin
      assume (restart_i || (starts_i & f_resident_q) == '0);
      assume ((f_issues & ~f_present) == '0);
      assume ((ends_i & ~f_issues) == '0);
      for (int p = 0; p < PORTS; p++) begin
        assume (!issue_valid_i[p] || 32'(issue_slot_i[p*SLOT_W+:SLOT_W]) < SLOTS);
      end
    end
  end

  // Sum, maximum and residents, and of all slots before the one that the scan is at.
  logic [F_W-1:0] f_sum, f_max, f_residents, f_part, f_highest, f_value;
  always_comb begin
    f_sum = '0;
    f_max = '0;
    f_residents = '0;
    f_part = '0;
    f_highest = '0;
    f_value = '0;
    for (int s = 0; s < SLOTS; s++) begin
      f_value = {{F_W - COUNT_W{1'b0}}, f_count_q[s*COUNT_W+:COUNT_W]};
      f_sum = f_sum + f_value;
      if (f_value > f_max) f_max = f_value;
      f_residents = f_residents + f_resident_q[s];
      if (s + 1 < 32'(f_time_q)) begin
        f_part = f_part + f_value;
        if (f_value > f_highest) f_highest = f_value;
      end
    end
  end

  // Limits that are not too high, among those that have been tried; and what is then left of the sum.
  logic [F_W-1:0] f_fit, f_rest, f_offset, f_twice;
  always_comb begin
    f_offset = ROUNDING == 0 ? f_max : ROUNDING == 1 ? (f_max >> 1) + f_max[0] : {{F_W - 1{1'b0}}, 1'b1};
    f_fit = '0;
    f_rest = f_sum;
    f_twice = f_offset;
    for (int k = 1; k <= SLOTS; k++) begin
      if (k + SLOTS < 32'(f_time_q)) begin
        f_rest = f_sum - f_twice;
        if (f_sum >= f_twice) f_fit = f_fit + 1'b1;
      end
      f_twice = f_twice + f_max;
    end
  end

  logic [F_W-1:0] f_limit, f_product;
  assign f_limit = {{F_W - LIMIT_W{1'b0}}, limit_o};
  assign f_product = f_limit * f_max;
  logic f_done_q;
  logic [LIMIT_W-1:0] f_limit_q;
  always_ff @(posedge clk_i) begin
    f_done_q <= done_o && rst_ni && !restart_i;
    f_limit_q <= limit_o;
  end

  always_comb begin
    if (f_started_q) begin
      // The monitor is busy for exactly twice as many cycles as it has slots.
      assert (busy_o == (f_time_q != '0 && 32'(f_time_q) <= 2 * SLOTS));
      // Then it is done, until a restart.
      assert (done_o == (32'(f_time_q) == 2 * SLOTS + 1));
      // A limit stays as it is until a restart.
      assert (!f_done_q || (done_o && limit_o == f_limit_q));
      // There is no limit before.
      assert (done_o || limit_o == '0);
      if (done_o) begin
        // The limit is one at least.
        assert (limit_o != '0);
        // The limit is no higher than the number of blocks that were resident.
        assert (f_limit <= f_residents);
        if (ROUNDING == 0) begin
          // Rounded down: the limit times the maximum fits the sum.
          assert (f_product <= f_sum);
          // Rounded down: the next limit does not.
          assert (f_sum < f_product + f_max);
        end else if (ROUNDING == 1) begin
          // Rounded to nearest: the limit is no more than a half above the quotient.
          assert ((f_product << 1) <= (f_sum << 1) + f_max);
          // Rounded to nearest: it is less than a half below the quotient.
          assert (f_sum << 1 < (f_product << 1) + f_max);
        end else begin
          // Rounded up: the sum fits the limit times the maximum.
          assert (f_sum <= f_product);
          // Rounded up: it does not fit the limit before.
          assert (f_product < f_sum + f_max);
        end
      end

      for (int s = 0; s < SLOTS; s++) begin
        // A block that has issued is resident.
        assert (f_count_q[s*COUNT_W+:COUNT_W] == '0 || f_resident_q[s]);
      end
      // A block has issued when the first one has ended.
      assert (f_time_q == '0 || f_max != '0);
      // The time is one of the definition.
      assert (32'(f_time_q) <= 2 * SLOTS + 1);
      // The scan is from the second cycle to that of the last slot.
      assert (scan_q == (32'(f_time_q) > 1 && 32'(f_time_q) <= SLOTS));
      // The comparison follows.
      assert (compare_q == (32'(f_time_q) > SLOTS && 32'(f_time_q) <= 2 * SLOTS));
      // Steps count the cycles of either half.
      assert (32'(step_q) == (!busy_q ? 0 : compare_q ? 32'(f_time_q) - SLOTS - 1 : 32'(f_time_q) - 1));
      // No issue of a later cycle is added.
      assert (32'(f_time_q) < 2 || issues_q == '0);
      // Only a remainder is negative, or larger than a count before the scan.
      assert (32'(f_time_q) > 1 || sum_q[SUM_W-1:COUNT_W] == '0);
      if (scan_q) begin
        // The sum has the counts of the slots before.
        assert (sum_q == f_part[SUM_W-1:0]);
        // The maximum is theirs.
        assert (max_q == f_highest[COUNT_W-1:0]);
      end
      if (compare_q) begin
        // What is left of the sum is known.
        assert (sum_q == f_rest[SUM_W-1:0]);
        // The maximum is that of all slots.
        assert (max_q == f_max[COUNT_W-1:0]);
      end
      // The limit is the number of those that fit.
      assert (32'(f_time_q) <= SLOTS || {{F_W - LIMIT_W{1'b0}}, limit_q} == f_fit);
      // It begins with none.
      assert (!busy_q || compare_q || 32'(f_time_q) < 2 || limit_q == '0);
    end
  end

  // The counts: with the issues that are still to be added before the scan, later moved towards the head.
  for (genvar s = 0; s < SLOTS; s++) begin : gen_f_slot
    logic [COUNT_W:0] f_next;
    assign f_next = {1'b0, count[s*COUNT_W+:COUNT_W]} + {{COUNT_W + 1 - INC_W{1'b0}}, issues_q[s*INC_W+:INC_W]};
    always_comb begin
      if (f_started_q) begin
        // Before the scan a count, with the issues to be added, is that of the definition.
        assert (32'(f_time_q) > 1 ||
                f_count_q[s*COUNT_W+:COUNT_W] == (halve ? f_next[COUNT_W:1] : f_next[COUNT_W-1:0]));
        // An overflow is found where there is one.
        assert (32'(f_time_q) > 1 || overflow[s] == f_next[COUNT_W]);
      end
    end
    for (genvar t = 2; t <= SLOTS; t++) begin : gen_f_time
      if (s > 0) begin : gen_f_moved
        always_comb begin
          if (f_started_q && 32'(f_time_q) == t) begin
            if (s + t - 2 < SLOTS) begin
              // In the scan the counts move towards the head.
              assert (count[s*COUNT_W+:COUNT_W] == f_count_q[((s+t-2)%SLOTS)*COUNT_W+:COUNT_W]);
            end
          end
        end
      end
    end
  end

`ifdef PROVE_paws_block_monitor
  always_comb begin
    // Every block counts.
    cover (f_started_q && rst_ni && done_o && 32'(limit_o) == SLOTS);
    // One would do, and two are resident.
    cover (f_started_q && rst_ni && done_o && 32'(limit_o) == 1 && f_residents == F_W'(2));
    // A restart while the monitor is busy.
    cover (f_started_q && rst_ni && compare_q && restart_i && |ends_i);
  end
`endif
