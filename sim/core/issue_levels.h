// SPDX-License-Identifier: MIT
// The levels that one warp scheduler sees of its warps: masks, worked out anew for a warp when
// something of that warp has changed, and constant in between.
#pragma once

#include <array>
#include <bit>
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
  /// The warp in slot `local` is live and stands as described. Returns whether it has another
  /// Standing than before.
  bool set(WarpId local, const WarpLevels& warp) {
    const bool decoded = warp.decoded && !warp.held;
    const bool clear = decoded && !warp.hazards.any;
    const bool waits = warp.held || (decoded && warp.hazards.long_load);
    const unsigned now = unsigned{decoded} * kDecoded | unsigned{clear} * kClear |
                         unsigned{waits} * kWaits | unsigned{warp.long_outstanding} * kLong |
                         unsigned{clear && warp.ends_warp} * kExits |
                         static_cast<unsigned>(warp.unit) * kUnit;
    // Phases are read as a whole soon after: a store that changes nothing would hold that up.
    if (inputs_.phase[local] != warp.phase) {
      inputs_.phase[local] = warp.phase;
      changed_ = true;
    }
    return (stand(local, now) & (kDecoded | kClear | kWaits)) != 0;
  }
  /// The slot has no live warp.
  void reset(WarpId local) {
    stand(local, 0);
    changed_ = true;
  }
  /// The next warp of the slot, which has no live one, will be in this group.
  void place(WarpId local, const WarpGroups::Place& place) {
    inputs_.pair[local] = place.pair;
    inputs_.row[local] = place.row;
    put(inputs_.second, WarpMask{1} << local, place.second);
  }
  /// The next warp of the slot, which has no live one, will be in this block slot, whose block has
  /// all its warps.
  void join_block(WarpId local, std::uint8_t block_slot) {
    inputs_.block[local] = block_slot;
    put(inputs_.tail, WarpMask{1} << local, false);
  }
  /// The block of the slot's warp has lost a warp.
  void lose_mate(WarpId local) {
    inputs_.tail |= WarpMask{1} << local;
    changed_ = true;
  }
  /// Whether blocks wait for a core.
  void set_more(bool more) {
    changed_ |= inputs_.more != more;
    inputs_.more = more;
  }
  /// Whether anything that is kept here and that a scheduler sees has changed, or a slot was reset,
  /// since the last call.
  [[nodiscard]] bool take_changed() { return std::exchange(changed_, false); }

  /// Warps whose next instruction is in the buffer and that are not held.
  [[nodiscard]] WarpMask decoded() const { return decoded_; }
  /// Of these, the ones without a hazard.
  [[nodiscard]] WarpMask clear() const { return clear_; }
  /// Of these, the ones that want none of `units`, a bit each.
  [[nodiscard]] WarpMask clear_without(unsigned units) const {
    WarpMask warps = clear_;
    if (units == 0) return warps;
    for (unsigned unit = 0; unit < kUnits; ++unit) {
      if ((units >> unit & 1U) != 0) warps &= ~wants(static_cast<Unit>(unit));
    }
    return warps;
  }
  /// Of the clear ones, those that want `unit`.
  [[nodiscard]] WarpMask wants(Unit unit) const {
    const auto number = static_cast<unsigned>(unit);
    WarpMask warps = clear_;
    for (unsigned digit = 0; digit < kUnitDigits; ++digit) {
      warps &= (number >> digit & 1U) != 0 ? unit_[digit] : ~unit_[digit];
    }
    return warps;
  }
  /// Waits, long_outstanding, exits, phases, groups, blocks, tail and more are kept here; the
  /// others are the core's.
  [[nodiscard]] SchedulerInputs& inputs() { return inputs_; }
  [[nodiscard]] const SchedulerInputs& inputs() const { return inputs_; }

 private:
  static constexpr unsigned kUnitDigits = std::bit_width(kUnits - 1);
  static_assert(kUnitDigits <= 3, "a warp stands in a byte");

  /// How a warp stands, a bit each, and from kUnit on the unit that it wants, void if it is not
  /// clear.
  static constexpr unsigned kDecoded = 1, kClear = 2, kWaits = 4, kLong = 8, kExits = 16,
                            kUnit = 32;

  /// The warp stands so from now on. Returns what is new. Without a branch: which levels change is
  /// hard to predict.
  unsigned stand(WarpId local, unsigned now) {
    const unsigned moved = std::exchange(stands_[local], static_cast<std::uint8_t>(now)) ^ now;
    const auto turn = [local, moved](WarpMask& mask, unsigned level) {
      mask ^= WarpMask{(moved & level) != 0} << local;
    };
    turn(decoded_, kDecoded);
    turn(clear_, kClear);
    turn(inputs_.waits, kWaits);
    turn(inputs_.long_outstanding, kLong);
    turn(inputs_.exits, kExits);
    for (unsigned digit = 0; digit < kUnitDigits; ++digit) turn(unit_[digit], kUnit << digit);
    changed_ |= (moved & (kWaits | kLong | kExits)) != 0;
    return moved;
  }
  static void put(WarpMask& mask, WarpMask bit, bool level) {
    mask = level ? mask | bit : mask & ~bit;
  }

  SchedulerInputs inputs_;
  std::array<std::uint8_t, kMaxWarps> stands_{};
  WarpMask decoded_ = 0;
  WarpMask clear_ = 0;
  /// The unit that each warp wants, as a binary number; void if it is not clear.
  std::array<WarpMask, kUnitDigits> unit_{};
  bool changed_ = true;
};

}  // namespace paws::core
