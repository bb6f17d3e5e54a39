// SPDX-License-Identifier: MIT
// Binds the checks of what a host promises to a scheduler that does not contain them: a netlist, which has no parameters.
// Compile it with rtl/paws_pkg.sv, rtl/paws_host_checks.sv and +define+PAWS_ASSERT. The RTL contains the checks already.
// PAWS_BIND_WARPS, _LENGTH_W, _POLICIES and _LATE_EXIT are those of the netlist; these are the defaults:
`ifndef PAWS_BIND_WARPS
`define PAWS_BIND_WARPS 24
`endif
`ifndef PAWS_BIND_LENGTH_W
`define PAWS_BIND_LENGTH_W 16
`endif
`ifndef PAWS_BIND_POLICIES
`define PAWS_BIND_POLICIES 7
`endif
`ifndef PAWS_BIND_LATE_EXIT
`define PAWS_BIND_LATE_EXIT 1'b0
`endif
`ifdef PAWS_SINGLE
bind paws_single_level paws_host_checks #(
    .WARPS(`PAWS_BIND_WARPS), .LENGTH_W(`PAWS_BIND_LENGTH_W), .POLICIES(`PAWS_BIND_POLICIES), .TWO_LEVEL(1'b0),
    .LATE_EXIT(`PAWS_BIND_LATE_EXIT), .PAIR_W(3)
) u_bound_host (
    .waits_i({`PAWS_BIND_WARPS{1'b0}}), .long_outstanding_i({`PAWS_BIND_WARPS{1'b0}}), .length_i(distance_i),
    .pair_i(pair_i), .row_i(row_i), .second_i(second_i), .yield_i(yield_i),
`else
bind paws_two_level paws_host_checks #(
    .WARPS(`PAWS_BIND_WARPS), .LENGTH_W(`PAWS_BIND_LENGTH_W), .POLICIES(`PAWS_BIND_POLICIES), .TWO_LEVEL(1'b1),
    .LATE_EXIT(`PAWS_BIND_LATE_EXIT)
) u_bound_host (
    .waits_i(waits_i), .long_outstanding_i(long_outstanding_i), .length_i(length_i),
    .pair_i('0), .row_i('0), .second_i('0), .yield_i('0),
`endif
    .clk_i(clk_i), .rst_ni(rst_ni), .policy_i(policy_i), .issue_en_i(issue_en_i), .issuable_i(issuable_i),
    .exit_i(exit_i), .launch_valid_i(launch_valid_i), .launch_warp_i(launch_warp_i), .end_valid_i(end_valid_i),
    .end_warp_i(end_warp_i), .issue_valid_i(issue_valid_o), .issue_warp_i(issue_warp_o), .live_o()
);
