// SPDX-License-Identifier: MIT
// Worked examples of single:tlv (Narasiman et al., MICRO 2011, section 4.3).
#include <gtest/gtest.h>

#include <optional>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

/// Groups of three slots: 0 to 2, 3 to 5, 6 and 7.
class Tlv : public testing::Test {
 protected:
  Tlv() : host_(with_groups(3)) {
    for (WarpId warp = 0; warp < 8; ++warp) host_.launch(7 - warp);
  }
  static SchedulerConfig with_groups(unsigned size) {
    SchedulerConfig config = configuration("single:tlv", 8, 4);
    config.parameters["group"] = size;
    return config;
  }
  /// What a cycle issues in which `waits` wait, and all other live warps but `stalled` can issue.
  std::optional<WarpId> issued(WarpMask waits, WarpMask stalled = 0) {
    host_.in.waits = waits;
    const SchedulerOutputs outputs = host_.issue(live_ & ~waits & ~stalled, exits_);
    if (!outputs.issue_valid) return std::nullopt;
    live_ &= ~(mask_of(outputs.issue_warp) & exits_);
    return outputs.issue_warp;
  }

  ManualHost host_;
  WarpMask live_ = 0xff;
  WarpMask exits_ = 0;
};

TEST_F(Tlv, RoundRobinWithinTheCurrentGroup) {
  for (const WarpId expected : {0U, 1U, 2U, 0U, 1U}) EXPECT_EQ(issued(0), expected);
}

TEST_F(Tlv, AGroupIsLeftWhenAllItsWarpsWait) {
  EXPECT_EQ(issued(0), 0U);
  EXPECT_EQ(issued(warps({0})), 1U);
  EXPECT_EQ(issued(warps({0, 1})), 2U);
  EXPECT_EQ(issued(warps({0, 1, 2})), 3U);
  EXPECT_EQ(issued(0), 4U) << "the new group stays, though the first one has come back";
}

TEST_F(Tlv, GroupsFollowInTurn) {
  EXPECT_EQ(issued(warps({0, 1, 2, 3, 4, 5})), 6U) << "one that waits as a whole is passed over";
  EXPECT_EQ(issued(warps({6, 7})), 0U) << "behind the last group the first one";
}

TEST_F(Tlv, AStallIsNoReasonToLeave) {
  EXPECT_EQ(issued(0, warps({0, 1, 2})), 3U) << "the next group lends the cycle";
  EXPECT_EQ(issued(0, warps({0, 1, 2, 3, 4, 5})), 6U);
  EXPECT_EQ(issued(0), 0U) << "the first group is still the current one";
  EXPECT_EQ(issued(warps({0, 1, 2})), 4U) << "behind the slot that issued last in the group";
}

TEST_F(Tlv, TheGroupThatIsLeftForOneThatStallsIsTheCurrentOneOfTheNext) {
  EXPECT_EQ(issued(warps({0, 1, 2}), warps({3, 4, 5})), 6U) << "lent by the third group";
  EXPECT_EQ(issued(0), 3U) << "the second one is the current group";
}

TEST_F(Tlv, EndedWarpsDoNotHoldAGroup) {
  exits_ = warps({0, 1, 2});
  EXPECT_EQ(issued(0), 0U);
  EXPECT_EQ(issued(0), 1U);
  EXPECT_EQ(issued(warps({2})), 3U) << "the only live one waits";
}

TEST_F(Tlv, TheLastExitOfAGroupIsStillItsOwn) {
  exits_ = warps({0});
  EXPECT_EQ(issued(warps({1, 2})), 0U) << "the issuer counts in the cycle of its exit";
  EXPECT_EQ(issued(0), 1U) << "so the group was not left";
}

TEST_F(Tlv, ResetBeginsWithTheFirstGroup) {
  EXPECT_EQ(issued(warps({0, 1, 2})), 3U);
  host_.scheduler().reset();
  host_.in.waits = 0;
  for (WarpId warp = 0; warp < 8; ++warp) host_.launch(warp);
  EXPECT_EQ(issued(0), 0U);
}

TEST_F(Tlv, AWarpThatWaitsCannotIssue) {
  host_.in.waits = warps({2});
  EXPECT_THROW(host_.issue(warps({2})), std::logic_error);
}

TEST_F(Tlv, GroupsOfOneWarpAndOneGroupOfAll) {
  ManualHost one(with_groups(1));
  ManualHost all(with_groups(64));
  for (ManualHost* host : {&one, &all}) {
    for (const WarpId warp : {2U, 5U}) host->launch(warp);
  }
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(one.issue(warps({2, 5})).issue_warp, 2U);
  for (const WarpId expected : {2U, 5U, 2U}) {
    EXPECT_EQ(all.issue(warps({2, 5})).issue_warp, expected);
  }
}

TEST_F(Tlv, HasGroupsOfEightByDefault) {
  ManualHost host("single:tlv", 16, 4);
  for (WarpId warp = 0; warp < 16; ++warp) host.launch(warp);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(host.issue(0xffff).issue_warp, i);
  EXPECT_EQ(host.issue(0xffff).issue_warp, 0U);
  host.in.waits = 0xff;
  EXPECT_EQ(host.issue(0xff00).issue_warp, 8U);
}

}  // namespace
}  // namespace paws::test
