// SPDX-License-Identifier: MIT
// A warp's control flow: which threads run where, with reconvergence at immediate post-dominators.
//
// Paths form a tree: the legs of a path that waits at a reconvergence point are its children. They
// lie in a vector, parents before children, and the path that runs comes last. Without yield() a
// path has one child that runs; yield() lets another path run, as independent thread scheduling
// does.
#pragma once

#include <algorithm>
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
    roots_ = 1;
    turns_ = 0;
    if (!none(lanes)) paths_.push_back({.pc = 0, .reconverge = kNowhere, .lanes = lanes});
  }
  [[nodiscard]] bool empty() const { return paths_.empty(); }
  [[nodiscard]] std::uint32_t pc() const { return paths_.back().pc; }
  [[nodiscard]] const Mask& lanes() const { return paths_.back().lanes; }
  /// Where the top path meets the others; no pc of an instruction for the path of all.
  [[nodiscard]] std::uint32_t reconvergence() const { return paths_.back().reconverge; }
  /// All lanes that have not exited.
  [[nodiscard]] Mask live() const {
    if (paths_.empty()) return Mask{};
    Mask lanes = paths_.front().lanes;
    if (roots_ == 1) return lanes;
    for (const Path& path : paths_) {
      if (path.level == 0) add(lanes, path.lanes);
    }
    return lanes;
  }

  /// All of live() but those that stand below the top path where `only_ends(pc)`: they wait for the
  /// others, and then end.
  template <class OnlyEnds>
  [[nodiscard]] Mask acting(OnlyEnds only_ends) const {
    Mask lanes = live();
    for (std::size_t i = 0; i + 1 < paths_.size(); ++i) {
      const Mask own = own_lanes(i);
      if (!none(own) && only_ends(paths_[i].pc)) remove(lanes, own);
    }
    return lanes;
  }

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
    std::uint32_t level = paths_.back().level + 1;
    if (paths_.back().reconverge == reconverge) {
      paths_.pop_back();
      --level;
    }
    for (const Leg& leg : legs) {
      if (leg.target == reconverge) continue;  // waits there: nothing to run
      paths_.push_back({.pc = leg.target,
                        .reconverge = reconverge,
                        .lanes = leg.lanes,
                        .level = level,
                        .turn = turns_});
    }
    settle();
  }

  /// The top path calls the function at `target`: its threads wait behind the call, however deep
  /// the function's own calls come to the same place, until those that run there return.
  void call(std::uint32_t target) {
    Path& caller = paths_.back();
    ++caller.pc;
    paths_.push_back({.pc = target,
                      .reconverge = kNowhere,
                      .lanes = caller.lanes,
                      .level = caller.level + 1,
                      .turn = turns_});
  }
  /// The threads of the top path return from the function.
  void ret() {
    paths_.pop_back();
    settle();
  }

  /// Lanes of the top path exit; the others go on at `next`.
  void exit(const Mask& lanes, std::uint32_t next) {
    paths_.back().pc = next;
    for (Path& path : paths_) remove(path.lanes, lanes);
    settle();
  }

  /// The path that has not run for longest runs instead of the top one, if `may_run(pc, lanes)`.
  /// Threads that wait where others are to meet them count as a path of their own: they go on and
  /// meet the others further on. False when there is no other path that may run.
  template <class MayRun>
  bool yield(MayRun may_run) {
    if (paths_.empty()) return false;
    paths_.back().turn = ++turns_;
    std::size_t choice = paths_.size();
    for (std::size_t i = 0; i + 1 < paths_.size(); ++i) {
      const Mask lanes = own_lanes(i);
      if (none(lanes) || !may_run(paths_[i].pc, lanes)) continue;
      if (choice == paths_.size() || paths_[i].turn < paths_[choice].turn) choice = i;
    }
    if (choice == paths_.size()) return false;
    if (has_children(choice)) choice = split(choice);
    raise(choice);
    return true;
  }

  /// All paths that stand at `pc`, and their lanes together.
  [[nodiscard]] Mask standing_at(std::uint32_t pc) const {
    Mask lanes{};
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (paths_[i].pc == pc && !has_children(i)) add(lanes, paths_[i].lanes);
    }
    return lanes;
  }
  /// These go on behind it, those below the top one as well.
  void advance_all(std::uint32_t pc) {
    for (std::size_t i = paths_.size() - 1; i-- > 0;) {
      if (paths_[i].pc != pc || has_children(i)) continue;
      paths_[i].pc = pc + 1;
      if (paths_[i].pc == paths_[i].reconverge) {
        paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    advance(pc + 1);
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffff'ffffu;
  struct Path {
    std::uint32_t pc;
    std::uint32_t reconverge;
    Mask lanes;
    std::uint32_t level = 0;  ///< of the tree: its parent's and one more
    std::uint64_t turn = 0;   ///< when it last gave way, or came into being
  };

  [[nodiscard]] bool has_children(std::size_t i) const {
    return i + 1 < paths_.size() && paths_[i + 1].level > paths_[i].level;
  }
  /// The first place behind the path and all below it.
  [[nodiscard]] std::size_t behind(std::size_t i) const {
    std::size_t end = i + 1;
    while (end < paths_.size() && paths_[end].level > paths_[i].level) ++end;
    return end;
  }
  /// Lanes that no child has: all of a path without children, else those that wait.
  [[nodiscard]] Mask own_lanes(std::size_t i) const {
    Mask lanes = paths_[i].lanes;
    const std::uint32_t level = paths_[i].level;
    // In a deep recursion the first child has all of them.
    for (std::size_t child = i + 1; child < paths_.size() && paths_[child].level > level; ++child) {
      if (none(lanes)) break;
      if (paths_[child].level == level + 1) remove(lanes, paths_[child].lanes);
    }
    return lanes;
  }
  /// Makes the waiting lanes of a path a path beside it; says where that is.
  std::size_t split(std::size_t i) {
    Path ahead = paths_[i];
    ahead.lanes = own_lanes(i);
    remove(paths_[i].lanes, ahead.lanes);
    if (ahead.level == 0) ++roots_;
    const std::size_t place = behind(i);
    paths_.insert(paths_.begin() + static_cast<std::ptrdiff_t>(place), ahead);
    return place;
  }
  /// Moves a path without children to the top: it and each of its ancestors behind their siblings.
  void raise(std::size_t i) {
    const auto at = [this](std::size_t place) {
      return paths_.begin() + static_cast<std::ptrdiff_t>(place);
    };
    for (std::size_t first = i;;) {
      const std::uint32_t level = paths_[first].level;
      const std::size_t end = behind(first);
      std::size_t siblings_end = end;
      while (siblings_end < paths_.size() && paths_[siblings_end].level >= level) ++siblings_end;
      std::rotate(at(first), at(end), at(siblings_end));
      first += siblings_end - end;
      if (level == 0) return;
      while (paths_[first].level >= level) --first;
    }
  }
  /// Drops paths that are done from the top.
  void settle() {
    while (!paths_.empty() &&
           (none(paths_.back().lanes) || paths_.back().pc == paths_.back().reconverge)) {
      paths_.pop_back();
    }
  }
  std::vector<Path> paths_;
  std::uint32_t roots_ = 1;  ///< paths without a parent, those that have ended too
  std::uint64_t turns_ = 0;
};

}  // namespace paws::exec
