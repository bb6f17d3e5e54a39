// SPDX-License-Identifier: MIT
// What a host promises to a scheduler, one assertion for each promise. The module drives no hardware.
//
// Responsibility: watch the ports of one scheduler and report which promise the host breaks, in the
// cycle in which it does. Both schedulers contain one in builds with PAWS_ASSERT. A host that uses a
// netlist of a scheduler instantiates one beside it. Without PAWS_ASSERT only live_o is left.
// docs/guide/integration.md says why each promise is needed.
// Coincidences: a launch and the exit of another slot in one cycle are both seen; a slot whose exit
// issues in a cycle is live in that cycle, and free in the next.
`default_nettype none

module paws_host_checks #(
    parameter int WARPS = 24,     // warp slots, as of the scheduler
    parameter int LENGTH_W = 16,  // width of a phase length or distance, as of the scheduler
    parameter int POLICIES = paws_pkg::TWO_LEVEL,  // policies built, as of the scheduler
    parameter bit TWO_LEVEL = 1'b1,        // the scheduler is paws_two_level
    parameter bit LIMITED = 1'b0,          // the scheduler has an AGE_LIMIT
    parameter bit HELD = 1'b0,             // the scheduler has HELD_LENGTH
    parameter int PAIR_W = 1      // width of a pair's number, as of the scheduler; two levels: 1
) (
    input  wire logic                      clk_i,
    input  wire logic                      rst_ni,
    input  wire logic [paws_pkg::POLICY_W-1:0] policy_i,
    input  wire logic                      issue_en_i,
    input  wire logic [         WARPS-1:0] issuable_i,
    input  wire logic [         WARPS-1:0] waits_i,             // single level: tie to 0
    input  wire logic [         WARPS-1:0] long_outstanding_i,  // single level: tie to 0
    input  wire logic [         WARPS-1:0] exit_i,
    input  wire logic [WARPS*LENGTH_W-1:0] length_i,            // single level: distance_i
    input  wire logic [  WARPS*PAIR_W-1:0] pair_i,              // two levels: tie to 0, as the next three
    input  wire logic [WARPS*$clog2((WARPS+1)/2)-1:0] row_i,
    input  wire logic [         WARPS-1:0] second_i,
    input  wire logic [         WARPS-1:0] yield_i,
    input  wire logic                      launch_valid_i,
    input  wire logic [ $clog2(WARPS)-1:0] launch_warp_i,
    input  wire logic                      issue_valid_i,       // issue_valid_o of the scheduler
    input  wire logic [ $clog2(WARPS)-1:0] issue_warp_i,        // issue_warp_o of the scheduler
    output logic      [         WARPS-1:0] live_o               // slots that hold a warp
);
  logic [WARPS-1:0] launched, ended;
  always_comb begin
    for (int w = 0; w < WARPS; w++) begin
      launched[w] = launch_valid_i && 32'(launch_warp_i) == w;
      ended[w] = issue_valid_i && 32'(issue_warp_i) == w && exit_i[w];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) live_o <= '0;
    else live_o <= (live_o | launched) & ~ended;
  end

`ifdef PAWS_ASSERT
  logic [paws_pkg::POLICY_W-1:0] policy_q;
  logic policy_known_q;
  logic [WARPS*LENGTH_W-1:0] length_q;
  logic [WARPS-1:0] holds_q;  // the warp has not issued since length_q
  // SCA's members: pair, row and whether it is the second one. Those of warps that were live are held.
  localparam int ROW_W = $clog2((WARPS + 1) / 2);
  localparam int MEMBER_W = PAIR_W + ROW_W + 1;
  logic groups_count, yields_count, members_equal;
  logic [WARPS*MEMBER_W-1:0] member, member_q;
  logic [WARPS-1:0] was_live_q;
  logic [(1 << MEMBER_W)-1:0] seen;
  assign groups_count = !TWO_LEVEL && policy_i == paws_pkg::SCA;
  assign yields_count = !TWO_LEVEL && policy_i == paws_pkg::CGGTY;
  always_comb begin
    seen = '0;
    members_equal = 1'b0;
    for (int w = 0; w < WARPS; w++) begin
      member[w*MEMBER_W+:MEMBER_W] = {pair_i[w*PAIR_W+:PAIR_W], row_i[w*ROW_W+:ROW_W], second_i[w]};
      if (groups_count && live_o[w]) begin
        members_equal = members_equal | seen[member[w*MEMBER_W+:MEMBER_W]];
        seen[member[w*MEMBER_W+:MEMBER_W]] = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    policy_q <= policy_i;
    policy_known_q <= rst_ni;
    length_q <= length_i;
    member_q <= member;
    was_live_q <= rst_ni ? live_o & ~ended : '0;
    for (int w = 0; w < WARPS; w++) begin
      holds_q[w] <= rst_ni && (launched[w] || (live_o[w] && !(issue_valid_i && 32'(issue_warp_i) == w)));
    end
    if (rst_ni) begin
      policy_is_built: assert (((POLICIES >> policy_i) & 1) != 0)
      else $error("host: policy_i names a policy that is not built");
      policy_is_stable: assert (!policy_known_q || policy_i == policy_q)
      else $error("host: policy_i changes outside reset");
      issuable_excludes_waits: assert ((issuable_i & waits_i) == '0)
      else $error("host: a warp is issuable and waits at the same time");
      free_slot_is_silent: assert (((issuable_i | waits_i) & ~live_o) == '0)
      else $error("host: a free slot is issuable or waits");
      launch_slot_exists: assert (!launch_valid_i || 32'(launch_warp_i) < WARPS)
      else $error("host: launch into a slot that does not exist");
      launch_slot_is_free: assert ((live_o & launched) == '0)
      else $error("host: launch into a slot that is not free");
      members_differ: assert (!members_equal)
      else $error("host: two live warps have the same pair_i, row_i and second_i under SCA");
      // Unknown inputs, for simulators that know them.
      inputs_are_known:
      assert (!$isunknown({policy_i, issue_en_i, issuable_i, exit_i & issuable_i, launch_valid_i}))
      else $error("host: an input is unknown");
      launch_warp_is_known: assert (!launch_valid_i || !$isunknown(launch_warp_i))
      else $error("host: launch_warp_i is unknown in a launch");
      waits_are_known: assert (!TWO_LEVEL || !$isunknown({waits_i, long_outstanding_i & live_o}))
      else $error("host: waits_i or long_outstanding_i is unknown");
      for (int w = 0; w < WARPS; w++) begin
        // The two-level scheduler samples a length where a warp waits or launches, or is relieved.
        length_is_known: assert (!(TWO_LEVEL ? waits_i[w] || launched[w] || (LIMITED && issuable_i[w])
                                             : issuable_i[w]) ||
                                 !$isunknown(length_i[w*LENGTH_W+:LENGTH_W]))
        else $error("host: a phase length or distance that is looked at is unknown");
        length_is_held:
        assert (!HELD || !holds_q[w] || length_i[w*LENGTH_W+:LENGTH_W] == length_q[w*LENGTH_W+:LENGTH_W])
        else $error("host: a length that is to be held changes without an issue of the warp");
        groups_are_known: assert (!groups_count || !live_o[w] || !$isunknown(member[w*MEMBER_W+:MEMBER_W]))
        else $error("host: pair_i, row_i or second_i of a live warp is unknown under SCA");
        yield_is_known: assert (!yields_count || !issuable_i[w] || !$isunknown(yield_i[w]))
        else $error("host: yield_i of an issuable warp is unknown under CGGTY");
        group_is_held:
        assert (!groups_count || !was_live_q[w] || member[w*MEMBER_W+:MEMBER_W] == member_q[w*MEMBER_W+:MEMBER_W])
        else $error("host: pair_i, row_i or second_i of a live warp changes under SCA");
      end
    end
  end
`else
  logic unused_inputs;
  assign unused_inputs = ^{policy_i, issue_en_i, issuable_i, waits_i, long_outstanding_i, length_i,
                           pair_i, row_i, second_i, yield_i, POLICIES[0], TWO_LEVEL, LIMITED, HELD};
`endif
endmodule

`default_nettype wire
