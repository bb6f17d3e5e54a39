// SPDX-License-Identifier: MIT
// Youngest first: the opposite of `oldest`. It shows whether it matters which warp goes first.
#include "model/single_level/single_level_scheduler.h"

namespace paws {
namespace {

class Youngest final : public SingleLevelScheduler {
 public:
  using SingleLevelScheduler::SingleLevelScheduler;

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    return live().youngest(candidates);
  }
};

}  // namespace

std::unique_ptr<Scheduler> single_level_youngest(const SchedulerConfig& config) {
  return std::make_unique<Youngest>(config);
}

}  // namespace paws
