// SPDX-License-Identifier: MIT
// The control experiment of adaptive scheduling: a policy drawn for each core and epoch.
#pragma once

#include <cstdint>

#include "sim/config/gpu_config.h"
#include "sim/core/policy_control.h"
#include "sim/support/random.h"

namespace paws::adapt {

class RandomSwitching final : public core::PolicyControl {
 public:
  RandomSwitching(const AdaptSettings& settings, std::uint32_t core)
      : settings_(settings), core_(core) {}

  void begin(const core::Core& /*core*/, const core::RunningKernels& /*running*/,
             std::uint64_t cycle) override {
    enter_epoch(cycle);
  }
  void advance(std::uint64_t cycle) override {
    while (cycle >= epoch_end_) enter_epoch(epoch_end_);
  }
  [[nodiscard]] SwitchedPolicy policy(unsigned /*scheduler*/) const override { return policy_; }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t /*cycle*/) const override {
    return epoch_end_;
  }
  void end(std::uint64_t /*cycle*/, AdaptCounts& counts) override {
    counts.epochs += epochs_ - told_;
    told_ = epochs_;
  }

 private:
  void enter_epoch(std::uint64_t cycle) {
    epoch_end_ = cycle + settings_.epoch;
    const std::uint64_t drawn = scramble(settings_.seed, core_, epochs_++);
    policy_ = (drawn & 1) != 0 ? SwitchedPolicy::rr : SwitchedPolicy::gto;
  }

  AdaptSettings settings_;
  std::uint32_t core_;
  std::uint64_t epoch_end_ = 0;
  std::uint64_t epochs_ = 0;  ///< of all launches
  std::uint64_t told_ = 0;    ///< of these, those in the statistics
  SwitchedPolicy policy_ = SwitchedPolicy::gto;
};

}  // namespace paws::adapt
