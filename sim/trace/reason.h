// SPDX-License-Identifier: MIT
// Decisions in words.
#pragma once

#include <string>

#include "sim/trace/events.h"
#include "sim/trace/shadow.h"

namespace paws::trace {

/// Why the scheduler decided as it did in the cycle that `shadow` has entered: "head-most issuable
/// of ready (place 2 of 6, before it: 4 memory, 9 operand)", "no warp of ready issuable: 2 memory,
/// 1 unit busy", ...
std::string reason(const Shadow& shadow, const SchedulerStep& step);

/// How warps move between the queues at the end of the cycle entered: "3 leaves ready (length 48),
/// 5 promoted, ..."; empty if none does. Which become due stands there too.
std::string movements(const Shadow& shadow, const SchedulerStep& step);

/// "issue warp 7", "no issue", "no issue, quiet".
std::string decision(const SchedulerOutputs& outputs);

/// Warps of a mask: "3 5 7", or "none".
std::string warp_list(WarpMask mask);

/// Groups of the warps of a mask: "3:0/1 first 5:0/1 second", slot, pair and row, or "none".
std::string group_list(const SchedulerInputs& inputs, WarpMask mask);

}  // namespace paws::trace
