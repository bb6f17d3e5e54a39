// SPDX-License-Identifier: MIT
#include "sim/blocks/blocks_in_turn.h"

#include <array>

#include "sim/tests/blocks/support.h"

namespace paws {
namespace {

TEST(BlocksInTurn, OneBlockPerCoreAndCycleLowestCoreFirst) {
  BlocksInTurn scheduler(3, 10);
  begin(scheduler, 8, 4, 100);
  EXPECT_EQ(scheduler.next_start(), 100U);
  EXPECT_EQ(hand_out(scheduler, 101), (Starts{{0, 0, 0, 100}, {1, 0, 1, 100}, {2, 0, 2, 100}}));
  EXPECT_EQ(
      hand_out(scheduler, 200),
      (Starts{{0, 0, 3, 101}, {1, 0, 4, 101}, {2, 0, 5, 101}, {0, 0, 6, 102}, {1, 0, 7, 102}}));
  EXPECT_EQ(scheduler.started(), 8U);
  EXPECT_EQ(scheduler.next_start(), kNever);
}

TEST(BlocksInTurn, WithAnIntervalCoresWaitForTheirTurns) {
  BlocksInTurn scheduler(3, 10);
  scheduler.pace(4);
  begin(scheduler, 100, 2, 100);
  EXPECT_EQ(scheduler.next_start(), 100U);
  EXPECT_EQ(hand_out(scheduler, 109), (Starts{{0, 0, 0, 100}, {1, 0, 1, 104}, {2, 0, 2, 108}}));
  EXPECT_LE(scheduler.next_start(), 112U);
  EXPECT_EQ(hand_out(scheduler, 200), (Starts{{0, 0, 3, 112}, {1, 0, 4, 116}, {2, 0, 5, 120}}));
  EXPECT_EQ(scheduler.next_start(), kNever);
  scheduler.freed(2, 0, kAlone, 200);
  scheduler.freed(0, 0, kAlone, 201);
  scheduler.freed(1, 0, kAlone, 230);
  EXPECT_EQ(hand_out(scheduler, 300), (Starts{{2, 0, 6, 210}, {0, 0, 7, 214}, {1, 0, 8, 240}}));
}

TEST(BlocksInTurn, WhatIsToldBeforeATurnHoldsInIt) {
  BlocksInTurn scheduler(3, 10);
  scheduler.pace(10);
  begin(scheduler, 100, 2, 0);
  scheduler.cap(1, 1, 15);
  EXPECT_EQ(hand_out(scheduler, 100),
            (Starts{{0, 0, 0, 0}, {1, 0, 1, 10}, {2, 0, 2, 20}, {0, 0, 3, 30}, {2, 0, 4, 40}}));
  scheduler.cap(1, 2, 100);
  EXPECT_EQ(hand_out(scheduler, 200), (Starts{{1, 0, 5, 100}}));
  begin(scheduler, 1, 2, 300);
  EXPECT_EQ(hand_out(scheduler, 400), (Starts{{0, 0, 0, 300}})) << "as new";
}

TEST(BlocksInTurn, AnEndedBlockIsKnownAndReplacedAfterTheLatency) {
  BlocksInTurn scheduler(2, 10);
  begin(scheduler, 100, 1, 0);
  hand_out(scheduler, 10);
  EXPECT_EQ(scheduler.next_start(), kNever);
  scheduler.freed(1, 0, kAlone, 20);
  scheduler.freed(0, 0, kAlone, 21);
  EXPECT_EQ(hand_out(scheduler, 31), (Starts{{1, 0, 2, 30}}));
  EXPECT_EQ(hand_out(scheduler, 32), (Starts{{0, 0, 3, 31}}));
}

TEST(BlocksInTurn, TwoThatEndInOneCycleAreReplacedInTwo) {
  BlocksInTurn scheduler(2, 10);
  begin(scheduler, 100, 2, 0);
  hand_out(scheduler, 10);
  scheduler.freed(1, 0, kAlone, 20);
  scheduler.freed(1, 0, kAlone, 20);
  scheduler.freed(0, 0, kAlone, 21);
  EXPECT_EQ(hand_out(scheduler, 31), (Starts{{1, 0, 4, 30}}));
  EXPECT_EQ(hand_out(scheduler, 32), (Starts{{0, 0, 5, 31}, {1, 0, 6, 31}}));
  EXPECT_EQ(scheduler.next_start(), kNever);
}

TEST(BlocksInTurn, ACoreHasNoMoreBlocksThanItsCap) {
  BlocksInTurn scheduler(2, 10);
  begin(scheduler, 100, 4, 50);
  scheduler.cap(0, 1, 50);
  scheduler.cap(1, 2, 50);
  EXPECT_EQ(hand_out(scheduler, 60), (Starts{{0, 0, 0, 50}, {1, 0, 1, 50}, {1, 0, 2, 51}}));
  scheduler.cap(0, 3, 80);
  scheduler.cap(1, 1, 80);
  EXPECT_EQ(scheduler.next_start(), 80U);
  EXPECT_EQ(hand_out(scheduler, 80), Starts{});
  EXPECT_EQ(hand_out(scheduler, 90), (Starts{{0, 0, 3, 80}, {0, 0, 4, 81}}));
  scheduler.freed(1, 0, kAlone, 85);
  scheduler.freed(0, 0, kAlone, 90);
  EXPECT_EQ(hand_out(scheduler, 200), (Starts{{0, 0, 5, 100}})) << "core 1 has one left";
  scheduler.freed(1, 0, kAlone, 200);
  EXPECT_EQ(hand_out(scheduler, 300), (Starts{{1, 0, 6, 210}}));
}

TEST(BlocksInTurn, ACapIsForgottenWithTheLaunch) {
  BlocksInTurn scheduler(1, 10);
  begin(scheduler, 1, 4, 0);
  scheduler.cap(0, 1, 0);
  scheduler.cap(0, 2, 500);
  hand_out(scheduler, 10);
  begin(scheduler, 4, 4, 100);
  EXPECT_EQ(hand_out(scheduler, 1000).size(), 4U);
}

TEST(BlocksInTurn, TheCapIsOfAllLaunches) {
  BlocksInTurn scheduler(1, 10);
  const std::array launches{LaunchBlocks{2, resources(1)}, LaunchBlocks{9, resources(1)}};
  scheduler.begin(launches, resources(8), 0);
  scheduler.cap(0, 3, 0);
  EXPECT_EQ(hand_out(scheduler, 100), (Starts{{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 2}}));
}

TEST(BlocksInTurn, WhatIsFreeIsThatOfTheLaunch) {
  BlocksInTurn scheduler(1, 5);
  begin(scheduler, 1, 8, 0);
  hand_out(scheduler, 100);
  scheduler.freed(0, 0, kAlone, 50);
  begin(scheduler, 2, 1, 200);
  EXPECT_EQ(hand_out(scheduler, 300), (Starts{{0, 0, 0, 200}}));
}

TEST(BlocksInTurn, ALaterLaunchGetsWhatEarlierOnesLeave) {
  BlocksInTurn scheduler(1, 5);
  const std::array launches{LaunchBlocks{3, resources(1, 40)}, LaunchBlocks{3, resources(1, 15)}};
  scheduler.begin(launches, resources(8, 100), 0);
  EXPECT_EQ(scheduler.blocks(), 6U);
  EXPECT_EQ(hand_out(scheduler, 10), (Starts{{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 2}}));
  EXPECT_EQ(scheduler.next_start(), kNever) << "5 registers are left";
  scheduler.freed(0, 1, kAlone, 10);
  EXPECT_EQ(hand_out(scheduler, 20), (Starts{{0, 1, 1, 15}})) << "20 are";
  // One large block makes room for the last large one; the next for all that is left.
  scheduler.freed(0, 0, kAlone, 20);
  scheduler.freed(0, 0, kAlone, 21);
  EXPECT_EQ(hand_out(scheduler, 40), (Starts{{0, 0, 2, 25}, {0, 1, 2, 26}}));
  EXPECT_EQ(scheduler.started(), 6U);
  EXPECT_EQ(scheduler.next_start(), kNever);
}

TEST(BlocksInTurn, RoomIsNotUsedBeforeItIsKnown) {
  BlocksInTurn scheduler(1, 10);
  const std::array launches{LaunchBlocks{9, resources(1, 50)}, LaunchBlocks{9, resources(1, 20)}};
  scheduler.begin(launches, resources(8, 100), 0);
  EXPECT_EQ(hand_out(scheduler, 5).size(), 2U);
  scheduler.freed(0, 0, kAlone, 7);
  scheduler.freed(0, 0, kAlone, 9);
  EXPECT_EQ(hand_out(scheduler, 30), (Starts{{0, 0, 2, 17}, {0, 0, 3, 19}}))
      << "not in cycle 18: one half is known to be free";
}

}  // namespace
}  // namespace paws
