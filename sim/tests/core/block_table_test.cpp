// SPDX-License-Identifier: MIT
#include "sim/core/block_table.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/core/timed_kernel.h"
#include "sim/tests/core/scripted_block.h"

namespace paws::core {
namespace {

using Warps = std::vector<std::uint32_t>;

class BlockTableTest : public testing::Test {
 protected:
  /// A core with 4 block slots, 16 warp slots and 100 registers; launch i has blocks of warps[i]
  /// warps that take registers[i] registers.
  void make(const std::vector<unsigned>& warps, const std::vector<unsigned>& registers) {
    core_[Resource::block_slots] = 4;
    core_[Resource::warps] = 16;
    core_[Resource::registers] = 100;
    table_.begin(core_);
    for (std::size_t i = 0; i < warps.size(); ++i) {
      Resources needs;
      needs[Resource::block_slots] = 1;
      needs[Resource::warps] = warps[i];
      needs[Resource::registers] = registers[i];
      std::vector<std::unique_ptr<exec::StandingBlock>> blocks(core_.count(needs).blocks);
      for (auto& block : blocks) {
        block = std::make_unique<ScriptedBlock>(
            ScriptedBlock::Scripts(warps[i], std::vector<ScriptStep>{{}}), issues_);
      }
      table_.add_launch(kernels_[i], needs, std::move(blocks));
    }
  }
  /// The warp slots of the block that starts.
  const Warps& start(std::uint32_t launch, std::uint64_t index) {
    return table_.start(launch, index).warps;
  }
  /// The block with these warp slots runs and ends.
  void run(const Warps& warps) {
    for (const std::uint32_t warp : warps) table_.launch(warp);
    for (const std::uint32_t warp : warps) table_.end_warp(warp);
    ASSERT_NE(table_.release_if_drained(table_[warps.front()].block_slot), nullptr);
  }

  GpuConfig config_ = load_gpu("m2090");
  ir::Kernel kernel_;
  std::array<TimedKernel, 2> kernels_{TimedKernel(kernel_, config_, kCodeBase),
                                      TimedKernel(kernel_, config_, kCodeBase)};
  Resources core_;
  BlockTable table_;
  std::vector<ScriptIssue> issues_;
};

TEST_F(BlockTableTest, WarpSlotsBelongToTheirBlock) {
  make({2, 3}, {10, 10});
  EXPECT_TRUE(table_.empty());
  EXPECT_EQ(start(0, 7), (Warps{0, 1}));
  EXPECT_EQ(start(1, 8), (Warps{2, 3, 4})) << "launches may differ";
  EXPECT_FALSE(table_.empty());
  for (std::uint32_t warp = 2; warp < 5; ++warp) {
    EXPECT_EQ(table_[warp].block->index(), 8U);
    EXPECT_EQ(table_[warp].kernel, &kernels_[1]);
    EXPECT_EQ(table_[warp].launch, 1U);
    EXPECT_EQ(table_[warp].in_block, warp - 2);
    EXPECT_EQ(table_[warp].block_slot, 1U);
    EXPECT_FALSE(table_[warp].live);
  }
  EXPECT_EQ(table_[5].block, nullptr);
}

TEST_F(BlockTableTest, LiveFromLaunchToEnd) {
  make({2}, {10});
  start(0, 0);
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
  make({2}, {10});
  start(0, 0);
  EXPECT_EQ(table_.free()[Resource::warps], 14U);
  table_.launch(0);
  table_.launch(1);
  table_.hold(1);
  table_.hold(1);
  table_.end_warp(1);
  EXPECT_EQ(table_.land(1), nullptr) << "warp 0 still runs, and warp 1 has a load";
  table_.end_warp(0);
  EXPECT_EQ(table_.release_if_drained(0), nullptr) << "warp 1 has a load";
  EXPECT_FALSE(table_.empty());
  EXPECT_EQ(table_.free()[Resource::registers], 90U) << "and what it takes is taken";
  const BlockTable::Slot* const freed = table_.land(1);
  ASSERT_NE(freed, nullptr);
  EXPECT_EQ(freed->block->index(), 0U);
  EXPECT_TRUE(table_.empty());
  EXPECT_EQ(table_.free(), core_);
  EXPECT_EQ(table_.release_if_drained(0), nullptr) << "it is free already";
  EXPECT_EQ(table_.free(), core_);
}

TEST_F(BlockTableTest, WhatLandsOnALiveWarpFreesNothing) {
  make({1}, {10});
  start(0, 0);
  table_.launch(0);
  table_.hold(0);
  EXPECT_EQ(table_.land(0), nullptr);
  EXPECT_EQ(table_[0].in_flight, 0U);
}

TEST_F(BlockTableTest, OneLaunchUsesItsSlotsInTurn) {
  make({5}, {30});  // three blocks of 5 of the 16 warp slots
  for (std::uint64_t block = 0; block < 2; ++block) run(start(0, block));
  EXPECT_EQ(start(0, 2), (Warps{10, 11, 12, 13, 14})) << "one that has not been used comes first";
  EXPECT_EQ(start(0, 3), (Warps{0, 1, 2, 3, 4})) << "warp slot 15 is left over";
  EXPECT_EQ(start(0, 4), (Warps{5, 6, 7, 8, 9}));
  for (const std::uint32_t warp : {10U, 0U, 5U}) run(table_.slot(table_[warp].block_slot).warps);
  EXPECT_EQ(start(0, 5).front(), 10U);
  EXPECT_EQ(start(0, 6).front(), 0U);
  EXPECT_EQ(start(0, 7).front(), 5U);
}

TEST_F(BlockTableTest, FreeSlotsOfOneLaunchGoToAnother) {
  make({4, 6}, {20, 10});
  std::vector<Warps> small;
  for (std::uint64_t block = 0; block < 4; ++block) small.push_back(start(0, block));
  run(small[0]);
  EXPECT_THROW(start(1, 0), std::logic_error) << "four warp slots are too few";
  run(small[2]);
  EXPECT_EQ(start(1, 0), (Warps{0, 1, 2, 3, 8, 9})) << "the lowest, adjacent or not";
  EXPECT_EQ(table_[8].in_block, 4U);
  EXPECT_EQ(table_[8].kernel, &kernels_[1]);
  run(small[1]);
  EXPECT_EQ(start(0, 4), small[1]);
  run(small[3]);
  EXPECT_EQ(start(1, 1), (Warps{10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(table_.free()[Resource::warps], 0U);
  EXPECT_EQ(table_.free()[Resource::block_slots], 1U);
  EXPECT_EQ(table_.free()[Resource::registers], 100U - 2 * 10 - 20);
}

TEST_F(BlockTableTest, ABlockThatTheCoreHasNotEnoughForIsRefused) {
  make({2, 1}, {40, 30});
  start(0, 0);
  start(0, 1);
  try {
    start(1, 0);
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "a block that needs 30 is given to a core that has 20 free: registers");
  }
  EXPECT_EQ(table_.free()[Resource::registers], 20U);
}

TEST_F(BlockTableTest, ALaunchHasABlockForEveryoneThatFits) {
  make({2}, {40});
  Resources needs;
  needs[Resource::block_slots] = 1;
  EXPECT_THROW(table_.add_launch(kernels_[1], needs, {}), std::logic_error);
}

TEST_F(BlockTableTest, ANewLaunchFindsNoneOfTheOldOne) {
  make({2}, {10});
  table_.launch(start(0, 0).front());
  make({1}, {10});
  EXPECT_TRUE(table_.empty());
  EXPECT_EQ(table_.live_warps(), 0U);
  EXPECT_EQ(table_.free(), core_);
  EXPECT_EQ(table_[0].block, nullptr);
}

}  // namespace
}  // namespace paws::core
