// SPDX-License-Identifier: MIT
// Greedy then oldest, as GPGPU-Sim's `gto`: the last issued warp while it is issuable, else the
// oldest issuable one. After the exit of that warp no warp is preferred, so that the slot's next
// warp does not inherit the preference.
#include "model/single_level/single_level_scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

class GreedyThenOldest final : public SingleLevelScheduler {
 public:
  using SingleLevelScheduler::SingleLevelScheduler;

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    if (greedy_ && contains(candidates, *greedy_)) return *greedy_;
    return live().oldest(candidates);
  }
  void on_issue(const Issue& issue) override {
    if (issue.exits) {
      greedy_.reset();
    } else {
      greedy_ = issue.warp;
    }
  }
  void on_late_end(WarpId warp) override {
    if (greedy_ == warp) greedy_.reset();
  }
  void on_reset() override { greedy_.reset(); }
  [[nodiscard]] std::optional<WarpId> last_issued() const override { return greedy_; }

 private:
  std::optional<WarpId> greedy_;
};

}  // namespace

std::unique_ptr<Scheduler> single_level_gto(const SchedulerConfig& config) {
  return std::make_unique<GreedyThenOldest>(config);
}

}  // namespace paws
