// SPDX-License-Identifier: MIT
// Timing some waves of a launch's blocks, and running the others for their values between them.
//
// When the block scheduler comes to a wave that is not timed, the GPU stands still: resident
// blocks, queues and clock stay as they are, the blocks of the wave run to their ends one after
// another, and the next timed wave goes on in their place. So the cores stay as full as they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/stats/gpu_statistics.h"

namespace paws {

/// The launch's blocks stand at places, from 0 on in the order in which they would be handed out;
/// the block scheduler knows only those that are timed, at places of their own.
class SampledBlocks {
 public:
  /// Runs the blocks at the places from `first` up to `last`, a wave, of which the next timed one
  /// is the `ahead`-th from here; returns their warp instructions.
  using RunForValues =
      std::function<std::uint64_t(std::uint64_t first, std::uint64_t last, std::uint64_t ahead)>;

  /// `blocks` in waves of `wave`; `timed` as TimedWaves.
  SampledBlocks(std::uint64_t blocks, std::uint64_t wave,
                const std::function<bool(std::uint64_t wave)>& timed, RunForValues run_for_values);

  /// Blocks that are timed.
  [[nodiscard]] std::uint64_t timed() const { return timed_; }

  /// The launch starts in `cycle`, when the cores have issued so many warp instructions.
  void begin(std::uint64_t cycle, std::uint64_t issued);
  /// The block at `place` of those timed is handed out in the window that starts in `cycle`: its
  /// place in the launch. Runs the waves in front of its own that have not run.
  std::uint64_t reach(std::uint64_t place, std::uint64_t cycle,
                      const std::function<std::uint64_t()>& issued);
  /// The launch ends. What its waves have taken.
  std::vector<Wave> end(std::uint64_t cycle, std::uint64_t issued);

 private:
  /// The present wave ends.
  void end_wave(std::uint64_t cycle, std::uint64_t issued);

  std::uint64_t blocks_, wave_;
  RunForValues run_for_values_;
  std::uint64_t timed_ = 0;
  std::vector<Wave> waves_;
  std::vector<std::size_t> timed_waves_;  ///< by number of the wave among those timed
  std::size_t present_ = 0;               ///< wave
  std::uint64_t since_ = 0;               ///< cycle in which it has begun
  std::uint64_t issued_ = 0;              ///< warp instructions then
};

}  // namespace paws
