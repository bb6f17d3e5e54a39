// SPDX-License-Identifier: MIT
#include "sim/core/launch_parts.h"

#include <gtest/gtest.h>

#include <limits>

namespace paws::core {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

TEST(LaunchParts, FollowEachOther) {
  LaunchParts parts;
  parts.begin();
  EXPECT_EQ(parts.part(), LaunchPart::startup);
  EXPECT_EQ(parts.end(), kUnknown);
  parts.block_started(10, false);
  EXPECT_EQ(parts.end(), kUnknown);
  parts.block_started(11, true);
  EXPECT_EQ(parts.end(), 11U);
  parts.enter_next();
  EXPECT_EQ(parts.part(), LaunchPart::first_round);
  parts.block_ended(50, 1);
  parts.block_started(60, true);
  parts.block_ended(70, 2);
  EXPECT_EQ(parts.end(), kUnknown) << "the block of the second round does not count";
  parts.block_ended(80, 0);
  EXPECT_EQ(parts.end(), 81U);
  parts.enter_next();
  EXPECT_EQ(parts.part(), LaunchPart::later_rounds);
  EXPECT_EQ(parts.end(), kUnknown);
  parts.exhausted(90);
  EXPECT_EQ(parts.end(), 90U);
  parts.enter_next();
  EXPECT_EQ(parts.part(), LaunchPart::tail);
  EXPECT_EQ(parts.end(), kUnknown);
}

TEST(LaunchParts, BlocksThatEndBeforeTheCoreIsFullAreOfNoRound) {
  LaunchParts parts;
  parts.begin();
  parts.block_started(0, false);
  parts.block_ended(5, 0);
  parts.block_started(6, false);
  parts.block_started(7, true);
  parts.enter_next();
  parts.block_ended(20, 1);
  EXPECT_EQ(parts.end(), kUnknown);
  parts.block_ended(30, 2);
  EXPECT_EQ(parts.end(), 31U);
}

TEST(LaunchParts, AGridThatIsExhaustedHasItsTail) {
  LaunchParts never_full;
  never_full.begin();
  never_full.block_started(3, false);
  never_full.exhausted(3);
  EXPECT_EQ(never_full.end(), 3U);
  never_full.enter_next();
  EXPECT_EQ(never_full.part(), LaunchPart::tail);

  // The last block of the grid is the one that fills the core.
  LaunchParts just_full;
  just_full.begin();
  just_full.exhausted(4);
  just_full.block_started(4, true);
  EXPECT_EQ(just_full.end(), 4U);
  just_full.enter_next();
  EXPECT_EQ(just_full.part(), LaunchPart::tail);

  // The first round is not over when the last block starts.
  LaunchParts cut;
  cut.begin();
  cut.block_started(5, true);
  cut.enter_next();
  cut.exhausted(9);
  EXPECT_EQ(cut.end(), 9U);
  cut.block_ended(30, 0);
  EXPECT_EQ(cut.end(), 9U);
  cut.enter_next();
  EXPECT_EQ(cut.part(), LaunchPart::tail);
}

}  // namespace
}  // namespace paws::core
