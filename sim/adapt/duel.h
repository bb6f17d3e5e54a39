// SPDX-License-Identifier: MIT
// Set dueling between cores: a few cores always run one policy, the others follow the better one.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/core/policy_control.h"

namespace paws::adapt {

/// A core that does as it is told.
class OrderedPolicy final : public core::PolicyControl {
 public:
  /// From `cycle` on, which the core has not come to. Cycles do not go back.
  void order(SwitchedPolicy policy, std::uint64_t cycle) { orders_.push_back({cycle, policy}); }
  /// From the start of the next launch on; older orders are void.
  void order_first(SwitchedPolicy policy) {
    orders_.clear();
    policy_ = policy;
  }
  /// One epoch more has been judged by what this core has done.
  void count_epoch() { ++epochs_; }

  void begin(const core::Core& /*core*/, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {}
  void advance(std::uint64_t cycle) override {
    while (!orders_.empty() && orders_.front().cycle <= cycle) {
      policy_ = orders_.front().policy;
      orders_.pop_front();
    }
  }
  [[nodiscard]] SwitchedPolicy policy(unsigned /*scheduler*/) const override { return policy_; }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t /*cycle*/) const override {
    return orders_.empty() ? UINT64_MAX : orders_.front().cycle;
  }
  void end(std::uint64_t /*cycle*/, AdaptCounts& counts) override {
    counts.epochs += epochs_;
    epochs_ = 0;
  }

 private:
  struct Order {
    std::uint64_t cycle = 0;
    SwitchedPolicy policy = SwitchedPolicy::gto;
  };

  std::deque<Order> orders_;
  SwitchedPolicy policy_ = SwitchedPolicy::gto;
  std::uint64_t epochs_ = 0;
};

/// Of every adapt.group cores the first one leads for GTO and the middle one for RR. At the end of
/// an epoch the leaders' issues in it are compared, each policy by the mean of its leaders that
/// have a live warp; the better policy moves the selector by adapt.step towards its end, RR up to
/// 511, GTO down to -512. The followers go by the selector.
///
/// With the selector at its end for adapt.saturated epochs the losing leaders follow too. Then in
/// the last of every adapt.probe epochs the first of them, the probe, returns to its policy, and
/// that epoch alone moves the selector. When it leaves its end, all leaders lead again.
///
/// A launch begins with the selector at 0. Its followers begin with the policy that they had when
/// the last launch of its kernel ended, or with the first policy.
class Duel final : public core::Adaptation {
 public:
  struct Setup {
    AdaptSettings settings;
    unsigned cores = 0;
    unsigned latency = 0;  ///< of an order, in cycles
    SwitchedPolicy first = SwitchedPolicy::gto;
    bool swapped = false;  ///< control experiment: fewer issues win
  };
  static constexpr int kSelectorMost = 511;
  static constexpr int kSelectorLeast = -512;

  explicit Duel(const Setup& setup);

  std::unique_ptr<core::PolicyControl> control(std::uint32_t core) override;
  void begin(const void* kernel, std::uint64_t cycle,
             std::span<const core::CoreActivity> cores) override;
  [[nodiscard]] std::uint64_t epoch_end() const override { return epoch_end_; }
  void end_epoch(std::span<const core::CoreActivity> cores) override;

  [[nodiscard]] int selector() const { return selector_; }
  /// That the core has, or will have latency cycles after the last epoch.
  [[nodiscard]] SwitchedPolicy policy(std::uint32_t core) const { return ordered_[core]; }

 private:
  /// The policy that the core leads for.
  [[nodiscard]] std::optional<SwitchedPolicy> led_by(std::uint32_t core) const;
  /// The policy that the core is to have in the present epoch.
  [[nodiscard]] SwitchedPolicy wanted(std::uint32_t core) const;
  /// Whether the losing leaders follow.
  [[nodiscard]] bool resting() const { return saturated_ >= setup_.settings.saturated; }
  [[nodiscard]] bool at_end() const {
    return selector_ == kSelectorMost || selector_ == kSelectorLeast;
  }
  /// Of all cores that run their own policy, the sums of the epoch move the selector.
  void judge(std::span<const core::CoreActivity> cores);

  Setup setup_;
  std::vector<OrderedPolicy*> controls_;  ///< by core
  std::vector<SwitchedPolicy> ordered_;   ///< by core
  std::vector<std::uint64_t> seen_;       ///< by core, issues before the present epoch
  std::map<const void*, SwitchedPolicy> winners_;
  const void* kernel_ = nullptr;
  SwitchedPolicy followers_;
  int selector_ = 0;
  unsigned saturated_ = 0;  ///< epochs in succession with the selector at its end
  unsigned rested_ = 0;     ///< epochs since the losing leaders follow
  bool probing_ = false;    ///< in the present epoch
  std::optional<std::uint32_t> probe_;
  std::uint64_t epoch_end_ = UINT64_MAX;
};

}  // namespace paws::adapt
