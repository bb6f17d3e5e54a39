// SPDX-License-Identifier: MIT
// Why a warp issued or did not: one word per warp and cycle, the same in listings, waves and
// timelines.
#pragma once

#include <array>
#include <cstdint>

#include "sim/trace/events.h"
#include "sim/trace/shadow.h"

namespace paws::trace {

enum class Condition : std::uint8_t {
  free,            ///< no warp in the slot
  no_instruction,  ///< its next instruction is not in the i-buffer
  memory,          ///< it needs the result of a long-latency operation (waits_i of
                   ///< docs/reference/microarchitecture.md, "Ports")
  barrier,         ///< it stands at a barrier
  operand,         ///< it needs the result of another instruction, or its stores at a fence
  outside_ready,   ///< it has what it needs, but is not in the ready queue
  unit_busy,       ///< the execution unit takes no instruction in this cycle
  can_issue,       ///< it could issue; another warp did, or the scheduler is not enabled
  issue            ///< it issues
};
inline constexpr unsigned kConditions = 9;
const char* to_string(Condition condition);

/// Of `warp` in the cycle of `step`; `place` is where the warp is (two-level).
Condition condition_of(const SchedulerConfig& config, const SchedulerStep& step, Place place,
                       WarpId warp);

}  // namespace paws::trace
