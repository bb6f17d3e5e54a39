// SPDX-License-Identifier: MIT
// A cycle of a scheduler as a line of numbers, for test benches in other languages.
#pragma once

#include <cstdint>
#include <string>

#include "model/scheduler.h"

namespace paws {

/// How masks of slots are written: as numbers like all others, or in binary, slot 0 last.
enum class Masks { decimal, bits };

/// Decimal numbers, without the end of the line:
///   cycle rst_ni policy issue_en issuable waits long_outstanding exit launch_valid launch_warp
///   issue_valid issue_warp quiet, then the phase of each slot; of the single level then
///   second yield, the pair of each slot, the row of each slot
/// `policy_code` is policy_i; rst_ni is 0 in a cycle of reset.
std::string port_line(const SchedulerConfig& config, unsigned policy_code, std::uint64_t cycle,
                      bool reset, const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                      Masks masks = Masks::decimal);

/// The names of the numbers of a line, for people: "# cycle rst_ni ...".
std::string port_header(const SchedulerConfig& config);

}  // namespace paws
