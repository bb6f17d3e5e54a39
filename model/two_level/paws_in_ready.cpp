// SPDX-License-Identifier: MIT
// PAWS as the implementation report builds it (Labde et al., Fig. 10 and 12): warps are promoted in
// the order of arrival, and a promotion sorts ready by phase length.
#include "model/two_level/orders.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_paws_in_ready(const SchedulerConfig& config) {
  return std::make_unique<TwoLevelScheduler>(config, by_arrival, shortest_first(config));
}

}  // namespace paws
