// SPDX-License-Identifier: MIT
// Phase-aware: "warp at an instruction with the lowest distance from the next phase is chosen. For
// warps that are at the same distance, the oldest warp is chosen first" (PAWS paper, IV-B).
#include "model/single_level/single_level_scheduler.h"

namespace paws {
namespace {

class PhaseAware final : public SingleLevelScheduler {
 public:
  using SingleLevelScheduler::SingleLevelScheduler;

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override { return nearest(candidates); }
};

}  // namespace

std::unique_ptr<Scheduler> single_level_paws(const SchedulerConfig& config) {
  return std::make_unique<PhaseAware>(config);
}

}  // namespace paws
