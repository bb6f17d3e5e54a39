// SPDX-License-Identifier: MIT
// Round robin: "rotates the priority after each selection" (PAWS paper, IV-B). The first issuable
// slot after the last issued one, cyclically; slot 0 comes first after reset.
#include "model/single_level/single_level_scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

class RoundRobin final : public SingleLevelScheduler {
 public:
  using SingleLevelScheduler::SingleLevelScheduler;

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    if (last_issued_) {
      const WarpMask up_to_last = mask_of(*last_issued_) | (mask_of(*last_issued_) - 1);
      if (const WarpMask after = candidates & ~up_to_last; after != 0) return lowest(after);
    }
    return lowest(candidates);
  }
  [[nodiscard]] bool is_fair() const override { return true; }
  void on_issue(const Issue& issue) override { last_issued_ = issue.warp; }
  void on_reset() override { last_issued_.reset(); }
  [[nodiscard]] std::optional<WarpId> last_issued() const override { return last_issued_; }

 private:
  std::optional<WarpId> last_issued_;
};

}  // namespace

std::unique_ptr<Scheduler> single_level_rr(const SchedulerConfig& config) {
  return std::make_unique<RoundRobin>(config);
}

}  // namespace paws
