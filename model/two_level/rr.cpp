// SPDX-License-Identifier: MIT
// Round robin: "does not sort the warps" (PAWS paper, IV-B). Active keeps the order of arrival.
#include "model/registry.h"
#include "model/two_level/two_level_scheduler.h"

namespace paws {

Policy two_level_rr() {
  return {.level = Level::two_level,
          .name = "rr",
          .in_rtl = true,
          .make = [](const SchedulerConfig& config) -> std::unique_ptr<Scheduler> {
            const auto order = [](const ActiveWarp&, const ActiveWarp&) { return false; };
            return std::make_unique<TwoLevelScheduler>(config, order);
          }};
}

}  // namespace paws
