// SPDX-License-Identifier: MIT
// A random host of branch masks: brings the threads of one branch after the other in sub-warps of
// any order.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "model/branch_masks.h"
#include "tb/random/large_warp_shapes.h"
#include "tb/random/random_source.h"

namespace paws {

/// Brings the threads of one branch after the other in sub-warps of any order, and counts what it
/// has brought about.
class BranchMasksHost {
 public:
  BranchMasksHost(const BranchMasksConfig& config, std::uint64_t seed)
      : config_(config), random_(seed) {}

  BranchMasksInputs inputs() {
    BranchMasksInputs inputs = anything();
    const bool begins = is_empty(left_);
    if (random_.chance(pauses_)) {
      ++events_[begins ? "pause between branches" : "pause in a branch"];
      after_last_ = false;
      return inputs;
    }
    if (begins) begin();
    inputs.valid = true;
    inputs.mask = 0;
    for (unsigned lane = 0; lane < config_.lanes; ++lane) take_thread(inputs, lane);
    if (inputs.mask == 0) take_any(inputs);
    inputs.taken &= inputs.mask;
    inputs.last = is_empty(left_);
    ++subwarps_;
    if (begins && after_last_) ++events_["a branch right after another"];
    after_last_ = inputs.last;
    if (inputs.last) inputs.active = active_;
    return inputs;
  }

  void see(const BranchMasksInputs& inputs, const BranchMasksOutputs& outputs) {
    if (!inputs.last) {
      if (inputs.valid) {
        for (unsigned lane = 0; lane < config_.lanes; ++lane) {
          if ((inputs.mask >> lane & 1U) == 0) continue;
          ++((inputs.taken >> lane & 1U) != 0 ? takers_ : others_);
        }
      }
      return;
    }
    const bool known = takers_ > 0 && others_ > 0;
    takers_ = others_ = 0;
    ++events_[subwarps_ == 1 ? (outputs.diverged ? "one sub-warp diverges" : "one sub-warp")
              : outputs.diverged
                  ? (known ? "divergence known before" : "divergence known with the last sub-warp")
              : is_empty(outputs.fall) ? "all take it"
                                       : "all fall through"];
    if (threads() == config_.rows * config_.lanes) ++events_["every thread"];
    if (subwarps_ >= config_.rows) ++events_["as many sub-warps as rows"];
    for (unsigned row = 0; row < config_.rows; ++row) {
      EXPECT_EQ(outputs.taken[row] | outputs.fall[row], active_[row]);
    }
  }

  [[nodiscard]] std::vector<std::string> missing() const {
    std::vector<std::string> wanted{"pause between branches", "a branch right after another",
                                    "one sub-warp", "every thread", "as many sub-warps as rows"};
    if (config_.lanes > 1) wanted.emplace_back("one sub-warp diverges");
    if (config_.rows > 1) {
      wanted.insert(wanted.end(), {"pause in a branch", "divergence known with the last sub-warp",
                                   "all take it", "all fall through"});
    }
    if (config_.rows * config_.lanes > 2 && (config_.rows > 2 || config_.lanes > 1) &&
        config_.rows > 1) {
      wanted.emplace_back("divergence known before");
    }
    std::erase_if(wanted, [this](const std::string& event) { return events_.contains(event); });
    return wanted;
  }

 private:
  /// Inputs that mean nothing without a sub-warp.
  BranchMasksInputs anything() {
    BranchMasksInputs inputs;
    const LaneBits all = all_lanes(config_.lanes);
    inputs.mask = static_cast<LaneBits>(random_.bits()) & all;
    inputs.taken = static_cast<LaneBits>(random_.bits()) & all;
    for (unsigned lane = 0; lane < config_.lanes; ++lane) {
      inputs.row[lane] = static_cast<std::uint8_t>(random_.below(config_.rows));
    }
    inputs.active = random_large_warp(random_, config_.rows, config_.lanes);
    return inputs;
  }

  void begin() {
    active_ = left_ = random_large_warp(random_, config_.rows, config_.lanes);
    subwarps_ = 0;
    pauses_ = random_.below(3) * 20;
    fills_ = random_.below(3) == 0 ? 40 : 95;
    outcome_ = random_.below(5);
  }

  [[nodiscard]] unsigned threads() const {
    unsigned count = 0;
    for (const LaneBits row : active_) count += static_cast<unsigned>(std::popcount(row));
    return count;
  }

  /// A thread of this lane that is left, of any row, perhaps.
  void take_thread(BranchMasksInputs& inputs, unsigned lane) {
    if (!random_.chance(fills_)) return;
    const unsigned first = random_.below(config_.rows);
    for (unsigned step = 0; step < config_.rows; ++step) {
      const unsigned row = (first + step) % config_.rows;
      if ((left_[row] >> lane & 1U) == 0) continue;
      bring(inputs, row, lane);
      return;
    }
  }

  void take_any(BranchMasksInputs& inputs) {
    for (unsigned row = 0; row < config_.rows; ++row) {
      for (unsigned lane = 0; lane < config_.lanes; ++lane) {
        if ((left_[row] >> lane & 1U) == 0) continue;
        bring(inputs, row, lane);
        return;
      }
    }
  }

  void bring(BranchMasksInputs& inputs, unsigned row, unsigned lane) {
    const LaneBits bit = LaneBits{1} << lane;
    left_[row] &= ~bit;
    inputs.mask |= bit;
    inputs.row[lane] = static_cast<std::uint8_t>(row);
    // All alike, all but the thread that comes last, or at random.
    bool taken = (outcome_ & 1) != 0;
    if (outcome_ == 4) taken = random_.chance(50);
    if (outcome_ >= 2 && is_empty(left_)) taken = !taken;
    inputs.taken = taken ? inputs.taken | bit : inputs.taken & ~bit;
  }

  BranchMasksConfig config_;
  RandomSource random_;
  LargeWarpMask active_{};
  LargeWarpMask left_{};  ///< threads of the branch that are to come
  unsigned subwarps_ = 0;
  unsigned takers_ = 0;  ///< threads of the branch before its last sub-warp
  unsigned others_ = 0;
  unsigned pauses_ = 0;   ///< percent of the cycles without a sub-warp
  unsigned fills_ = 95;   ///< percent of the lanes that take part if they can
  unsigned outcome_ = 0;  ///< kind of branch
  bool after_last_ = false;
  std::map<std::string, unsigned> events_;
};

}  // namespace paws
