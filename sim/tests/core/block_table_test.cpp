// SPDX-License-Identifier: MIT
#include "sim/core/block_table.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/tests/core/scripted_block.h"

namespace paws::core {
namespace {

class BlockTableTest : public testing::Test {
 protected:
  /// Block slots with so many warps each, one behind the other.
  void make(std::initializer_list<std::uint32_t> warps) {
    table_.begin(16);
    std::uint32_t first = 0;
    for (const std::uint32_t count : warps) {
      table_.add_slot(std::make_unique<ScriptedBlock>(
                          ScriptedBlock::Scripts(count, std::vector<ScriptStep>{{}}), issues_),
                      first, count);
      first += count;
    }
  }
  /// The first warp slot of the block that starts.
  std::uint32_t start(std::uint64_t index) { return table_.start(index).first_warp; }

  BlockTable table_;
  std::vector<ScriptIssue> issues_;
};

TEST_F(BlockTableTest, WarpSlotsBelongToTheirBlock) {
  make({2, 3});
  EXPECT_TRUE(table_.empty());
  EXPECT_EQ(start(7), 0U);
  const BlockTable::Slot& second = table_.start(8);
  EXPECT_EQ(second.first_warp, 2U);
  EXPECT_EQ(second.warps, 3U) << "slots may differ";
  EXPECT_FALSE(table_.empty());
  for (std::uint32_t warp = 2; warp < 5; ++warp) {
    EXPECT_EQ(table_[warp].block->index(), 8U);
    EXPECT_EQ(table_[warp].in_block, warp - 2);
    EXPECT_EQ(table_[warp].block_slot, 1U);
    EXPECT_FALSE(table_[warp].live);
  }
  EXPECT_EQ(table_[5].block, nullptr);
}

TEST_F(BlockTableTest, LiveFromLaunchToEnd) {
  make({2});
  start(0);
  EXPECT_EQ(table_.live_warps(), 0U);
  table_.launch(0);
  table_.launch(1);
  EXPECT_EQ(table_.live_warps(), 2U);
  table_.end_warp(0);
  EXPECT_FALSE(table_[0].live);
  EXPECT_TRUE(table_[1].live);
  EXPECT_EQ(table_.live_warps(), 1U);
}

TEST_F(BlockTableTest, ASlotIsFreeWhenAllHasEndedAndNothingIsUnderWay) {
  make({2});
  start(0);
  table_.launch(0);
  table_.launch(1);
  table_.hold(1);
  table_.hold(1);
  table_.end_warp(1);
  EXPECT_EQ(table_.land(1), nullptr) << "warp 0 still runs, and warp 1 has a load";
  table_.end_warp(0);
  EXPECT_EQ(table_.release_if_drained(0), nullptr) << "warp 1 has a load";
  EXPECT_FALSE(table_.empty());
  const BlockTable::Slot* const freed = table_.land(1);
  ASSERT_NE(freed, nullptr);
  EXPECT_EQ(freed->block->index(), 0U);
  EXPECT_TRUE(table_.empty());
  EXPECT_EQ(table_.release_if_drained(0), nullptr) << "it is free already";
}

TEST_F(BlockTableTest, WhatLandsOnALiveWarpFreesNothing) {
  make({1});
  start(0);
  table_.launch(0);
  table_.hold(0);
  EXPECT_EQ(table_.land(0), nullptr);
  EXPECT_EQ(table_[0].in_flight, 0U);
}

TEST_F(BlockTableTest, TheSlotThatHasBeenFreeForLongestIsNext) {
  make({1, 1, 1});
  for (std::uint64_t block = 0; block < 3; ++block) table_.launch(start(block));
  for (const std::uint32_t ended : {2U, 0U, 1U}) {
    table_.end_warp(ended);
    ASSERT_NE(table_.release_if_drained(ended), nullptr);
  }
  EXPECT_EQ(start(3), 2U);
  EXPECT_EQ(start(4), 0U);
  EXPECT_EQ(start(5), 1U);
}

TEST_F(BlockTableTest, ABlockTooManyIsRefused) {
  make({2});
  start(0);
  EXPECT_THROW(start(1), std::logic_error);
}

TEST_F(BlockTableTest, ANewKernelFindsNoneOfTheOldOne) {
  make({2, 2});
  table_.launch(start(0));
  make({1});
  EXPECT_TRUE(table_.empty());
  EXPECT_EQ(table_.live_warps(), 0U);
  EXPECT_EQ(table_[0].block, nullptr);
}

}  // namespace
}  // namespace paws::core
