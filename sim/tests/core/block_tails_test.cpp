// SPDX-License-Identifier: MIT
#include "sim/core/block_tails.h"

#include <gtest/gtest.h>

namespace paws::core {
namespace {

TEST(BlockTails, AreFromExitsToTheEnd) {
  BlockTails tails;
  tails.begin(2);
  tails.started(0, 100);
  tails.warp_ended(0, 110);
  tails.warp_ended(0, 130);
  tails.warp_ended(0, 137);
  // Three warps for 40 cycles, of which 30 + 10 + 3 after their exits.
  EXPECT_EQ(tails.ended(0, 140),
            (BlockTailCounts{
                .blocks = 1, .tail_cycles = 30, .lost_warp_cycles = 43, .warp_slot_cycles = 120}));
}

TEST(BlockTails, AreOfEachSlotAndOfItsLastBlock) {
  BlockTails tails;
  tails.begin(2);
  tails.started(0, 0);
  tails.started(1, 5);
  tails.warp_ended(1, 7);
  tails.warp_ended(0, 10);
  tails.warp_ended(0, 12);
  BlockTailCounts both = tails.ended(0, 12);
  EXPECT_EQ(both, (BlockTailCounts{1, 2, 2, 24}));
  tails.started(0, 20);
  tails.warp_ended(0, 21);
  both += tails.ended(0, 21);
  EXPECT_EQ(both, (BlockTailCounts{2, 2, 2, 25}));
  both += tails.ended(1, 30);
  EXPECT_EQ(both, (BlockTailCounts{3, 25, 25, 50}));
}

TEST(BlockTails, OfAWarpThatEndsLastAreNone) {
  BlockTails tails;
  tails.begin(1);
  tails.started(0, 3);
  tails.warp_ended(0, 9);
  EXPECT_EQ(tails.ended(0, 9), (BlockTailCounts{1, 0, 0, 6}));
}

}  // namespace
}  // namespace paws::core
