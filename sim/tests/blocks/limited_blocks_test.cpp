// SPDX-License-Identifier: MIT
#include "sim/blocks/limited_blocks.h"

#include <array>

#include "sim/tests/blocks/support.h"

namespace paws {
namespace {

TEST(FixedLimit, NoCoreHasMore) {
  FixedLimit scheduler(2, 10, 3);
  begin(scheduler, 100, 8, 0);
  EXPECT_EQ(hand_out(scheduler, 50).size(), 6U);
  EXPECT_EQ(scheduler.next_start(), kNever);
  scheduler.freed(1, 0, kAlone, 60);
  EXPECT_EQ(hand_out(scheduler, 80), (Starts{{1, 0, 6, 70}}));
}

TEST(FixedLimit, TheLastBlockBelowTheLimitFillsTheCore) {
  FixedLimit scheduler(1, 10, 3);
  begin(scheduler, 100, 8, 0);
  std::vector<bool> fills;
  scheduler.hand_out(50, [&](const BlockScheduler::Start& start) { fills.push_back(start.fills); });
  EXPECT_EQ(fills, (std::vector<bool>{false, false, true}));
}

TEST(FixedLimit, MoreThanFitIsWhatFits) {
  FixedLimit scheduler(1, 10, 100);
  begin(scheduler, 100, 4, 0);
  EXPECT_EQ(hand_out(scheduler, 50).size(), 4U);
}

TEST(LazyBlocks, UntilTheLimitHoldsBlocksAreReplacedAndFromThenOnOnlyBelowIt) {
  LazyBlocks scheduler(1, 10, LimitScope::first_core);
  begin(scheduler, 100, 8, 0);
  EXPECT_TRUE(scheduler.monitors());
  EXPECT_EQ(hand_out(scheduler, 20).size(), 8U);
  // The first block issues its exit in cycle 50, and its loads have come in cycle 55.
  scheduler.monitored({0, 0, 50, 3});
  scheduler.freed(0, 0, kAlone, 49);
  EXPECT_EQ(hand_out(scheduler, 60), (Starts{{0, 0, 8, 59}})) << "the limit holds from 60 on";
  scheduler.freed(0, 0, kAlone, 55);
  EXPECT_TRUE(hand_out(scheduler, 70).empty()) << "7 are left, 3 are enough";
  for (const std::uint64_t cycle : {71U, 72U, 73U, 74U}) scheduler.freed(0, 0, kAlone, cycle);
  EXPECT_TRUE(hand_out(scheduler, 100).empty()) << "3 are left";
  scheduler.freed(0, 0, kAlone, 100);
  EXPECT_EQ(hand_out(scheduler, 120), (Starts{{0, 0, 9, 110}}));
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 3, 60}}));
}

TEST(LazyBlocks, TheFirstCoreDecidesForAll) {
  LazyBlocks scheduler(2, 10, LimitScope::first_core);
  begin(scheduler, 100, 4, 0);
  hand_out(scheduler, 10);
  scheduler.monitored({1, 0, 20, 1});
  scheduler.freed(1, 0, kAlone, 20);
  EXPECT_EQ(hand_out(scheduler, 40), (Starts{{1, 0, 8, 30}})) << "core 1 does not decide";
  scheduler.monitored({0, 0, 50, 2});
  scheduler.freed(1, 0, kAlone, 51);
  EXPECT_TRUE(hand_out(scheduler, 70).empty());
}

TEST(LazyBlocks, EachCoreForItself) {
  LazyBlocks scheduler(2, 10, LimitScope::each_core);
  begin(scheduler, 100, 4, 0);
  hand_out(scheduler, 10);
  scheduler.monitored({1, 0, 20, 1});
  scheduler.freed(1, 0, kAlone, 20);
  scheduler.freed(0, 0, kAlone, 25);
  EXPECT_EQ(hand_out(scheduler, 60), (Starts{{0, 0, 8, 35}}));
  scheduler.monitored({0, 0, 60, 2});
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 2, 70}, {0, 1, 1, 30}}));
}

TEST(LazyBlocks, TheLowerMedianOfTheCoresThatHadBlocks) {
  LazyBlocks scheduler(5, 10, LimitScope::median);
  begin(scheduler, 4, 4, 0);
  hand_out(scheduler, 10);
  scheduler.monitored({2, 0, 20, 4});
  scheduler.monitored({0, 0, 35, 1});
  scheduler.monitored({1, 0, 22, 2});
  EXPECT_TRUE(scheduler.limits().empty()) << "core 3 has not told, core 4 has no block";
  scheduler.monitored({3, 0, 30, 3});
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, std::nullopt, 2, 45}}))
      << "it holds when the last of them is done, whichever was told last";
}

TEST(LazyBlocks, ACoreWhoseFirstBlockComesLaterDoesNotCount) {
  MonitoredLimits limits(LimitScope::median, 10);
  limits.begin(1);
  limits.gave(0, 0, 5);
  limits.gave(1, 0, 30);
  limits.monitored({0, 0, 20, 3});
  EXPECT_EQ(limits.limit(1, 0, 29), std::nullopt);
  EXPECT_EQ(limits.limit(1, 0, 30), 3U);
}

TEST(LazyBlocks, TakesOneLaunchAtATime) {
  EXPECT_EQ(LazyBlocks(1, 10, LimitScope::first_core).most_launches(), 1U);
}

TEST(LazyBlocks, ALimitIsForgottenWithTheLaunch) {
  LazyBlocks scheduler(1, 10, LimitScope::first_core);
  begin(scheduler, 4, 4, 0);
  hand_out(scheduler, 10);
  scheduler.monitored({0, 0, 20, 1});
  begin(scheduler, 4, 4, 100);
  EXPECT_EQ(hand_out(scheduler, 120).size(), 4U);
  EXPECT_TRUE(scheduler.limits().empty());
}

}  // namespace
}  // namespace paws
