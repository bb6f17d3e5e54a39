// SPDX-License-Identifier: MIT
// The order of active and of ready under two-level policies, ties, and which length it is that
// counts.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

using Lengths = std::vector<std::uint16_t>;

/// Active after slots 0 to 3 (0 the oldest) woke in `wake_order`.
Queue order(const std::string& policy, const Lengths& lengths, const Queue& wake_order,
            bool tie_by_arrival = false) {
  SchedulerConfig config = configuration("two-level:" + policy, 8, 4);
  config.tie_by_arrival = tie_by_arrival;
  return active_after_wakes(config, lengths, wake_order);
}

TEST(OrderOfActive, RoundRobinIsArrival) {
  EXPECT_EQ(order("rr", {9, 3, 7, 1}, {2, 0, 3, 1}), (Queue{2, 0, 3, 1}));
}

TEST(OrderOfActive, GtoIsLaunchOrder) {
  EXPECT_EQ(order("gto", {9, 3, 7, 1}, {2, 0, 3, 1}), (Queue{0, 1, 2, 3}));
}

TEST(OrderOfActive, GtoIsLaunchOrderAndNotSlotOrder) {
  ManualHost host("two-level:gto", 8, 1);
  for (const WarpId warp : {6U, 5U, 2U, 7U}) host.launch(warp);
  EXPECT_EQ(host.now().ready, (Queue{6}));
  EXPECT_EQ(host.now().active, (Queue{5, 2, 7}));
  host.wait(6);
  host.steps(2);
  EXPECT_EQ(host.now().ready, (Queue{5}));
  host.complete(6);
  host.steps(2);
  EXPECT_EQ(host.now().active, (Queue{6, 2, 7})) << "the oldest goes to the head";
}

TEST(OrderOfActive, PawsIsShortestFirst) {
  EXPECT_EQ(order("paws", {9, 3, 7, 1}, {2, 0, 3, 1}), (Queue{3, 1, 2, 0}));
}

TEST(OrderOfActive, PawsTiesGoByAge) {
  EXPECT_EQ(order("paws", {5, 5, 5, 5}, {2, 0, 3, 1}), (Queue{0, 1, 2, 3}));
  EXPECT_EQ(order("paws", {5, 4, 5, 4}, {2, 3, 0, 1}), (Queue{1, 3, 0, 2}));
}

TEST(OrderOfActive, PawsTiesGoByArrivalIfSaidSo) {
  EXPECT_EQ(order("paws", {5, 5, 5, 5}, {2, 0, 3, 1}, true), (Queue{2, 0, 3, 1}));
  EXPECT_EQ(order("paws", {5, 4, 5, 4}, {2, 3, 0, 1}, true), (Queue{3, 1, 2, 0}));
}

TEST(OrderOfActive, TheSwitchForTiesIsOfPawsAlone) {
  EXPECT_EQ(order("rr", {5, 4, 5, 4}, {2, 3, 0, 1}, true), (Queue{2, 3, 0, 1}));
  EXPECT_EQ(order("gto", {5, 4, 5, 4}, {2, 3, 0, 1}, true), (Queue{0, 1, 2, 3}));
}

/// Active after slots 4 and 1, of which 4 is the older, woke in one cycle with equal lengths.
Queue after_waking_at_once(const std::string& policy, bool wake_oldest) {
  SchedulerConfig config = configuration("two-level:" + policy, 8, 2);
  config.wake_oldest = wake_oldest;
  ManualHost host(config);
  for (const WarpId warp : {4U, 1U, 0U, 3U}) host.launch(warp, 5);
  host.step();
  host.wait(4, 5);
  host.wait(1, 5);
  host.steps(3);
  EXPECT_EQ(host.now().ready, (Queue{0, 3})) << policy;
  host.complete(1);
  host.complete(4);
  host.steps(3);
  return host.now().active;
}

TEST(OrderOfActive, WarpsThatWakeInOneCycleArriveBySlotOrAge) {
  EXPECT_EQ(after_waking_at_once("rr", /*wake_oldest=*/false), (Queue{1, 4}));
  EXPECT_EQ(after_waking_at_once("rr", /*wake_oldest=*/true), (Queue{4, 1}));
  for (const char* policy : {"gto", "paws"}) {
    for (const bool wake_oldest : {false, true}) {
      EXPECT_EQ(after_waking_at_once(policy, wake_oldest), (Queue{4, 1})) << policy;
    }
  }
}

/// Ready when slots 5, 3 and 6, launched in this order with phases of 4, 9 and 2 cycles, have been
/// promoted and the first of the list has issued once before slot 1, with a phase of 3, came in.
Queue ready_after_promotions(const std::string& policy) {
  ManualHost host("two-level:" + policy, 8, 4);
  host.launch(5, 4);
  host.launch(3, 9);
  host.launch(6, 2);
  host.step();
  host.issue(set_of(host.now().ready));
  host.launch(1, 3);
  host.step();
  return host.now().ready;
}

TEST(OrderOfReady, RoundRobinUnlessAPromotionSortsIt) {
  EXPECT_EQ(ready_after_promotions("paws"), (Queue{3, 6, 5, 1}));
  EXPECT_EQ(ready_after_promotions("gto-in-ready"), (Queue{5, 3, 6, 1}));
  EXPECT_EQ(ready_after_promotions("paws-in-ready"), (Queue{6, 1, 5, 3}));
}

TEST(OrderOfReady, CountsThePhaseThatAWarpIsInWhenAnotherOneComesIn) {
  ManualHost host("two-level:paws-in-ready", 8, 3);
  host.launch(0, 5);
  host.launch(1, 7);
  host.step();
  host.in.phase[0] = 8;
  EXPECT_EQ(host.now().ready, (Queue{0, 1})) << "no promotion, no sorting";
  host.launch(2, 9);
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{1, 0, 2}));
  host.issue(warps({1}));
  EXPECT_EQ(host.now().ready, (Queue{0, 2, 1})) << "round robin between promotions";
}

TEST(OrderOfReady, PromotesInTheOrderOfArrival) {
  for (const char* policy : {"gto-in-ready", "paws-in-ready"}) {
    EXPECT_EQ(order(policy, {9, 3, 7, 1}, {2, 0, 3, 1}), (Queue{2, 0, 3, 1})) << policy;
  }
}

TEST(PhaseField, LengthsSaturateAtDemotion) {
  SchedulerConfig config = configuration("two-level:paws", 8, 4);
  config.phase_bits = 4;
  EXPECT_EQ(active_after_wakes(config, {65535, 16, 15, 14}, {0, 1, 2, 3}), (Queue{3, 0, 1, 2}));
  config.phase_bits = 5;
  EXPECT_EQ(active_after_wakes(config, {65535, 16, 15, 14}, {0, 1, 2, 3}), (Queue{3, 2, 1, 0}));
  config.phase_bits = 16;
  EXPECT_EQ(active_after_wakes(config, {65535, 65534, 32768, 0}, {0, 1, 2, 3}),
            (Queue{3, 2, 1, 0}));
}

TEST(PhaseField, LengthsSaturateAtLaunch) {
  SchedulerConfig config = configuration("two-level:paws", 8, 1);
  config.phase_bits = 4;
  ManualHost host(config);
  host.launch(0, 1);
  host.launch(1, 700);
  host.launch(2, 15);
  host.launch(3, 16);
  host.launch(4, 14);
  EXPECT_EQ(host.now().ready, (Queue{0}));
  EXPECT_EQ(host.now().active, (Queue{4, 1, 2, 3}));
}

TEST(PhaseKey, OnlyTheLeadingBitsCount) {
  SchedulerConfig config = configuration("two-level:paws", 8, 4);
  // 12 and 15 share their leading one, 12 and 13 their two leading bits too.
  config.key_precision = 1;
  EXPECT_EQ(active_after_wakes(config, {15, 13, 12, 8}, {3, 2, 1, 0}), (Queue{0, 1, 2, 3}));
  EXPECT_EQ(active_after_wakes(config, {16, 15, 2, 1}, {0, 1, 2, 3}), (Queue{3, 2, 1, 0}));
  config.key_precision = 2;
  EXPECT_EQ(active_after_wakes(config, {15, 13, 12, 8}, {3, 2, 1, 0}), (Queue{3, 0, 1, 2}));
  config.key_precision = 3;
  EXPECT_EQ(active_after_wakes(config, {15, 13, 12, 8}, {3, 2, 1, 0}), (Queue{3, 1, 2, 0}));
  config.key_precision = 4;
  EXPECT_EQ(active_after_wakes(config, {15, 13, 12, 8}, {3, 2, 1, 0}), (Queue{3, 2, 1, 0}));
}

TEST(PhaseKey, ZeroIsShorterThanOne) {
  SchedulerConfig config = configuration("two-level:paws", 8, 4);
  config.key_precision = 1;
  EXPECT_EQ(active_after_wakes(config, {3, 2, 1, 0}, {0, 1, 2, 3}), (Queue{3, 2, 0, 1}));
}

TEST(PhaseKey, IsThatOfTheSaturatedLength) {
  SchedulerConfig config = configuration("two-level:paws", 8, 4);
  config.phase_bits = 4;
  config.key_precision = 2;
  // Without saturation first, 15 would be 12, but 16 be 16.
  EXPECT_EQ(active_after_wakes(config, {65535, 16, 12, 11}, {0, 1, 2, 3}), (Queue{3, 0, 1, 2}));
}

TEST(PhaseKey, EqualOnesMayGoByArrival) {
  SchedulerConfig config = configuration("two-level:paws", 8, 4);
  config.key_precision = 1;
  config.tie_by_arrival = true;
  EXPECT_EQ(active_after_wakes(config, {8, 9, 4, 15}, {3, 0, 2, 1}), (Queue{2, 3, 0, 1}));
}

TEST(PhaseField, IsSampledAtLaunch) {
  ManualHost host("two-level:paws", 8, 1);
  host.launch(0, 1);
  host.launch(1, 8);
  host.in.phase[1] = 2;
  host.launch(2, 5);
  EXPECT_EQ(host.now().active, (Queue{2, 1}));
}

TEST(PhaseField, IsSampledWhenTheWarpLeavesReady) {
  ManualHost host("two-level:paws", 8, 2);
  for (WarpId warp = 0; warp < 4; ++warp) host.launch(warp, 5);
  host.step();
  host.wait(0, 9);
  host.wait(1, 4);
  host.step();
  host.in.phase[0] = 1;  // too late
  host.in.phase[1] = 10;
  host.steps(2);
  host.complete(0);
  host.step();
  host.complete(1);
  host.steps(2);
  EXPECT_EQ(host.now().active, (Queue{1, 0}));
}

}  // namespace
}  // namespace paws::test
