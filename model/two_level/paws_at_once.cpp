// SPDX-License-Identifier: MIT
// PAWS with a collector that is emptied in every cycle, launches or not: what it costs to admit one
// warp a cycle is the difference to two-level:paws. No hardware inserts so many at once.
#include "model/registry.h"
#include "model/two_level/shortest_first.h"

namespace paws {

Policy two_level_paws_at_once() {
  return {.level = Level::two_level,
          .name = "paws-at-once",
          .in_rtl = false,
          .make = [](const SchedulerConfig& config) -> std::unique_ptr<Scheduler> {
            return std::make_unique<TwoLevelScheduler>(config, shortest_first(config),
                                                       Admission::all);
          }};
}

}  // namespace paws
