// SPDX-License-Identifier: MIT
// The block scheduler of the GPU: which block of which launch starts on which core, and when.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "sim/core/resources.h"

namespace paws {

/// A launch as the block scheduler knows it.
struct LaunchBlocks {
  std::uint64_t blocks = 0;  ///< of the grid
  core::Resources needs;     ///< of one block
};

/// One per GPU, called between two windows by one thread. What it decides depends on nothing but
/// what it has been told.
///
/// Cores run a window on their own, so nothing that a core has done in a cycle may show in a
/// hand-out before distributor.latency cycles later: no window is longer than that. A core takes
/// one block per cycle, in cycles that do not go back, and only while what the block needs is free
/// of it. Launches are named by their place in what begin() is given.
class BlockScheduler {
 public:
  /// A block for a core.
  struct Start {
    std::uint32_t core = 0;
    std::uint32_t launch = 0;
    std::uint64_t place = 0;  ///< of the block in its launch (BlockOrder)
    std::uint64_t cycle = 0;  ///< in which it is to start
    bool operator==(const Start&) const = default;
  };
  using HandOut = std::function<void(const Start& start)>;

  virtual ~BlockScheduler() = default;

  /// `launches` start in `cycle`, to run together; every core has `core` free, and no other block
  /// is resident any more. Of every launch at least one block fits a core.
  virtual void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                     std::uint64_t cycle) = 0;
  /// A block of `launch` has ended on `core` in `cycle`, and what it needed is free; cycles of one
  /// core do not go back.
  virtual void freed(std::uint32_t core, std::uint32_t launch, std::uint64_t cycle) = 0;
  /// Hands out the blocks that start before `end`, in order. Every block that has ended before
  /// `end` - distributor.latency has been told. `end` does not go back until begin().
  virtual void hand_out(std::uint64_t end, const HandOut& to) = 0;

  /// Blocks handed out, and all blocks, of all launches. Every block must be handed out in the
  /// end, once.
  [[nodiscard]] virtual std::uint64_t started() const = 0;
  [[nodiscard]] virtual std::uint64_t blocks() const = 0;
  /// Cycle of the next hand-out, as far as is known, not too late; UINT64_MAX when none is left, or
  /// none is possible before another block ends. Not before the `end` of the last hand_out().
  [[nodiscard]] virtual std::uint64_t next_start() const = 0;
};

/// Makes the block scheduler of a GPU with `cores` cores; `latency` is distributor.latency.
using BlockSchedulerFactory =
    std::function<std::unique_ptr<BlockScheduler>(std::uint32_t cores, std::uint64_t latency)>;

}  // namespace paws
