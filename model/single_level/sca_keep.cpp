// SPDX-License-Identifier: MIT
// SCA that keeps a group while either of its warps can issue. The paper leaves the group when "one
// of the two warps stall"; this shows what that is worth.
#include "model/single_level/sequential_cta_aware.h"

namespace paws {

std::unique_ptr<Scheduler> single_level_sca_keep(const SchedulerConfig& config) {
  return std::make_unique<SequentialCtaAware>(config, SequentialCtaAware::Leave::on_both_stalls);
}

}  // namespace paws
