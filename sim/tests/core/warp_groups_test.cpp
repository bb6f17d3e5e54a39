// SPDX-License-Identifier: MIT
#include "sim/core/warp_groups.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace paws::core {
namespace {

using Place = WarpGroups::Place;

constexpr unsigned kBlocks = 4;

/// A core with two schedulers; block slot b has the warp slots from 8b on.
class WarpGroupsTest : public testing::Test {
 protected:
  WarpGroupsTest() { groups_.begin(kBlocks); }

  /// Places of the warps of a block, by number of the warp within the block.
  std::vector<Place> start(std::uint32_t block_slot, unsigned warps,
                           std::uint32_t pair = BlockTable::kAlone) {
    BlockTable::Slot slot;
    slot.pair = pair;
    slot.warps.resize(warps);
    std::iota(slot.warps.begin(), slot.warps.end(), 8 * block_slot);
    std::vector<Place> places;
    groups_.started(slot, block_slot, [&](std::uint32_t warp, const Place& place) {
      EXPECT_EQ(warp, slot.warps[places.size()]);
      places.push_back(place);
    });
    return places;
  }
  unsigned pair_of(std::uint32_t block_slot, std::uint32_t pair = BlockTable::kAlone) {
    return start(block_slot, 2, pair).front().pair;
  }

  WarpGroups groups_{2};
};

TEST_F(WarpGroupsTest, WarpsOfAPairAreRowByRowTheMembersOfGroups) {
  EXPECT_EQ(start(2, 6, 7), (std::vector<Place>{{0, 0, false},
                                                {0, 0, false},
                                                {0, 1, false},
                                                {0, 1, false},
                                                {0, 2, false},
                                                {0, 2, false}}))
      << "every second warp is on the same scheduler";
  EXPECT_EQ(
      start(0, 6, 7),
      (std::vector<Place>{
          {0, 0, true}, {0, 0, true}, {0, 1, true}, {0, 1, true}, {0, 2, true}, {0, 2, true}}));
}

TEST_F(WarpGroupsTest, OfABlockAloneTwoWarpsOfAScheduler) {
  EXPECT_EQ(start(1, 7), (std::vector<Place>{{0, 0, false},
                                             {0, 0, false},
                                             {0, 0, true},
                                             {0, 0, true},
                                             {0, 1, false},
                                             {0, 1, false},
                                             {0, 1, true}}));
}

TEST_F(WarpGroupsTest, NumbersAreTheLowestThatAreFree) {
  EXPECT_EQ(pair_of(3), 0U);
  EXPECT_EQ(pair_of(1, 0), 1U);
  EXPECT_EQ(pair_of(0, 0), 1U);
  EXPECT_EQ(pair_of(2), 2U);
  groups_.ended(3);
  EXPECT_EQ(pair_of(3), 0U);
}

TEST_F(WarpGroupsTest, APairKeepsItsNumberUntilBothBlocksHaveEnded) {
  EXPECT_EQ(pair_of(0, 5), 0U);
  EXPECT_EQ(pair_of(1, 5), 0U);
  groups_.ended(0);
  EXPECT_EQ(pair_of(0), 1U) << "another block in the slot of the first";
  groups_.ended(1);
  EXPECT_EQ(pair_of(1, 5), 0U);
  EXPECT_TRUE(start(2, 1, 5).front().second) << "of a new pair";
}

TEST_F(WarpGroupsTest, ANewLaunchBeginsWithoutBlocks) {
  pair_of(0, 5);
  groups_.begin(kBlocks);
  EXPECT_EQ(start(1, 1, 5).front(), (Place{0, 0, false}));
}

}  // namespace
}  // namespace paws::core
