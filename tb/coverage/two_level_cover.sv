// SPDX-License-Identifier: MIT
// Functional cover points of the two-level scheduler: the situations that the cycle semantics is about,
// the coincidences of docs/reference/microarchitecture.md first. One sentence each; scripts/check coverage lists
// those that no configuration has met. Verilator alone reads this file.
`default_nettype none
// Cover properties count nevertheless.
// verilator coverage_off

module paws_two_level_cover #(
    parameter int unsigned WARPS = 24,
    parameter int unsigned READY = 6,
    parameter int unsigned PHASE_W = 9,
    parameter int unsigned LENGTH_W = 16,
    parameter int unsigned KEY_W = 9,
    parameter int unsigned AGE_LIMIT = 0
) (
    input wire logic                      clk_i,
    input wire logic                      rst_ni,
    input wire logic                      issue_en_i,
    input wire logic [         WARPS-1:0] issuable_i,
    input wire logic [         WARPS-1:0] waits_i,
    input wire logic [         WARPS-1:0] long_outstanding_i,
    input wire logic [         WARPS-1:0] exit_i,
    input wire logic [WARPS*LENGTH_W-1:0] length_i,
    input wire logic                      launch_valid_i,
    input wire logic [ $clog2(WARPS)-1:0] launch_warp_i,
    input wire logic                      issue_valid_o,
    input wire logic [ $clog2(WARPS)-1:0] issue_warp_o,
    input wire logic                      quiet_o,
    // Of the module that this is bound into.
    input wire logic                      by_length,
    input wire logic                      by_age,
    input wire logic                      admit,
    input wire logic                      front_valid,
    input wire logic [         WARPS-1:0] front_slot,
    input wire logic [         WARPS-1:0] collected,
    input wire logic                      promote,
    input wire logic [ $clog2(WARPS)-1:0] head_warp,
    input wire logic                      head_valid,
    input wire logic                      room,
    input wire logic [         WARPS-1:0] leave,
    input wire logic [         WARPS-1:0] wake,
    input wire logic [         WARPS-1:0] due,
    input wire logic                      relief,
    input wire logic [         WARPS-1:0] end_slot,
    input wire logic [         WARPS-1:0] pending_q,
    input wire logic [   WARPS*KEY_W-1:0] length,         // keys of the inputs, slot by slot
    input wire logic [   WARPS*KEY_W-1:0] stored_length,  // in slices
    input wire logic [         READY-1:0] ready_valid_q
);
  localparam int unsigned WARP_W = $clog2(WARPS);

  logic several_wake, several_leave, several_ready, ends, ready_empty, inserts;
  logic [WARPS-1:0] ready_candidates, inserted;
  assign several_wake = |(wake & (wake - 1'b1));
  assign several_leave = |(leave & (leave - 1'b1));
  assign several_ready = |(ready_valid_q & (ready_valid_q - 1'b1));
  assign ready_empty = ready_valid_q == '0;
  assign ends = issue_valid_o & exit_i[issue_warp_o];
  assign inserted = launch_valid_i ? WARPS'(1) << launch_warp_i : front_slot & {WARPS{admit}};
  assign inserts = |inserted;

  // What the queues hold, followed from the events, and what happened in the cycle before.
  logic [WARPS-1:0] live_q, active_q, ready_q, leave_q, promoted;
  logic ends_q, quiet_q, full_q, launch_q, settled_q;
  logic [WARP_W-1:0] issue_warp_q, launch_warp_q;
  int held_q;  // cycles in a row in which a launch has held the collector back
  assign promoted = WARPS'(promote) << head_warp;
  assign ready_candidates = ready_q & issuable_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q <= '0;
      active_q <= '0;
      ready_q <= '0;
      settled_q <= 1'b0;
    end else begin
      live_q <= (live_q | (WARPS'(launch_valid_i) << launch_warp_i)) & ~(WARPS'(ends) << issue_warp_o) & ~end_slot;
      active_q <= ((active_q | inserted) & ~promoted) & ~end_slot;
      ready_q <= ((ready_q | promoted) & ~leave & ~(WARPS'(ends) << issue_warp_o)) & ~end_slot;
      settled_q <= 1'b1;
    end
    leave_q <= leave;
    ends_q <= ends & rst_ni;
    quiet_q <= quiet_o & rst_ni;
    full_q <= !room & rst_ni;
    launch_q <= launch_valid_i & rst_ni;
    issue_warp_q <= issue_warp_o;
    launch_warp_q <= launch_warp_i;
    held_q <= rst_ni && launch_valid_i && front_valid ? held_q + 1 : 0;
  end

  // Where an inserted warp goes by its key, among those that are in active and stay there.
  logic [KEY_W-1:0] inserted_key, other_key;
  logic ties, shorter_there, longer_there;
  always_comb begin
    inserted_key = '0;
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < KEY_W; b++) begin
        inserted_key[b] = inserted_key[b] |
            (inserted[w] & (launch_valid_i ? length[w*KEY_W+b] : stored_length[b*WARPS+w]));
      end
    end
    ties = 1'b0;
    shorter_there = 1'b0;
    longer_there = 1'b0;
    for (int w = 0; w < WARPS; w++) begin
      for (int b = 0; b < KEY_W; b++) other_key[b] = stored_length[b*WARPS+w];
      if (active_q[w] && !promoted[w] && inserts) begin
        ties = ties | (other_key == inserted_key);
        shorter_there = shorter_there | (other_key < inserted_key);
        longer_there = longer_there | (other_key > inserted_key);
      end
    end
  end
  logic sampled_saturates;
  if (LENGTH_W > PHASE_W) begin : gen_saturates
    always_comb begin
      sampled_saturates = 1'b0;
      for (int w = 0; w < WARPS; w++) begin
        sampled_saturates = sampled_saturates | ((leave[w] | inserted[w] & launch_valid_i) &
            |length_i[w*LENGTH_W+PHASE_W+:LENGTH_W-PHASE_W]);
      end
    end
  end else begin : gen_fits
    assign sampled_saturates = 1'b0;
  end

  // A launch holds back the front of the collector.
  launch_and_admission: cover property (@(posedge clk_i) rst_ni && launch_valid_i && front_valid);
  // A launch holds it back for the second cycle in a row.
  launches_and_admission:
    cover property (@(posedge clk_i) rst_ni && launch_valid_i && launch_q && front_valid);
  // Launches hold the collector back for more cycles in a row than there are warps.
  launches_hold_collector: cover property (@(posedge clk_i) rst_ni && held_q > WARPS);
  // Age limit: it does not help a warp that launches hold back.
  launches_hold_under_limit: cover property (@(posedge clk_i) rst_ni && AGE_LIMIT > 0 && held_q > WARPS);
  // A warp is launched and others wake.
  launch_and_wake: cover property (@(posedge clk_i) rst_ni && launch_valid_i && |wake);
  // A warp is launched and the head of active is promoted.
  launch_and_promotion: cover property (@(posedge clk_i) rst_ni && launch_valid_i && promote);
  // A warp is launched and another issues.
  launch_and_issue: cover property (@(posedge clk_i) rst_ni && launch_valid_i && issue_valid_o);
  // A warp is launched and others leave ready.
  launch_and_leave: cover property (@(posedge clk_i) rst_ni && launch_valid_i && |leave);
  // One warp is launched and another ends.
  launch_and_exit: cover property (@(posedge clk_i) rst_ni && launch_valid_i && ends);
  // The slot of an exit launches in the next cycle.
  exit_then_launch: cover property (@(posedge clk_i)
    rst_ni && ends_q && launch_valid_i && launch_warp_i == issue_warp_q);
  // A warp comes from the collector and the head of active is promoted.
  admission_and_promotion: cover property (@(posedge clk_i) rst_ni && admit && promote);
  // The warp that came into active in the last cycle is promoted at once, past others.
  entrant_promoted: cover property (@(posedge clk_i)
    rst_ni && launch_q && promote && head_warp == launch_warp_q && |(active_q & ~promoted));
  // The collector gives one warp away and takes others in.
  admission_and_wake: cover property (@(posedge clk_i) rst_ni && admit && |wake);
  // The last warp of the collector leaves and others come in.
  last_admission_and_wake:
    cover property (@(posedge clk_i) rst_ni && admit && collected == front_slot && |wake);
  // Several warps wake in one cycle.
  several_wake_at_once: cover property (@(posedge clk_i) rst_ni && several_wake);
  // Several wake in the cycle of a launch, behind others in the collector.
  several_wake_behind: cover property (@(posedge clk_i) rst_ni && several_wake && launch_valid_i && front_valid);
  // Every pending warp wakes at once, three or more.
  all_wake: cover property (@(posedge clk_i) rst_ni && wake == pending_q && $countones(wake) > 2);
  // One warp wakes and another begins to wait.
  wake_and_leave: cover property (@(posedge clk_i) rst_ni && |wake && |leave);
  // A warp wakes in the cycle after its demotion.
  demotion_then_wake: cover property (@(posedge clk_i) rst_ni && |(leave_q & wake));
  // A pending warp is held by a barrier alone.
  pending_by_waits: cover property (@(posedge clk_i) rst_ni && |(pending_q & waits_i & ~long_outstanding_i));
  // A pending warp is held by an outstanding operation that its next instruction does not touch.
  pending_by_operation:
    cover property (@(posedge clk_i) rst_ni && |(pending_q & ~waits_i & long_outstanding_i));
  // Every live warp is pending.
  all_pending: cover property (@(posedge clk_i) rst_ni && live_q != '0 && pending_q == live_q);
  // Every slot is live.
  all_live: cover property (@(posedge clk_i) rst_ni && &live_q);
  // No slot is live, after some were.
  none_live_again: cover property (@(posedge clk_i) rst_ni && settled_q && live_q == '0 && ends_q);
  // The issuer goes to the tail, the promoted warp behind it.
  issue_and_promotion: cover property (@(posedge clk_i) rst_ni && issue_valid_o && !ends && promote);
  // A warp ends and another is promoted into an entry that was free before.
  exit_and_promotion: cover property (@(posedge clk_i) rst_ni && ends && promote);
  // A warp ends in a full ready, and active has one to follow it.
  exit_from_full: cover property (@(posedge clk_i) rst_ni && ends && !room && head_valid);
  // The entry that was freed in a full ready is filled one cycle later.
  full_then_promotion: cover property (@(posedge clk_i) rst_ni && full_q && promote);
  // Ready is full and active is not empty.
  ready_full: cover property (@(posedge clk_i) rst_ni && !room && head_valid);
  // Ready is full and active is empty.
  ready_full_active_empty: cover property (@(posedge clk_i) rst_ni && !room && !head_valid);
  // Ready is empty and active is not.
  ready_empty_active_not: cover property (@(posedge clk_i) rst_ni && ready_empty && head_valid);
  // Ready, active and collector are empty, and warps live.
  all_empty: cover property (@(posedge clk_i)
    rst_ni && ready_empty && !head_valid && !front_valid && live_q != '0);
  // Active holds every warp that ready has no room for.
  active_full: cover property (@(posedge clk_i) rst_ni && (active_q | ready_q) == '1 && active_q != '0);
  // One warp leaves ready while another issues.
  leave_and_issue: cover property (@(posedge clk_i) rst_ni && |leave && issue_valid_o);
  // One warp leaves ready while another ends.
  leave_and_exit: cover property (@(posedge clk_i) rst_ni && |leave && ends);
  // One warp leaves ready while another comes in.
  leave_and_promotion: cover property (@(posedge clk_i) rst_ni && |leave && promote);
  // Several warps leave ready at once.
  several_leave_at_once: cover property (@(posedge clk_i) rst_ni && several_leave);
  // Several leave, another issues, a third comes in.
  several_leave_issue_promotion:
    cover property (@(posedge clk_i) rst_ni && several_leave && issue_valid_o && promote);
  // All of a full ready leaves at once.
  full_ready_leaves: cover property (@(posedge clk_i) rst_ni && !room && several_ready && leave == ready_q);
  // Several warps of ready could issue.
  several_candidates: cover property (@(posedge clk_i)
    rst_ni && issue_valid_o && |(ready_candidates & (ready_candidates - 1'b1)));
  // A warp of ready could issue, and the host does not enable it.
  candidate_not_enabled: cover property (@(posedge clk_i) rst_ni && !issue_en_i && |ready_candidates);
  // A warp outside ready could issue, none inside.
  candidate_outside: cover property (@(posedge clk_i)
    rst_ni && issue_en_i && ready_candidates == '0 && |(issuable_i & ~ready_q));
  // The same warp issues twice in a row among several.
  issue_again: cover property (@(posedge clk_i)
    rst_ni && issue_valid_o && issue_warp_o == issue_warp_q && several_ready);
  // Launch, wake, leave, issue and promotion in one cycle, and the collector is held back.
  all_at_once: cover property (@(posedge clk_i)
    rst_ni && launch_valid_i && front_valid && |wake && |leave && issue_valid_o && promote);
  // Quiet with live warps.
  quiet_live: cover property (@(posedge clk_i) rst_ni && quiet_o && live_q != '0);
  // Quiet with a full ready and warps in active.
  quiet_full: cover property (@(posedge clk_i) rst_ni && quiet_o && !room && head_valid);
  // A launch ends the quiet.
  quiet_launch: cover property (@(posedge clk_i) rst_ni && quiet_q && launch_valid_i);
  // A wake ends the quiet.
  quiet_wake: cover property (@(posedge clk_i) rst_ni && quiet_q && |wake);
  // A warp of ready that begins to wait ends the quiet.
  quiet_leave: cover property (@(posedge clk_i) rst_ni && quiet_q && |leave);
  // A warp of ready that can issue ends the quiet.
  quiet_issuable: cover property (@(posedge clk_i) rst_ni && quiet_q && |ready_candidates);
  // Reset while warps are in every queue.
  reset_busy: cover property (@(posedge clk_i)
    !rst_ni && settled_q && |ready_q && |active_q && |pending_q && |collected);
  // Reset in the cycle of an issue.
  reset_issue: cover property (@(posedge clk_i) !rst_ni && settled_q && issue_valid_o);
  // Reset in a cycle in which warps leave ready, wake, are promoted and admitted.
  reset_moves: cover property (@(posedge clk_i)
    !rst_ni && settled_q && |leave && |wake && promote && admit);
  // Reset in the cycle of a launch.
  reset_launch: cover property (@(posedge clk_i) !rst_ni && settled_q && launch_valid_i);
  // Reset for a single cycle.
  reset_once: cover property (@(posedge clk_i) rst_ni && $past(!rst_ni && settled_q && |live_q));
  // A length that is sampled does not fit the field.
  length_saturates: cover property (@(posedge clk_i) rst_ni && sampled_saturates);
  // PAWS: the warp that comes into active meets an equal length.
  insertion_ties: cover property (@(posedge clk_i) rst_ni && by_length && ties);
  // PAWS: it meets an equal length among shorter and longer ones.
  insertion_ties_between:
    cover property (@(posedge clk_i) rst_ni && by_length && ties && shorter_there && longer_there);
  // PAWS: it meets an equal length while the head leaves.
  insertion_ties_promotion: cover property (@(posedge clk_i) rst_ni && by_length && ties && promote);
  // PAWS: it goes before all others.
  insertion_first:
    cover property (@(posedge clk_i) rst_ni && by_length && longer_there && !shorter_there && !ties);
  // PAWS: it goes behind all others.
  insertion_last:
    cover property (@(posedge clk_i) rst_ni && by_length && shorter_there && !longer_there && !ties);
  // Age limit: a due warp is promoted past others of active.
  due_promoted: cover property (@(posedge clk_i) rst_ni && promote && due[head_warp] && |(active_q & ~due));
  // Age limit: a warp comes into active, where it goes behind a due warp that is longer.
  insertion_behind_due:
    cover property (@(posedge clk_i) rst_ni && by_length && |(due & ~promoted) && longer_there && !shorter_there);
  // Age limit: the issuer is relieved and lives on.
  relief_lives: cover property (@(posedge clk_i) rst_ni && relief && !ends);
  // Age limit: the issuer that would be relieved ends.
  relief_and_exit: cover property (@(posedge clk_i) rst_ni && relief && ends);
  // Age limit: relief while others leave because they wait.
  relief_and_leave: cover property (@(posedge clk_i) rst_ni && relief && |(leave & waits_i));
  // Age limit: relief in the cycle of a launch and a wake.
  relief_launch_wake: cover property (@(posedge clk_i) rst_ni && relief && launch_valid_i && |wake);
  // Late ends: a warp of ready ends beside a promotion.
  late_ready_promotion: cover property (@(posedge clk_i) rst_ni && |(end_slot & ready_q) && promote);
  // Late ends: a warp that would leave ready ends.
  late_leave: cover property (@(posedge clk_i) rst_ni && |(end_slot & ready_q & waits_i));
  // Late ends: a warp of active ends where the head would be promoted.
  late_active: cover property (@(posedge clk_i) rst_ni && |(end_slot & active_q) && room);
  // Late ends: a warp ends in the cycle after its launch.
  late_after_launch: cover property (@(posedge clk_i) rst_ni && launch_q && end_slot[launch_warp_q]);
  // Late ends: a warp of the collector ends while others wake.
  late_collector_wake: cover property (@(posedge clk_i) rst_ni && |(end_slot & collected) && |wake);
  // Late ends: a pending warp ends that would wake.
  late_wake: cover property (@(posedge clk_i) rst_ni && |(end_slot & pending_q & ~long_outstanding_i & ~waits_i));
  // Late ends: beside the exit of another warp.
  late_and_exit: cover property (@(posedge clk_i) rst_ni && |end_slot && ends);
  // Late ends: a due warp ends.
  late_due: cover property (@(posedge clk_i) rst_ni && |(end_slot & due));
  // GTO: a warp is admitted and meets others.
  insertion_by_age: cover property (@(posedge clk_i) rst_ni && by_age && admit && |(active_q & ~promoted));
endmodule

bind paws_two_level paws_two_level_cover #(
    .WARPS    (SLOTS),
    .READY    (ENTRIES),
    .PHASE_W  (FIELD_W),
    .LENGTH_W (LENGTH_W),
    .KEY_W    (KEY_W),
    .AGE_LIMIT(AGE_LIMIT)
) u_cover (
    .*,
    .ready_valid_q(u_ready.valid_q)
);

// verilator coverage_on
`default_nettype wire
