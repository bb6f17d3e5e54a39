// SPDX-License-Identifier: MIT
// Greedy then youngest, as the sub-cores of today's NVIDIA GPUs (CGGTY; Huerta et al., MICRO 2025,
// sections 4 and 5.1): the last issued warp while it is issuable, else the youngest issuable one.
// An instruction can yield: its warp does not issue in the next enabled cycle, even if no other
// can. After the exit of the greedy warp no warp is preferred.
#include "model/single_level/single_level_scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

class GreedyThenYoungest final : public SingleLevelScheduler {
 public:
  using SingleLevelScheduler::SingleLevelScheduler;

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    if (greedy_ && contains(candidates, *greedy_)) return *greedy_;
    return live().youngest(candidates);
  }
  void on_issue(const Issue& issue) override {
    greedy_.reset();
    if (issue.exits) return;
    greedy_ = issue.warp;
    if (issue.yields) bar(issue.warp);
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

std::unique_ptr<Scheduler> single_level_cggty(const SchedulerConfig& config) {
  return std::make_unique<GreedyThenYoungest>(config);
}

}  // namespace paws
