// SPDX-License-Identifier: MIT
// What `paws phases` says about machine code.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/riscv/machine_code.h"

namespace paws::riscv {

/// {"function", "address", "instructions", "unknown", "phases": [{"phase", "first", "last",
/// "instructions", "length"}], "longest", "shortest"}. Lengths are in cycles, first and last are
/// addresses; "unknown" counts instructions that belong to no class.
nlohmann::json phase_report(const Function& function);

/// The same as a table for people. `verbose` adds every instruction: address, latency, phase and
/// its length, distance, text; "*" marks long operations.
std::string phase_table(const Function& function, bool verbose);

/// Of all functions, a line for each instruction: address, length of the phase, distance, whether
/// it begins a phase.
std::string annotations(const std::vector<Function>& functions);

/// Instructions that belong to no class.
std::size_t unknown_instructions(const Function& function);

}  // namespace paws::riscv
