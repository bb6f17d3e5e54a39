// SPDX-License-Identifier: MIT
#include "model/branch_masks.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace paws {
namespace {

bool has_thread(const LargeWarpMask& threads) {
  return std::ranges::any_of(threads, [](LaneBits row) { return row != 0; });
}

/// The outcomes of a branch that are known.
struct Gathered {
  LargeWarpMask taken{};
  LargeWarpMask fall{};  ///< with two buffers
  LargeWarpMask seen{};  ///< threads with an outcome, for the promises of the host
};

class GoldenBranchMasks final : public BranchMasks {
 public:
  explicit GoldenBranchMasks(const BranchMasksConfig& config) : config_(config) {
    if (config.lanes == 0 || config.lanes > kMaxLanes || config.rows == 0 ||
        config.rows > kMaxRows || config.buffers < 1 || config.buffers > 2) {
      throw std::logic_error("branch masks cannot be so");
    }
  }

  void reset() override {
    gathered_ = {};
    next_ = {};
    broken_ = nullptr;
  }

  BranchMasksOutputs decide(const BranchMasksInputs& inputs) override {
    next_ = gathered_;
    broken_ = broken_promise(inputs);
    if (broken_ != nullptr || !inputs.valid) return {};
    gather(next_, inputs);
    if (!inputs.last) return {};
    if (next_.seen != inputs.active) broken_ = "the sub-warps are not the active threads";
    BranchMasksOutputs outputs{.taken = next_.taken, .fall = next_.fall};
    if (config_.buffers == 1) {
      for (unsigned row = 0; row < kMaxRows; ++row) {
        outputs.fall[row] = inputs.active[row] & ~outputs.taken[row];
      }
    }
    outputs.diverged = has_thread(outputs.taken) && has_thread(outputs.fall);
    next_ = {};
    return outputs;
  }

  void commit() override {
    if (broken_ != nullptr) {
      throw std::logic_error(std::string("branch masks: the host broke a promise: ") + broken_);
    }
    gathered_ = next_;
  }

 private:
  /// Every thread of the sub-warp enters its own place of one buffer.
  void gather(Gathered& buffers, const BranchMasksInputs& inputs) const {
    for (LaneBits lanes = inputs.mask; lanes != 0; lanes &= lanes - 1) {
      const LaneBits bit = lanes & ~(lanes - 1);
      const unsigned row = inputs.row[std::countr_zero(lanes)];
      const bool taken = (inputs.taken & bit) != 0;
      if (taken) buffers.taken[row] |= bit;
      if (!taken && config_.buffers == 2) buffers.fall[row] |= bit;
      buffers.seen[row] |= bit;
    }
  }
  /// What of `inputs` the host has promised not to do, or nullptr.
  [[nodiscard]] const char* broken_promise(const BranchMasksInputs& inputs) const {
    if (!inputs.valid) return inputs.last ? "the last sub-warp is none" : nullptr;
    if (inputs.mask == 0) return "a sub-warp without a thread";
    if ((inputs.taken & ~inputs.mask) != 0) return "a branch of a lane without a thread";
    if (std::uint64_t{inputs.mask} >> config_.lanes != 0) return "a lane that does not exist";
    for (unsigned lane = 0; lane < config_.lanes; ++lane) {
      if ((inputs.mask >> lane & 1U) == 0) continue;
      if (inputs.row[lane] >= config_.rows) return "a row that does not exist";
      if ((gathered_.seen[inputs.row[lane]] >> lane & 1U) != 0) {
        return "a thread in two sub-warps";
      }
    }
    return nullptr;
  }

  BranchMasksConfig config_;
  Gathered gathered_;             // of the branch that is under way
  Gathered next_;                 // gathered_ after the cycle
  const char* broken_ = nullptr;  // promise of the last decide()
};

}  // namespace

std::unique_ptr<BranchMasks> make_branch_masks(const BranchMasksConfig& config) {
  return std::make_unique<GoldenBranchMasks>(config);
}

}  // namespace paws
