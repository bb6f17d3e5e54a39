// SPDX-License-Identifier: MIT
// Round robin: "does not sort the warps" (PAWS paper, IV-B). Active keeps the order of arrival.
#include "model/two_level/two_level_scheduler.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_rr(const SchedulerConfig& config) {
  const auto order = [](const ActiveWarp&, const ActiveWarp&) { return false; };
  return std::make_unique<TwoLevelScheduler>(config, order);
}

}  // namespace paws
