// SPDX-License-Identifier: MIT
// Worked examples of docs/reference/microarchitecture.md, "Age limit", row by row, and the bounds
// that follow from it. How long a warp waits is counted in issues.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

SchedulerConfig limited(const std::string& name, unsigned warps, unsigned ready, unsigned limit) {
  SchedulerConfig config = configuration(name, warps, ready);
  config.age_limit = limit;
  return config;
}

constexpr unsigned kWarps = 8;
constexpr unsigned kReady = 3;

/// A two-level host with slots 0..count-1 launched in this order, each with its length: the first
/// three fill ready, the others are in active. Nothing has issued.
ManualHost two_level(unsigned limit, unsigned count, const std::string& policy = "rr",
                     const std::vector<std::uint16_t>& lengths = {}) {
  ManualHost host(limited("two-level:" + policy, kWarps, kReady, limit));
  for (WarpId warp = 0; warp < count; ++warp) {
    host.launch(warp, warp < lengths.size() ? lengths[warp] : std::uint16_t{0});
  }
  host.steps(2);
  return host;
}

/// One cycle in which every live warp can issue: all of them spin.
SchedulerOutputs spin(ManualHost& host, WarpMask exits = 0) {
  const QueueSnapshot now = host.now();
  const WarpMask live =
      now.pending | set_of(now.ready) | set_of(now.active) | set_of(now.collector);
  return host.issue(live & ~host.in.waits, exits);
}

void spin(ManualHost& host, unsigned issues) {
  for (unsigned issue = 0; issue < issues; ++issue) spin(host);
}

TEST(TwoLevelAge, GathersAllOfActiveWithEveryLthIssue) {
  ManualHost host = two_level(3, 5);
  spin(host, 2U);
  EXPECT_EQ(host.now().due, 0U);
  spin(host);
  EXPECT_EQ(host.now().due, warps({3, 4}));
  EXPECT_EQ(host.now().active, (Queue{3, 4}));
  EXPECT_EQ(host.now().ready, (Queue{0, 1, 2})) << "a gathering issuer stays in ready";
}

TEST(TwoLevelAge, RelievesTheIssuerWhileReadyIsFull) {
  ManualHost host = two_level(3, 5);
  spin(host, 5U);
  EXPECT_EQ(host.now().ready, (Queue{2, 0, 1}));
  EXPECT_EQ(spin(host).issue_warp, 2U);
  EXPECT_EQ(host.now().ready, (Queue{0, 1})) << "to pending instead of to the tail";
  EXPECT_EQ(host.now().pending, warps({2}));
  EXPECT_EQ(host.now().due, warps({3, 4}));

  EXPECT_EQ(spin(host).issue_warp, 0U);
  EXPECT_EQ(host.now().ready, (Queue{1, 0, 3}));
  EXPECT_EQ(host.now().due, warps({4})) << "promoted, so not due any more";
  EXPECT_EQ(host.now().collector, (Queue{2})) << "wakes like any pending warp";

  EXPECT_EQ(spin(host).issue_warp, 1U);
  EXPECT_EQ(host.now().active, (Queue{4, 2}));
  EXPECT_EQ(host.now().due, warps({4})) << "a warp that enters active is not due";

  EXPECT_EQ(spin(host).issue_warp, 0U) << "the third issue since";
  EXPECT_EQ(host.now().ready, (Queue{3, 1}));
  EXPECT_EQ(host.now().pending, warps({0}));
}

TEST(TwoLevelAge, AnExitRelievesByItself) {
  ManualHost host = two_level(3, 5);
  spin(host, 5U);
  EXPECT_EQ(spin(host, warps({2})).issue_warp, 2U);
  EXPECT_EQ(host.now().ready, (Queue{0, 1}));
  EXPECT_EQ(host.now().pending, 0U);
  host.launch(2);
  EXPECT_EQ(host.now().ready, (Queue{0, 1, 3}));
  EXPECT_EQ(host.now().active, (Queue{4, 2}));
  spin(host, 2U);
  EXPECT_EQ(host.now().ready.size(), 3U) << "the counter began anew";
  spin(host);
  EXPECT_EQ(host.now().ready.size(), 2U);
}

TEST(TwoLevelAge, ARelievedWarpThatWaitsWakesWithItsValue) {
  ManualHost host = two_level(1, 4);
  spin(host);
  EXPECT_EQ(host.now().due, warps({3}));
  EXPECT_EQ(spin(host).issue_warp, 1U);
  EXPECT_EQ(host.now().pending, warps({1}));
  host.wait(1);  // what it issued was a load, and the next instruction reads the value
  host.steps(3);
  EXPECT_EQ(host.now().pending, warps({1}));
  host.complete(1);
  host.steps(2);
  EXPECT_EQ(host.now().pending, 0U);
  EXPECT_EQ(host.now().active, (Queue{1}));
}

TEST(TwoLevelAge, ReliefAndLeavingCoincide) {
  ManualHost host = two_level(1, 5);
  spin(host);
  EXPECT_EQ(host.now().ready, (Queue{1, 2, 0}));
  host.wait(2);
  EXPECT_EQ(spin(host).issue_warp, 1U) << "ready is full in this cycle";
  EXPECT_EQ(host.now().ready, (Queue{0}));
  EXPECT_EQ(host.now().pending, warps({1, 2}));
}

TEST(TwoLevelAge, ReliefStoresTheKeyOfTheCycle) {
  ManualHost host = two_level(1, 4, "paws", {9, 9, 9, 9});
  spin(host);
  host.in.phase[1] = 5;
  EXPECT_EQ(spin(host).issue_warp, 1U);
  host.in.phase[1] = 60;  // too late
  host.launch(4, 6);
  host.launch(5, 4);
  host.step();
  EXPECT_EQ(host.now().active, (Queue{5, 1, 4}));
}

TEST(TwoLevelAge, GatherLeavesOutThePromotedAndTheEntering) {
  ManualHost host = two_level(2, 5);
  EXPECT_EQ(spin(host, warps({0})).issue_warp, 0U);
  EXPECT_EQ(host.now().ready, (Queue{1, 2}));
  host.request_launch(6);
  spin(host);
  EXPECT_EQ(host.now().ready, (Queue{2, 1, 3}));
  EXPECT_EQ(host.now().active, (Queue{4, 6}));
  EXPECT_EQ(host.now().due, warps({4}));
}

TEST(TwoLevelAge, GatherLeavesOutTheAdmitted) {
  ManualHost host = two_level(2, 4);
  host.wait(0);
  host.step();
  host.complete(0);
  host.step();
  ASSERT_EQ(host.now().collector, (Queue{0}));
  host.launch(5);  // holds the admission back
  spin(host);
  ASSERT_EQ(host.now().active, (Queue{5, 0}));
  host.request_launch(6);
  spin(host);
  EXPECT_EQ(host.now().due, warps({5, 0}));
  EXPECT_EQ(host.now().active, (Queue{5, 0, 6}));
}

TEST(TwoLevelAge, WithRoomInReadyTheCounterStays) {
  ManualHost host = two_level(2, 6);
  spin(host, 2U);
  ASSERT_EQ(host.now().due, warps({3, 4, 5}));
  EXPECT_EQ(spin(host, warps({2})).issue_warp, 2U);  // the counter is 1 = L - 1
  ASSERT_EQ(host.now().ready, (Queue{0, 1}));
  spin(host);
  EXPECT_EQ(host.now().ready, (Queue{1, 0, 3}));
  EXPECT_EQ(host.now().pending, 0U);
  EXPECT_EQ(host.now().due, warps({4, 5}));
  EXPECT_EQ(spin(host).issue_warp, 1U);
  EXPECT_EQ(host.now().pending, warps({1})) << "the next issue relieves at once";
}

TEST(TwoLevelAge, DueWarpsGoFirstAndBothKindsInTheOrderOfThePolicy) {
  ManualHost host = two_level(2, 6, "paws", {1, 1, 1, 8, 7, 8});
  spin(host, 2U);
  host.launch(6, 2);
  host.launch(7, 1);
  EXPECT_EQ(host.now().active, (Queue{4, 3, 5, 7, 6})) << "due 4 3 5, then the shorter 7 6";
  spin(host, 2U);  // relieves 0, ...
  spin(host);      // ... in whose place 4 is promoted
  EXPECT_EQ(host.now().active.front(), 3U);
  host.step();
  EXPECT_EQ(host.now().due, warps({3, 5}));
}

TEST(TwoLevelAge, ALaterGatherIsOneOfEverybodyLeft) {
  ManualHost host = two_level(1, 4, "paws", {1, 1, 1, 8});
  spin(host);
  host.launch(4, 1);
  EXPECT_EQ(host.now().active, (Queue{3, 4}));
  spin(host);  // relief of 1
  spin(host);  // 3 is promoted; the counter is L - 1, but there was room
  EXPECT_EQ(host.now().due, 0U);
  EXPECT_EQ(host.now().ready.size(), 3U);
  EXPECT_EQ(host.now().active, (Queue{4}));
  spin(host);
  EXPECT_EQ(host.now().due, warps({4})) << "1 is admitted in this very cycle";
  EXPECT_EQ(host.now().active, (Queue{4, 1}));
}

TEST(TwoLevelAge, AGatherWithoutWarpsStartsTheCounterAgain) {
  ManualHost host = two_level(2, 3);
  spin(host, 2U);
  EXPECT_EQ(host.now().due, 0U);
  host.launch(3);
  spin(host);
  EXPECT_EQ(host.now().due, 0U);
  spin(host);
  EXPECT_EQ(host.now().due, warps({3}));
}

TEST(TwoLevelAge, CountsIssuesAndNotCycles) {
  ManualHost host = two_level(2, 5);
  host.in.issuable = warps({0, 1, 2});
  host.steps(10);
  host.in.issue_en = true;
  host.in.issuable = warps({3, 4});
  host.steps(10);
  EXPECT_EQ(host.now().due, 0U);
  spin(host);
  EXPECT_EQ(host.now().due, 0U);
  spin(host);
  EXPECT_EQ(host.now().due, warps({3, 4}));
}

TEST(TwoLevelAge, WithoutALimitSpinnersKeepAllOthersOut) {
  for (const char* policy : {"rr", "gto", "paws", "longest"}) {
    ManualHost host = two_level(0, kWarps, policy);
    const QueueSnapshot before = host.now();
    spin(host, 999U);
    EXPECT_EQ(host.now(), before) << policy;
  }
}

TEST(TwoLevelAge, ResetForgetsWhoIsDueAndTheCount) {
  ManualHost host = two_level(2, 5);
  spin(host, 3U);
  ASSERT_NE(host.now().due, 0U);
  host.scheduler().reset();
  EXPECT_EQ(host.now(), QueueSnapshot{});
  for (WarpId warp = 0; warp < 5; ++warp) host.launch(warp);
  host.steps(2);
  spin(host);
  EXPECT_EQ(host.now().due, 0U);
  spin(host);
  EXPECT_EQ(host.now().due, warps({3, 4}));
}

/// A single-level host whose scheduler holds `launched`, in this order of age.
ManualHost single(const std::string& policy, unsigned limit, const Queue& launched) {
  ManualHost host(limited("single:" + policy, kWarps, kReady, limit));
  for (const WarpId warp : launched) host.launch(warp);
  return host;
}

/// The warps that `cycles` cycles issue in which `issuable` can issue.
Queue issued(ManualHost& host, unsigned cycles, WarpMask issuable) {
  Queue order;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    order.push_back(host.issue(issuable).issue_warp);
  }
  return order;
}

TEST(SingleLevelAge, GtoLeavesItsGreedyWarpWhileOthersAreDue) {
  ManualHost host = single("gto", 3, {4, 2, 6});
  const WarpMask all = warps({4, 2, 6});
  EXPECT_EQ(issued(host, 2, all), (Queue{4, 4}));
  EXPECT_EQ(host.now().due, 0U);
  EXPECT_EQ(issued(host, 1, all), (Queue{4}));
  EXPECT_EQ(host.now().due, warps({2, 6})) << "all but the issuer";
  EXPECT_EQ(issued(host, 2, all), (Queue{2, 6})) << "the greedy warp has to be due too";
  EXPECT_EQ(host.now().due, 0U);
  EXPECT_EQ(issued(host, 3, all), (Queue{6, 6, 6})) << "the last issued is greedy, 3 more count";
  EXPECT_EQ(host.now().due, warps({4, 2}));
}

TEST(SingleLevelAge, GtoStaysGreedyAmongTheDue) {
  ManualHost host = single("gto", 1, {4, 2, 6});
  EXPECT_EQ(issued(host, 1, warps({4, 2, 6})), (Queue{4}));
  EXPECT_EQ(issued(host, 1, warps({2, 6})), (Queue{2}));
  EXPECT_EQ(host.now().due, warps({6}));
  EXPECT_EQ(issued(host, 1, warps({4, 2})), (Queue{2})) << "no due warp can issue: greedy";
  EXPECT_EQ(host.now().due, warps({4, 6}));
}

TEST(SingleLevelAge, PawsPicksByDistanceAmongTheDue) {
  ManualHost host = single("paws", 2, {0, 1, 2, 3});
  host.in.phase = {1, 9, 4, 9};
  const WarpMask all = warps({0, 1, 2, 3});
  EXPECT_EQ(issued(host, 2, all), (Queue{0, 0}));
  EXPECT_EQ(issued(host, 3, all), (Queue{2, 1, 3})) << "the shortest of the due, then the oldest";
  EXPECT_EQ(issued(host, 2, all), (Queue{0, 0}));
}

TEST(SingleLevelAge, OldestTakesTurnsUnderALimitOfOne) {
  ManualHost host = single("oldest", 1, {5, 1, 3});
  EXPECT_EQ(issued(host, 7, warps({1, 3, 5})), (Queue{5, 1, 3, 5, 1, 3, 5}));
}

TEST(SingleLevelAge, OnlyIssuesPastNoDueWarpCount) {
  ManualHost host = single("oldest", 2, {0, 1, 2, 3});
  EXPECT_EQ(issued(host, 2, warps({0, 1, 2})), (Queue{0, 0}));
  EXPECT_EQ(host.now().due, warps({1, 2})) << "3 cannot issue in this cycle";
  EXPECT_EQ(issued(host, 1, warps({0, 3})), (Queue{0})) << "no due warp can issue: this counts";
  EXPECT_EQ(issued(host, 1, warps({0, 2, 3})), (Queue{2})) << "this does not";
  EXPECT_EQ(host.now().due, warps({1}));
  EXPECT_EQ(issued(host, 1, warps({0, 3})), (Queue{0}));
  EXPECT_EQ(host.now().due, warps({1, 3})) << "3 is due too";
}

TEST(SingleLevelAge, ThePromiseIsToWarpsThatCanIssueInEveryIssueCycle) {
  ManualHost host = single("oldest", 2, {0, 1});
  for (unsigned turn = 0; turn < 100; ++turn) {
    EXPECT_EQ(issued(host, 1, warps({0, 1})), (Queue{0}));
    EXPECT_EQ(issued(host, 1, warps({0})), (Queue{0})) << "gathers, and 1 cannot issue";
  }
}

TEST(SingleLevelAge, CountsIssuesAndNotCycles) {
  ManualHost host = single("oldest", 2, {0, 1});
  host.in.issuable = warps({0, 1});
  host.steps(10);
  EXPECT_EQ(issued(host, 1, warps({0, 1})), (Queue{0}));
  EXPECT_EQ(host.now().due, 0U);
}

TEST(SingleLevelAge, TheNextWarpOfASlotIsNotDue) {
  ManualHost host = single("oldest", 1, {0, 1, 2});
  EXPECT_EQ(issued(host, 1, warps({0, 1, 2})), (Queue{0}));
  EXPECT_EQ(host.issue(warps({1}), warps({1})).issue_warp, 1U);
  EXPECT_EQ(host.now().due, warps({2}));
  host.launch(1);
  EXPECT_EQ(host.now().due, warps({2}));
}

TEST(SingleLevelAge, RoundRobinHasNone) {
  ManualHost host = single("rr", 1, {0, 1, 2});
  EXPECT_EQ(issued(host, 4, warps({0, 1, 2})), (Queue{0, 1, 2, 0}));
  EXPECT_EQ(host.now().due, 0U);
}

TEST(SingleLevelAge, WithoutALimitTheFirstKeepsAllOthersOut) {
  for (const char* policy : {"gto", "paws", "oldest"}) {
    ManualHost host = single(policy, 0, {4, 2, 6});
    EXPECT_EQ(issued(host, 300, warps({4, 2, 6})), Queue(300, 4)) << policy;
    EXPECT_EQ(host.now().due, 0U) << policy;
  }
}

TEST(SingleLevelAge, ResetForgetsWhoIsDueAndTheCount) {
  ManualHost host = single("oldest", 2, {0, 1, 2});
  issued(host, 2, warps({0, 1, 2}));
  issued(host, 1, warps({0}));
  ASSERT_EQ(host.now().due, warps({1, 2}));
  host.scheduler().reset();
  EXPECT_EQ(host.now(), QueueSnapshot{});
  host.launch(1);
  host.launch(0);
  EXPECT_EQ(issued(host, 1, warps({0, 1})), (Queue{1}));
  EXPECT_EQ(host.now().due, 0U);
}

/// The longest that any warp has waited, in issues.
class Waiting {
 public:
  /// After an issue of `issuer` past `waiting`.
  void issue(WarpMask waiting) {
    for (WarpId warp = 0; warp < kMaxWarps; ++warp) {
      issues_[warp] = contains(waiting, warp) ? issues_[warp] + 1 : 0;
      longest_ = std::max(longest_, issues_[warp]);
    }
  }
  /// No longer waiting from now on.
  void end(WarpMask ended) {
    for_each_warp(ended, [this](WarpId warp) { issues_[warp] = 0; });
  }
  [[nodiscard]] unsigned longest() const { return longest_; }

 private:
  std::array<unsigned, kMaxWarps> issues_{};
  unsigned longest_ = 0;
};

/// Issues that a warp of active can see before it is promoted: until those are promoted that are
/// due already, until the next gather, and until all that are due with it are. It takes `turn`
/// issues to promote one that is due: a relief every L issues, but with L = 1 there is an issue in
/// the cycle of the promotion, too.
unsigned bound_in_active(const SchedulerConfig& config) {
  const unsigned depth = config.warps > config.ready ? config.warps - config.ready : 1;
  const unsigned turn = std::max(config.age_limit, 2U);
  return (depth - 1) * turn + config.age_limit + depth * turn;
}

/// Issues past a warp that can issue in the cycle of each of them, its own not counted: past those
/// that are due already, until it is due, and past those that are due with it.
unsigned bound_issuable(const SchedulerConfig& config) {
  return config.age_limit + 2 * (config.warps - 1) - 1;
}

/// A run of `cycles` cycles with the levels that `host` gives; the longest wait.
template <typename Host>
unsigned longest_wait(const SchedulerConfig& config, Host& host, unsigned cycles) {
  const auto scheduler = make_model(config);
  Waiting waiting;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    const SchedulerInputs inputs = host.next();
    const WarpMask active = set_of(scheduler->snapshot().active);
    // A warp that waits for its place in an order counts as one that cannot issue.
    const WarpMask can = inputs.issuable & ~(has_order(config) ? scheduler->snapshot().barred : 0);
    const SchedulerOutputs outputs = scheduler->decide(inputs);
    scheduler->commit();
    host.decided(outputs);
    const WarpMask own = outputs.issue_valid ? mask_of(outputs.issue_warp) : 0;
    if (config.level == Level::two_level) {
      const WarpMask still = active & set_of(scheduler->snapshot().active);
      if (outputs.issue_valid) waiting.issue(still);
      waiting.end(~still);
    } else if (outputs.issue_valid) {
      waiting.issue(can & ~own);
    }
  }
  return waiting.longest();
}

/// A host whose warps spin: all slots hold one, which can always issue and never ends. Lengths
/// change at random, so that no warp stays in front by its key.
class SpinningHost {
 public:
  SpinningHost(const SchedulerConfig& config, std::uint64_t number)
      : random_(config, number), warps_(config.warps) {
    place_as_one_block(in_, warps_);
  }

  const SchedulerInputs& next() {
    in_.launch_valid = launched_ < warps_;
    in_.launch_warp = launched_;
    in_.issue_en = !in_.launch_valid && random_.chance(70);
    in_.phase[random_.below(warps_)] = static_cast<std::uint16_t>(random_.below(16));
    return in_;
  }
  void decided(const SchedulerOutputs& /*outputs*/) {
    if (!in_.launch_valid) return;
    in_.issuable |= mask_of(launched_);
    ++launched_;
  }

 private:
  RandomHost random_;  // for its numbers
  unsigned warps_;
  WarpId launched_ = 0;
  SchedulerInputs in_;
};

struct Case {
  unsigned warps;
  unsigned ready;
  unsigned limit;
};
constexpr std::array<Case, 6> kCases{
    {{4, 1, 1}, {5, 5, 2}, {8, 3, 1}, {8, 3, 7}, {24, 6, 16}, {64, 6, 3}}};

class AgeBound : public testing::TestWithParam<std::string> {
 protected:
  template <typename Search>
  void for_each_case(Search search) {
    const std::uint64_t number = seed(20151120);
    for (const Case& size : kCases) {
      SchedulerConfig config = limited(GetParam(), size.warps, size.ready, size.limit);
      config.phase_bits = 4;
      config.compares = 2;  // hosts may enable every cycle
      // One group of all warps would be round robin.
      if (config.policy == "tlv") config.parameters["group"] = 2;
      SCOPED_TRACE("PAWS_SEED=" + std::to_string(number) + " warps " + std::to_string(size.warps) +
                   " ready " + std::to_string(size.ready) + " limit " + std::to_string(size.limit));
      const bool two_level = config.level == Level::two_level;
      search(config, number, two_level ? bound_in_active(config) : bound_issuable(config));
    }
  }
};

TEST_P(AgeBound, HoldsWithWarpsThatDoAnything) {
  for_each_case([](const SchedulerConfig& config, std::uint64_t number, unsigned bound) {
    RandomHost host(config, number);
    EXPECT_LE(longest_wait(config, host, 20000), bound);
  });
}

TEST_P(AgeBound, HoldsWithWarpsThatSpinAndIsHalfReached) {
  for_each_case([](const SchedulerConfig& config, std::uint64_t number, unsigned bound) {
    SpinningHost host(config, number);
    const unsigned longest = longest_wait(config, host, 20000);
    EXPECT_LE(longest, bound);
    if (config.warps > config.ready && config.age_limit > 1) {
      EXPECT_GE(2 * longest, bound);
    }
  });
}

std::vector<std::string> unfair_names() {
  std::vector<std::string> names = scheduler_names();
  std::erase(names, "single:rr");
  std::erase(names, "single:group");
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, AgeBound, testing::ValuesIn(unfair_names()), test_name);

}  // namespace
}  // namespace paws::test
