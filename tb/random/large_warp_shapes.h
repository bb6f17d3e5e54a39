// SPDX-License-Identifier: MIT
// Masks of large warps for random hosts, of the shapes that matter to packing.
#pragma once

#include <algorithm>
#include <string>

#include "model/large_warp.h"
#include "tb/random/random_source.h"

namespace paws {

/// The lanes of a machine that has `count`.
inline LaneBits all_lanes(unsigned count) {
  return count == 32 ? ~LaneBits{0} : (LaneBits{1} << count) - 1;
}

inline bool is_empty(const LargeWarpMask& mask) { return mask == LargeWarpMask{}; }

/// Threads in the fullest lane: the number of sub-warps when packed.
inline unsigned fullest_lane(const LargeWarpMask& mask) {
  unsigned most = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    unsigned threads = 0;
    for (const LaneBits row : mask) threads += row >> lane & 1U;
    most = std::max(most, threads);
  }
  return most;
}

/// Rows that have a thread: the number of sub-warps in row mode.
inline unsigned rows_in_use(const LargeWarpMask& mask) {
  unsigned rows = 0;
  for (const LaneBits row : mask) rows += row != 0 ? 1 : 0;
  return rows;
}

/// A mask that is not empty, of a large warp of `rows` rows and `lanes` lanes.
inline LargeWarpMask random_large_warp(RandomSource& random, unsigned rows, unsigned lanes) {
  LargeWarpMask mask{};
  const LaneBits all = all_lanes(lanes);
  switch (random.below(10)) {
    case 0:  // every thread
      for (unsigned row = 0; row < rows; ++row) mask[row] = all;
      break;
    case 1:  // the last thread alone
      mask[rows - 1] = LaneBits{1} << (lanes - 1);
      break;
    case 2: {  // one lane, full
      const LaneBits lane = LaneBits{1} << random.below(lanes);
      for (unsigned row = 0; row < rows; ++row) mask[row] = lane;
      break;
    }
    case 3: {  // full rows, others empty
      for (unsigned row = 0; row < rows; ++row) mask[row] = random.chance(50) ? all : 0;
      break;
    }
    case 4:  // some threads of one row
      mask[random.below(rows)] = static_cast<LaneBits>(random.bits()) & all;
      break;
    case 5:
    case 6:
    case 7: {  // a number of rows in one lane, and no more in any other
      const unsigned lane = random.below(lanes);
      const unsigned depth = random.between(1, rows);
      unsigned left = depth;
      for (unsigned row = 0; row < rows; ++row) {
        if (random.below(rows - row) >= left) continue;
        --left;
        mask[row] = (static_cast<LaneBits>(random.mask(4)) & all) | LaneBits{1} << lane;
      }
      break;
    }
    default: {  // any density, of threads and of rows
      const unsigned density = random.between(1, 7);
      const unsigned used = random.between(10, 100);
      for (unsigned row = 0; row < rows; ++row) {
        if (random.chance(used)) mask[row] = static_cast<LaneBits>(random.mask(density)) & all;
      }
      break;
    }
  }
  if (is_empty(mask)) mask[random.below(rows)] = LaneBits{1} << random.below(lanes);
  return mask;
}

/// The name of a situation that comes in numbers.
inline std::string count_text(const char* what, unsigned number) {
  return std::string(what) + ' ' + std::to_string(number);
}

}  // namespace paws
