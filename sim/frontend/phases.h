// SPDX-License-Identifier: MIT
// Phases of a kernel (PAWS, Section III): runs of instructions none of which reads what a long
// operation of the same run loads.
#pragma once

#include "sim/frontend/latency.h"
#include "sim/ir/kernel.h"

namespace paws::frontend {

/// The phase rule. In program order: if an instruction reads (sources, guard, address) a register
/// of the set, a phase starts there and the set is cleared; then the instruction's own
/// long-operation destinations join the set. The switches add the cuts of the paper's text.
struct PhaseRule {
  bool cut_at_blocks = false;      ///< every basic block starts a phase
  bool cut_at_barriers = false;    ///< the instruction after a block barrier starts a phase
  bool cut_at_branches = false;    ///< the instruction after a branch starts a phase
  bool shared_loads_long = false;  ///< shared loads and atomics count as long operations

  bool operator==(const PhaseRule&) const = default;
};

/// Fills latency, long_op, phase and distance of every instruction, and kernel.phases.
void assign_phases(ir::Kernel& kernel, const LatencyTable& latencies, const PhaseRule& rule);

}  // namespace paws::frontend
