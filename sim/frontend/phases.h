// SPDX-License-Identifier: MIT
// Phases of a kernel (PAWS, Section III): runs of instructions none of which reads what a long
// operation of the same run loads.
#pragma once

#include "sim/config/frontend_settings.h"
#include "sim/ir/kernel.h"

namespace paws::frontend {

/// Fills latency, long_op, phase and distance of every instruction, and kernel.phases.
void assign_phases(ir::Kernel& kernel, const LatencyTable& latencies, const PhaseRule& rule);

}  // namespace paws::frontend
