// SPDX-License-Identifier: MIT
#include "sim/core/issue_levels.h"

#include <gtest/gtest.h>

namespace paws::core {
namespace {

/// A warp whose next instruction could issue to `unit`.
WarpLevels ready(Unit unit = Unit::alu) {
  WarpLevels warp;
  warp.decoded = true;
  warp.unit = unit;
  return warp;
}

TEST(IssueLevels, AWarpWithItsOperandsWantsOneUnit) {
  IssueLevels levels;
  levels.set(3, ready(Unit::sfu));
  levels.set(63, ready(Unit::memory));
  constexpr WarpMask kLast = WarpMask{1} << 63;
  EXPECT_EQ(levels.decoded(), kLast | 8U);
  EXPECT_EQ(levels.clear(), kLast | 8U);
  EXPECT_EQ(levels.wants(Unit::sfu), 8U);
  EXPECT_EQ(levels.wants(Unit::memory), kLast);
  EXPECT_EQ(levels.wants(Unit::alu), 0U);
  levels.set(3, ready(Unit::alu));
  EXPECT_EQ(levels.wants(Unit::sfu), 0U) << "the instruction before";
  EXPECT_EQ(levels.wants(Unit::alu), 8U);
}

TEST(IssueLevels, AHazardKeepsItFromItsUnit) {
  IssueLevels levels;
  WarpLevels warp = ready();
  warp.ends_warp = true;
  levels.set(0, warp);
  EXPECT_EQ(levels.inputs().exits, 1U);
  warp.hazards.any = true;
  levels.set(0, warp);
  EXPECT_EQ(levels.decoded(), 1U);
  EXPECT_EQ(levels.clear(), 0U);
  EXPECT_EQ(levels.wants(Unit::alu), 0U);
  EXPECT_EQ(levels.inputs().waits, 0U) << "a short operation is not waited for";
  EXPECT_EQ(levels.inputs().exits, 0U) << "an exit that cannot issue yet";
  warp.hazards.long_load = true;
  levels.set(0, warp);
  EXPECT_EQ(levels.inputs().waits, 1U);
}

TEST(IssueLevels, AWarpThatIsHeldWaitsWhateverItHas) {
  IssueLevels levels;
  WarpLevels warp = ready();
  warp.held = true;
  warp.long_outstanding = true;
  levels.set(1, warp);
  EXPECT_EQ(levels.inputs().waits, 2U);
  EXPECT_EQ(levels.inputs().long_outstanding, 2U);
  EXPECT_EQ(levels.decoded(), 0U);
  EXPECT_EQ(levels.clear(), 0U);
}

TEST(IssueLevels, AnEmptyBufferIsNoWaiting) {
  IssueLevels levels;
  WarpLevels warp = ready();
  warp.decoded = false;
  warp.phase = 77;
  levels.set(1, warp);
  EXPECT_EQ(levels.inputs().waits, 0U);
  EXPECT_EQ(levels.decoded(), 0U);
  EXPECT_EQ(levels.inputs().phase[1], 77U) << "the phase is that of the next instruction";
}

TEST(IssueLevels, ASlotWithoutAWarpShowsNothing) {
  IssueLevels levels;
  WarpLevels warp = ready(Unit::fp64);
  warp.long_outstanding = true;
  warp.ends_warp = true;
  levels.set(5, warp);
  levels.set(6, ready());
  levels.reset(5);
  EXPECT_EQ(levels.clear(), 64U);
  EXPECT_EQ(levels.decoded(), 64U);
  EXPECT_EQ(levels.wants(Unit::fp64), 0U);
  EXPECT_EQ(levels.inputs().exits, 0U);
  EXPECT_EQ(levels.inputs().long_outstanding, 0U);
}

TEST(IssueLevels, SayOnceThatTheyHaveChanged) {
  IssueLevels levels;
  EXPECT_TRUE(levels.take_changed()) << "nothing has been seen yet";
  EXPECT_FALSE(levels.take_changed());
  WarpLevels warp = ready();
  warp.phase = 7;
  levels.set(3, warp);
  EXPECT_TRUE(levels.take_changed()) << "a phase";
  EXPECT_FALSE(levels.take_changed());
  warp.long_outstanding = true;
  levels.set(3, warp);
  EXPECT_TRUE(levels.take_changed());
  warp.ends_warp = true;
  levels.set(3, warp);
  EXPECT_TRUE(levels.take_changed());
  warp.held = true;
  levels.set(3, warp);
  EXPECT_TRUE(levels.take_changed());
  levels.reset(3);
  EXPECT_TRUE(levels.take_changed());
}

TEST(IssueLevels, WhatASchedulerDoesNotSeeIsNoChange) {
  IssueLevels levels;
  levels.set(3, ready());
  EXPECT_TRUE(levels.take_changed());
  levels.set(3, ready());
  EXPECT_FALSE(levels.take_changed()) << "as before";
  WarpLevels warp = ready(Unit::memory);
  warp.hazards.any = true;
  levels.set(3, warp);
  EXPECT_FALSE(levels.take_changed()) << "what could issue comes from the core";
  EXPECT_EQ(levels.clear(), 0U);
}

}  // namespace
}  // namespace paws::core
