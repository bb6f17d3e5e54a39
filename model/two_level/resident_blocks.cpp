// SPDX-License-Identifier: MIT
#include "model/two_level/resident_blocks.h"

#include "model/warp_mask.h"

namespace paws {

void ResidentBlocks::launch(WarpId warp, Block block, std::uint64_t launch_number, WarpMask live) {
  bool first = true;
  for_each_warp(live, [&](WarpId other) { first &= block_[other] != block; });
  if (first) birth_[block] = launch_number;
  block_[warp] = block;
}

ResidentBlocks::Set ResidentBlocks::blocks_of(const std::vector<WarpId>& warps) const {
  Set blocks;
  for (const WarpId warp : warps) blocks.set(block_[warp]);
  return blocks;
}

}  // namespace paws
