// SPDX-License-Identifier: MIT
// Two-level round robin over fixed fetch groups (Narasiman et al., MICRO 2011, section 3.2): a
// group is `group` consecutive slots. Round robin in the group of the last issued slot as long as
// one of its slots can issue, whatever keeps the others from it; else the next group that can, from
// its lowest slot on, and that group keeps the priority.
//
// The paper's groups can starve others that could issue. With a timeout a group comes last after so
// many issues in succession (docs/reference/microarchitecture.md, "Fetch groups").
#include <algorithm>

#include "model/single_level/single_level_scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

class FetchGroups final : public SingleLevelScheduler {
 public:
  explicit FetchGroups(const SchedulerConfig& config)
      : SingleLevelScheduler(config),
        size_(config.group),
        groups_(config.warps / config.group),
        timeout_(config.group_timeout) {}

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    const WarpMask own = candidates & slots(current());
    if (own != 0 && !timed_out()) return next_in_group(own);
    for (unsigned step = 1; step < groups_; ++step) {
      const WarpMask other = candidates & slots((current() + step) % groups_);
      if (other != 0) return lowest(other);
    }
    return next_in_group(own);
  }
  /// The timeout takes the place of the age limit.
  [[nodiscard]] bool is_fair() const override { return true; }
  void on_issue(const Issue& issue) override {
    const bool same_group = issue.warp / size_ == current();
    run_ = std::min(same_group ? run_ + 1 : 1, timeout_);
    last_issued_ = issue.warp;
  }
  void on_reset() override {
    last_issued_.reset();
    run_ = 0;
  }
  [[nodiscard]] std::optional<WarpId> last_issued() const override { return last_issued_; }
  [[nodiscard]] unsigned group_run() const override { return run_; }

 private:
  [[nodiscard]] unsigned current() const { return last_issued_.value_or(0) / size_; }
  [[nodiscard]] WarpMask slots(unsigned group) const {
    const WarpMask all = size_ == kMaxWarps ? ~WarpMask{0} : mask_of(size_) - 1;
    return all << (group * size_);
  }
  [[nodiscard]] bool timed_out() const { return timeout_ != 0 && run_ == timeout_; }
  /// The first slot of `own`, which are of the current group and not empty, after the last issued.
  [[nodiscard]] WarpId next_in_group(WarpMask own) const {
    if (last_issued_) {
      const WarpMask up_to_last = mask_of(*last_issued_) | (mask_of(*last_issued_) - 1);
      if (const WarpMask after = own & ~up_to_last; after != 0) return lowest(after);
    }
    return lowest(own);
  }

  unsigned size_;     // slots of a group
  unsigned groups_;   // number of them
  unsigned timeout_;  // 0: none
  std::optional<WarpId> last_issued_;
  unsigned run_ = 0;  // issues in succession of the current group, at most timeout_
};

}  // namespace

std::unique_ptr<Scheduler> single_level_group(const SchedulerConfig& config) {
  return std::make_unique<FetchGroups>(config);
}

}  // namespace paws
