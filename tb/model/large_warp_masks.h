// SPDX-License-Identifier: MIT
// Masks of large warps for tests: written out, counted, and at random.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "model/large_warp.h"

namespace paws::test {

/// The mask with these rows, row 0 first, separated by blanks; lane 0 is on the left.
LargeWarpMask mask_of_rows(const std::string& rows);
/// Lanes, lane 0 on the left.
LaneBits lanes_of(const std::string& lanes);

unsigned threads_in(const LargeWarpMask& mask);
unsigned threads_in_column(const LargeWarpMask& mask, unsigned lane);
/// The largest number of threads in a column.
unsigned highest_column(const LargeWarpMask& mask);
unsigned rows_with_threads(const LargeWarpMask& mask);

/// One bit for each thread of a sub-warp.
LargeWarpMask threads_of(LaneBits mask, const LaneRows& row);

/// Masks of one shape of a large warp, never empty: full ones, dense, sparse, single threads, one
/// column, and rows that are missing.
class RandomMasks {
 public:
  RandomMasks(unsigned lanes, unsigned rows, std::uint64_t seed)
      : lanes_(lanes), rows_(rows), random_(seed) {}

  LargeWarpMask next();
  /// Some of the threads of `mask`; all or none too.
  LargeWarpMask part_of(const LargeWarpMask& mask);
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  unsigned lanes_;
  unsigned rows_;
  std::mt19937_64 random_;
};

}  // namespace paws::test
