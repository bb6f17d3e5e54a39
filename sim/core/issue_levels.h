// SPDX-License-Identifier: MIT
// The levels that one warp scheduler sees of its warps: masks, worked out anew for a warp when
// something of that warp has changed, and constant in between.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "model/scheduler.h"
#include "sim/core/scoreboard.h"
#include "sim/core/timed_kernel.h"

namespace paws::core {

/// One warp as the parts of the core describe it.
struct WarpLevels {
  bool long_outstanding = false;  ///< a register-writing long operation is outstanding
  std::uint16_t phase = 0;        ///< SchedulerInputs::phase
  bool held = false;     ///< at a barrier, or behind a branch that demotes; the rest is void then
  bool decoded = false;  ///< the next instruction is in the buffer; the rest is void if not
  Scoreboard::Hazards hazards;
  Unit unit = Unit::alu;
  bool ends_warp = false;  ///< the next instruction ends the warp; void with a hazard
};

class IssueLevels {
 public:
  /// The warp in slot `local` is live and stands as described.
  void set(WarpId local, const WarpLevels& warp) {
    clear_bits(local);
    changed_ = true;
    const WarpMask bit = WarpMask{1} << local;
    // Phases are read as a whole soon after: a store that changes nothing would hold that up.
    if (inputs_.phase[local] != warp.phase) inputs_.phase[local] = warp.phase;
    if (warp.long_outstanding) inputs_.long_outstanding |= bit;
    if (warp.held) inputs_.waits |= bit;
    if (warp.held || !warp.decoded) return;
    decoded_ |= bit;
    if (warp.hazards.long_load) inputs_.waits |= bit;
    if (warp.hazards.any) return;
    clear_ |= bit;
    units_[static_cast<std::size_t>(warp.unit)] |= bit;
    if (warp.ends_warp) inputs_.exits |= bit;
  }
  /// The slot has no live warp.
  void reset(WarpId local) {
    clear_bits(local);
    changed_ = true;
  }
  /// Whether anything has been set or reset since the last call.
  [[nodiscard]] bool take_changed() { return std::exchange(changed_, false); }

  /// Warps whose next instruction is in the buffer and that are not held.
  [[nodiscard]] WarpMask decoded() const { return decoded_; }
  /// Of these, the ones without a hazard.
  [[nodiscard]] WarpMask clear() const { return clear_; }
  /// Of these, the ones that want `unit`.
  [[nodiscard]] WarpMask wants(Unit unit) const { return units_[static_cast<std::size_t>(unit)]; }
  /// Waits, long_outstanding, exits and phases are kept here; the others are the core's.
  [[nodiscard]] SchedulerInputs& inputs() { return inputs_; }
  [[nodiscard]] const SchedulerInputs& inputs() const { return inputs_; }

 private:
  void clear_bits(WarpId local) {
    const WarpMask others = ~(WarpMask{1} << local);
    decoded_ &= others;
    clear_ &= others;
    for (WarpMask& unit : units_) unit &= others;
    inputs_.waits &= others;
    inputs_.exits &= others;
    inputs_.long_outstanding &= others;
  }

  SchedulerInputs inputs_;
  WarpMask decoded_ = 0;
  WarpMask clear_ = 0;
  std::array<WarpMask, kUnits> units_{};
  bool changed_ = true;
};

}  // namespace paws::core
