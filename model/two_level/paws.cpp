// SPDX-License-Identifier: MIT
// Phase-aware: "always choosing the warp that has the shortest length for its next phase" (PAWS
// paper, IV-A). Equal lengths go by age, or by arrival if the configuration says so.
#include "model/registry.h"
#include "model/two_level/shortest_first.h"

namespace paws {

Policy two_level_paws() {
  return {.level = Level::two_level,
          .name = "paws",
          .in_rtl = true,
          .make = [](const SchedulerConfig& config) -> std::unique_ptr<Scheduler> {
            return std::make_unique<TwoLevelScheduler>(config, shortest_first(config));
          }};
}

}  // namespace paws
