// Phase-aware: "always choosing the warp that has the shortest length for its next phase" (PAWS
// paper, IV-A). Equal lengths go by age, or by arrival if the configuration says so.
#include "model/registry.h"
#include "model/two_level/two_level_scheduler.h"

namespace paws {

Policy two_level_paws() {
  return {.level = Level::two_level,
          .name = "paws",
          .in_rtl = true,
          .make = [](const SchedulerConfig& config) -> std::unique_ptr<Scheduler> {
            const bool by_arrival = config.tie_by_arrival;
            const auto order = [by_arrival](const ActiveWarp& a, const ActiveWarp& b) {
              if (a.length != b.length) return a.length < b.length;
              return !by_arrival && a.launch_number < b.launch_number;
            };
            return std::make_unique<TwoLevelScheduler>(config, order);
          }};
}

}  // namespace paws
