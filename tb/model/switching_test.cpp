// SPDX-License-Identifier: MIT
// Worked examples of schedulers that change between RR and GTO.
#include "model/switching.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

class SingleSwitch : public testing::Test {
 protected:
  explicit SingleSwitch(const char* first = "single:gto")
      : scheduler_(make_switching(configuration(first, 8, 4))) {}

  void launch(WarpId warp) {
    SchedulerInputs in;
    in.launch_valid = true;
    in.launch_warp = warp;
    scheduler_->decide(in);
    scheduler_->commit();
  }
  WarpId issue(WarpMask issuable, WarpMask exits = 0) {
    SchedulerInputs in;
    in.issue_en = true;
    in.issuable = issuable;
    in.exits = exits;
    const SchedulerOutputs out = scheduler_->decide(in);
    scheduler_->commit();
    EXPECT_TRUE(out.issue_valid);
    return out.issue_warp;
  }

  void change(SwitchedPolicy policy) {
    dynamic_cast<PolicySwitch&>(*scheduler_).change_policy(policy);
  }

  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(SingleSwitch, RoundRobinGoesOnFromTheGreedyWarp) {
  for (const WarpId warp : {2U, 0U, 1U, 3U}) launch(warp);
  EXPECT_EQ(issue(warps({0, 1, 2, 3})), 2U);
  EXPECT_EQ(issue(warps({0, 1, 2, 3})), 2U);
  change(SwitchedPolicy::rr);
  EXPECT_EQ(issue(warps({0, 1, 2, 3})), 3U);
  EXPECT_EQ(issue(warps({0, 1, 2, 3})), 0U);
}

TEST_F(SingleSwitch, TheWarpThatRoundRobinIssuedLastIsGreedy) {
  for (const WarpId warp : {2U, 0U, 1U, 3U}) launch(warp);
  change(SwitchedPolicy::rr);
  EXPECT_EQ(issue(warps({0, 1})), 0U);
  EXPECT_EQ(issue(warps({0, 1})), 1U);
  change(SwitchedPolicy::gto);
  EXPECT_EQ(issue(warps({0, 1, 2, 3})), 1U);
  EXPECT_EQ(issue(warps({0, 2, 3})), 2U);
}

TEST_F(SingleSwitch, AnExitLeavesNoGreedyWarpButThePlaceOfRoundRobin) {
  for (const WarpId warp : {2U, 0U, 1U, 3U}) launch(warp);
  EXPECT_EQ(issue(warps({1, 3}), warps({1})), 1U);
  EXPECT_EQ(scheduler_->snapshot().last_issued, std::nullopt);
  change(SwitchedPolicy::rr);
  EXPECT_EQ(scheduler_->snapshot().last_issued, 1U);
  EXPECT_EQ(issue(warps({0, 2, 3})), 2U);
}

TEST_F(SingleSwitch, ResetBringsTheFirstPolicyBack) {
  launch(0);
  launch(1);
  change(SwitchedPolicy::rr);
  scheduler_->reset();
  launch(1);
  launch(0);
  EXPECT_EQ(issue(warps({0, 1})), 1U);
}

/// All warps that wake go to active at once here, as ready is full with warp 0.
TEST(TwoLevelSwitch, AnEntrantGoesBehindSoManyAsItDoesNotGoBefore) {
  const auto scheduler = make_switching(configuration("two-level:rr", 8, 1));
  const auto change = [&](SwitchedPolicy policy) {
    dynamic_cast<PolicySwitch&>(*scheduler).change_policy(policy);
  };
  SchedulerInputs in;
  const auto cycle = [&] {
    scheduler->decide(in);
    scheduler->commit();
    in.launch_valid = false;
  };
  const auto launch = [&](WarpId warp) {
    in.launch_valid = true;
    in.launch_warp = warp;
    cycle();
  };
  const auto leave = [&](WarpId warp) {  // from ready, and back to active
    in.waits = in.long_outstanding = warps({warp});
    cycle();
    in.waits = in.long_outstanding = 0;
    cycle();
    cycle();
  };
  for (const WarpId warp : {0U, 1U, 2U, 3U, 4U}) launch(warp);
  EXPECT_EQ(scheduler->snapshot().ready, (Queue{0}));
  leave(0);  // 1 is promoted; arrival puts 0 last
  EXPECT_EQ(scheduler->snapshot().active, (Queue{2, 3, 4, 0}));
  change(SwitchedPolicy::gto);
  EXPECT_EQ(scheduler->snapshot().active, (Queue{2, 3, 4, 0}));
  leave(1);  // 2 is promoted; of 3, 4, 0 warp 1 does not go before 0 alone: it comes second
  EXPECT_EQ(scheduler->snapshot().active, (Queue{3, 1, 4, 0}));
  change(SwitchedPolicy::rr);
  leave(2);
  EXPECT_EQ(scheduler->snapshot().active, (Queue{1, 4, 0, 2}));
}

TEST(Switching, RefusesOtherPoliciesAndAnAgeLimit) {
  EXPECT_THROW(make_switching(configuration("single:paws", 8, 4)), std::invalid_argument);
  SchedulerConfig config = configuration("single:rr", 8, 4);
  config.age_limit = 16;
  EXPECT_THROW(make_switching(config), std::invalid_argument);
}

/// Under one policy it is the scheduler of that policy, cycle for cycle, whatever comes.
class SwitchingSame : public testing::TestWithParam<const char*> {};

TEST_P(SwitchingSame, AsTheStaticPolicy) {
  const SchedulerConfig config = configuration(GetParam(), 16, 4);
  for (std::uint64_t draw = 1; draw <= 4; ++draw) {
    RandomHost host(config, seed(draw));
    const auto fixed = make_model(config);
    const auto switching = make_switching(config);
    for (unsigned cycle = 0; cycle < 20'000; ++cycle) {
      const SchedulerInputs& in = host.next();
      const SchedulerOutputs out = fixed->decide(in);
      ASSERT_EQ(switching->decide(in), out) << "cycle " << cycle;
      fixed->commit();
      switching->commit();
      ASSERT_EQ(switching->snapshot(), fixed->snapshot()) << "cycle " << cycle;
      host.decided(out);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, SwitchingSame,
                         testing::Values("single:rr", "single:gto", "two-level:rr",
                                         "two-level:gto"),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& letter : name) {
                             if (letter == ':' || letter == '-') letter = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace paws::test
