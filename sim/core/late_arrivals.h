// SPDX-License-Identifier: MIT
// Arrivals at barrier objects that warps have asked for and that wait for their copies.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/scoreboard.h"
#include "sim/exec/resident_block.h"
#include "sim/ir/kernel.h"

namespace paws::core {

class LateArrivals {
 public:
  using Lanes = std::vector<exec::LateArrival>;

  void begin(std::size_t warps) { waiting_.assign(warps, {}); }

  /// Whether the copies are there that an arrival waits for which was asked for behind `copy`.
  static bool are_there(const Scoreboard& scoreboard, std::uint32_t warp, ir::CopyKind kind,
                        std::uint32_t copy) {
    // Bulk copies have no order among themselves, and each counts its own bytes at its object. The
    // completion stands right behind its copy: the front-end keeps the order of both.
    if (kind == ir::CopyKind::bulk_load) return scoreboard.has_come(warp, kind, copy);
    // An arrival for cp.async is for all copies so far.
    return scoreboard.has_copied(warp, kind, copy);
  }

  /// Keeps the arrivals of `lanes` until the copies of `warp` are there.
  void await(std::uint32_t warp, ir::CopyKind kind, std::uint32_t copy, Lanes lanes) {
    waiting_[warp].push_back({kind, copy, std::move(lanes)});
  }

  /// Gives `arrive` the lanes of each whose copies are there by now, in order of issue.
  template <class Arrive>
  void settle(std::uint32_t warp, const Scoreboard& scoreboard, Arrive arrive) {
    std::erase_if(waiting_[warp], [&](const Late& late) {
      if (!are_there(scoreboard, warp, late.kind, late.copy)) return false;
      arrive(late.lanes);
      return true;
    });
  }

 private:
  struct Late {
    ir::CopyKind kind{};
    std::uint32_t copy = 0;  ///< that it waits for: it alone, or the last one
    Lanes lanes;
  };

  std::vector<std::vector<Late>> waiting_;  ///< by warp slot
};

}  // namespace paws::core
