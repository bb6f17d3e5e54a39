// SPDX-License-Identifier: MIT
// What limits a run, of figures that are made up.

#include "sim/report/limit.h"

#include <gtest/gtest.h>

namespace paws::report {
namespace {

using observe::Wait;

std::uint64_t& waits(Evidence& evidence, Wait reason) {
  return evidence.counts->waits[static_cast<std::size_t>(reason)];
}

/// 1000 warp cycles, 100 of them issues, no roof near, most slots in use.
Evidence latency_of(Wait reason) {
  Evidence evidence;
  evidence.roofs = {{"issue slots", "Issue rate", 0.3, "5 of 16"},
                    {"DRAM", "DRAM bandwidth", 0.2, "9 of 40"}};
  evidence.counts.emplace().issues = 100;
  waits(evidence, Wait::not_selected) = 300;
  waits(evidence, Wait::disabled) = 250;
  waits(evidence, reason) += 350;
  evidence.warps = 40;
  evidence.warp_slots = 48;
  evidence.room = "room for 2 blocks of 256 threads; limit: registers";
  evidence.worst[static_cast<std::size_t>(reason)] = {"k.cu:7", 0.21};
  return evidence;
}

TEST(Limit, IsTheRoofThatIsUsedMost) {
  Evidence evidence = latency_of(Wait::memory);
  evidence.roofs[0].use = 0.7;
  evidence.roofs[1].use = 0.8;
  evidence.idle_cores = 0.9;
  const Limit limit = limit_of(evidence);
  EXPECT_EQ(limit.kind, LimitKind::roof);
  EXPECT_EQ(limit.sentence, "DRAM bandwidth: 80 % of the roof, 9 of 40.");
}

TEST(Limit, OfTwoRoofsAlikeTheFirstCounts) {
  Evidence evidence = latency_of(Wait::memory);
  evidence.roofs[0].use = evidence.roofs[1].use = 0.8;
  EXPECT_TRUE(limit_of(evidence).sentence.starts_with("Issue rate: 80 %"));
}

TEST(Limit, ARoofCountsFromTheThresholdOn) {
  Evidence evidence = latency_of(Wait::memory);
  evidence.roofs[1].use = kNearRoof;
  EXPECT_EQ(limit_of(evidence).kind, LimitKind::roof);
  evidence.roofs[1].use = kNearRoof - 0.001;
  EXPECT_EQ(limit_of(evidence).kind, LimitKind::latency);
}

TEST(Limit, WithoutAProfileItIsARoofOrNotKnown) {
  Evidence evidence = latency_of(Wait::memory);
  evidence.counts.reset();
  Limit limit = limit_of(evidence);
  EXPECT_EQ(limit.kind, LimitKind::nothing);
  EXPECT_EQ(limit.sentence,
            "No roof that is known is used to more than 30 % (issue slots). What warps wait for is "
            "not known: the run was without --profile.");
  evidence.roofs[1].use = 0.8;
  EXPECT_EQ(limit_of(evidence).kind, LimitKind::roof);
}

TEST(Limit, CoresWithoutWarpsComeBeforeLatency) {
  Evidence evidence = latency_of(Wait::memory);
  evidence.idle_cores = 0.51;
  evidence.warps = 1;
  EXPECT_EQ(limit_of(evidence).sentence,
            "Too few blocks: cores are without a warp for 51 % of their cycles.");
  evidence.idle_cores = kIdleCores;
  EXPECT_EQ(limit_of(evidence).kind, LimitKind::few_warps);
}

TEST(Limit, IsTheReasonForWhichWarpsWaitMost) {
  EXPECT_EQ(
      limit_of(latency_of(Wait::memory)).sentence,
      "Memory latency: warps wait for memory in 35 % of their cycles, most at k.cu:7 (21 %); no "
      "roof is used to more than 30 % (issue slots).");
  for (const auto& [reason, name] :
       {std::pair{Wait::arithmetic, "Latency of dependent instructions:"},
        {Wait::barrier, "Barriers:"},
        {Wait::instruction, "Fetch:"},
        {Wait::unit, "A unit that is held up:"},
        {Wait::outside, "The ready queue of the two-level scheduler:"}}) {
    const Limit limit = limit_of(latency_of(reason));
    EXPECT_EQ(limit.kind, LimitKind::latency);
    EXPECT_TRUE(limit.sentence.starts_with(name)) << limit.sentence;
  }
}

TEST(Limit, TurnsOfOtherWarpsAreNoReason) {
  Evidence evidence = latency_of(Wait::barrier);
  waits(evidence, Wait::not_selected) = 10000;
  waits(evidence, Wait::disabled) = 10000;
  EXPECT_TRUE(limit_of(evidence).sentence.starts_with("Barriers:"));
}

TEST(Limit, OfTwoReasonsAlikeMemoryCounts) {
  Evidence evidence = latency_of(Wait::barrier);
  waits(evidence, Wait::memory) = waits(evidence, Wait::barrier);
  EXPECT_TRUE(limit_of(evidence).sentence.starts_with("Memory latency:"));
}

TEST(Limit, FewWarpsAreTheLimitOfLatencyThatOthersWouldHide) {
  Evidence evidence = latency_of(Wait::arithmetic);
  evidence.warps = 23.9;
  EXPECT_EQ(
      limit_of(evidence).sentence,
      "Too few warps: 23.9 of 48 warp slots of a core are in use (room for 2 blocks of 256 "
      "threads; limit: registers); warps wait for results of arithmetic, shared or constant "
      "memory in 35 % of their cycles, most at k.cu:7 (21 %); no roof is used to more than 30 % "
      "(issue slots).");
  evidence.warps = 24;
  EXPECT_EQ(limit_of(evidence).kind, LimitKind::latency);
  // More warps would stand at barriers, too.
  evidence = latency_of(Wait::barrier);
  evidence.warps = 1;
  EXPECT_EQ(limit_of(evidence).kind, LimitKind::latency);
}

TEST(Limit, NothingOfNothing) {
  Evidence evidence;
  evidence.counts.emplace();
  EXPECT_EQ(limit_of(evidence).kind, LimitKind::nothing);
  EXPECT_EQ(limit_of(evidence).sentence, "Nothing: no warp has waited.");
}

}  // namespace
}  // namespace paws::report
