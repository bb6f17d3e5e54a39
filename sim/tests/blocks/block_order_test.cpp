// SPDX-License-Identifier: MIT
#include "sim/blocks/block_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace paws {
namespace {

std::vector<std::uint64_t> order(const NoiseSettings& noise, std::uint64_t launch,
                                 std::uint64_t blocks) {
  BlockOrder order(noise);
  order.begin(launch, blocks);
  std::vector<std::uint64_t> places(blocks);
  for (std::uint64_t place = 0; place < blocks; ++place) places[place] = order.at(place);
  return places;
}

std::vector<std::uint64_t> in_order(std::uint64_t blocks) {
  std::vector<std::uint64_t> places(blocks);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

TEST(BlockOrder, WithoutASeedThatOfTheGrid) {
  EXPECT_EQ(order({.seed = 0, .blocks = 16}, 0, 50), in_order(50));
}

TEST(BlockOrder, BlocksChangePlacesWithinTheirGroup) {
  const auto places = order({.seed = 1, .blocks = 16}, 0, 50);  // the last group has two
  EXPECT_NE(places, in_order(50));
  for (std::uint64_t first = 0; first < 50; first += 16) {
    std::vector<std::uint64_t> group(
        places.begin() + static_cast<std::ptrdiff_t>(first),
        places.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(first + 16, 50)));
    std::sort(group.begin(), group.end());
    for (std::uint64_t i = 0; i < group.size(); ++i) EXPECT_EQ(group[i], first + i);
  }
}

TEST(BlockOrder, DependsOnSeedAndLaunchAlone) {
  const NoiseSettings noise{.seed = 1, .blocks = 16};
  EXPECT_EQ(order(noise, 0, 50), order(noise, 0, 50));
  EXPECT_NE(order(noise, 0, 50), order(noise, 1, 50));
  EXPECT_NE(order(noise, 0, 50), order({.seed = 2, .blocks = 16}, 0, 50));
}

TEST(BlockOrder, GroupsOfOneStayInOrder) {
  EXPECT_EQ(order({.seed = 1, .blocks = 1}, 0, 50), in_order(50));
}

TEST(BlockOrder, WhatGoesTogetherStaysTogether) {
  for (const unsigned blocks : {1U, 7U, 16U}) {
    NoiseSettings noise;
    noise.seed = 3;
    noise.blocks = blocks;
    BlockOrder order(noise, 2);
    order.begin(0, 41);
    std::vector<bool> seen(41);
    unsigned moved = 0;
    for (std::uint64_t place = 0; place < 41; ++place) {
      const std::uint64_t block = order.at(place);
      ASSERT_LT(block, 41U);
      EXPECT_FALSE(seen[block]) << "noise.blocks=" << blocks << ", place " << place;
      seen[block] = true;
      EXPECT_EQ(block % 2, place % 2);
      if (place % 2 == 1) {
        EXPECT_EQ(block, order.at(place - 1) + 1);
      }
      moved += block != place ? 1 : 0;
    }
    EXPECT_EQ(order.at(40), 40U) << "what is left over";
    EXPECT_EQ(moved > 0, blocks > 3) << "noise.blocks=" << blocks;
  }
}

}  // namespace
}  // namespace paws
