// SPDX-License-Identifier: MIT
// How much of its locality a warp has lost lately.
#pragma once

#include <algorithm>
#include <cstdint>

namespace paws::throttle {

/// The score of one warp (Rogers et al., MICRO 2012, section 4.2): kBase at least; what is above it
/// falls by one per cycle.
class LostLocalityScore {
 public:
  static constexpr std::uint64_t kBase = 100;

  /// In `cycle` it becomes `score`, or kBase if that is more.
  void set(std::uint64_t cycle, std::uint64_t score) {
    score_ = std::max(kBase, score);
    since_ = cycle;
  }
  /// In `cycle`, not before that of the last set().
  [[nodiscard]] std::uint64_t in(std::uint64_t cycle) const {
    const std::uint64_t fallen = cycle - since_;
    return score_ > kBase + fallen ? score_ - fallen : kBase;
  }

 private:
  std::uint64_t score_ = kBase;
  std::uint64_t since_ = 0;
};

}  // namespace paws::throttle
