// SPDX-License-Identifier: MIT
// The block scheduler of the GPU: which block of which launch starts on which core, and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/resources.h"
#include "sim/stats/block_limit.h"

namespace paws {

/// A launch as the block scheduler knows it.
struct LaunchBlocks {
  std::uint64_t blocks = 0;      ///< of the grid
  core::Resources needs;         ///< of one block
  bool two_dimensional = false;  ///< a block has threads in y
  std::uint64_t row = 0;         ///< blocks in a row of the grid
  std::uint64_t kernel = 0;      ///< the same for launches of the same kernel, and for no others
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
  /// In the place of a pair: the block belongs to none.
  static constexpr std::uint32_t kAlone = std::numeric_limits<std::uint32_t>::max();

  /// A block for a core.
  struct Start {
    std::uint32_t core = 0;
    std::uint32_t launch = 0;
    std::uint64_t place = 0;  ///< of the block in its launch (BlockOrder)
    std::uint64_t cycle = 0;  ///< in which it is to start
    /// Two blocks of a core with the same number, the second started before the first can end, are
    /// a pair.
    std::uint32_t pair = kAlone;
    bool fills = false;  ///< the core gets no other one in the next cycle
    /// Number of the block in its launch, below twice as many as the launch has, from which that of
    /// its partner differs in the last bit only; none: its index in the grid. Of one launch all
    /// blocks have one, or none has.
    std::optional<std::uint64_t> number = {};
  };
  using HandOut = std::function<void(const Start& start)>;

  /// What the block monitor of a core has counted (model/block_monitor.h).
  struct Monitored {
    std::uint32_t core = 0;
    std::uint32_t launch = 0;
    std::uint64_t cycle = 0;  ///< in which the monitor is done
    unsigned limit = 0;       ///< blocks that the monitor proposes
    bool operator==(const Monitored&) const = default;
  };

  virtual ~BlockScheduler() = default;

  /// Told before the first begin(): blocks start `interval` cycles apart at least, on whatever
  /// cores; the second one of a pair does not wait, those after it do. 0, and without this: no such
  /// limit.
  virtual void pace(std::uint64_t /*interval*/) {}

  /// Why launches cannot be begun: a sentence about one of them.
  struct Refusal {
    std::uint32_t launch = 0;
    std::string why;
  };
  /// Whether begin() would not take them; of each at least one block fits a core.
  [[nodiscard]] virtual std::optional<Refusal> refuses(std::span<const LaunchBlocks> /*launches*/,
                                                       const core::Resources& /*core*/) const {
    return std::nullopt;
  }

  /// `launches` start in `cycle`, to run together; every core has `core` free, and no other block
  /// is resident any more. Of every launch at least one block fits a core.
  virtual void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
                     std::uint64_t cycle) = 0;
  /// A block of `launch` that was started as one of `pair` has ended on `core` in `cycle`, and what
  /// it needed is free; cycles of one core do not go back.
  virtual void freed(std::uint32_t core, std::uint32_t launch, std::uint32_t pair,
                     std::uint64_t cycle) = 0;
  /// From `cycle` on `core` takes a block only while it has fewer than `blocks`, of all launches: 1
  /// at least. Told before the first hand_out(), with the cycle of begin(), or distributor.latency
  /// cycles ahead. Cycles of one core do not go back. Of what is handed out together (together())
  /// the first block counts.
  virtual void cap(std::uint32_t core, unsigned blocks, std::uint64_t cycle) = 0;
  /// A core's block monitor will be done, if monitors(): told once for each core and launch of
  /// which a block has started there when it had none. Of different cores cycles may go back.
  virtual void monitored(const Monitored& /*found*/) {}
  /// Hands out the blocks that start before `end`, in order of their cycles. Every block that has
  /// ended before `end` - distributor.latency has been told, and every monitor that is done before
  /// then. `end` does not go back until begin().
  virtual void hand_out(std::uint64_t end, const HandOut& to) = 0;

  /// Blocks handed out, and all blocks, of all launches. Every block must be handed out in the
  /// end, once.
  [[nodiscard]] virtual std::uint64_t started() const = 0;
  [[nodiscard]] virtual std::uint64_t blocks() const = 0;
  /// Cycle of the next hand-out, as far as is known, not too late; UINT64_MAX when none is left, or
  /// none is possible before another block ends. Not before the `end` of the last hand_out().
  [[nodiscard]] virtual std::uint64_t next_start() const = 0;

  /// Whether it asks for a block monitor in every core.
  [[nodiscard]] virtual bool monitors() const { return false; }
  /// So many launches can run together.
  [[nodiscard]] virtual std::size_t most_launches() const {
    return std::numeric_limits<std::size_t>::max();
  }
  /// So many blocks of `launch`, of those begun, at consecutive places go to one core: a perturbed
  /// order (BlockOrder) keeps them together.
  [[nodiscard]] virtual unsigned together(std::uint32_t /*launch*/) const { return 1; }
  /// Whether blocks of `launch`, of those begun, are in pairs (Start::pair).
  [[nodiscard]] virtual bool pairs(std::uint32_t /*launch*/) const { return false; }
  /// The limits found since begin(), by launch and core; launches without one are missing.
  [[nodiscard]] virtual std::vector<BlockLimit> limits() const { return {}; }
};

/// Makes the block scheduler of a GPU with `cores` cores; `latency` is distributor.latency.
using BlockSchedulerFactory =
    std::function<std::unique_ptr<BlockScheduler>(std::uint32_t cores, std::uint64_t latency)>;

}  // namespace paws
