// SPDX-License-Identifier: MIT
// Two-level warp scheduling (TLV; Narasiman et al., MICRO 2011, section 4.3): static groups of
// consecutive slots, the paper's fetch groups; round robin within a group and between groups. A
// group is left when all its warps wait for long operations, so that the groups reach their long
// operations one after the other.
//
// What is ours: all warps of a group can be between two dependent instructions at once, which eight
// warps do not cover in the simulator. The next group that can issue then does, and the current
// group stays the current one.
#include <cstddef>
#include <vector>

#include "model/single_level/single_level_scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

class TwoLevelRoundRobin final : public SingleLevelScheduler {
 public:
  explicit TwoLevelRoundRobin(const SchedulerConfig& config)
      : SingleLevelScheduler(config), size_(policy_parameters(config).at("group")) {
    for (WarpId slot = 0; slot < config.warps; ++slot) {
      if (slot % size_ == 0) groups_.emplace_back();
      groups_.back().slots |= mask_of(slot);
    }
  }

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    const std::size_t current = current_at(inputs().waits);
    const Group& group =
        groups_[first_from(current, [&](const Group& any) { return any.slots & candidates; })];
    const WarpMask after = group.slots & candidates & ~group.up_to_last;
    return lowest(after != 0 ? after : group.slots & candidates);
  }
  void on_issue(const Issue& issue) override {
    current_ = current_at(issue.waits);
    groups_[issue.warp / size_].up_to_last = mask_of(issue.warp) | (mask_of(issue.warp) - 1);
  }
  void on_reset() override {
    current_ = 0;
    for (Group& group : groups_) group.up_to_last = 0;
  }

 private:
  struct Group {
    WarpMask slots = 0;
    WarpMask up_to_last = 0;  ///< all slots up to the last issued one of the group
  };

  /// The first group, cyclically from `from` on, in which `has` finds a warp; `from` if none is.
  template <typename Has>
  [[nodiscard]] std::size_t first_from(std::size_t from, Has has) const {
    for (std::size_t step = 0; step < groups_.size(); ++step) {
      const std::size_t number = (from + step) % groups_.size();
      if (has(groups_[number]) != 0) return number;
    }
    return from;
  }
  /// The current group of a cycle in which a warp issues.
  [[nodiscard]] std::size_t current_at(WarpMask waits) const {
    const WarpMask go_on = live().mask() & ~waits;
    return first_from(current_, [&](const Group& group) { return group.slots & go_on; });
  }

  unsigned size_;  // slots of a group
  std::vector<Group> groups_;
  std::size_t current_ = 0;  // as of the last issue
};

}  // namespace

std::unique_ptr<Scheduler> single_level_tlv(const SchedulerConfig& config) {
  return std::make_unique<TwoLevelRoundRobin>(config);
}

}  // namespace paws
