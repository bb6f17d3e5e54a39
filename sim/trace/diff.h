// SPDX-License-Identifier: MIT
// Where two recorded runs part, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/trace/decision_trace.h"

namespace paws::trace {

struct DiffResult {
  std::optional<std::string> parting;  ///< the first difference, over several lines; none: equal
  std::uint64_t compared = 0;          ///< scheduler cycles that both runs have
  std::uint64_t different = 0;         ///< of these, with another decision
  std::uint64_t a_cycles = 0, b_cycles = 0;
  std::uint64_t a_issues = 0, b_issues = 0;
};

/// Compares what happened on `core` in both runs: launch by launch, cycle by cycle from each
/// launch's beginning. Throws InputError when the two cannot be compared.
DiffResult diff(const DecisionReader& a, const DecisionReader& b, std::uint32_t core);

}  // namespace paws::trace
