// SPDX-License-Identifier: MIT
// Random numbers that are the same on every platform: the standard fixes the engine but not its
// distributions.
#pragma once

#include <cstdint>
#include <random>

#include "model/scheduler.h"

namespace paws {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// Uniform in 0..bound-1; the bias is far below what a test could see.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((bits() >> 32) * bound) >> 32);
  }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) {
    return low + below(high - low + 1);
  }
  /// True `percent` times in a hundred.
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  /// Each bit set with probability `eighths` / 8.
  WarpMask mask(unsigned eighths) {
    if (eighths >= 8) return ~WarpMask{0};
    WarpMask result = 0;
    for (unsigned bit = 1; bit < 8; bit <<= 1) {
      result = (eighths & bit) != 0 ? result | bits() : result & bits();
    }
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace paws
