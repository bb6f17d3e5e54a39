// SPDX-License-Identifier: MIT
// The named barriers of a block (PTX ISA, bar and barrier), counted in warps.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exec/warp_executor.h"

namespace paws::exec {

inline constexpr unsigned kBarriers = 16;

/// One bit per warp of the block.
using BlockWarpMask = std::uint32_t;

/// As on hardware, a warp arrives as a whole, whichever of its lanes execute the barrier, and a
/// barrier completes when the threads it counts have arrived or when no warp is left that could:
/// every warp that has not ended has arrived.
class Barriers {
 public:
  struct Arrival {
    unsigned barrier = 0;
    std::uint32_t threads = 0;  ///< expected, 0: the whole block
    bool waits = true;          ///< false: bar.arrive
    LaneMask lanes = 0;         ///< executing it
    LaneMask holds = 0;         ///< those of them whose predicate holds (bar.red)
  };
  /// What a completed barrier says.
  struct Completion {
    BlockWarpMask released = 0;  ///< warps that waited
    std::uint32_t count = 0;     ///< lanes whose predicate held
    bool all = false;            ///< it held in every lane
  };

  void start(BlockWarpMask warps) {
    barriers_ = {};
    live_ = warps;
    waiting_ = 0;
  }
  [[nodiscard]] bool waiting(unsigned warp) const { return (waiting_ >> warp & 1) != 0; }

  /// The completion that the arrival brings about; nothing released when there is none.
  Completion arrive(unsigned warp, const Arrival& arrival) {
    State& state = barriers_[arrival.barrier];
    const BlockWarpMask bit = BlockWarpMask{1} << warp;
    state.arrived |= bit;
    ++state.arrivals;
    state.threads = arrival.threads;
    state.count += static_cast<std::uint32_t>(__builtin_popcount(arrival.holds));
    state.all = state.all && arrival.holds == arrival.lanes;
    if (arrival.waits) {
      state.waiting |= bit;
      waiting_ |= bit;
    }
    return complete(state);
  }

  /// The warp has ended. Returns the completions that this brings about, at most one per barrier,
  /// through `each(completion)`.
  template <class Each>
  void end(unsigned warp, Each each) {
    live_ &= ~(BlockWarpMask{1} << warp);
    for (State& state : barriers_) {
      if (state.waiting == 0) continue;
      const Completion completion = complete(state);
      if (completion.released != 0) each(completion);
    }
  }

 private:
  struct State {
    BlockWarpMask arrived = 0;
    BlockWarpMask waiting = 0;
    std::uint32_t arrivals = 0;
    std::uint32_t threads = 0;
    std::uint32_t count = 0;
    bool all = true;
  };

  Completion complete(State& state) {
    const bool counted = state.threads != 0 && state.arrivals * ir::kWarpSize >= state.threads;
    const bool everyone = (live_ & ~state.arrived) == 0;
    if (!counted && !everyone) return {};
    const Completion completion{state.waiting, state.count, state.all};
    waiting_ &= ~state.waiting;
    state = {};
    return completion;
  }

  std::array<State, kBarriers> barriers_{};
  BlockWarpMask live_ = 0;
  BlockWarpMask waiting_ = 0;
};

}  // namespace paws::exec
