// SPDX-License-Identifier: MIT
// Which machine registers hold a kernel's virtual ones.
#pragma once

#include "sim/frontend/program.h"

namespace paws::frontend {

/// Machine registers that a number can name; more values alive at once share numbers.
inline constexpr unsigned kMachineRegisters = 256;

/// Gives every virtual register but predicates the number of its (first) 32-bit machine register:
/// linear scan over live intervals in layout order (Poletto and Sarkar 1999), lowest free number
/// first, wider values aligned to their size as on the machine. The register banks follow from it
/// (sim/core/operand_collector.h); how many registers a thread needs does not, because an interval
/// counts the holes in a life too.
void number_registers(Program& program);

}  // namespace paws::frontend
