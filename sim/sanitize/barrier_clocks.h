// SPDX-License-Identifier: MIT
// What barriers put in order: a vector clock per warp of a block.
//
// The clock of a warp counts the barriers at which it has arrived, from 1. What a warp did in its
// period c comes before all that another warp does once that one knows of c: it has waited at a
// barrier at which the first had arrived later, or at which its end counted.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exec/barriers.h"

namespace paws::sanitize {

class BarrierClocks {
 public:
  static constexpr unsigned kWarps = 8 * sizeof(exec::BlockWarpMask);

  void start();
  /// `whole`: the barrier is for the whole block, so that the end of a warp counts for it.
  void arrive(unsigned warp, unsigned barrier, bool whole);
  void end(unsigned warp);
  void release(unsigned barrier, exec::BlockWarpMask warps);

  /// The warp's own period, at least 1.
  [[nodiscard]] std::uint32_t now(unsigned warp) const { return known_[warp][warp]; }
  /// Whether what `first` did in its period comes before what `second` does now.
  [[nodiscard]] bool ordered(unsigned first, std::uint32_t period, unsigned second) const {
    return first == second || known_[second][first] >= period;
  }

 private:
  using Clock = std::array<std::uint32_t, kWarps>;
  struct Barrier {
    Clock arrived{};
    bool whole = false;
  };
  static void join(Clock& to, const Clock& from);

  std::array<Clock, kWarps> known_{};
  std::array<Barrier, exec::kBarriers> barriers_{};
  Clock ended_{};
};

}  // namespace paws::sanitize
