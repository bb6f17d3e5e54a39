// SPDX-License-Identifier: MIT
// Oldest: "always assigns the highest priority to the oldest warp" (PAWS paper, IV-B), which read
// literally is GTO without its greedy part.
#include "model/single_level/single_level_scheduler.h"

namespace paws {
namespace {

class Oldest final : public SingleLevelScheduler {
 public:
  using SingleLevelScheduler::SingleLevelScheduler;

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    return live().oldest(candidates);
  }
};

}  // namespace

std::unique_ptr<Scheduler> single_level_oldest(const SchedulerConfig& config) {
  return std::make_unique<Oldest>(config);
}

}  // namespace paws
