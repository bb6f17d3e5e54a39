// SPDX-License-Identifier: MIT
#include "sim/core/formed_warp.h"

#include <cstddef>

namespace paws::core {

FormedWarp part_of(const FormedWarp& warp, LaneBits lanes, std::uint32_t pc) {
  FormedWarp part{.launch = warp.launch, .pc = pc, .lanes = lanes, .row = {}};
  for (LaneBits left = lanes; left != 0; left &= left - 1) {
    const unsigned lane = lowest_lane(left);
    part.row[lane] = warp.row[lane];
  }
  return part;
}

LaneBits lanes_among(const FormedWarp& warp, std::span<const std::uint32_t> rows,
                     const LargeWarpMask& threads) {
  LaneBits lanes = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (LaneBits left = warp.lanes & threads[i]; left != 0; left &= left - 1) {
      if (warp.row[lowest_lane(left)] == rows[i]) {
        lanes |= left & -left;
      }
    }
  }
  return lanes;
}

// Also with .uni: threads of several of the program's warps can be together here.
bool can_diverge(const ir::Instruction& instruction) {
  return (instruction.op == ir::Op::bra && instruction.guard != ir::kNoReg) ||
         instruction.op == ir::Op::brx;
}

}  // namespace paws::core
