// SPDX-License-Identifier: MIT
// The blocks of a scheduler's live warps, and how old each block is.
//
// A block is as old as the warp that was launched when no other warp of the block was live on this
// scheduler: the first one, for a core launches the warps of a block one after another.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/scheduler.h"

namespace paws {

class ResidentBlocks {
 public:
  using Block = std::uint8_t;
  using Set = std::bitset<std::numeric_limits<Block>::max() + 1>;

  /// `warp`, with this launch number, is launched beside the warps of `live`.
  void launch(WarpId warp, Block block, std::uint64_t launch_number, WarpMask live);

  /// Of a live warp.
  [[nodiscard]] Block block(WarpId warp) const { return block_[warp]; }
  /// Smaller is older; of a live warp's block.
  [[nodiscard]] std::uint64_t birth(WarpId warp) const { return birth_[block_[warp]]; }
  /// The blocks of live warps.
  [[nodiscard]] Set blocks_of(const std::vector<WarpId>& warps) const;

 private:
  std::array<Block, kMaxWarps> block_{};
  std::array<std::uint64_t, std::numeric_limits<Block>::max() + 1> birth_{};
};

}  // namespace paws
