// SPDX-License-Identifier: MIT
// Which slots of a scheduler hold a warp, and how old each warp is.
#pragma once

#include <array>
#include <cstdint>

#include "model/scheduler.h"

namespace paws {

/// Age is the order of launch on this scheduler, exact: every launch gets the next number.
class LiveWarps {
 public:
  void clear();
  /// `warp` is the youngest from now on.
  void launch(WarpId warp);
  void exit(WarpId warp);

  [[nodiscard]] WarpMask mask() const { return mask_; }
  /// Number of the launch that filled the slot: smaller is older. Meaningful while live.
  [[nodiscard]] std::uint64_t launch_number(WarpId warp) const { return launch_number_[warp]; }
  /// The oldest of `candidates`, a set of live warps that is not empty.
  [[nodiscard]] WarpId oldest(WarpMask candidates) const;
  /// The youngest of them.
  [[nodiscard]] WarpId youngest(WarpMask candidates) const;

 private:
  WarpMask mask_ = 0;
  std::uint64_t launches_ = 0;
  std::array<std::uint64_t, kMaxWarps> launch_number_{};
};

}  // namespace paws
