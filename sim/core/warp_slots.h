// SPDX-License-Identifier: MIT
// Which scheduler a warp slot of the core belongs to.
#pragma once

#include <cstdint>

#include "model/scheduler.h"
#include "sim/support/divisor.h"

namespace paws::core {

/// Warp slot w of the core is slot w / schedulers of scheduler w mod schedulers.
class WarpSlots {
 public:
  explicit WarpSlots(unsigned schedulers) : schedulers_(schedulers) {}

  [[nodiscard]] unsigned schedulers() const { return static_cast<unsigned>(schedulers_.value()); }
  [[nodiscard]] unsigned scheduler(std::uint32_t warp) const {
    return static_cast<unsigned>(schedulers_.remainder(warp));
  }
  [[nodiscard]] WarpId local(std::uint32_t warp) const {
    return static_cast<WarpId>(schedulers_.quotient(warp));
  }
  /// The warp in the mask of its scheduler.
  [[nodiscard]] WarpMask bit(std::uint32_t warp) const { return WarpMask{1} << local(warp); }
  [[nodiscard]] std::uint32_t slot(unsigned scheduler, WarpId local) const {
    return local * schedulers() + scheduler;
  }

 private:
  Divisor schedulers_;
};

}  // namespace paws::core
