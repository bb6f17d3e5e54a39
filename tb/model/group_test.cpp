// SPDX-License-Identifier: MIT
// single:group (Narasiman et al., MICRO 2011, section 3.2): worked examples, and the properties G1
// to G9 of tb/formal/paws_fetch_group.svh.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

SchedulerConfig grouped(unsigned warps, unsigned group, unsigned timeout = 0) {
  SchedulerConfig config = configuration("single:group", warps, 4);
  config.group = group;
  config.group_timeout = timeout;
  return config;
}

/// All slots hold a warp.
ManualHost full(const SchedulerConfig& config) {
  ManualHost host(config);
  for (WarpId warp = 0; warp < config.warps; ++warp) host.launch(warp);
  return host;
}

WarpMask all_of(unsigned warps) { return warps == 64 ? ~WarpMask{0} : mask_of(warps) - 1; }

/// What cycles issue in which these can issue, one after the other.
Queue issues(ManualHost& host, const std::vector<WarpMask>& cycles) {
  Queue queue;
  for (const WarpMask issuable : cycles) queue.push_back(host.issue(issuable).issue_warp);
  return queue;
}

TEST(Group, RoundRobinInTheGroupOfTheLastSlot) {
  ManualHost host = full(grouped(8, 4));
  EXPECT_EQ(issues(host, std::vector<WarpMask>(6, 0xff)), (Queue{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(issues(host, {warps({1, 7}), warps({0, 3, 4}), warps({2, 4})}), (Queue{1, 3, 2}))
      << "the other group waits as long as this one has a slot";
}

TEST(Group, TheNextGroupBeginsWithItsLowestSlotAndKeepsThePriority) {
  ManualHost host = full(grouped(12, 4));
  EXPECT_EQ(issues(host, {warps({2}), warps({6, 7, 8})}), (Queue{2, 6}));
  EXPECT_EQ(host.issue(0xfff).issue_warp, 7U) << "the first group is not gone back to";
  EXPECT_EQ(issues(host, {warps({3, 9, 11}), 0xfff}), (Queue{9, 10}));
  EXPECT_EQ(issues(host, {warps({3, 7})}), (Queue{3})) << "cyclic: behind the last group the first";
  EXPECT_EQ(issues(host, {warps({8})}), (Queue{8})) << "a group without a slot is passed over";
}

TEST(Group, ResetBeginsInTheGroupOfSlot0) {
  ManualHost host = full(grouped(8, 4));
  EXPECT_EQ(issues(host, {warps({5, 6}), 0xff}), (Queue{5, 6}));
  host.scheduler().reset();
  EXPECT_EQ(host.now(), QueueSnapshot{});
  for (WarpId warp = 0; warp < 8; ++warp) host.launch(warp);
  EXPECT_EQ(issues(host, {warps({3, 4})}), (Queue{3}));
}

TEST(Group, OnlyAnIssueChangesIt) {
  ManualHost host = full(grouped(8, 4));
  EXPECT_EQ(host.issue(warps({5}), warps({5})).issue_warp, 5U) << "ends";
  EXPECT_EQ(host.now().last_issued, 5U);
  host.in.issuable = warps({0, 6});
  EXPECT_FALSE(host.step().issue_valid);  // not enabled
  host.in.issuable = 0;
  host.launch(5);
  host.in.issue_en = true;
  host.steps(3);
  EXPECT_EQ(issues(host, {warps({0, 4, 5, 6})}), (Queue{6})) << "still behind slot 5";
}

TEST(Group, TwoLargeWarpsOfFourSlots) {
  ManualHost host(grouped(4, 2));
  for (const WarpId warp : {0U, 1U}) host.launch(warp);
  EXPECT_EQ(issues(host, {3, 3, 3, 2, 3}), (Queue{0, 1, 0, 1, 0}));
}

TEST(Group, TheTimeoutCountsIssuesOfAGroupInSuccession) {
  ManualHost host = full(grouped(8, 2, 3));
  const auto run = [&](WarpMask issuable) {
    const WarpId warp = host.issue(issuable).issue_warp;
    return std::pair{warp, host.now().group_run};
  };
  using Run = std::pair<WarpId, unsigned>;
  EXPECT_EQ(run(0xff), Run(0, 1));
  EXPECT_EQ(run(0xff), Run(1, 2));
  EXPECT_EQ(run(0xff), Run(0, 3));
  EXPECT_EQ(run(0xff), Run(2, 1)) << "the first group has had its issues";
  EXPECT_EQ(run(0xff), Run(3, 2));
  EXPECT_EQ(run(warps({0})), Run(0, 1)) << "left before, so the count begins anew";
  EXPECT_EQ(run(warps({0, 1})), Run(1, 2));
  EXPECT_EQ(run(warps({0, 1})), Run(0, 3));
  EXPECT_EQ(run(warps({0, 1})), Run(1, 3)) << "alone it goes on in turn";
  EXPECT_EQ(run(warps({0, 1})), Run(0, 3));
  EXPECT_EQ(run(warps({0, 1, 6, 7})), Run(6, 1));
  EXPECT_EQ(full(grouped(8, 2)).now().group_run, 0U) << "without a timeout nothing is counted";
}

TEST(Group, SizesThatCannotBeAreNamed) {
  EXPECT_EQ(check(grouped(24, 7)),
            "scheduler.group is 7 but must divide the 24 warps of a scheduler");
  EXPECT_EQ(check(grouped(24, 48)),
            "scheduler.group is 48 but must divide the 24 warps of a scheduler");
  EXPECT_EQ(check(grouped(24, 8, 7)),
            "scheduler.group_timeout is 7 but must be 0, or 8 (scheduler.group) to 65535");
  EXPECT_EQ(check(grouped(24, 8, 8)), std::nullopt);
  EXPECT_EQ(check(grouped(64, 64, 65535)), std::nullopt);
  SchedulerConfig other = grouped(24, 7, 3);
  ASSERT_EQ(set_scheduler_name(other, "single:rr"), std::nullopt);
  EXPECT_EQ(check(other), std::nullopt) << "a policy without groups takes any";
}

// The properties, with warps that do anything.

struct Case {
  unsigned warps;
  unsigned group;
  unsigned timeout;
};
constexpr std::array<Case, 12> kCases{{{4, 1, 0},
                                       {4, 2, 0},
                                       {4, 4, 0},
                                       {6, 3, 0},
                                       {12, 4, 0},
                                       {24, 8, 0},
                                       {32, 4, 0},
                                       {64, 16, 0},
                                       {4, 2, 2},
                                       {12, 4, 5},
                                       {32, 8, 8},
                                       {64, 64, 64}}};

class GroupProperties : public testing::TestWithParam<Case> {
 protected:
  static constexpr unsigned kCycles = 10000;

  GroupProperties()
      : config_(grouped(GetParam().warps, GetParam().group, GetParam().timeout)),
        seed_(seed(20111207)),
        trace_(__FILE__, __LINE__, "PAWS_SEED=" + std::to_string(seed_)) {}

  /// Calls `look(inputs, before, outputs)` in each of many cycles at random.
  template <typename Look>
  void for_each_cycle(Look look) {
    RandomHost host(config_, seed_);
    const auto scheduler = make_model(config_);
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      const SchedulerInputs inputs = host.next();
      const QueueSnapshot before = scheduler->snapshot();
      const SchedulerOutputs outputs = scheduler->decide(inputs);
      scheduler->commit();
      host.decided(outputs);
      look(inputs, before, outputs);
      if (HasFatalFailure()) return;
    }
  }
  [[nodiscard]] unsigned group_of(WarpId warp) const { return warp / config_.group; }
  [[nodiscard]] unsigned groups() const { return config_.warps / config_.group; }
  [[nodiscard]] WarpMask slots(unsigned group) const {
    return all_of(config_.group) << (group * config_.group);
  }
  [[nodiscard]] bool timed_out(const QueueSnapshot& before) const {
    return config_.group_timeout != 0 && before.group_run == config_.group_timeout;
  }

  SchedulerConfig config_;
  std::uint64_t seed_;
  testing::ScopedTrace trace_;
};

TEST_P(GroupProperties, SomethingIssuesWheneverItCan) {  // G1
  for_each_cycle(
      [](const SchedulerInputs& inputs, const QueueSnapshot&, const SchedulerOutputs& outputs) {
        ASSERT_EQ(outputs.issue_valid, inputs.issue_en && inputs.issuable != 0);
        ASSERT_TRUE(!outputs.issue_valid || contains(inputs.issuable, outputs.issue_warp));
      });
}

TEST_P(GroupProperties, TheOwnGroupGoesFirstThenTheNearestFromItsLowestSlot) {  // G2, G3
  unsigned switches = 0;
  unsigned timeouts = 0;
  for_each_cycle([&](const SchedulerInputs& inputs, const QueueSnapshot& before,
                     const SchedulerOutputs& outputs) {
    if (!outputs.issue_valid) return;
    const unsigned own = group_of(before.last_issued.value_or(0));
    const unsigned next = group_of(outputs.issue_warp);
    const bool own_asks = (inputs.issuable & slots(own)) != 0;
    const bool others_ask = (inputs.issuable & ~slots(own)) != 0;
    ASSERT_EQ(next == own, own_asks && (!timed_out(before) || !others_ask));
    if (next == own) return;
    ++switches;
    if (own_asks) ++timeouts;
    for (unsigned between = (own + 1) % groups(); between != next;
         between = (between + 1) % groups()) {
      ASSERT_EQ(inputs.issuable & slots(between), 0U);
    }
    ASSERT_EQ(outputs.issue_warp, lowest(inputs.issuable & slots(next)));
  });
  EXPECT_EQ(switches > 0, groups() > 1);
  EXPECT_EQ(timeouts > 0, groups() > 1 && config_.group_timeout != 0);
}

TEST_P(GroupProperties, WithinAGroupItIsRoundRobin) {  // G4
  std::vector<unsigned> passed(config_.warps,
                               0);  // by issues of the own group, one after the other
  unsigned longest = 0;
  for_each_cycle([&](const SchedulerInputs& inputs, const QueueSnapshot& before,
                     const SchedulerOutputs& outputs) {
    if (!outputs.issue_valid) return;
    const unsigned own = group_of(outputs.issue_warp);
    const bool enters = group_of(before.last_issued.value_or(0)) != own;
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      const bool waits =
          contains(inputs.issuable, warp) && group_of(warp) == own && warp != outputs.issue_warp;
      passed[warp] = waits ? (enters ? 0 : passed[warp]) + 1 : 0;
      longest = std::max(longest, passed[warp]);
    }
  });
  EXPECT_LE(longest, config_.group - 1);
  if (config_.group <= 4) {
    EXPECT_EQ(longest, config_.group - 1) << "the bound is reached";
  }
}

TEST_P(GroupProperties, QuietIsThatOfTheSingleLevel) {  // G9
  for_each_cycle(
      [](const SchedulerInputs& inputs, const QueueSnapshot&, const SchedulerOutputs& outputs) {
        ASSERT_EQ(outputs.quiet, !inputs.launch_valid && inputs.issuable == 0);
      });
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  return std::to_string(info.param.warps) + "_warps_groups_of_" + std::to_string(info.param.group) +
         "_timeout_" + std::to_string(info.param.timeout);
}

INSTANTIATE_TEST_SUITE_P(All, GroupProperties, testing::ValuesIn(kCases), case_name);

/// How often single:group decides as single:rr from the same last slot, and how often not, in
/// cycles at random in which something issues; apart for cycles in which the last slot can issue.
struct Agreement {
  unsigned same = 0;
  unsigned other = 0;
  unsigned other_without_last = 0;  ///< of `other`, while the last slot cannot issue
};
Agreement agreement_with_rr(const SchedulerConfig& config, std::uint64_t number) {
  const auto groups = make_model(config);
  Agreement out;
  RandomHost host(config, number);
  for (unsigned cycle = 0; cycle < 30000; ++cycle) {
    const SchedulerInputs inputs = host.next();
    const std::optional<WarpId> last = groups->snapshot().last_issued;
    const SchedulerOutputs outputs = groups->decide(inputs);
    groups->commit();
    host.decided(outputs);
    if (!outputs.issue_valid) continue;
    const WarpMask after = last ? inputs.issuable & ~(mask_of(*last) | (mask_of(*last) - 1)) : 0;
    if (outputs.issue_warp == lowest(after != 0 ? after : inputs.issuable)) {
      ++out.same;
      continue;
    }
    ++out.other;
    if (!last || !contains(inputs.issuable, *last)) ++out.other_without_last;
  }
  return out;
}

TEST(Group, OneGroupOfAllIsRoundRobin) {  // G5
  const std::uint64_t number = seed(20111208);
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(number));
  for (const unsigned warps : {4U, 13U, 24U, 64U}) {
    for (const unsigned timeout : {0U, warps}) {
      const SchedulerConfig config = grouped(warps, warps, timeout);
      const auto group = make_model(config);
      const auto rr = make_model(configuration("single:rr", warps, 4));
      RandomHost host(config, number);
      for (unsigned cycle = 0; cycle < 20000; ++cycle) {
        const SchedulerInputs& inputs = host.next();
        const SchedulerOutputs outputs = group->decide(inputs);
        ASSERT_EQ(outputs, rr->decide(inputs)) << cycle;
        group->commit();
        rr->commit();
        ASSERT_EQ(group->snapshot().last_issued, rr->snapshot().last_issued);
        host.decided(outputs);
      }
    }
  }
}

TEST(Group, GroupsOfOneAreRoundRobinUnlessTheLastSlotAsks) {  // G6
  const std::uint64_t number = seed(20111209);
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(number));
  for (const unsigned warps : {4U, 24U}) {
    const Agreement out = agreement_with_rr(grouped(warps, 1), number);
    EXPECT_EQ(out.other_without_last, 0U);
    EXPECT_GT(out.other, 0U);
    EXPECT_GT(out.same, 1000U);
  }
}

/// A strict barrel of one-cycle instructions: an issued warp can issue again seven cycles later.
/// The issues of each slot in `cycles` cycles.
std::vector<unsigned> barrel_issues(const SchedulerConfig& config, unsigned cycles) {
  constexpr unsigned kStages = 7;
  ManualHost host = full(config);
  std::vector<unsigned> from(config.warps, 0);
  std::vector<unsigned> count(config.warps, 0);
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    WarpMask issuable = 0;
    for (WarpId warp = 0; warp < config.warps; ++warp) {
      if (from[warp] <= cycle) issuable |= mask_of(warp);
    }
    const SchedulerOutputs outputs = host.issue(issuable);
    if (!outputs.issue_valid) continue;
    ++count[outputs.issue_warp];
    from[outputs.issue_warp] = cycle + kStages;
  }
  return count;
}

TEST(Group, AGroupThatFillsThePipelineStarvesTheOthers) {  // G7: the witness
  for (const unsigned group : {7U, 8U}) {
    const std::vector<unsigned> count = barrel_issues(grouped(2 * group, group), 10000);
    for (WarpId warp = 0; warp < 2 * group; ++warp) {
      if (warp < group) {
        EXPECT_GE(count[warp], 10000 / group) << warp;
      } else {
        EXPECT_EQ(count[warp], 0U) << warp << " could issue all the time";
      }
    }
  }
  const std::vector<unsigned> count = barrel_issues(grouped(12, 6), 10000);
  EXPECT_GT(*std::ranges::min_element(count), 0U) << "six do not fill it";
}

TEST(Group, WithATimeoutNoGroupStarves) {  // G7 and G8
  const std::vector<unsigned> count = barrel_issues(grouped(32, 8, 64), 4 * 64 * 10);
  for (const unsigned each : count) EXPECT_EQ(each, 80U) << "ten visits of eight rounds";
}

/// The most issues of other slots that pass a slot which can issue all the time, while `drive`
/// says what can issue: all slots live.
template <typename Drive>
unsigned longest_wait(const SchedulerConfig& config, unsigned cycles, Drive drive) {
  ManualHost host = full(config);
  std::vector<unsigned> passed(config.warps, 0);
  unsigned longest = 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    const WarpMask issuable = drive(host.now(), cycle);
    const SchedulerOutputs outputs = host.issue(issuable);
    for (WarpId warp = 0; warp < config.warps; ++warp) {
      const bool waits = contains(issuable, warp) && warp != outputs.issue_warp;
      passed[warp] = waits ? passed[warp] + (outputs.issue_valid ? 1 : 0) : 0;
      longest = std::max(longest, passed[warp]);
    }
  }
  return longest;
}

unsigned bound(const SchedulerConfig& config) {
  const unsigned others = config.warps / config.group - 1;
  return others * config.group_timeout + 2 * (config.group - 1);
}

TEST(Group, TheTimeoutBoundsTheWait) {  // G8
  const std::uint64_t number = seed(20111210);
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(number));
  for (const Case& each :
       {Case{4, 2, 2}, Case{8, 2, 3}, Case{12, 4, 5}, Case{24, 8, 8}, Case{32, 8, 20}}) {
    const SchedulerConfig config = grouped(each.warps, each.group, each.timeout);
    std::mt19937_64 random(number);
    WarpMask issuable = 0;
    const unsigned longest = longest_wait(config, 20000, [&](const QueueSnapshot&, unsigned cycle) {
      if (cycle % 500 == 0) issuable = all_of(config.warps);
      for (unsigned i = 0; i < 2; ++i) issuable ^= mask_of(random() % config.warps);
      return issuable;
    });
    EXPECT_LE(longest, bound(config)) << config.warps << ' ' << config.group;
  }
}

TEST(Group, TheBoundOfTheTimeoutIsReached) {  // G8
  const SchedulerConfig config = grouped(12, 4, 5);
  // Slot 3 has just issued when the rest of its group and then all others ask for the first time.
  // The others go until they are at the end of their times, slot 3's group from its lowest slot.
  ManualHost host = full(config);
  EXPECT_EQ(issues(host, {warps({2}), warps({3})}), (Queue{2, 3}));
  unsigned passed = 0;
  while (host.issue(all_of(12)).issue_warp != 3) ++passed;
  EXPECT_EQ(host.now().group_run, 4U);
  EXPECT_EQ(passed, bound(config)) << "3 of its own, 2 * 5 of the others, 3 of its own";
}

}  // namespace
}  // namespace paws::test
