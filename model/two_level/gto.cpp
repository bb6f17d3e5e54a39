// SPDX-License-Identifier: MIT
// Greedy then oldest: "sorts the warps in launch order" (PAWS paper, IV-B).
#include "model/two_level/two_level_scheduler.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_gto(const SchedulerConfig& config) {
  const auto order = [](const ActiveWarp& a, const ActiveWarp& b) {
    return a.launch_number < b.launch_number;
  };
  return std::make_unique<TwoLevelScheduler>(config, order);
}

}  // namespace paws
