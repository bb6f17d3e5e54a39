// SPDX-License-Identifier: MIT
// Sets of threads under one set of names, whatever their size: the lanes of a warp, or the threads
// of a large warp or block, row by row. Code that is written once for both takes the set's type as
// a parameter.
#pragma once

#include <bit>
#include <cstdint>

#include "model/large_warp.h"
#include "sim/exec/resident_block.h"

namespace paws::exec {

inline bool none(LaneMask lanes) { return lanes == 0; }
inline void add(LaneMask& to, LaneMask lanes) { to |= lanes; }
inline void remove(LaneMask& from, LaneMask lanes) { from &= ~lanes; }
/// Mostly all or none of them.
inline unsigned count(LaneMask lanes) {
  if (lanes == 0) return 0;
  return ~lanes == 0 ? ir::kWarpSize : static_cast<unsigned>(std::popcount(lanes));
}

// Without early ends, so that the compiler vectorizes them.
inline bool none(const LargeWarpMask& threads) {
  LaneBits any = 0;
  for (const LaneBits row : threads) any |= row;
  return any == 0;
}
inline void add(LargeWarpMask& to, const LargeWarpMask& threads) {
  for (unsigned row = 0; row < kMaxRows; ++row) to[row] |= threads[row];
}
inline void remove(LargeWarpMask& from, const LargeWarpMask& threads) {
  for (unsigned row = 0; row < kMaxRows; ++row) from[row] &= ~threads[row];
}
inline unsigned count(const LargeWarpMask& threads) {
  unsigned sum = 0;
  for (const LaneBits row : threads) sum += count(row);
  return sum;
}

}  // namespace paws::exec
