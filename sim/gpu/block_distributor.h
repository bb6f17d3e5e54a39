// SPDX-License-Identifier: MIT
// Which block starts on which core, and when.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace paws {

/// Round robin: in every cycle each core with a free slot that the distributor knows of gets the
/// next block of the grid, at most one, the core with the lowest number first. That a slot has
/// become free takes `latency` cycles there and back, so a block starts at the earliest so many
/// cycles after its slot's last one has ended; at the start of a launch all slots are known.
class BlockDistributor {
 public:
  /// A block for a core, to start in `cycle`.
  using HandOut = std::function<void(std::uint32_t core, std::uint64_t block, std::uint64_t cycle)>;

  BlockDistributor(std::uint32_t cores, std::uint64_t latency);

  /// A launch of `blocks` starts in `cycle`; every core has `slots` free.
  void begin(std::uint64_t blocks, unsigned slots, std::uint64_t cycle);
  /// A slot of `core` has become free in `cycle`; cycles of one core must not go back.
  void freed(std::uint32_t core, std::uint64_t cycle);
  /// Hands out the blocks that start before `end`, in order. Every slot freed before `end` -
  /// latency must have been told.
  void hand_out(std::uint64_t end, const HandOut& to);

  [[nodiscard]] std::uint64_t started() const { return next_block_; }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
  /// Cycle in which the next block starts, as far as is known; UINT64_MAX when none is left, or no
  /// slot is free.
  [[nodiscard]] std::uint64_t next_start() const;

 private:
  using Slot = std::pair<std::uint64_t, std::uint32_t>;  // first cycle that can use it, core

  std::uint64_t latency_;
  std::uint64_t blocks_ = 0;
  std::uint64_t next_block_ = 0;
  std::vector<std::uint64_t> free_from_;  ///< by core: first cycle that has not got a block
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> slots_;
};

}  // namespace paws
