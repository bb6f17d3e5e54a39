// SPDX-License-Identifier: MIT
// Greedy then oldest: "sorts the warps in launch order" (PAWS paper, IV-B).
#include "model/two_level/orders.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_gto(const SchedulerConfig& config) {
  return std::make_unique<TwoLevelScheduler>(config, oldest_first);
}

}  // namespace paws
