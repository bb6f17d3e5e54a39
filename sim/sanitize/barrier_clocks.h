// SPDX-License-Identifier: MIT
// What barriers put in order: a vector clock per warp of a block.
//
// The clock of a warp counts the barriers at which it has arrived, from 1. What a warp did in its
// period c comes before all that another warp does once that one knows of c: it has waited at a
// barrier at which the first had arrived later, or at which its end counted. Barrier objects of
// shared memory (mbarrier) are known by their address.
#pragma once

#include <array>
#include <cstdint>
#include <map>

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

  /// The object at this address is a new one.
  void object_made(std::uint64_t address) { objects_.erase(address); }
  void object_arrive(unsigned warp, std::uint64_t address);
  /// The phase of all arrivals so far has ended.
  void object_phase_ended(std::uint64_t address);
  /// The warp has seen that a phase has ended.
  void object_passed(unsigned warp, std::uint64_t address);

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
  struct Object {
    Clock arrived{};
    Clock ended{};  ///< of the phases that have
  };
  static void join(Clock& to, const Clock& from);

  std::array<Clock, kWarps> known_{};
  std::array<Barrier, exec::kBarriers> barriers_{};
  Clock ended_{};
  std::map<std::uint64_t, Object> objects_;
};

}  // namespace paws::sanitize
