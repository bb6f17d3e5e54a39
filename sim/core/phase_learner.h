// SPDX-License-Identifier: MIT
// What the predictor in hardware knows of phases (rtl/paws_length_predictor.sv; its rules are in
// docs/reference/host_modules.md, "Length predictor"), for key scheduler.key_source = 4.
//
// It differs from the hardware in two points: an entry is read when the instruction issues or
// waits, and not when it is decoded; and every launch begins with an empty table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace paws::core {

/// The tables of one core, one for each scheduler.
class PhaseLearner {
 public:
  /// As in the RTL by default.
  static constexpr std::uint32_t kEntries = 64;

  /// Nothing is learned. Lengths count no further than `longest`. Warp w is of scheduler
  /// w % `schedulers`.
  void begin(std::uint32_t warps, unsigned schedulers, std::uint16_t longest) {
    schedulers_ = schedulers;
    longest_ = longest;
    lengths_.assign(std::size_t{schedulers} * kEntries, 0);
    warps_.assign(warps, {});
  }
  /// A new warp begins in the slot.
  void started(std::uint32_t warp) { warps_[warp] = {}; }
  /// The warp's next instruction waits for a long operation or a barrier.
  void waits(std::uint32_t warp) { warps_[warp].begins = true; }
  /// The warp issues the instruction at `pc`.
  void issued(std::uint32_t warp, std::uint32_t pc) {
    Warp& state = warps_[warp];
    if (state.begins) {
      if (state.inside) lengths_[state.entry] = state.count;
      state = {.begins = false, .inside = true, .entry = entry(warp, pc)};
      state.predicted = lengths_[state.entry];
    }
    if (state.count < longest_) ++state.count;
  }
  /// Predicted instructions: of the phase that the warp's next instruction, at `pc`, begins or
  /// stands in; with `distance` what is left of it.
  [[nodiscard]] std::uint16_t key(std::uint32_t warp, std::uint32_t pc, bool distance) const {
    const Warp& state = warps_[warp];
    if (state.begins) return lengths_[entry(warp, pc)];
    if (!distance) return state.predicted;
    return static_cast<std::uint16_t>(state.predicted - std::min(state.predicted, state.count));
  }

 private:
  struct Warp {
    bool begins = true;   ///< its next instruction begins a phase
    bool inside = false;  ///< the rest means something
    std::uint32_t entry = 0;
    std::uint16_t predicted = 0;
    std::uint16_t count = 0;  ///< instructions of the phase that have issued
  };

  [[nodiscard]] std::uint32_t entry(std::uint32_t warp, std::uint32_t pc) const {
    return warp % schedulers_ * kEntries + pc % kEntries;
  }

  unsigned schedulers_ = 1;
  std::uint16_t longest_ = 0;
  std::vector<std::uint16_t> lengths_;  ///< by entry; 0: has learned nothing
  std::vector<Warp> warps_;             ///< by slot
};

}  // namespace paws::core
