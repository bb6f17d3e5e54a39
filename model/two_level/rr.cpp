// SPDX-License-Identifier: MIT
// Round robin: "does not sort the warps" (PAWS paper, IV-B). Active keeps the order of arrival.
#include "model/two_level/orders.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_rr(const SchedulerConfig& config) {
  return std::make_unique<TwoLevelScheduler>(config, by_arrival);
}

}  // namespace paws
