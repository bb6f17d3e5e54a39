// SPDX-License-Identifier: MIT
// Phases of RISC-V machine code, by the rule that kernels in PTX have (sim/frontend/phases.h).
#pragma once

#include <vector>

#include "sim/config/frontend_settings.h"
#include "sim/riscv/machine_code.h"

namespace paws::riscv {

/// Fills long_op, latency, phase and distance of every instruction, and the phases. Long operations
/// are loads and atomics that write a register, but not those through one of the registers `near`:
/// the stack, or a memory beside the core.
void assign_phases(Function& function, const LatencyTable& latencies, const PhaseRule& rule,
                   const std::vector<Register>& near);

}  // namespace paws::riscv
