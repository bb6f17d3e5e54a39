// SPDX-License-Identifier: MIT
#include "sim/blocks/paired_blocks.h"

#include <array>

#include "sim/tests/blocks/support.h"

namespace paws {
namespace {

TEST(PairedBlocks, ConsecutiveBlocksInConsecutiveCyclesPairByPair) {
  PairedBlocks scheduler(2, 10, {});
  begin(scheduler, 100, 4, 100, true);
  EXPECT_EQ(hand_out(scheduler, 150), (Starts{{0, 0, 0, 100, 0},
                                              {1, 0, 2, 100, 0},
                                              {0, 0, 1, 101, 0},
                                              {1, 0, 3, 101, 0},
                                              {0, 0, 4, 102, 1},
                                              {1, 0, 6, 102, 1},
                                              {0, 0, 5, 103, 1},
                                              {1, 0, 7, 103, 1}}));
  EXPECT_FALSE(scheduler.monitors());
  EXPECT_EQ(scheduler.together(0), 2U);
}

TEST(PairedBlocks, APairIsReplacedWhenBothHaveEnded) {
  PairedBlocks scheduler(1, 10, {});
  begin(scheduler, 100, 4, 0, true);
  hand_out(scheduler, 10);
  scheduler.freed(0, 0, 0, 20);
  scheduler.freed(0, 0, 1, 21);
  EXPECT_TRUE(hand_out(scheduler, 50).empty()) << "one of each pair";
  EXPECT_EQ(scheduler.next_start(), kNever);
  scheduler.freed(0, 0, 1, 60);
  EXPECT_EQ(hand_out(scheduler, 90), (Starts{{0, 0, 4, 70, 1}, {0, 0, 5, 71, 1}}));
}

TEST(PairedBlocks, AnOddPlaceStaysEmptyAndAnOddLastBlockGoesAlone) {
  PairedBlocks scheduler(1, 10, {});
  begin(scheduler, 7, 5, 0, true);
  EXPECT_EQ(places_on(hand_out(scheduler, 50), 0), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  scheduler.freed(0, 0, 0, 60);
  scheduler.freed(0, 0, 0, 60);
  EXPECT_EQ(hand_out(scheduler, 80), (Starts{{0, 0, 4, 70, 0}, {0, 0, 5, 71, 0}}));
  scheduler.freed(0, 0, 1, 80);
  scheduler.freed(0, 0, 1, 80);
  EXPECT_EQ(hand_out(scheduler, 100), (Starts{{0, 0, 6, 90, 1}}));
  EXPECT_EQ(scheduler.started(), 7U);
}

TEST(PairedBlocks, ACapCountsTheFirstBlockOfAPair) {
  PairedBlocks scheduler(1, 10, {});
  begin(scheduler, 20, 6, 0, true);
  scheduler.cap(0, 1, 0);
  EXPECT_EQ(hand_out(scheduler, 50), (Starts{{0, 0, 0, 0, 0}, {0, 0, 1, 1, 0}}));
  scheduler.cap(0, 2, 60);
  EXPECT_EQ(hand_out(scheduler, 70), Starts{});
  scheduler.cap(0, 3, 80);
  EXPECT_EQ(hand_out(scheduler, 100), (Starts{{0, 0, 2, 80, 1}, {0, 0, 3, 81, 1}}));
}

TEST(PairedBlocks, OneDimensionAndOneBlockPerCoreAreRoundRobin) {
  PairedBlocks scheduler(2, 10, {});
  begin(scheduler, 100, 2, 0, false);
  EXPECT_EQ(scheduler.together(0), 1U);
  EXPECT_EQ(hand_out(scheduler, 10),
            (Starts{{0, 0, 0, 0}, {1, 0, 1, 0}, {0, 0, 2, 1}, {1, 0, 3, 1}}));
  begin(scheduler, 100, 1, 100, true);
  EXPECT_EQ(hand_out(scheduler, 110), (Starts{{0, 0, 0, 100}, {1, 0, 1, 100}}));
}

TEST(PairedBlocks, ALaterLaunchGetsThePairsThatFitBesideEarlierOnes) {
  PairedBlocks scheduler(1, 10, {});
  const std::array launches{LaunchBlocks{4, resources(1, 10), true},
                            LaunchBlocks{20, resources(1, 20), true}};
  scheduler.begin(launches, resources(8, 80), 0);
  EXPECT_EQ(hand_out(scheduler, 50), (Starts{{0, 0, 0, 0, 0},
                                             {0, 0, 1, 1, 0},
                                             {0, 0, 2, 2, 1},
                                             {0, 0, 3, 3, 1},
                                             {0, 1, 0, 4, 2},
                                             {0, 1, 1, 5, 2}}));
}

TEST(PairedBlocks, ALimitIsRoundedUpToPairs) {
  PairedBlocks scheduler(1, 10, LimitScope::first_core);
  begin(scheduler, 100, 8, 0, true);
  EXPECT_TRUE(scheduler.monitors());
  EXPECT_EQ(hand_out(scheduler, 20).size(), 8U);
  scheduler.monitored({0, 0, 20, 3});
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 4, 30}})) << "what is in force";
  for (const std::uint32_t pair : {0U, 0U, 1U, 1U}) scheduler.freed(0, 0, pair, 30);
  EXPECT_TRUE(hand_out(scheduler, 60).empty()) << "two pairs are left, for a limit of 3";
  for (const std::uint32_t pair : {2U, 2U}) scheduler.freed(0, 0, pair, 60);
  EXPECT_EQ(places_on(hand_out(scheduler, 90), 0), (std::vector<std::uint64_t>{8, 9}));
}

TEST(PairedBlocks, WithLcsTheLimitHoldsForOneDimensionToo) {
  PairedBlocks scheduler(1, 10, LimitScope::first_core);
  begin(scheduler, 100, 8, 0, false);
  hand_out(scheduler, 20);
  scheduler.monitored({0, 0, 20, 3});
  for (unsigned i = 0; i < 5; ++i) scheduler.freed(0, 0, kAlone, 30);
  EXPECT_TRUE(hand_out(scheduler, 60).empty());
  scheduler.freed(0, 0, kAlone, 60);
  EXPECT_EQ(hand_out(scheduler, 90).size(), 1U);
}

}  // namespace
}  // namespace paws
