// SPDX-License-Identifier: MIT
// Greedy then oldest: "sorts the warps in launch order" (PAWS paper, IV-B).
#include "model/registry.h"
#include "model/two_level/two_level_scheduler.h"

namespace paws {

Policy two_level_gto() {
  return {.level = Level::two_level,
          .name = "gto",
          .in_rtl = true,
          .make = [](const SchedulerConfig& config) -> std::unique_ptr<Scheduler> {
            const auto order = [](const ActiveWarp& a, const ActiveWarp& b) {
              return a.launch_number < b.launch_number;
            };
            return std::make_unique<TwoLevelScheduler>(config, order);
          }};
}

}  // namespace paws
