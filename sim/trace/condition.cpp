// SPDX-License-Identifier: MIT
#include "sim/trace/condition.h"

#include "model/warp_mask.h"

namespace paws::trace {

const char* to_string(Condition condition) {
  static constexpr std::array<const char*, kConditions> kNames{
      "free",          "no instruction", "memory",    "barrier", "operand",
      "outside ready", "unit busy",      "can issue", "issue"};
  return kNames[static_cast<std::size_t>(condition)];
}

Condition condition_of(const SchedulerConfig& config, const SchedulerStep& step, Place place,
                       WarpId warp) {
  const WarpLevels& warps = step.warps;
  if (!contains(warps.live, warp)) return Condition::free;
  if (step.outputs.issue_valid && step.outputs.issue_warp == warp) return Condition::issue;
  if (contains(warps.at_barrier, warp)) return Condition::barrier;
  // Without an instruction a warp can wait for a branch too (scheduler.branch_demotes).
  if (!contains(warps.decoded, warp)) return Condition::no_instruction;
  if (contains(step.inputs.waits, warp)) return Condition::memory;
  if (!contains(warps.clear, warp)) return Condition::operand;
  if (config.level == Level::two_level && place != Place::ready) return Condition::outside_ready;
  return contains(step.inputs.issuable, warp) ? Condition::can_issue : Condition::unit_busy;
}

}  // namespace paws::trace
