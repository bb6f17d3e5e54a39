// SPDX-License-Identifier: MIT
// A warp's control flow: which threads run where, with reconvergence at immediate post-dominators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/exec/lane_masks.h"

namespace paws::exec {

/// The top path runs. A branch whose lanes disagree leaves the path waiting at the reconvergence
/// point and pushes one path per target; a path that reaches its reconvergence point is popped.
/// Nested divergence towards one point keeps one waiting path, so the depth is bounded by the
/// nesting of the code, not by iterations. `Mask` is a set of threads: the lanes of a warp
/// (LaneMask), or the rows of a large warp (LargeWarpMask).
template <class Mask>
class SimtStack {
 public:
  void start(const Mask& lanes) {
    paths_.clear();
    if (!none(lanes)) paths_.push_back({.pc = 0, .reconverge = kNowhere, .lanes = lanes});
  }
  [[nodiscard]] bool empty() const { return paths_.empty(); }
  [[nodiscard]] std::uint32_t pc() const { return paths_.back().pc; }
  [[nodiscard]] const Mask& lanes() const { return paths_.back().lanes; }
  /// All lanes that have not exited.
  [[nodiscard]] Mask live() const { return paths_.empty() ? Mask{} : paths_.front().lanes; }

  /// Paths that run or wait.
  [[nodiscard]] std::size_t depth() const { return paths_.size(); }

  /// The top path goes on at `pc`.
  void advance(std::uint32_t pc) {
    Path& top = paths_.back();
    top.pc = pc;
    if (pc == top.reconverge) settle();
  }

  /// Some lanes of the top path, all with one target.
  struct Leg {
    std::uint32_t target;
    Mask lanes;
  };
  /// The top path splits into legs (not empty, disjoint, together the path); the last one runs
  /// first. All meet again at `reconverge`.
  void diverge(std::span<const Leg> legs, std::uint32_t reconverge) {
    paths_.back().pc = reconverge;
    if (paths_.back().reconverge == reconverge) paths_.pop_back();
    for (const Leg& leg : legs) {
      if (leg.target == reconverge) continue;  // waits there: nothing to run
      paths_.push_back({.pc = leg.target, .reconverge = reconverge, .lanes = leg.lanes});
    }
    settle();
  }

  /// Lanes of the top path exit; the others go on at `next`.
  void exit(const Mask& lanes, std::uint32_t next) {
    paths_.back().pc = next;
    for (Path& path : paths_) remove(path.lanes, lanes);
    settle();
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffff'ffffu;
  struct Path {
    std::uint32_t pc;
    std::uint32_t reconverge;
    Mask lanes;
  };
  /// Drops paths that are done from the top.
  void settle() {
    while (!paths_.empty() &&
           (none(paths_.back().lanes) || paths_.back().pc == paths_.back().reconverge)) {
      paths_.pop_back();
    }
  }
  std::vector<Path> paths_;
};

}  // namespace paws::exec
