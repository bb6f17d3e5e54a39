// SPDX-License-Identifier: MIT
#include "sim/sanitize/barrier_clocks.h"

#include <gtest/gtest.h>

namespace paws::sanitize {
namespace {

BarrierClocks started() {
  BarrierClocks clocks;
  clocks.start();
  return clocks;
}

TEST(BarrierClocks, NothingIsOrderedBetweenWarpsAtFirst) {
  const BarrierClocks clocks = started();
  EXPECT_FALSE(clocks.ordered(0, clocks.now(0), 1));
  EXPECT_TRUE(clocks.ordered(1, clocks.now(1), 1));
}

TEST(BarrierClocks, ABarrierOrdersWhatWasBeforeItAndNothingBehind) {
  BarrierClocks clocks = started();
  const std::uint32_t before = clocks.now(0);
  clocks.arrive(0, 0, true);
  const std::uint32_t behind = clocks.now(0);
  clocks.arrive(1, 0, true);
  EXPECT_FALSE(clocks.ordered(0, before, 1));
  clocks.release(0, 0b11);
  EXPECT_TRUE(clocks.ordered(0, before, 1));
  EXPECT_FALSE(clocks.ordered(0, behind, 1));
}

TEST(BarrierClocks, OrderPassesFromBarrierToBarrier) {
  BarrierClocks clocks = started();
  const std::uint32_t before = clocks.now(0);
  clocks.arrive(0, 1, false);
  clocks.arrive(1, 1, false);
  clocks.release(1, 0b011);
  clocks.arrive(1, 2, false);
  clocks.arrive(2, 2, false);
  clocks.release(2, 0b110);
  EXPECT_TRUE(clocks.ordered(0, before, 2));
  EXPECT_FALSE(clocks.ordered(2, 1, 0));
}

TEST(BarrierClocks, WhoArrivesWithoutWaitingLearnsNothing) {
  BarrierClocks clocks = started();
  const std::uint32_t produced = clocks.now(0);
  const std::uint32_t consumed = clocks.now(1);
  clocks.arrive(0, 1, false);
  clocks.arrive(1, 1, false);
  clocks.release(1, 0b10);
  EXPECT_TRUE(clocks.ordered(0, produced, 1));
  EXPECT_FALSE(clocks.ordered(1, consumed, 0));
}

TEST(BarrierClocks, APhaseOfAnObjectOrdersItsArrivalsAndNoLaterOnes) {
  BarrierClocks clocks = started();
  const std::uint32_t before = clocks.now(0);
  clocks.object_arrive(0, 64);
  clocks.object_passed(2, 64);
  EXPECT_FALSE(clocks.ordered(0, before, 2)) << "the phase has not ended";
  clocks.object_phase_ended(64);
  clocks.object_arrive(1, 64);
  clocks.object_passed(2, 64);
  EXPECT_TRUE(clocks.ordered(0, before, 2));
  EXPECT_FALSE(clocks.ordered(1, 1, 2));
  clocks.object_passed(3, 128);
  EXPECT_FALSE(clocks.ordered(0, before, 3)) << "another object";
  clocks.object_made(64);
  clocks.object_passed(3, 64);
  EXPECT_FALSE(clocks.ordered(0, before, 3)) << "a new object";
}

TEST(BarrierClocks, TheEndOfAWarpCountsAtWholeBarriersAlone) {
  BarrierClocks clocks = started();
  clocks.end(0);
  clocks.arrive(1, 1, false);
  clocks.release(1, 0b10);
  EXPECT_FALSE(clocks.ordered(0, 1, 1));
  clocks.arrive(1, 0, true);
  clocks.release(0, 0b10);
  EXPECT_TRUE(clocks.ordered(0, 1, 1));
}

TEST(BarrierClocks, ANewBlockKnowsNothingOfTheLast) {
  BarrierClocks clocks = started();
  clocks.arrive(0, 0, true);
  clocks.arrive(1, 0, true);
  clocks.release(0, 0b11);
  clocks.start();
  EXPECT_FALSE(clocks.ordered(0, 1, 1));
}

}  // namespace
}  // namespace paws::sanitize
