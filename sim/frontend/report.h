// SPDX-License-Identifier: MIT
// What `paws phases` says about a kernel.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/ir/kernel.h"

namespace paws::frontend {

/// {"kernel", "file", "instructions", "registers_per_thread", "spilled_registers",
///  "register_bound", "shared_bytes", "local_bytes",
///  "phases": [{"phase", "first", "last", "first_line", "last_line", "instructions", "length"}],
///  "longest", "shortest"}. Lengths are in cycles, first and last are instruction numbers. With
/// `codes` (phases.code) each phase has a "code", too.
nlohmann::json phase_report(const ir::Kernel& kernel, bool codes = false);

/// The same as a table for people. `verbose` adds every instruction: number, PTX line, block,
/// latency, phase and its length, distance, text; "*" marks long operations. With `codes` those of
/// lengths and distances stand beside them.
std::string phase_table(const ir::Kernel& kernel, bool verbose, bool codes = false);

}  // namespace paws::frontend
