// SPDX-License-Identifier: MIT
// The tails of a core's blocks (BlockTailCounts): when each resident block started, and when its
// warps have ended.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/stats/core_statistics.h"

namespace paws::core {

class BlockTails {
 public:
  /// No block is resident, and at most `blocks` will be at a time.
  void begin(std::size_t blocks) { blocks_.assign(blocks, {}); }
  /// A block starts in the block slot.
  void started(std::uint32_t block_slot, std::uint64_t cycle) {
    blocks_[block_slot] = {.start = cycle};
  }
  /// A warp of the slot's block ends. Cycles must not go back.
  void warp_ended(std::uint32_t block_slot, std::uint64_t cycle) {
    Block& block = blocks_[block_slot];
    if (block.warps++ == 0) block.first_exit = cycle;
    block.exits += cycle - block.start;
  }
  /// The slot becomes free: what this block adds to the counts. All its warps have ended.
  [[nodiscard]] BlockTailCounts ended(std::uint32_t block_slot, std::uint64_t cycle) const {
    const Block& block = blocks_[block_slot];
    const std::uint64_t all = block.warps * (cycle - block.start);
    return {.blocks = 1,
            .tail_cycles = cycle - block.first_exit,
            .lost_warp_cycles = all - block.exits,
            .warp_slot_cycles = all};
  }

 private:
  struct Block {
    std::uint64_t start = 0;
    std::uint64_t first_exit = 0;  ///< void before a warp has ended
    std::uint64_t warps = 0;       ///< that have ended
    std::uint64_t exits = 0;       ///< sum over them of the cycles from the block's start on
  };

  std::vector<Block> blocks_;  ///< by block slot
};

}  // namespace paws::core
