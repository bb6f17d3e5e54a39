// SPDX-License-Identifier: MIT
#include "tb/model/large_warp_masks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>

namespace paws::test {

LaneBits lanes_of(const std::string& lanes) {
  LaneBits bits = 0;
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane] == '1') bits |= LaneBits{1} << lane;
  }
  return bits;
}

LargeWarpMask mask_of_rows(const std::string& rows) {
  LargeWarpMask mask{};
  std::istringstream words(rows);
  std::string word;
  for (unsigned row = 0; words >> word; ++row) mask.at(row) = lanes_of(word);
  return mask;
}

unsigned threads_in(const LargeWarpMask& mask) {
  unsigned count = 0;
  for (const LaneBits row : mask) count += static_cast<unsigned>(std::popcount(row));
  return count;
}

unsigned threads_in_column(const LargeWarpMask& mask, unsigned lane) {
  return static_cast<unsigned>(
      std::ranges::count_if(mask, [lane](LaneBits row) { return (row >> lane & 1U) != 0; }));
}

unsigned highest_column(const LargeWarpMask& mask) {
  unsigned highest = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    highest = std::max(highest, threads_in_column(mask, lane));
  }
  return highest;
}

unsigned rows_with_threads(const LargeWarpMask& mask) {
  return static_cast<unsigned>(std::ranges::count_if(mask, [](LaneBits row) { return row != 0; }));
}

LargeWarpMask threads_of(LaneBits mask, const LaneRows& row) {
  LargeWarpMask threads{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const LaneBits bit = LaneBits{1} << lane;
    if ((mask & bit) != 0) threads.at(row[lane]) |= bit;
  }
  return threads;
}

LargeWarpMask RandomMasks::next() {
  constexpr std::array<unsigned, 5> kPercent{100, 85, 50, 15, 2};
  const unsigned percent = kPercent[below(kPercent.size())];
  const unsigned missing = chance(50) ? 0 : 40;  // rows without a thread, in percent
  const unsigned only_lane = chance(10) ? below(lanes_) : kMaxLanes;
  LargeWarpMask mask{};
  for (unsigned row = 0; row < rows_; ++row) {
    if (chance(missing)) continue;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const bool may = only_lane == kMaxLanes || lane == only_lane;
      if (may && chance(percent)) mask[row] |= LaneBits{1} << lane;
    }
  }
  if (threads_in(mask) == 0) mask[below(rows_)] = LaneBits{1} << below(lanes_);
  return mask;
}

LargeWarpMask RandomMasks::part_of(const LargeWarpMask& mask) {
  constexpr std::array<unsigned, 5> kPercent{0, 3, 50, 97, 100};
  const unsigned percent = kPercent[below(kPercent.size())];
  LargeWarpMask part{};
  for (unsigned row = 0; row < rows_; ++row) {
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      if (chance(percent)) part[row] |= mask[row] & LaneBits{1} << lane;
    }
  }
  return part;
}

}  // namespace paws::test
