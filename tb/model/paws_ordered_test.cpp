// SPDX-License-Identifier: MIT
// Worked examples of single:paws-ordered: docs/reference/microarchitecture.md, "Ordered PAWS".
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "model/phase_field.h"
#include "tb/model/model_host.h"

namespace paws::test {
namespace {

SchedulerConfig ordered(unsigned compares) {
  SchedulerConfig config = configuration("single:paws-ordered", 8, 4);
  config.compares = compares;
  return config;
}

/// Slots 0 to 3, launched in this order, with these distances; each has its place.
ManualHost settled(unsigned compares, const std::vector<std::uint16_t>& distances) {
  ManualHost host(ordered(compares));
  for (WarpId warp = 0; warp < distances.size(); ++warp) host.launch(warp, distances[warp]);
  host.steps(8);
  EXPECT_EQ(host.now().barred, 0U);
  return host;
}

std::optional<WarpId> issued(ManualHost& host, WarpMask issuable) {
  const SchedulerOutputs outputs = host.issue(issuable);
  return outputs.issue_valid ? std::optional(outputs.issue_warp) : std::nullopt;
}

bool quiet(ManualHost& host) { return host.scheduler().decide(host.in).quiet; }

TEST(PawsOrdered, TheFirstInTheOrderIssues) {
  ManualHost host = settled(1, {7, 3, 9, 5});
  EXPECT_EQ(issued(host, warps({0, 2, 3})), 3U);
  host.step();
  EXPECT_EQ(issued(host, warps({0, 1, 2, 3})), 1U);
  host.step();
  EXPECT_EQ(issued(host, warps({0, 2})), 0U);
}

TEST(PawsOrdered, KeysSaturateAndLoseBits) {
  SchedulerConfig config = ordered(1);
  config.phase_bits = 4;
  config.key_precision = 2;
  ManualHost host(config);
  host.launch(0, 60000);  // key 12
  host.launch(1, 9);      // key 8
  host.launch(2, 8);
  host.launch(3, 12);
  host.steps(8);
  EXPECT_EQ(issued(host, warps({0, 1, 2})), 1U) << "reached 8 before slot 2";
  host.step();
  EXPECT_EQ(issued(host, warps({0, 3})), 0U) << "reached 12 before slot 3";
}

TEST(PawsOrdered, EqualKeysGoInTheOrderInWhichTheyWereReached) {
  ManualHost host = settled(1, {5, 7, 5, 7});
  host.in.phase[0] = 7;  // behind 1 and 3, which are younger
  host.steps(3);
  EXPECT_EQ(issued(host, warps({0, 1, 3})), 1U);
  host.step();  // 1 is placed behind the others with its key
  EXPECT_EQ(issued(host, warps({0, 1, 3})), 3U);
  host.step();
  EXPECT_EQ(issued(host, warps({0, 1, 3})), 0U);
}

TEST(PawsOrdered, AWaitingSlotIsNotChosen) {
  ManualHost host = settled(1, {5, 7});
  host.in.phase[1] = 2;
  EXPECT_EQ(issued(host, warps({0, 1})), 0U) << "the change is seen at the edge";
  EXPECT_EQ(host.now().barred, warps({1}));
  host.step();  // the issuer takes its place
  host.in.issue_en = true;
  host.in.issuable = warps({1});
  EXPECT_FALSE(host.step().issue_valid) << "1 is a subject now";
  EXPECT_EQ(host.now().barred, 0U);
  EXPECT_EQ(host.step().issue_warp, 1U);
}

TEST(PawsOrdered, OneThatMovesWhileItIsPlacedHasItsNewKey) {
  ManualHost host = settled(1, {5, 7});
  host.in.phase[1] = 2;
  host.steps(2);  // 1 waits; it becomes a subject
  host.in.phase[1] = 9;
  host.step();
  EXPECT_EQ(host.now().barred, 0U);
  EXPECT_EQ(issued(host, warps({0, 1})), 0U);
}

TEST(PawsOrdered, OnlyAChangeOfTheWholeDistanceMoves) {
  ManualHost host = settled(1, {5, 7});
  host.in.phase[1] = 7;
  host.step();
  EXPECT_EQ(host.now().barred, 0U);
  host.in.phase[1] = 60000;
  host.steps(3);
  host.in.phase[1] = 60001;  // the same key
  host.step();
  EXPECT_EQ(host.now().barred, warps({1}));
}

TEST(PawsOrdered, TheIssuerIsPlacedBeforeTheChoiceOfAHostThatRests) {
  ManualHost host = settled(1, {5, 7});
  EXPECT_EQ(issued(host, warps({0, 1})), 0U);
  host.in.phase[0] = 9;  // its next instruction
  host.step();
  EXPECT_EQ(issued(host, warps({0, 1})), 1U);
}

TEST(PawsOrdered, TheIssuerKeepsItsPlaceForAChoiceRightAfter) {
  ManualHost host = settled(2, {5, 7});
  EXPECT_EQ(issued(host, warps({0, 1})), 0U);
  host.in.phase[0] = 9;
  EXPECT_EQ(issued(host, warps({0, 1})), 0U) << "still in its old place";
  EXPECT_EQ(issued(host, warps({0, 1})), 1U);
}

TEST(PawsOrdered, AnIssuerThatMovesInTheCycleOfItsIssueIsPlacedInTheNext) {
  ManualHost host = settled(1, {5, 7});
  host.in.phase[0] = 9;
  EXPECT_EQ(issued(host, warps({0, 1})), 0U);
  EXPECT_EQ(host.now().barred, warps({0}));
  host.step();
  EXPECT_EQ(host.now().barred, 0U);
  EXPECT_EQ(issued(host, warps({0, 1})), 1U);
}

TEST(PawsOrdered, TheIssuerTakesTheOnlyComparison) {
  for (const unsigned compares : {1U, 2U}) {
    ManualHost host = settled(compares, {5, 7, 9});
    host.in.phase[2] = 1;
    host.step();
    EXPECT_EQ(issued(host, warps({0})), 0U);  // 2 waits in this cycle
    host.step();
    EXPECT_EQ(host.now().barred, compares == 1 ? warps({2}) : 0U) << compares;
    host.step();
    EXPECT_EQ(host.now().barred, 0U);
  }
}

TEST(PawsOrdered, OfTwoSubjectsTheIssuerGoesLast) {
  ManualHost host = settled(2, {5, 7, 9});
  host.in.phase[2] = 6;
  host.step();
  EXPECT_EQ(issued(host, warps({0})), 0U);
  host.in.phase[0] = 6;  // both are placed with the same key
  host.step();
  EXPECT_EQ(host.now().barred, 0U);
  EXPECT_EQ(issued(host, warps({0, 1, 2})), 2U);
}

TEST(PawsOrdered, TheLowestThatWaitsIsPlacedFirst) {
  ManualHost host = settled(1, {5, 7, 9, 11});
  for (const WarpId warp : {1U, 3U, 2U}) host.in.phase[warp] = 4;
  host.step();
  EXPECT_EQ(host.now().barred, warps({1, 2, 3}));
  host.step();
  EXPECT_EQ(host.now().barred, warps({1, 2, 3})) << "1 becomes a subject";
  host.step();
  EXPECT_EQ(host.now().barred, warps({2, 3}));
  host.step();
  EXPECT_EQ(host.now().barred, warps({3}));
  host.step();
  EXPECT_EQ(host.now().barred, 0U);
  EXPECT_EQ(issued(host, warps({0, 2, 3})), 2U);
}

TEST(PawsOrdered, PlacesOfWaitingSlotsMeanNothing) {
  // 0 waits in front with the largest key while 2 goes behind 1 and before 0.
  ManualHost host = settled(1, {1, 3, 9});
  host.in.phase[2] = 5;
  host.step();
  host.in.phase[0] = 7;
  host.steps(2);
  EXPECT_EQ(host.now().barred, warps({0}));
  EXPECT_EQ(issued(host, warps({0, 1, 2})), 1U);
  host.steps(3);
  EXPECT_EQ(issued(host, warps({0, 2})), 2U);
}

TEST(PawsOrdered, ALaunchedWarpWaits) {
  ManualHost host = settled(1, {5});
  host.launch(1, 0);  // the distance that the slot has after reset
  EXPECT_EQ(host.now().barred, warps({1}));
  EXPECT_EQ(issued(host, warps({0, 1})), 0U);
  EXPECT_EQ(host.now().barred, warps({1}));
  host.steps(2);
  EXPECT_EQ(host.now().barred, 0U);
  EXPECT_EQ(issued(host, warps({0, 1})), 1U);
}

TEST(PawsOrdered, ALaunchedWarpWaitsThoughItIsASubject) {
  ManualHost host = settled(1, {5});
  host.in.phase[1] = 8;  // a free slot
  host.steps(2);         // it waits and becomes a subject
  host.launch(1, 8);
  EXPECT_EQ(host.now().barred, warps({1}));
  host.steps(2);
  EXPECT_EQ(host.now().barred, 0U);
}

TEST(PawsOrdered, IsQuietWhenAllHaveTheirPlaces) {
  ManualHost host = settled(1, {5, 7});
  EXPECT_TRUE(quiet(host));
  host.in.phase[1] = 6;
  EXPECT_FALSE(quiet(host)) << "moved";
  host.step();
  EXPECT_FALSE(quiet(host)) << "waits";
  host.step();
  EXPECT_FALSE(quiet(host)) << "waits and is a subject";
  host.step();
  EXPECT_TRUE(quiet(host));
  EXPECT_EQ(issued(host, warps({0})), 0U);
  EXPECT_FALSE(quiet(host)) << "the issuer is a subject";
  host.step();
  EXPECT_TRUE(quiet(host));
}

TEST(PawsOrdered, ResetForgetsTheDistances) {
  ManualHost host = settled(1, {5, 7});
  host.scheduler().reset();
  host.in.phase = {};
  EXPECT_TRUE(quiet(host));
  host.in.phase[7] = 1;
  EXPECT_FALSE(quiet(host));
}

TEST(PawsOrdered, WithOneComparisonTheHostRestsAfterAnIssue) {
  ManualHost host = settled(1, {5, 7});
  host.in.issue_en = true;
  host.in.issuable = warps({0});
  ASSERT_TRUE(host.step().issue_valid);
  host.scheduler().decide(host.in);
  try {
    host.scheduler().commit();
    FAIL() << "a broken promise";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "single:paws-ordered: the host broke a promise: enabled in the cycle after an "
                 "issue (with scheduler.compares = 1), slot 0");
  }
  ManualHost other = settled(2, {5, 7});
  other.in = host.in;
  EXPECT_TRUE(other.step().issue_valid);
  EXPECT_TRUE(other.step().issue_valid);
}

/// With all places taken an ordered PAWS decides as PAWS, ties apart.
TEST(PawsOrdered, WithAllInTheirPlacesTheSmallestKeyIssues) {
  const std::uint64_t number = seed(20151031);
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(number));
  for (const unsigned warps : {4U, 7U, 24U, 64U}) {
    SchedulerConfig config = configuration("single:paws-ordered", warps, 4);
    config.phase_bits = 4;
    config.key_precision = 3;
    RandomHost host(config, number + warps);
    const auto scheduler = make_model(config);
    unsigned judged = 0;
    bool issued_before = false;
    for (unsigned cycle = 0; cycle < 200000 && judged < 100; ++cycle) {
      host.next();
      host.inputs().issue_en = cycle % 2 == 0;
      const SchedulerInputs inputs = host.inputs();
      const SchedulerOutputs outputs = scheduler->decide(inputs);
      SchedulerInputs idle = inputs;
      idle.issuable = 0;
      idle.launch_valid = false;
      // Without issuable warps and launches, quiet says that all have their places.
      const bool settled = scheduler->decide(idle).quiet;
      scheduler->decide(inputs);
      if (settled && outputs.issue_valid) {
        ASSERT_FALSE(issued_before);
        const unsigned key = phase_key(config, inputs.phase[outputs.issue_warp]);
        for_each_warp(inputs.issuable, [&](WarpId warp) {
          ASSERT_LE(key, phase_key(config, inputs.phase[warp])) << "cycle " << cycle;
        });
        if (inputs.issuable != mask_of(outputs.issue_warp)) ++judged;
      }
      issued_before = outputs.issue_valid;
      scheduler->commit();
      host.decided(outputs);
    }
    EXPECT_EQ(judged, 100U) << "the search has seen too little, warps " << warps;
  }
}

}  // namespace
}  // namespace paws::test
