// SPDX-License-Identifier: MIT
// The two-level queues, row by row of the table in docs/reference/microarchitecture.md,
// "Two-level", and what happens when events coincide. Round robin unless the order of active is the
// point, which two_level_order_test.cpp covers.
#include <gtest/gtest.h>

#include <string>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

constexpr unsigned kWarps = 8;
constexpr unsigned kReady = 3;

/// A host whose slots 0..count-1 have been launched in this order and have settled: the first
/// `ready` of them in ready, the others in active.
ManualHost settled(unsigned count, unsigned ready = kReady, const std::string& policy = "rr",
                   bool wake_oldest = false) {
  SchedulerConfig config = configuration("two-level:" + policy, kWarps, ready);
  config.wake_oldest = wake_oldest;
  ManualHost host(config);
  for (WarpId warp = 0; warp < count; ++warp) host.launch(warp);
  host.steps(2);
  return host;
}

/// As settled(), and then all warps wait until each of them is pending.
ManualHost all_pending(unsigned count) {
  ManualHost host = settled(count);
  for (WarpId warp = 0; warp < count; ++warp) host.wait(warp);
  host.steps(3 * kWarps);
  EXPECT_EQ(host.now().pending, mask_of(count) - 1);
  return host;
}

TEST(TwoLevelCandidate, IsTheFirstIssuableOfReadyInListOrder) {
  ManualHost host = settled(5);
  EXPECT_EQ(host.now().ready, (Queue{0, 1, 2}));
  EXPECT_EQ(host.now().active, (Queue{3, 4}));
  EXPECT_EQ(host.issue(warps({1, 2})).issue_warp, 1U);
  EXPECT_EQ(host.now().ready, (Queue{0, 2, 1}));
  EXPECT_EQ(host.issue(warps({1, 2})).issue_warp, 2U) << "list order, not slot order";
  EXPECT_EQ(host.now().ready, (Queue{0, 1, 2}));
}

TEST(TwoLevelCandidate, IsNotFoundOutsideReady) {
  ManualHost host = settled(5);
  const SchedulerOutputs outputs = host.issue(warps({3, 4}));
  EXPECT_FALSE(outputs.issue_valid);
  EXPECT_EQ(outputs.issue_warp, 0U);
}

TEST(TwoLevelCandidate, DoesNotIssueWhileNotEnabled) {
  ManualHost host = settled(3);
  host.in.issuable = warps({1, 2});
  const QueueSnapshot before = host.now();
  const SchedulerOutputs outputs = host.step();
  EXPECT_FALSE(outputs.issue_valid);
  EXPECT_EQ(outputs.issue_warp, 0U);
  EXPECT_FALSE(outputs.quiet) << "does not depend on issue_en";
  EXPECT_EQ(host.now(), before);
}

TEST(TwoLevelIssue, RotatesRoundRobin) {
  ManualHost host = settled(3);
  for (const WarpId expected : {0U, 1U, 2U, 0U, 1U}) {
    EXPECT_EQ(host.issue(warps({0, 1, 2})).issue_warp, expected);
  }
}

TEST(TwoLevelIssue, WithExitFreesTheSlotForTheNextCycle) {
  ManualHost host = settled(3);
  EXPECT_EQ(host.issue(warps({1}), warps({1, 2})).issue_warp, 1U);
  EXPECT_EQ(host.now().ready, (Queue{0, 2})) << "only the issuer leaves";
  host.launch(1);
  EXPECT_EQ(host.now().active, (Queue{1}));
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{0, 2, 1}));
}

TEST(TwoLevelIssue, WithExitNeedsTheIssue) {
  ManualHost host = settled(3);
  host.in.issuable = host.in.exits = warps({0});
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{0, 1, 2}));
}

TEST(TwoLevelLeave, TakesEveryWaitingWarpOfReadyAtOnce) {
  ManualHost host = settled(3);
  host.wait(0);
  host.wait(2);
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{1}));
  EXPECT_EQ(host.now().pending, warps({0, 2}));
}

TEST(TwoLevelLeave, CoincidesWithTheIssueOfAnother) {
  ManualHost host = settled(4);
  host.wait(0);
  EXPECT_EQ(host.issue(warps({1})).issue_warp, 1U);
  EXPECT_EQ(host.now().ready, (Queue{2, 1}));
  EXPECT_EQ(host.now().active, (Queue{3})) << "the slot is filled from the next cycle on";
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{2, 1, 3}));
}

TEST(TwoLevelLeave, OfAllWithTheExitOfTheLastEmptiesReady) {
  ManualHost host = settled(3);
  host.wait(0);
  host.wait(1);
  EXPECT_EQ(host.issue(warps({2}), warps({2})).issue_warp, 2U);
  EXPECT_TRUE(host.now().ready.empty());
  EXPECT_EQ(host.now().pending, warps({0, 1}));
}

TEST(TwoLevelLeave, DoesNotConcernActive) {
  ManualHost host = settled(5);
  host.wait(4);
  host.step();
  EXPECT_EQ(host.now().active, (Queue{3, 4}));
  EXPECT_EQ(host.now().pending, 0U);
}

TEST(TwoLevelLeave, AWarpPromotedWhileItWaitsLeavesAgain) {
  ManualHost host = settled(4);
  host.wait(3);
  host.issue(warps({0}), warps({0}));
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{1, 2, 3}));
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{1, 2}));
  EXPECT_EQ(host.now().pending, warps({3}));
}

TEST(TwoLevelWake, NeedsNeitherLongOperationNorWaits) {
  ManualHost host = settled(1);
  host.wait(0);
  host.step();
  host.in.waits = 0;
  host.step();
  EXPECT_EQ(host.now().pending, warps({0})) << "an operation is outstanding";
  host.in.long_outstanding = 0;
  host.in.waits = warps({0});
  host.step();
  EXPECT_EQ(host.now().pending, warps({0})) << "it stands at a barrier";
  host.in.waits = 0;
  host.step();
  EXPECT_EQ(host.now().pending, 0U);
  EXPECT_EQ(host.now().collector, (Queue{0}));
}

TEST(TwoLevelWake, TakesTheStateOfTheStartOfTheCycle) {
  ManualHost host = settled(1);
  host.in.waits = warps({0});  // for one cycle: a barrier that opens at once
  host.step();
  EXPECT_EQ(host.now().pending, warps({0}));
  host.in.waits = 0;
  host.step();
  EXPECT_EQ(host.now().collector, (Queue{0}));
  host.step();
  EXPECT_EQ(host.now().active, (Queue{0}));
  EXPECT_TRUE(host.now().collector.empty());
  host.in.issuable = warps({0});
  host.in.issue_en = true;
  EXPECT_FALSE(host.step().issue_valid) << "promoted in this cycle, issues in the next";
  EXPECT_EQ(host.now().ready, (Queue{0}));
  EXPECT_EQ(host.step().issue_warp, 0U);
}

/// The collector after slots 5, 0, 3, launched in this order, woke in one cycle.
ManualHost three_woken(const SchedulerConfig& config) {
  ManualHost host(config);
  for (const WarpId warp : {5U, 0U, 3U}) host.launch(warp);  // 5 is the oldest
  for (const WarpId warp : {0U, 3U, 5U}) host.wait(warp);
  host.steps(6);
  EXPECT_EQ(host.now().pending, warps({0, 3, 5}));
  for (const WarpId warp : {0U, 3U, 5U}) host.complete(warp);
  host.step();
  EXPECT_TRUE(host.now().active.empty());
  return host;
}

TEST(TwoLevelWake, SeveralOfOneCycleGoBySlotAndAreAdmittedOnePerCycle) {
  for (const char* policy : {"two-level:rr", "two-level:gto", "two-level:paws"}) {
    ManualHost host = three_woken(configuration(policy, kWarps, kReady));
    EXPECT_EQ(host.now().collector, (Queue{0, 3, 5})) << policy;
    host.step();
    EXPECT_EQ(host.now().collector, (Queue{3, 5})) << policy;
    EXPECT_EQ(host.now().active, (Queue{0})) << policy;
  }
}

TEST(TwoLevelWake, SeveralOfOneCycleGoByAgeWithWakeOldest) {
  for (const char* policy : {"two-level:rr", "two-level:gto", "two-level:paws"}) {
    SchedulerConfig config = configuration(policy, kWarps, kReady);
    config.wake_oldest = true;
    ManualHost host = three_woken(config);
    EXPECT_EQ(host.now().collector, (Queue{5, 0, 3})) << policy;
    host.step();
    EXPECT_EQ(host.now().collector, (Queue{0, 3})) << policy;
    EXPECT_EQ(host.now().active, (Queue{5})) << policy;
  }
}

TEST(TwoLevelWake, AnEarlierCycleGoesBeforeALowerSlot) {
  ManualHost host = all_pending(4);
  host.complete(3);
  host.step();
  EXPECT_EQ(host.now().collector, (Queue{3}));
  host.complete(0);
  host.complete(2);
  host.request_launch(7);  // holds the admission back, so that the queue can be seen
  host.step();
  EXPECT_EQ(host.now().collector, (Queue{3, 0, 2}));
  host.complete(1);
  host.step();
  EXPECT_EQ(host.now().collector, (Queue{0, 2, 1})) << "wake and admission in one cycle";
}

TEST(TwoLevelWake, TheWholeSchedulerAtOnce) {
  ManualHost host = all_pending(kWarps);
  for (WarpId warp = 0; warp < kWarps; ++warp) host.complete(warp);
  host.step();
  EXPECT_EQ(host.now().collector, (Queue{0, 1, 2, 3, 4, 5, 6, 7}));
  host.steps(kWarps);
  EXPECT_TRUE(host.now().collector.empty());
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{0, 1, 2}));
  EXPECT_EQ(host.now().active, (Queue{3, 4, 5, 6, 7}));
}

TEST(TwoLevelAdmit, IsHeldBackByALaunch) {
  ManualHost host = all_pending(2);
  host.complete(0);
  host.step();
  ASSERT_EQ(host.now().collector, (Queue{0}));
  host.launch(6);
  EXPECT_EQ(host.now().collector, (Queue{0}));
  EXPECT_EQ(host.now().active, (Queue{6}));
  host.launch(7);
  EXPECT_EQ(host.now().collector, (Queue{0}));
  host.step();
  EXPECT_TRUE(host.now().collector.empty());
  EXPECT_EQ(host.now().active, (Queue{0})) << "7 was promoted in the same cycle";
  EXPECT_EQ(host.now().ready, (Queue{6, 7}));
}

TEST(TwoLevelAdmit, AWakeCoincidesWithALaunch) {
  ManualHost host = all_pending(2);
  host.complete(1);
  host.launch(5);
  EXPECT_EQ(host.now().collector, (Queue{1}));
  EXPECT_EQ(host.now().active, (Queue{5}));
}

TEST(TwoLevelLaunch, IsPromotedInTheNextCycleAndIssuesInTheOneAfter) {
  ManualHost host = settled(0);
  host.launch(4);
  EXPECT_EQ(host.now().active, (Queue{4}));
  EXPECT_TRUE(host.now().ready.empty());
  host.in.issuable = warps({4});
  host.in.issue_en = true;
  EXPECT_FALSE(host.step().issue_valid);
  EXPECT_EQ(host.now().ready, (Queue{4}));
  EXPECT_EQ(host.step().issue_warp, 4U);
}

TEST(TwoLevelLaunch, CoincidesWithAnExit) {
  ManualHost host = settled(3);
  host.request_launch(5);
  EXPECT_EQ(host.issue(warps({1}), warps({1})).issue_warp, 1U);
  EXPECT_EQ(host.now().ready, (Queue{0, 2}));
  EXPECT_EQ(host.now().active, (Queue{5}));
  host.launch(1);
  EXPECT_EQ(host.now().ready, (Queue{0, 2, 5}));
  EXPECT_EQ(host.now().active, (Queue{1}));
}

TEST(TwoLevelLaunch, OfAFreedSlotIsTheYoungest) {
  ManualHost host = settled(3, kReady, "rr", /*wake_oldest=*/true);
  host.issue(warps({0}), warps({0}));
  host.launch(0);
  host.step();
  for (const WarpId warp : {0U, 1U, 2U}) host.wait(warp);
  host.steps(2);
  ASSERT_EQ(host.now().pending, warps({0, 1, 2}));
  for (const WarpId warp : {0U, 1U, 2U}) host.complete(warp);
  host.step();
  EXPECT_EQ(host.now().collector, (Queue{1, 2, 0}));
}

TEST(TwoLevelPromote, OnePerCycleFromTheHead) {
  ManualHost host = settled(6);
  for (const WarpId warp : {0U, 1U, 2U}) host.wait(warp);
  host.step();
  EXPECT_TRUE(host.now().ready.empty());
  for (const Queue& ready : {Queue{3}, Queue{3, 4}, Queue{3, 4, 5}}) {
    host.step();
    EXPECT_EQ(host.now().ready, ready);
  }
  EXPECT_TRUE(host.now().active.empty());
}

TEST(TwoLevelPromote, ASlotFreedByAnExitIsFilledInTheNextCycle) {
  ManualHost host = settled(4);
  host.issue(warps({0}), warps({0}));
  EXPECT_EQ(host.now().ready, (Queue{1, 2}));
  EXPECT_EQ(host.now().active, (Queue{3}));
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{1, 2, 3}));
}

TEST(TwoLevelPromote, GoesBehindAnIssuerOfTheSameCycle) {
  ManualHost host = settled(4);
  host.wait(2);
  host.step();
  EXPECT_EQ(host.issue(warps({0, 1})).issue_warp, 0U);
  EXPECT_EQ(host.now().ready, (Queue{1, 0, 3}));
}

TEST(TwoLevelPromote, CoincidesWithAnExitIntoAFreePlace) {
  ManualHost host = settled(5);
  host.wait(2);
  host.step();
  EXPECT_EQ(host.issue(warps({1}), warps({1})).issue_warp, 1U);
  EXPECT_EQ(host.now().ready, (Queue{0, 3}));
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{0, 3, 4}));
}

TEST(TwoLevelPromote, TakesTheHeadOfTheStartOfTheCycle) {
  ManualHost host("two-level:paws", kWarps, 1);
  host.launch(0, 1);
  host.launch(1, 9);
  host.step();
  ASSERT_EQ(host.now().ready, (Queue{0}));
  host.issue(warps({0}), warps({0}));
  host.launch(2, 3);
  EXPECT_EQ(host.now().ready, (Queue{1})) << "2 is shorter but was not yet there";
  EXPECT_EQ(host.now().active, (Queue{2}));
}

TEST(TwoLevelPromote, TheHeadIsNotAskedWhetherItCanIssue) {
  ManualHost host = settled(4);
  host.wait(3);
  host.wait(0);
  host.steps(2);
  EXPECT_EQ(host.now().ready, (Queue{1, 2, 3}));
}

TEST(TwoLevelReadySize, OneHoldsOneWarpAtATime) {
  ManualHost host = settled(3, 1);
  EXPECT_EQ(host.now().ready, (Queue{0}));
  EXPECT_EQ(host.issue(warps({0, 1, 2})).issue_warp, 0U);
  EXPECT_EQ(host.issue(warps({0, 1, 2})).issue_warp, 0U);
  EXPECT_FALSE(host.issue(warps({1, 2})).issue_valid);
  host.wait(0);
  host.step();
  EXPECT_TRUE(host.now().ready.empty());
  EXPECT_FALSE(host.issue(warps({1, 2})).issue_valid) << "1 is promoted in this cycle";
  EXPECT_EQ(host.issue(warps({1, 2})).issue_warp, 1U);
}

TEST(TwoLevelReadySize, OfAllWarpsHoldsThemAll) {
  ManualHost host = settled(kWarps, kWarps);
  EXPECT_EQ(host.now().ready, (Queue{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(host.issue(warps({7})).issue_warp, 7U);
  EXPECT_EQ(host.issue(warps({3})).issue_warp, 3U);
  EXPECT_EQ(host.now().ready, (Queue{0, 1, 2, 4, 5, 6, 7, 3}));
}

TEST(TwoLevelReadySize, SixtyFourWarps) {
  ManualHost host("two-level:gto", 64, 64);
  for (WarpId warp = 0; warp < 64; ++warp) host.launch(63 - warp);
  host.step();
  EXPECT_EQ(host.now().ready.size(), 64U);
  EXPECT_EQ(host.now().ready.front(), 63U);
  EXPECT_EQ(host.issue(warps({63})).issue_warp, 63U);
  EXPECT_EQ(host.now().ready.back(), 63U);
}

TEST(TwoLevelQuiet, FailsForEachReasonAlone) {
  ManualHost host = settled(3);
  EXPECT_TRUE(host.step().quiet) << "full ready, nothing issuable";
  host.in.issuable = warps({1});
  EXPECT_FALSE(host.step().quiet) << "issuable";
  host.in.issuable = 0;
  host.wait(1);
  EXPECT_FALSE(host.step().quiet) << "due to leave ready";
  EXPECT_TRUE(host.step().quiet) << "room in ready, but active is empty";
  host.complete(1);
  EXPECT_FALSE(host.step().quiet) << "about to wake";
  EXPECT_FALSE(host.step().quiet) << "in the collector";
  EXPECT_FALSE(host.step().quiet) << "promotion";
  EXPECT_TRUE(host.step().quiet);
  EXPECT_FALSE(host.launch(3).quiet) << "launch";
  EXPECT_TRUE(host.step().quiet) << "active, but ready is full";
  host.in.issuable = warps({3});
  EXPECT_TRUE(host.step().quiet) << "issuable outside ready";
  host.in.issuable = 0;
  host.in.waits = warps({3});
  EXPECT_TRUE(host.step().quiet) << "waiting outside ready";
  host.in.long_outstanding = warps({0, 3});
  EXPECT_TRUE(host.step().quiet) << "a long operation without waiting";
}

TEST(TwoLevel, ResetForgetsEverything) {
  for (const char* policy : {"rr", "gto", "paws"}) {
    ManualHost host = settled(6, kReady, policy);
    host.wait(0);
    host.wait(1);
    host.steps(2);
    host.complete(0);
    host.step();
    ASSERT_EQ(host.now().ready, (Queue{2, 3, 4})) << policy;
    host.in = {};
    host.scheduler().reset();
    EXPECT_EQ(host.now(), QueueSnapshot{}) << policy;
    EXPECT_TRUE(host.step().quiet) << policy;
    host.launch(4);  // was in ready before
    host.wait(4);
    host.launch(0);
    EXPECT_EQ(host.now().ready, (Queue{4})) << policy;
    EXPECT_EQ(host.now().active, (Queue{0})) << policy;
    EXPECT_EQ(host.now().pending, 0U) << policy;
  }
}

TEST(TwoLevel, DecideMayBeRepeatedWithOtherInputs) {
  ManualHost host = settled(4);
  const QueueSnapshot before = host.now();
  SchedulerInputs other;
  other.issue_en = true;
  other.issuable = warps({2});
  EXPECT_EQ(host.scheduler().decide(other).issue_warp, 2U);
  EXPECT_EQ(host.now(), before);
  EXPECT_EQ(host.issue(warps({1})).issue_warp, 1U);
  EXPECT_EQ(host.now().ready, (Queue{0, 2, 1}));
}

}  // namespace
}  // namespace paws::test
