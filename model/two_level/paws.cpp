// SPDX-License-Identifier: MIT
// Phase-aware: "always choosing the warp that has the shortest length for its next phase" (PAWS
// paper, IV-A). Equal lengths go by age, or by arrival if the configuration says so.
#include "model/two_level/orders.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_paws(const SchedulerConfig& config) {
  return std::make_unique<TwoLevelScheduler>(config, shortest_first(config));
}

}  // namespace paws
