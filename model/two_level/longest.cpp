// SPDX-License-Identifier: MIT
// Longest phase first, then oldest: the mirror image of PAWS and its control experiment. If a
// kernel runs as well with it as with PAWS, then its phases differ too little to matter. Lives in
// the model alone; docs/guide/policies.md shows this file.
#include "model/two_level/two_level_scheduler.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_longest(const SchedulerConfig& config) {
  const auto order = [](const ActiveWarp& a, const ActiveWarp& b) {
    if (a.length != b.length) return a.length > b.length;
    return a.launch_number < b.launch_number;
  };
  return std::make_unique<TwoLevelScheduler>(config, order);
}

}  // namespace paws
