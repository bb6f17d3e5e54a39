// SPDX-License-Identifier: MIT
// Which scheduler a warp slot of the core belongs to.
#pragma once

#include <cstdint>

#include "model/scheduler.h"

namespace paws::core {

/// Warp slot w of the core is slot w / schedulers of scheduler w mod schedulers.
class WarpSlots {
 public:
  /// `schedulers`: 1 to 2^16.
  explicit WarpSlots(unsigned schedulers)
      : schedulers_(schedulers), reciprocal_((std::uint64_t{1} << kShift) / schedulers + 1) {}

  [[nodiscard]] unsigned schedulers() const { return schedulers_; }
  [[nodiscard]] unsigned scheduler(std::uint32_t warp) const {
    return warp - local(warp) * schedulers_;
  }
  [[nodiscard]] WarpId local(std::uint32_t warp) const {
    return static_cast<WarpId>(warp * reciprocal_ >> kShift);
  }
  /// The warp in the mask of its scheduler.
  [[nodiscard]] WarpMask bit(std::uint32_t warp) const { return WarpMask{1} << local(warp); }
  [[nodiscard]] std::uint32_t slot(unsigned scheduler, WarpId local) const {
    return local * schedulers() + scheduler;
  }

 private:
  /// Without a branch, and asked for at every turn: warp slots are below 2^16, and for such
  /// numbers a reciprocal that is too large by up to 2^-32 gives the exact quotient.
  static constexpr unsigned kShift = 32;

  unsigned schedulers_;
  std::uint64_t reciprocal_;
};

}  // namespace paws::core
