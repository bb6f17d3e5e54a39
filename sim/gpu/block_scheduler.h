// SPDX-License-Identifier: MIT
// The block scheduler of the GPU: which block starts on which core, and when.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace paws {

/// One per GPU, called between two windows by one thread. What it decides depends on nothing but
/// what it has been told.
///
/// Cores run a window on their own, so nothing that a core has done in a cycle may show in a
/// hand-out before distributor.latency cycles later: no window is longer than that. A core takes
/// one block per cycle, in cycles that do not go back, and only while it has a free slot.
class BlockScheduler {
 public:
  /// The block at `place` of the launch (BlockOrder) is for `core`, to start in `cycle`.
  using HandOut = std::function<void(std::uint32_t core, std::uint64_t place, std::uint64_t cycle)>;

  virtual ~BlockScheduler() = default;

  /// A launch of `blocks` starts in `cycle`; every core has `slots` free, and no other block is
  /// resident any more.
  virtual void begin(std::uint64_t blocks, unsigned slots, std::uint64_t cycle) = 0;
  /// A slot of `core` has become free in `cycle`; cycles of one core do not go back.
  virtual void freed(std::uint32_t core, std::uint64_t cycle) = 0;
  /// Hands out the blocks that start before `end`, in order. Every slot freed before `end` -
  /// distributor.latency has been told. `end` does not go back during a launch.
  virtual void hand_out(std::uint64_t end, const HandOut& to) = 0;

  /// Blocks handed out, and all blocks, of the launch. Every block must be handed out in the end,
  /// once.
  [[nodiscard]] virtual std::uint64_t started() const = 0;
  [[nodiscard]] virtual std::uint64_t blocks() const = 0;
  /// Cycle of the next hand-out, as far as is known; UINT64_MAX when none is left, or none is
  /// possible before another slot becomes free. Not before the `end` of the last hand_out().
  [[nodiscard]] virtual std::uint64_t next_start() const = 0;
};

/// Makes the block scheduler of a GPU with `cores` cores; `latency` is distributor.latency.
using BlockSchedulerFactory =
    std::function<std::unique_ptr<BlockScheduler>(std::uint32_t cores, std::uint64_t latency)>;

}  // namespace paws
