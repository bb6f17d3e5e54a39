// SPDX-License-Identifier: MIT
// Thread-block affinity: worked examples of each rule, and what holds of the rules under any host.
#include "model/affinity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

constexpr unsigned kCycles = 20000;

SchedulerConfig with(Affinity affinity, const std::string& policy, unsigned warps, unsigned ready) {
  SchedulerConfig config = configuration("two-level:" + policy, warps, ready);
  config.affinity = affinity;
  return config;
}

/// Ready is full with slots 0 and 1, of blocks 0 and 1; active holds 2 to 5, of blocks 2, 1, 3, 3.
/// Under RR, active is in slot order, and so are the ages of blocks.
ManualHost filled(Affinity affinity, const std::string& policy = "rr", unsigned age_limit = 0) {
  SchedulerConfig config = with(affinity, policy, 8, 2);
  config.age_limit = age_limit;
  ManualHost host(config);
  host.in.more = true;
  constexpr std::array<std::uint8_t, 6> kBlocks{0, 1, 2, 1, 3, 3};
  for (WarpId warp = 0; warp < kBlocks.size(); ++warp) {
    host.in.block[warp] = kBlocks[warp];
    host.launch(warp, static_cast<std::uint16_t>(9 - warp));
  }
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{0, 1}));
  EXPECT_EQ(set_of(host.now().active), warps({2, 3, 4, 5}));
  return host;
}

/// The warp that comes to ready when `exiting`, of ready, has ended.
WarpId promoted_after(ManualHost& host, WarpId exiting) {
  const Queue before = host.now().ready;
  host.issue(mask_of(exiting), mask_of(exiting));
  host.step();
  const Queue now = host.now().ready;
  EXPECT_EQ(now.size(), before.size());
  EXPECT_EQ(std::ranges::count(before, now.back()), 0);
  return now.back();
}

TEST(Affinity, NamesAreFound) {
  for (const std::string_view name : affinity_names()) {
    EXPECT_EQ(name_of(affinity_of(name).value()), name);
  }
  EXPECT_EQ(affinity_of("finish"), Affinity::finish);
  EXPECT_EQ(affinity_of("finish-group"), Affinity::finish_group);
  EXPECT_EQ(affinity_of(""), std::nullopt);
}

TEST(Affinity, IsOfTwoLevelsAndOfTheModelAlone) {
  SchedulerConfig config = configuration("single:gto", 8, 4);
  config.affinity = Affinity::finish;
  EXPECT_EQ(check(config),
            "scheduler.affinity is finish but single:gto promotes no warps: affinity needs a "
            "two-level scheduler");
  config = with(Affinity::finish, "paws", 8, 4);
  EXPECT_EQ(check(config), std::nullopt);
  EXPECT_FALSE(has_rtl(config));
}

TEST(Affinity, NoneTakesTheHead) {
  ManualHost host = filled(Affinity::none);
  host.in.tail = warps({4, 5});
  EXPECT_EQ(promoted_after(host, 1), 2U);
}

TEST(Affinity, FinishTakesABlockThatHasLostAWarp) {
  ManualHost host = filled(Affinity::finish);
  host.in.tail = warps({4, 5});
  EXPECT_EQ(promoted_after(host, 1), 4U) << "the first of them in the order of active";
  EXPECT_EQ(promoted_after(host, 0), 5U);
  EXPECT_EQ(promoted_after(host, 4), 2U) << "none is left";
}

TEST(Affinity, FinishLooksAtTheTailOfThePromotionsCycle) {
  ManualHost host = filled(Affinity::finish);
  host.in.tail = warps({4, 5});
  host.issue(mask_of(1), mask_of(1));
  host.in.tail = warps({3});
  host.step();
  EXPECT_EQ(host.now().ready, (Queue{0, 3}));
}

TEST(Affinity, FinishAtEntryLooksAtTheTailOfTheEntrysCycle) {
  ManualHost host = filled(Affinity::finish_at_entry);
  host.in.tail = warps({4, 5});
  host.in.block[6] = 4;
  host.in.block[7] = 4;
  host.launch(6, 1);
  host.in.tail = warps({7});
  host.launch(7, 1);
  host.in.tail = 0;
  EXPECT_EQ(host.now().active, (Queue{7, 2, 3, 4, 5, 6}));
  EXPECT_EQ(promoted_after(host, 1), 7U);
  EXPECT_EQ(promoted_after(host, 0), 2U);
}

TEST(Affinity, GroupTakesABlockThatReadyHas) {
  ManualHost host = filled(Affinity::group);
  EXPECT_EQ(promoted_after(host, 0), 3U) << "beside slot 1 of its block";
  EXPECT_EQ(promoted_after(host, 1), 2U) << "no warp in active is of a block in ready";
  EXPECT_EQ(promoted_after(host, 3), 4U);
  EXPECT_EQ(promoted_after(host, 2), 5U);
}

TEST(Affinity, BlockAgeTakesTheOldestBlockThenThePolicysOrder) {
  ManualHost host = filled(Affinity::block_age, "paws");
  EXPECT_EQ(host.now().active, (Queue{5, 4, 3, 2})) << "shortest first";
  EXPECT_EQ(promoted_after(host, 0), 3U) << "of block 1, older than 2 and 3";
  EXPECT_EQ(promoted_after(host, 1), 2U);
  EXPECT_EQ(promoted_after(host, 2), 5U) << "of block 3, the shortest";
}

TEST(Affinity, ABlockThatComesToAnUsedSlotIsYoung) {
  ManualHost host = filled(Affinity::block_age);
  promoted_after(host, 0);
  host.in.block[0] = 0;  // a new block in the place of the old one
  host.launch(0);
  EXPECT_EQ(promoted_after(host, 1), 2U);
  EXPECT_EQ(promoted_after(host, 2), 4U);
  EXPECT_EQ(promoted_after(host, 4), 5U);
  EXPECT_EQ(promoted_after(host, 5), 0U);
}

TEST(Affinity, FinishGroupPutsTheTailFirst) {
  ManualHost host = filled(Affinity::finish_group);
  host.in.tail = warps({2, 3});
  EXPECT_EQ(promoted_after(host, 0), 3U) << "in a tail, and of a block in ready";
  EXPECT_EQ(promoted_after(host, 1), 2U) << "in a tail";
  EXPECT_EQ(promoted_after(host, 2), 4U);
  EXPECT_EQ(promoted_after(host, 3), 5U) << "of a block in ready";
}

TEST(Affinity, IsOffWhenNoBlockWaits) {
  for (const Affinity affinity : {Affinity::finish, Affinity::group, Affinity::block_age,
                                  Affinity::finish_at_entry, Affinity::finish_group}) {
    ManualHost host = filled(affinity, "paws");
    host.in.more = false;
    host.in.tail = warps({2, 3});
    EXPECT_EQ(promoted_after(host, 0), 5U) << name_of(affinity);
    EXPECT_EQ(promoted_after(host, 1), 4U) << name_of(affinity);
  }
}

TEST(Affinity, DueWarpsStillGoFirst) {
  ManualHost host = filled(Affinity::finish, "rr", /*age_limit=*/1);
  host.issue(mask_of(0));
  EXPECT_EQ(host.now().due, warps({2, 3, 4, 5}));
  host.in.block[6] = 3;
  host.launch(6);
  host.in.tail = warps({4, 5, 6});
  EXPECT_EQ(promoted_after(host, 1), 2U);
}

/// Expects the decisions and queues of the policy without affinity, cycle by cycle, under random
/// inputs as `change(inputs)` leaves them.
template <typename Change>
void expect_base_decisions(
    Affinity affinity, Change change,
    const std::vector<std::string>& policies = policy_names(Level::two_level)) {
  for (const std::string& policy : policies) {
    for (const unsigned age_limit : {0U, 5U}) {
      SchedulerConfig config = with(affinity, policy, 24, 6);
      config.age_limit = age_limit;
      SchedulerConfig base_config = config;
      base_config.affinity = Affinity::none;
      RandomHost host(config, seed(7));
      const auto scheduler = make_model(config);
      const auto base = make_model(base_config);
      for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
        SchedulerInputs inputs = host.next();
        change(inputs);
        const SchedulerOutputs outputs = scheduler->decide(inputs);
        ASSERT_EQ(outputs, base->decide(inputs)) << policy << ", cycle " << cycle;
        scheduler->commit();
        base->commit();
        ASSERT_EQ(scheduler->snapshot(), base->snapshot()) << policy << ", cycle " << cycle;
        host.decided(outputs);
      }
    }
  }
}

TEST(AffinityProperties, WithoutTailsFinishIsTheBasePolicy) {
  for (const Affinity affinity : {Affinity::finish, Affinity::finish_at_entry}) {
    expect_base_decisions(affinity, [](SchedulerInputs& inputs) { inputs.tail = 0; });
  }
}

TEST(AffinityProperties, WithABlockForEachWarpGroupIsTheBasePolicy) {
  expect_base_decisions(Affinity::group, [](SchedulerInputs& inputs) {
    for (WarpId warp = 0; warp < kMaxWarps; ++warp) {
      inputs.block[warp] = static_cast<std::uint8_t>(warp);
    }
  });
}

TEST(AffinityProperties, BlockAgeChangesNothingUnderGtoIfBlocksAreLaunchedInTurn) {
  std::array<std::uint8_t, kMaxWarps> block{};
  unsigned launches = 0;
  expect_base_decisions(Affinity::block_age,
                        [&](SchedulerInputs& inputs) {
                          if (inputs.launch_valid) {
                            block[inputs.launch_warp] = static_cast<std::uint8_t>(launches++ / 4);
                          }
                          std::ranges::copy(block, inputs.block.begin());
                        },
                        {"gto"});
}

TEST(AffinityProperties, WithoutWaitingBlocksEveryRuleIsTheBasePolicy) {
  for (const std::string_view name : affinity_names()) {
    expect_base_decisions(affinity_of(name).value(),
                          [](SchedulerInputs& inputs) { inputs.more = false; });
  }
}

/// What a test knows of the blocks of live warps, learnt from the inputs.
class Blocks {
 public:
  /// Smaller is earlier, as `affinity` wants it.
  using Rank = std::tuple<bool, bool, std::uint64_t>;

  /// A cycle with these inputs ends; `others` lived before and after it.
  void observe(const SchedulerInputs& inputs, WarpMask others, std::uint64_t cycle) {
    if (!inputs.launch_valid) return;
    const WarpId warp = inputs.launch_warp;
    block_[warp] = inputs.block[warp];
    bool first = true;
    for_each_warp(others, [&](WarpId other) { first &= block_[other] != block_[warp]; });
    if (first) birth_[block_[warp]] = cycle;
  }

  [[nodiscard]] Rank rank(Affinity affinity, const SchedulerInputs& inputs, const Queue& ready,
                          WarpId warp) const {
    if (!inputs.more) return {};
    const bool alone =
        std::ranges::none_of(ready, [&](WarpId other) { return block_[other] == block_[warp]; });
    const bool whole = !contains(inputs.tail, warp);
    switch (affinity) {
      case Affinity::finish:
        return {whole, false, 0};
      case Affinity::group:
        return {alone, false, 0};
      case Affinity::finish_group:
        return {whole, alone, 0};
      case Affinity::block_age:
        return {false, false, birth_[block_[warp]]};
      default:
        return {};
    }
  }

 private:
  std::array<std::uint8_t, kMaxWarps> block_{};
  std::array<std::uint64_t, kMaxWarps> birth_{};
};

class PromotedWarp : public testing::TestWithParam<std::tuple<Affinity, std::string>> {};

TEST_P(PromotedWarp, IsTheFirstOfTheBestClass) {
  const auto& [affinity, policy] = GetParam();
  const SchedulerConfig config = with(affinity, policy, 24, 6);
  RandomHost host(config, seed(11));
  const auto scheduler = make_model(config);
  Blocks blocks;
  unsigned passed_over = 0;
  for (std::uint64_t cycle = 1; cycle <= kCycles; ++cycle) {
    const WarpMask live = host.live();
    const SchedulerInputs inputs = host.next();
    const QueueSnapshot before = scheduler->snapshot();
    const SchedulerOutputs outputs = scheduler->decide(inputs);
    scheduler->commit();
    if (!before.active.empty() && before.ready.size() < config.ready) {
      const WarpId expected =
          *std::ranges::min_element(before.active, {}, [&, kind = affinity](WarpId warp) {
            return blocks.rank(kind, inputs, before.ready, warp);
          });
      ASSERT_EQ(scheduler->snapshot().ready.back(), expected) << to_string(before);
      passed_over += expected != before.active.front() ? 1 : 0;
    }
    host.decided(outputs);
    blocks.observe(inputs, live & host.live(), cycle);
  }
  // GTO promotes by age anyway.
  const bool same = affinity == Affinity::block_age && policy == "gto";
  EXPECT_TRUE(same || passed_over > 50) << passed_over;
}

INSTANTIATE_TEST_SUITE_P(All, PromotedWarp,
                         testing::Combine(testing::Values(Affinity::finish, Affinity::group,
                                                          Affinity::block_age,
                                                          Affinity::finish_group),
                                          testing::Values("rr", "gto", "paws")));

}  // namespace
}  // namespace paws::test
