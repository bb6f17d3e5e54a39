// SPDX-License-Identifier: MIT
// GTO as the implementation report builds it (Labde et al., Fig. 12): warps are promoted in the
// order of arrival, and a promotion sorts ready by age.
#include "model/two_level/orders.h"

namespace paws {

std::unique_ptr<Scheduler> two_level_gto_in_ready(const SchedulerConfig& config) {
  return std::make_unique<TwoLevelScheduler>(config, by_arrival, oldest_first);
}

}  // namespace paws
