// SPDX-License-Identifier: MIT
// PAWS with a collector that is emptied in every cycle, launches or not: what it costs to admit one
// warp a cycle is the difference to two-level:paws. No hardware inserts so many at once.
#include "model/two_level/shortest_first.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_paws_at_once(const SchedulerConfig& config) {
  return std::make_unique<TwoLevelScheduler>(config, shortest_first(config), Admission::all);
}

}  // namespace paws
