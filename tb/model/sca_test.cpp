// SPDX-License-Identifier: MIT
// Worked examples of single:sca and single:sca-keep: docs/reference/microarchitecture.md, "SCA".
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

/// Two pairs of blocks with two warps of each block: slots 0 and 1 are the warps of block A of pair
/// 2, slots 2 and 3 those of its block B; slots 4 to 7 the same of pair 5. So slots 0 and 2 are a
/// group, and 1 and 3, 4 and 6, 5 and 7.
class Sca : public testing::Test {
 protected:
  explicit Sca(const std::string& name = "single:sca") : host_(configuration(name, 8, 4)) {
    for (WarpId warp = 0; warp < 8; ++warp) {
      place(host_.in, warp, warp < 4 ? 2 : 5, static_cast<std::uint8_t>(warp % 2), warp % 4 > 1);
    }
  }

  void launch(const Queue& slots) {
    for (const WarpId warp : slots) host_.launch(warp);
  }
  /// What a cycle issues in which `issuable` can issue.
  std::optional<WarpId> issued(WarpMask issuable, WarpMask exits = 0) {
    const SchedulerOutputs outputs = host_.issue(issuable, exits);
    return outputs.issue_valid ? std::optional(outputs.issue_warp) : std::nullopt;
  }
  [[nodiscard]] std::optional<GroupTurn> group() { return host_.now().group; }

  ManualHost host_;
};

class ScaKeep : public Sca {
 protected:
  ScaKeep() : Sca("single:sca-keep") {}
};

constexpr WarpMask kAll = 0xff;

TEST_F(Sca, TheMembersOfAGroupTakeTurns) {
  launch({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(group(), std::nullopt);
  for (const WarpId expected : {0U, 2U, 0U, 2U, 0U}) EXPECT_EQ(issued(kAll), expected);
  EXPECT_EQ(group(), (GroupTurn{.pair = 2, .row = 0, .last_second = false}));
}

TEST_F(Sca, BeginsWithTheGroupOfTheOldestAndThereWithItsFirstMember) {
  launch({6, 0, 4, 2});
  EXPECT_EQ(issued(kAll & warps({0, 2, 4, 6})), 4U) << "the partner of the oldest, 6";
  EXPECT_EQ(group(), (GroupTurn{.pair = 5, .row = 0, .last_second = false}));
}

TEST_F(Sca, ASecondMemberBeginsIfTheFirstCannotIssue) {
  launch({6, 0, 4, 2});
  EXPECT_EQ(issued(warps({0, 6})), 6U);
  EXPECT_EQ(issued(warps({4, 6})), 4U) << "then it is the first one's turn";
}

TEST_F(Sca, TheGroupIsLeftWhenTheWarpWhoseTurnItIsStalls) {
  launch({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(issued(kAll), 0U);
  EXPECT_EQ(issued(kAll & ~warps({2})), 1U) << "0 could go on, but it is the turn of 2";
  EXPECT_EQ(issued(kAll), 3U);
}

TEST_F(ScaKeep, TheGroupIsKeptWhileAMemberCanIssue) {
  launch({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(issued(kAll), 0U);
  EXPECT_EQ(issued(kAll & ~warps({2})), 0U) << "the turn of 2, which cannot";
  EXPECT_EQ(issued(kAll & ~warps({0})), 2U);
  EXPECT_EQ(issued(kAll & ~warps({0, 2})), 1U);
}

TEST_F(Sca, TheNextRowOfThePairComesBeforeAnOlderWarpOfAnotherPair) {
  launch({4, 6, 0, 1, 2, 3});
  EXPECT_EQ(issued(warps({0})), 0U);
  EXPECT_EQ(issued(warps({0, 3, 4, 6})), 3U) << "row 1 of pair 2, though its first cannot";
}

TEST_F(Sca, TheLeftGroupComesLastOfItsPair) {
  launch({4, 6, 0, 1, 2, 3});
  EXPECT_EQ(issued(warps({1})), 1U);
  EXPECT_EQ(issued(warps({0, 1, 4})), 0U) << "behind the last row the first one";
  EXPECT_EQ(issued(warps({0, 4})), 0U) << "the turn of 2, which cannot; no other row of the pair";
  EXPECT_EQ(issued(warps({0, 1, 4})), 1U) << "again the turn of 2";
}

TEST_F(Sca, RowsAreSearchedCyclicallyFromTheLeftOneOn) {
  ManualHost host("single:sca", 16, 4);  // rows 0 to 7, warps 2j and 2j + 1 in row j
  for (const WarpId warp : {0U, 1U, 2U, 3U, 6U, 7U, 14U}) host.launch(warp);
  EXPECT_EQ(host.issue(warps({6})).issue_warp, 6U);
  EXPECT_EQ(host.issue(warps({0, 2, 6, 14})).issue_warp, 14U) << "row 7 is the next after 3";
  EXPECT_EQ(host.issue(warps({0, 2, 6})).issue_warp, 0U) << "14 is alone and stalls; row 0 is next";
  EXPECT_EQ(host.issue(warps({3, 6, 7})).issue_warp, 3U) << "row 1";
}

TEST_F(Sca, WithoutAWarpOfThePairTheOldestDecides) {
  launch({5, 7, 4, 6, 0, 2});
  EXPECT_EQ(issued(warps({0})), 0U);
  EXPECT_EQ(issued(warps({4, 6, 7})), 7U) << "the oldest, alone in its group to issue";
  EXPECT_EQ(issued(warps({0, 2, 4, 6})), 4U) << "the turn of 5, which cannot: the pair goes first";
}

TEST_F(Sca, AWarpWithoutAPartnerGoesOnAlone) {
  launch({0, 1, 3});
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(issued(warps({0, 1, 3})), 0U);
  launch({2});
  EXPECT_EQ(issued(warps({0, 1, 2, 3})), 2U) << "its partner has come";
}

TEST_F(Sca, AWarpGoesOnAloneAfterTheExitOfItsPartner) {
  launch({0, 1, 2, 3});
  EXPECT_EQ(issued(kAll & warps({0, 1, 2, 3})), 0U);
  EXPECT_EQ(issued(warps({0, 1, 2, 3}), warps({2})), 2U);
  EXPECT_EQ(group(), (GroupTurn{.pair = 2, .row = 0, .last_second = true}))
      << "an exit does not clear the group";
  EXPECT_EQ(issued(warps({0, 1, 3})), 0U);
  EXPECT_EQ(issued(warps({0, 1, 3})), 0U);
}

TEST_F(Sca, APartnerThatIsLiveAndStallsHasItsTurnAllTheSame) {
  launch({0, 1, 2, 3});
  EXPECT_EQ(issued(warps({0, 1})), 0U);
  EXPECT_EQ(issued(warps({0, 1})), 1U);
}

TEST_F(Sca, AnEndedGroupIsLeftForItsPair) {
  launch({4, 0, 1, 2, 3});
  EXPECT_EQ(issued(warps({0}), warps({0})), 0U);
  EXPECT_EQ(issued(warps({2}), warps({2})), 2U);
  EXPECT_EQ(issued(warps({1, 3, 4})), 1U) << "row 1 of the pair, though 4 is older";
}

TEST_F(Sca, ARelaunchIntoTheGroupFindsItsTurn) {
  launch({4, 0, 1, 2, 3});
  EXPECT_EQ(issued(warps({2}), warps({2})), 2U);
  host_.request_launch(2);
  EXPECT_EQ(issued(warps({0, 1, 3})), 0U) << "in the cycle of its launch a warp is not live";
  EXPECT_EQ(issued(warps({0, 1, 2, 3, 4})), 2U);
  EXPECT_EQ(issued(warps({1, 2, 3, 4})), 1U) << "the turn of 0, which cannot";
}

TEST_F(Sca, ALaunchAndAnExitOfPartnersInOneCycle) {
  launch({0, 1, 3});
  host_.request_launch(2);
  EXPECT_EQ(issued(warps({0, 1, 3}), warps({0})), 0U);
  EXPECT_EQ(issued(warps({1, 2, 3})), 2U) << "the turn of the second member, launched as 0 ended";
  EXPECT_EQ(issued(warps({1, 2, 3})), 2U) << "alone";
}

TEST_F(Sca, OnlyAnIssueChangesTheState) {
  launch({0, 1, 2, 3});
  EXPECT_EQ(issued(warps({0, 2})), 0U);
  const auto before = group();
  EXPECT_EQ(issued(0), std::nullopt);
  host_.in.issuable = warps({1, 3});
  EXPECT_FALSE(host_.step().issue_valid) << "not enabled";
  EXPECT_EQ(group(), before);
  EXPECT_EQ(issued(warps({0, 2})), 2U);
}

TEST_F(Sca, UnderAnAgeLimitOnlyDueWarpsAreSeen) {
  SchedulerConfig config = configuration("single:sca", 8, 4);
  config.age_limit = 2;
  ManualHost host(config);  // warps 2j and 2j + 1 in row j
  for (const WarpId warp : {0U, 1U, 2U, 5U}) host.launch(warp);
  EXPECT_EQ(host.issue(warps({0, 1, 2, 5})).issue_warp, 0U);
  EXPECT_EQ(host.issue(warps({0, 1, 2, 5})).issue_warp, 1U);
  EXPECT_EQ(host.now().due, warps({0, 2, 5})) << "every second issue";
  EXPECT_EQ(host.issue(warps({1, 2, 5})).issue_warp, 2U) << "the turn of 0; then row 1";
  EXPECT_EQ(host.issue(warps({0, 1, 2})).issue_warp, 0U)
      << "2 is alone and has the turn, but is not due any more";
  EXPECT_EQ(host.issue(warps({1, 2})).issue_warp, 1U) << "5, due, cannot: all are seen";
}

TEST_F(Sca, ResetForgetsTheGroup) {
  launch({0, 2});
  issued(warps({0, 2}));
  host_.scheduler().reset();
  EXPECT_EQ(host_.now(), QueueSnapshot{});
  launch({2, 0});
  EXPECT_EQ(issued(warps({0, 2})), 0U)
      << "the first member of the group of the oldest, not the turn";
}

}  // namespace
}  // namespace paws::test
