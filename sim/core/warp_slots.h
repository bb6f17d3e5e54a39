// SPDX-License-Identifier: MIT
// Which scheduler a warp slot of the core belongs to.
#pragma once

#include <cstdint>

#include "model/scheduler.h"

namespace paws::core {

/// Warp slot w of the core is slot w / schedulers of scheduler w mod schedulers.
class WarpSlots {
 public:
  explicit WarpSlots(unsigned schedulers) : schedulers_(schedulers) {}

  [[nodiscard]] unsigned schedulers() const { return schedulers_; }
  [[nodiscard]] unsigned scheduler(std::uint32_t warp) const { return warp % schedulers_; }
  [[nodiscard]] WarpId local(std::uint32_t warp) const { return warp / schedulers_; }
  /// The warp in the mask of its scheduler.
  [[nodiscard]] WarpMask bit(std::uint32_t warp) const { return WarpMask{1} << local(warp); }
  [[nodiscard]] std::uint32_t slot(unsigned scheduler, WarpId local) const {
    return local * schedulers_ + scheduler;
  }

 private:
  std::uint32_t schedulers_;
};

}  // namespace paws::core
