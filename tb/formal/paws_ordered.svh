// SPDX-License-Identifier: MIT
// The order is that of the keys, and it is one (docs/reference/microarchitecture.md, "Ordered PAWS"). Three free
// constants stand for all slots.
`include "started.svh"
  // The promises of the host, assumed: rtl/paws_host_checks.sv and the assertions of the module say the same.
  logic [SLOTS-1:0] f_live_q, f_launched, f_issued, f_ended;
  logic [SLOTS*KEY_W-1:0] f_key_q;  // of the cycle before: by these the order was made
  logic f_issue_q;
  always_comb begin
    for (int w = 0; w < SLOTS; w++) begin
      f_launched[w] = launch_valid_i && launch_warp_i == WARP_W'(w);
      f_issued[w] = issuer[w] && issue_valid_o;
      f_ended[w] = LATE_EXIT && end_valid_i && end_warp_i == WARP_W'(w);
      if (f_started_q && rst_ni) begin
        assume (moved_i[w] || key[w*KEY_W+:KEY_W] == f_key_q[w*KEY_W+:KEY_W]);
      end
    end
    assume (!launch_valid_i || 32'(launch_warp_i) < SLOTS);
    if (f_started_q && rst_ni) begin
      assume ((issuable_i & ~f_live_q) == '0);
      assume ((f_launched & f_live_q) == '0);
      assume (!LATE_EXIT || !end_valid_i || (f_ended & f_live_q & ~issuable_i) != '0);
      assume (COMPARES == 2 || !f_issue_q || !issue_en_i);
    end
  end
  always_ff @(posedge clk_i) begin
    f_live_q <= rst_ni ? (f_live_q | f_launched) & ~(f_issued & exit_i) & ~f_ended : '0;
    f_key_q <= key;
    f_issue_q <= rst_ni && issue_valid_o;
  end

  // What the cycle before was.
  logic [SLOTS-1:0] f_was_placed_q, f_was_launched_q, f_was_next_q;
  always_ff @(posedge clk_i) begin
    f_was_placed_q <= {SLOTS{rst_ni && f_started_q}} & placed;
    f_was_launched_q <= f_launched;
    for (int w = 0; w < SLOTS; w++) begin
      f_was_next_q[w] <= rst_ni && f_started_q && waiting_q[w] && !placed[w] &&
          ((waiting_q & ~placed) & ((SLOTS'(1) << w) - 1'b1)) == '0 && (COMPARES == 2 || !issue_valid_o);
    end
  end

  (* hierconn *) logic [SLOTS*(SLOTS-1)/2-1:0] \u_order.lower_q ;

  // Slots whose place is that of their key in the cycle before.
  logic [SLOTS-1:0] f_settled;
  assign f_settled = f_live_q & ~waiting_q;

  // What the matrix says of each pair of three slots.
  (* anyconst *) logic [WARP_W-1:0] f_a, f_b, f_c;
  logic f_a_b, f_b_c, f_a_c;  // the first goes before the second
  logic [KEY_W-1:0] f_key_a, f_key_b, f_key_c;
  always_comb begin
    assume (32'(f_a) < SLOTS && 32'(f_b) < SLOTS && 32'(f_c) < SLOTS);
    assume (f_a != f_b && f_b != f_c && f_a != f_c);
    f_a_b = 1'b0;
    f_b_c = 1'b0;
    f_a_c = 1'b0;
    f_key_a = '0;
    f_key_b = '0;
    f_key_c = '0;
    for (int i = 0; i < SLOTS; i++) begin
      if (f_a == WARP_W'(i)) f_key_a = f_key_q[i*KEY_W+:KEY_W];
      if (f_b == WARP_W'(i)) f_key_b = f_key_q[i*KEY_W+:KEY_W];
      if (f_c == WARP_W'(i)) f_key_c = f_key_q[i*KEY_W+:KEY_W];
      for (int j = 0; j < i; j++) begin
        if (f_a == WARP_W'(j) && f_b == WARP_W'(i)) f_a_b = \u_order.lower_q [i*(i-1)/2+j];
        if (f_a == WARP_W'(i) && f_b == WARP_W'(j)) f_a_b = !\u_order.lower_q [i*(i-1)/2+j];
        if (f_b == WARP_W'(j) && f_c == WARP_W'(i)) f_b_c = \u_order.lower_q [i*(i-1)/2+j];
        if (f_b == WARP_W'(i) && f_c == WARP_W'(j)) f_b_c = !\u_order.lower_q [i*(i-1)/2+j];
        if (f_a == WARP_W'(j) && f_c == WARP_W'(i)) f_a_c = \u_order.lower_q [i*(i-1)/2+j];
        if (f_a == WARP_W'(i) && f_c == WARP_W'(j)) f_a_c = !\u_order.lower_q [i*(i-1)/2+j];
      end
    end
    if (f_started_q && rst_ni) begin
      // K1: of two settled slots the one with the smaller key goes first.
      assert (!f_settled[f_a] || !f_settled[f_b] || (f_a_b ? f_key_a <= f_key_b : f_key_b <= f_key_a));
      assert (!f_settled[f_b] || !f_settled[f_c] || (f_b_c ? f_key_b <= f_key_c : f_key_c <= f_key_b));
      assert (!f_settled[f_a] || !f_settled[f_c] || (f_a_c ? f_key_a <= f_key_c : f_key_c <= f_key_a));
      // K2: the order of settled slots has no cycle.
      assert (!f_settled[f_a] || !f_settled[f_b] || !f_settled[f_c] || !f_a_b || !f_b_c || f_a_c);
      assert (!f_settled[f_a] || !f_settled[f_b] || !f_settled[f_c] || f_a_b || f_b_c || !f_a_c);
      // K3: no candidate that is settled has a smaller key than the issuer.
      assert (!f_issued[f_a] || !candidate[f_b] || f_key_a <= f_key_b);
      // K4: the issuer may issue and does not wait; the warp is its number, and 0 without an issue.
      assert ((f_issued & ~(issuable_i & f_settled)) == '0 && (issue_valid_o || issue_warp_o == '0));
      assert (!f_issued[f_a] || issue_warp_o == f_a);
      // K5: a warp issues if one may that does not wait.
      assert (issue_valid_o == (issue_en_i && (issuable_i & ~waiting_q) != '0));
      // K6: nothing is quiet that has something to do.
      assert (quiet_o == (!launch_valid_i && f_ended == '0 && issuable_i == '0 && moved_i == '0 && waiting_q == '0 &&
                          subject_q == '0));
      // Of each kind there is one subject at most.
      for (int s = 0; s < SUBJECTS; s++) begin
        assert ((subject_q[s*SLOTS+:SLOTS] & (subject_q[s*SLOTS+:SLOTS] - 1'b1)) == '0);
      end
      // No slot waits after its placing unless it was launched.
      assert (!f_was_placed_q[f_a] || !waiting_q[f_a] || f_was_launched_q[f_a]);
      // K7: the lowest slot that waits is placed as soon as a comparison is free.
      assert (!f_was_next_q[f_a] || subject_q[(SUBJECTS-1)*SLOTS+f_a]);
    end
  end
`ifdef PROVE_paws_ordered_one
  // Small sizes: all slots at once.
  always_comb begin
    if (f_started_q && rst_ni) begin
      // K8: one candidate is the first, if there is any.
      assert ((choice == '0) == (candidate == '0) && (choice & (choice - 1'b1)) == '0);
    end
    // All are candidates, and none is placed or waits.
    cover (f_started_q && rst_ni && issue_valid_o && &candidate && subject_q == '0);
  end
  for (genvar a = 0; a < SLOTS; a++) begin : f_gen_a
    for (genvar b = 0; b < a; b++) begin : f_gen_b
      for (genvar c = 0; c < SLOTS; c++) begin : f_gen_c
        if (c != a && c != b) begin : f_gen_cycle
          logic f_b_a, f_a_c_too, f_b_c_too;
          assign f_b_a = \u_order.lower_q [a*(a-1)/2+b];
          if (c > a) begin : f_gen_ac
            assign f_a_c_too = \u_order.lower_q [c*(c-1)/2+a];
          end else begin : f_gen_ca
            assign f_a_c_too = !\u_order.lower_q [a*(a-1)/2+c];
          end
          if (c > b) begin : f_gen_bc
            assign f_b_c_too = \u_order.lower_q [c*(c-1)/2+b];
          end else begin : f_gen_cb
            assign f_b_c_too = !\u_order.lower_q [b*(b-1)/2+c];
          end
          always_comb begin
            if (f_started_q && rst_ni && f_settled[a] && f_settled[b] && f_settled[c]) begin
              // K2 for all slots.
              assert (f_b_a ? !f_a_c_too || f_b_c_too : !f_b_c_too || f_a_c_too);
            end
          end
        end
      end
    end
    for (genvar b = 0; b < SLOTS; b++) begin : f_gen_pair
      if (a != b) begin : f_gen_key
        logic f_first;
        if (a < b) begin : f_gen_lower
          assign f_first = \u_order.lower_q [b*(b-1)/2+a];
        end else begin : f_gen_upper
          assign f_first = !\u_order.lower_q [a*(a-1)/2+b];
        end
        always_comb begin
          if (f_started_q && rst_ni && f_settled[a] && f_settled[b]) begin
            // K1 for all slots.
            assert (f_key_q[a*KEY_W+:KEY_W] >= f_key_q[b*KEY_W+:KEY_W] || f_first);
          end
        end
      end
    end
  end
`endif
`ifdef PROVE_paws_ordered
  always_comb begin
    // A warp issues while another one waits that could.
    cover (f_started_q && rst_ni && issue_valid_o && (issuable_i & waiting_q) != '0);
    // Equal keys: the higher slot goes first.
    cover (f_started_q && rst_ni && f_issued[f_a] && candidate[f_b] && f_a > f_b && f_key_a == f_key_b);
    // A subject is launched again.
    cover (f_started_q && rst_ni && (f_launched & placed) != '0);
  end
`endif
