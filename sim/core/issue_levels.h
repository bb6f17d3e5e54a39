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
#include "sim/core/warp_groups.h"

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
    const bool decoded = warp.decoded && !warp.held;
    const bool clear = decoded && !warp.hazards.any;
    const WarpMask clear_bit = WarpMask{clear} << local;
    put(decoded_, local, decoded);
    clear_ = without(clear_, local) | clear_bit;
    for (WarpMask& unit : units_) unit = without(unit, local);
    units_[static_cast<std::size_t>(warp.unit)] |= clear_bit;
    // Phases are read as a whole soon after: a store that changes nothing would hold that up.
    if (inputs_.phase[local] != warp.phase) {
      inputs_.phase[local] = warp.phase;
      changed_ = true;
    }
    put_input(inputs_.waits, local, warp.held || (decoded && warp.hazards.long_load));
    put_input(inputs_.long_outstanding, local, warp.long_outstanding);
    put_input(inputs_.exits, local, clear && warp.ends_warp);
  }
  /// The slot has no live warp.
  void reset(WarpId local) {
    put(decoded_, local, false);
    put(clear_, local, false);
    for (WarpMask& unit : units_) put(unit, local, false);
    put_input(inputs_.waits, local, false);
    put_input(inputs_.long_outstanding, local, false);
    put_input(inputs_.exits, local, false);
    changed_ = true;
  }
  /// The next warp of the slot, which has no live one, will be in this group.
  void place(WarpId local, const WarpGroups::Place& place) {
    inputs_.pair[local] = place.pair;
    inputs_.row[local] = place.row;
    put(inputs_.second, local, place.second);
  }
  /// Whether anything that is kept here and that a scheduler sees has changed, or a slot was reset,
  /// since the last call.
  [[nodiscard]] bool take_changed() { return std::exchange(changed_, false); }

  /// Warps whose next instruction is in the buffer and that are not held.
  [[nodiscard]] WarpMask decoded() const { return decoded_; }
  /// Of these, the ones without a hazard.
  [[nodiscard]] WarpMask clear() const { return clear_; }
  /// Of these, the ones that want `unit`.
  [[nodiscard]] WarpMask wants(Unit unit) const { return units_[static_cast<std::size_t>(unit)]; }
  /// Waits, long_outstanding, exits, phases and groups are kept here; the others are the core's.
  [[nodiscard]] SchedulerInputs& inputs() { return inputs_; }
  [[nodiscard]] const SchedulerInputs& inputs() const { return inputs_; }

 private:
  /// Without a branch: which levels hold is hard to predict, and every mask is stored once.
  static void put(WarpMask& mask, WarpId local, bool level) {
    mask = without(mask, local) | WarpMask{level} << local;
  }
  static WarpMask without(WarpMask mask, WarpId local) { return mask & ~(WarpMask{1} << local); }
  void put_input(WarpMask& mask, WarpId local, bool level) {
    const WarpMask before = mask;
    put(mask, local, level);
    changed_ |= mask != before;
  }

  SchedulerInputs inputs_;
  WarpMask decoded_ = 0;
  WarpMask clear_ = 0;
  std::array<WarpMask, kUnits> units_{};
  bool changed_ = true;
};

}  // namespace paws::core
