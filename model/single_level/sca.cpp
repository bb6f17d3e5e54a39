// SPDX-License-Identifier: MIT
// Sequential CTA-aware (SCA; Lee et al., HPCA 2014, section 4.2): the two warps of a group issue in
// turn until the one whose turn it is stalls; then the next group of the same pair of blocks.
#include "model/single_level/sequential_cta_aware.h"

namespace paws {

std::unique_ptr<Scheduler> single_level_sca(const SchedulerConfig& config) {
  return std::make_unique<SequentialCtaAware>(config, SequentialCtaAware::Leave::on_stall);
}

}  // namespace paws
