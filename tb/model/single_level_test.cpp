// SPDX-License-Identifier: MIT
// Worked examples of the single-level policies: docs/reference/microarchitecture.md, "Single
// level".
#include <gtest/gtest.h>

#include <optional>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

constexpr unsigned kWarps = 8;

/// A host whose scheduler holds `launched`, in this order of age.
ManualHost single(const std::string& policy, const Queue& launched) {
  ManualHost host("single:" + policy, kWarps, 6);
  for (const WarpId warp : launched) host.launch(warp);
  return host;
}

/// What a cycle issues in which `issuable` can issue.
std::optional<WarpId> issued(ManualHost& host, WarpMask issuable, WarpMask exits = 0) {
  const SchedulerOutputs outputs = host.issue(issuable, exits);
  if (outputs.issue_valid) return outputs.issue_warp;
  EXPECT_EQ(outputs.issue_warp, 0U);
  return std::nullopt;
}

/// Every policy for which a cycle has no effect on later ones but by issues and launches: ordered
/// PAWS has to place a warp first, which tb/model/paws_ordered_test.cpp shows.
std::vector<std::string> policies_at_rest() {
  std::vector<std::string> names = policy_names(Level::single);
  std::erase(names, "paws-ordered");
  return names;
}

TEST(SingleLevel, NothingIssuesWhileNotEnabled) {
  for (const std::string& policy : policies_at_rest()) {
    ManualHost host = single(policy, {3, 5});
    host.in.issuable = warps({3, 5});
    const SchedulerOutputs outputs = host.step();
    EXPECT_FALSE(outputs.issue_valid) << policy;
    EXPECT_EQ(outputs.issue_warp, 0U) << policy;
    EXPECT_FALSE(outputs.quiet) << policy << ": does not depend on issue_en";
    EXPECT_EQ(host.now(), QueueSnapshot{}) << policy;
  }
}

TEST(SingleLevel, IsQuietWithoutLaunchAndIssuableWarp) {
  for (const std::string& policy : policies_at_rest()) {
    ManualHost host = single(policy, {});
    EXPECT_TRUE(host.step().quiet) << policy;
    EXPECT_FALSE(host.launch(2).quiet) << policy;
    host.in.waits = host.in.long_outstanding = warps({2});
    EXPECT_TRUE(host.step().quiet) << policy << ": no port for these";
    host.in.waits = 0;
    EXPECT_FALSE(host.issue(warps({2})).quiet) << policy;
  }
}

TEST(SingleLevel, AWarpCanIssueInTheCycleAfterItsLaunch) {
  for (const std::string& policy : policies_at_rest()) {
    ManualHost host = single(policy, {6});
    EXPECT_EQ(issued(host, warps({6})), 6U) << policy;
  }
}

TEST(SingleLevelRr, StartsAtSlot0AndWrapsAround) {
  ManualHost host = single("rr", {7, 5, 3, 0});
  const WarpMask all = warps({0, 3, 5, 7});
  EXPECT_EQ(host.now().last_issued, std::nullopt);
  for (const WarpId expected : {0U, 3U, 5U, 7U, 0U, 3U}) EXPECT_EQ(issued(host, all), expected);
  EXPECT_EQ(host.now().last_issued, 3U);
}

TEST(SingleLevelRr, TheLastIssuedComesLast) {
  ManualHost host = single("rr", {1, 2, 4});
  EXPECT_EQ(issued(host, warps({2})), 2U);
  EXPECT_EQ(issued(host, warps({1, 2})), 1U) << "cyclically after 2";
  EXPECT_EQ(issued(host, warps({1})), 1U) << "no other warp";
  EXPECT_EQ(issued(host, warps({1, 2, 4})), 2U);
}

TEST(SingleLevelRr, WrapsInTheLastSlotOf64) {
  ManualHost host("single:rr", 64, 6);
  host.launch(63);
  host.launch(0);
  EXPECT_EQ(issued(host, warps({63})), 63U);
  EXPECT_EQ(issued(host, warps({0, 63})), 0U);
  EXPECT_EQ(issued(host, warps({0, 63})), 63U);
}

TEST(SingleLevelRr, AnIdleCycleKeepsThePointerAndAnExitMovesIt) {
  ManualHost host = single("rr", {0, 1, 2, 3});
  EXPECT_EQ(issued(host, warps({1})), 1U);
  EXPECT_EQ(issued(host, 0), std::nullopt);
  EXPECT_EQ(host.now().last_issued, 1U);
  EXPECT_EQ(issued(host, warps({0, 2, 3}), warps({2})), 2U);
  EXPECT_EQ(host.now().last_issued, 2U);
  EXPECT_EQ(issued(host, warps({0, 3})), 3U);
}

TEST(SingleLevelGto, StaysWithTheLastIssuedElseTakesTheOldest) {
  ManualHost host = single("gto", {4, 2, 6});  // ages: 4 oldest
  EXPECT_EQ(issued(host, warps({2, 6})), 2U);
  EXPECT_EQ(issued(host, warps({2, 4, 6})), 2U) << "greedy";
  EXPECT_EQ(host.now().last_issued, 2U);
  EXPECT_EQ(issued(host, warps({4, 6})), 4U) << "oldest, not lowest slot";
  EXPECT_EQ(issued(host, 0), std::nullopt);
  EXPECT_EQ(issued(host, warps({2, 4})), 4U) << "greedy survives an idle cycle";
}

TEST(SingleLevelGto, NoWarpIsGreedyAfterAnExit) {
  ManualHost host = single("gto", {4, 2, 6});
  EXPECT_EQ(issued(host, warps({6}), warps({6})), 6U);
  EXPECT_EQ(host.now().last_issued, std::nullopt);
  host.launch(6);
  EXPECT_EQ(issued(host, warps({2, 6})), 2U) << "the slot's next warp is not preferred";
}

TEST(SingleLevelGto, AnExitBitOfAnotherWarpMeansNothing) {
  ManualHost host = single("gto", {4, 2});
  EXPECT_EQ(issued(host, warps({2}), warps({4})), 2U);
  EXPECT_EQ(host.now().last_issued, 2U);
  EXPECT_EQ(issued(host, warps({4})), 4U) << "still live";
}

TEST(SingleLevelOldest, TakesTheOldestEvenAfterAnotherIssued) {
  ManualHost host = single("oldest", {4, 2, 6});
  EXPECT_EQ(issued(host, warps({2, 6})), 2U);
  EXPECT_EQ(issued(host, warps({2, 4, 6})), 4U) << "not greedy";
  EXPECT_EQ(host.now().last_issued, std::nullopt) << "nothing to remember";
}

TEST(SingleLevelOldest, ARelaunchedSlotIsTheYoungest) {
  for (const char* policy : {"oldest", "gto", "paws"}) {
    ManualHost host = single(policy, {1, 2, 3});
    EXPECT_EQ(issued(host, warps({1}), warps({1})), 1U) << policy;
    host.launch(1);
    EXPECT_EQ(issued(host, warps({1, 3}), warps({3})), 3U) << policy;
    EXPECT_EQ(issued(host, warps({1, 2}), warps({2})), 2U) << policy;
    EXPECT_EQ(issued(host, warps({1})), 1U) << policy;
  }
}

TEST(SingleLevelOldest, ExitAndLaunchOfAnotherSlotInOneCycle) {
  ManualHost host = single("oldest", {1, 2});
  host.request_launch(0);
  EXPECT_EQ(issued(host, warps({1, 2}), warps({1})), 1U);
  EXPECT_EQ(issued(host, warps({0, 2})), 2U) << "the launch is the youngest";
  host.launch(1);
  EXPECT_EQ(issued(host, warps({0, 1})), 0U);
}

TEST(SingleLevelPaws, TakesTheSmallestDistanceOfTheCycle) {
  ManualHost host = single("paws", {0, 1, 2});
  host.in.phase = {9, 4, 6};
  EXPECT_EQ(issued(host, warps({0, 1, 2})), 1U);
  host.in.phase = {3, 4, 6};
  EXPECT_EQ(issued(host, warps({0, 1, 2})), 0U) << "the level of this cycle counts";
  EXPECT_EQ(issued(host, warps({1, 2})), 1U);
}

TEST(SingleLevelPaws, EqualDistancesGoToTheOldest) {
  ManualHost host = single("paws", {5, 3, 1, 0});
  host.in.phase = {7, 7, 0, 7, 0, 9};
  EXPECT_EQ(issued(host, warps({0, 1, 3, 5})), 3U);
  EXPECT_EQ(issued(host, warps({0, 1, 5})), 1U);
  EXPECT_EQ(host.now().last_issued, std::nullopt);
}

TEST(SingleLevelPaws, DistancesSaturate) {
  SchedulerConfig config = configuration("single:paws", kWarps, 6);
  config.phase_bits = 4;
  ManualHost host(config);
  host.launch(3);
  host.launch(2);
  host.launch(1);
  host.in.phase = {0, 15, 16, 65535};
  EXPECT_EQ(issued(host, warps({1, 2, 3})), 3U) << "all are 15, so the oldest";
  host.in.phase[1] = 14;
  EXPECT_EQ(issued(host, warps({1, 2, 3})), 1U);
}

TEST(SingleLevelPaws, OnlyTheLeadingBitsOfADistanceCount) {
  SchedulerConfig config = configuration("single:paws", kWarps, 6);
  config.key_precision = 2;
  ManualHost host(config);
  host.launch(3);
  host.launch(2);
  host.launch(1);
  host.in.phase = {0, 8, 9, 11};
  EXPECT_EQ(issued(host, warps({1, 2, 3})), 3U) << "all begin with 10, so the oldest";
  host.in.phase[1] = 7;
  EXPECT_EQ(issued(host, warps({1, 2, 3})), 1U);
}

TEST(SingleLevel, ResetForgetsEverything) {
  for (const char* policy : {"rr", "gto", "paws", "oldest"}) {
    ManualHost host = single(policy, {2, 1});
    EXPECT_TRUE(issued(host, warps({2})).has_value()) << policy;
    host.scheduler().reset();
    EXPECT_EQ(host.now(), QueueSnapshot{}) << policy;
    host.launch(1);
    host.launch(2);
    EXPECT_EQ(issued(host, warps({1, 2})), 1U) << policy;
  }
}

TEST(SingleLevel, DecideMayBeRepeatedWithOtherInputs) {
  ManualHost host = single("rr", {1, 2, 3});
  SchedulerInputs other;
  other.issue_en = true;
  other.issuable = warps({3});
  EXPECT_EQ(host.scheduler().decide(other).issue_warp, 3U);
  EXPECT_EQ(host.now().last_issued, std::nullopt);
  EXPECT_EQ(issued(host, warps({1, 2, 3})), 1U);
  EXPECT_EQ(host.now().last_issued, 1U);
}

}  // namespace
}  // namespace paws::test
