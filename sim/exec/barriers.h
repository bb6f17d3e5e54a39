// SPDX-License-Identifier: MIT
// The named barriers of a block (PTX ISA, bar and barrier), counted in warps, or in threads where
// the program's warps do not exist.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "sim/exec/lane_masks.h"
#include "sim/exec/warp_executor.h"

namespace paws::exec {

inline constexpr unsigned kBarriers = 16;

/// One bit per warp of the block.
using BlockWarpMask = std::uint32_t;

/// As on hardware, a warp arrives as a whole, whichever of its lanes execute the barrier.
struct WholeWarps {
  using Set = BlockWarpMask;
  static Set members(unsigned warp, LaneMask) { return BlockWarpMask{1} << warp; }
  static std::uint32_t threads(LaneMask) { return ir::kWarpSize; }
};

/// Each thread arrives for itself; thread i is lane i mod 32 of "warp" i / 32.
struct SingleThreads {
  using Set = LargeWarpMask;
  static Set members(unsigned warp, LaneMask lanes) {
    Set set{};
    set[warp] = lanes;
    return set;
  }
  static std::uint32_t threads(LaneMask lanes) { return count(lanes); }
};

/// Lanes of a warp come to a barrier.
struct BarrierArrival {
  unsigned barrier = 0;
  std::uint32_t threads = 0;  ///< expected, 0: the whole block
  bool waits = true;          ///< false: bar.arrive
  LaneMask lanes = 0;         ///< executing it
  LaneMask holds = 0;         ///< those of them whose predicate holds (bar.red)
};

/// A barrier completes when the threads it counts have arrived or when no member (a warp or a
/// thread) is left that could: every member that has not ended has arrived.
template <class Members>
class MemberBarriers {
 public:
  using Set = typename Members::Set;

  using Arrival = BarrierArrival;
  /// What a completed barrier says.
  struct Completion {
    unsigned barrier = 0;
    Set released{};           ///< members that waited
    std::uint32_t count = 0;  ///< lanes whose predicate held
    bool all = false;         ///< it held in every lane
  };

  void start(const Set& members) {
    barriers_ = {};
    live_ = members;
    waiting_ = {};
  }
  [[nodiscard]] bool waiting(unsigned warp) const
    requires std::same_as<Set, BlockWarpMask>
  {
    return (waiting_ >> warp & 1) != 0;
  }
  [[nodiscard]] const Set& waiting() const { return waiting_; }
  /// Members that have not ended.
  [[nodiscard]] const Set& live() const { return live_; }
  /// Of one barrier: members that its next completion counts already, those of them that wait, and
  /// the threads that it expects (0: the whole block).
  [[nodiscard]] const Set& arrived(unsigned barrier) const { return barriers_[barrier].arrived; }
  [[nodiscard]] const Set& waiting_at(unsigned barrier) const { return barriers_[barrier].waiting; }
  [[nodiscard]] std::uint32_t expected(unsigned barrier) const {
    return barriers_[barrier].threads;
  }

  /// The completion that the arrival brings about; nothing released when there is none.
  Completion arrive(unsigned warp, const Arrival& arrival) {
    State& state = barriers_[arrival.barrier];
    const Set members = Members::members(warp, arrival.lanes);
    add(state.arrived, members);
    state.arrivals += Members::threads(arrival.lanes);
    state.threads = arrival.threads;
    state.count += static_cast<std::uint32_t>(__builtin_popcount(arrival.holds));
    state.all = state.all && arrival.holds == arrival.lanes;
    if (arrival.waits) {
      add(state.waiting, members);
      add(waiting_, members);
    }
    return complete(arrival.barrier);
  }

  /// Lanes of a warp have ended; of whole warps all that it had. Returns the completions that this
  /// brings about, at most one per barrier, through `each(completion)`.
  template <class Each>
  void end(unsigned warp, LaneMask lanes, Each each) {
    remove(live_, Members::members(warp, lanes));
    for (unsigned barrier = 0; barrier < kBarriers; ++barrier) {
      if (none(barriers_[barrier].waiting)) continue;
      const Completion completion = complete(barrier);
      if (!none(completion.released)) each(completion);
    }
  }

 private:
  struct State {
    Set arrived{};
    Set waiting{};
    std::uint32_t arrivals = 0;  ///< threads
    std::uint32_t threads = 0;
    std::uint32_t count = 0;
    bool all = true;
  };

  Completion complete(unsigned barrier) {
    State& state = barriers_[barrier];
    const bool counted = state.threads != 0 && state.arrivals >= state.threads;
    Set missing = live_;
    remove(missing, state.arrived);
    if (!counted && !none(missing)) return {};
    const Completion completion{barrier, state.waiting, state.count, state.all};
    remove(waiting_, state.waiting);
    state = {};
    return completion;
  }

  std::array<State, kBarriers> barriers_{};
  Set live_{};
  Set waiting_{};
};

using Barriers = MemberBarriers<WholeWarps>;
using ThreadBarriers = MemberBarriers<SingleThreads>;

}  // namespace paws::exec
