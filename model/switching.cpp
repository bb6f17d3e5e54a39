// SPDX-License-Identifier: MIT
// Schedulers whose policy can change while they run. Each keeps what both of its policies remember,
// whichever is the present one, so that a change needs nothing but the word.
#include "model/switching.h"

#include <stdexcept>

#include "model/single_level/single_level_scheduler.h"
#include "model/two_level/two_level_scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

/// RR and GTO of the single level: the last issued slot, whichever policy issued it, and whether
/// its warp may be greedy, that is, has not ended.
class SwitchingSingleLevel final : public SingleLevelScheduler, public PolicySwitch {
 public:
  SwitchingSingleLevel(const SchedulerConfig& config, SwitchedPolicy policy)
      : SingleLevelScheduler(config), first_(policy), policy_(policy) {}

  void change_policy(SwitchedPolicy policy) override { policy_ = policy; }

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    if (policy_ == SwitchedPolicy::gto) {
      if (greedy_ && contains(candidates, *last_issued_)) return *last_issued_;
      return live().oldest(candidates);
    }
    if (last_issued_) {
      const WarpMask up_to_last = mask_of(*last_issued_) | (mask_of(*last_issued_) - 1);
      if (const WarpMask after = candidates & ~up_to_last; after != 0) return lowest(after);
    }
    return lowest(candidates);
  }
  void on_issue(const Issue& issue) override {
    last_issued_ = issue.warp;
    greedy_ = !issue.exits;
  }
  void on_late_end(WarpId warp) override {
    if (last_issued_ == warp) greedy_ = false;
  }
  void on_reset() override {
    policy_ = first_;
    last_issued_.reset();
    greedy_ = false;
  }
  /// As the present policy has it alone.
  [[nodiscard]] std::optional<WarpId> last_issued() const override {
    return policy_ == SwitchedPolicy::rr || greedy_ ? last_issued_ : std::nullopt;
  }

 private:
  SwitchedPolicy first_;
  SwitchedPolicy policy_;
  std::optional<WarpId> last_issued_;
  bool greedy_ = false;  // never without last_issued_
};

ActiveOrder order_of(SwitchedPolicy policy) {
  if (policy == SwitchedPolicy::rr)
    return [](const ActiveWarp&, const ActiveWarp&) { return false; };
  return [](const ActiveWarp& a, const ActiveWarp& b) { return a.launch_number < b.launch_number; };
}

/// RR and GTO of two levels: active remembers nothing but its order.
class SwitchingTwoLevel final : public TwoLevelScheduler, public PolicySwitch {
 public:
  SwitchingTwoLevel(const SchedulerConfig& config, SwitchedPolicy policy)
      : TwoLevelScheduler(config, order_of(policy)), first_(policy) {}

  void change_policy(SwitchedPolicy policy) override { set_order(order_of(policy)); }
  void reset() override {
    TwoLevelScheduler::reset();
    set_order(order_of(first_));
  }

 private:
  SwitchedPolicy first_;
};

}  // namespace

std::optional<SwitchedPolicy> switched_policy(const SchedulerConfig& config) {
  if (config.policy == "rr") return SwitchedPolicy::rr;
  if (config.policy == "gto") return SwitchedPolicy::gto;
  return std::nullopt;
}

std::unique_ptr<Scheduler> make_switching(const SchedulerConfig& config) {
  if (const auto wrong = check(config)) throw std::invalid_argument(*wrong);
  const auto policy = switched_policy(config);
  if (!policy) {
    throw std::invalid_argument(scheduler_name(config) +
                                " does not change its policy: RR and GTO of either level do");
  }
  if (config.age_limit != 0) {
    throw std::invalid_argument("a scheduler that changes its policy has no age limit");
  }
  if (config.level == Level::single) return std::make_unique<SwitchingSingleLevel>(config, *policy);
  return std::make_unique<SwitchingTwoLevel>(config, *policy);
}

}  // namespace paws
