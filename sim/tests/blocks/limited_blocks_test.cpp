// SPDX-License-Identifier: MIT
#include "sim/blocks/limited_blocks.h"

#include <algorithm>
#include <array>

#include "sim/tests/blocks/support.h"

namespace paws {
namespace {

TEST(FixedLimit, NoCoreHasMore) {
  FixedLimit scheduler(2, 10, 3);
  begin(scheduler, 100, 8, 0);
  EXPECT_EQ(hand_out(scheduler, 50).size(), 6U);
  EXPECT_EQ(scheduler.next_start(), kNever);
  scheduler.freed(1, 0, kAlone, 60);
  EXPECT_EQ(hand_out(scheduler, 80), (Starts{{1, 0, 6, 70}}));
}

TEST(FixedLimit, TheLastBlockBelowTheLimitFillsTheCore) {
  FixedLimit scheduler(1, 10, 3);
  begin(scheduler, 100, 8, 0);
  std::vector<bool> fills;
  scheduler.hand_out(50, [&](const BlockScheduler::Start& start) { fills.push_back(start.fills); });
  EXPECT_EQ(fills, (std::vector<bool>{false, false, true}));
}

TEST(FixedLimit, ALimitThatIsNoneIsRefused) {
  const std::array launches{LaunchBlocks{9, resources(1, 20)}, LaunchBlocks{9, resources(1, 30)}};
  EXPECT_FALSE(FixedLimit(1, 10, 3).refuses(launches, resources(8, 100)));
  const auto refused = FixedLimit(1, 10, 4).refuses(launches, resources(8, 100));
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->launch, 1U);
  EXPECT_EQ(refused->why,
            "a limit of 4 blocks per core (--blocks), but 3 fit: a core has no more registers");
  EXPECT_EQ(FixedLimit(1, 10, 6).refuses(launches, resources(8, 100))->launch, 0U);
}

TEST(LazyBlocks, UntilTheLimitHoldsBlocksAreReplacedAndFromThenOnOnlyBelowIt) {
  LazyBlocks scheduler(1, 10, LimitRules{LimitScope::first_core});
  begin(scheduler, 100, 8, 0);
  EXPECT_TRUE(scheduler.monitors());
  EXPECT_EQ(hand_out(scheduler, 20).size(), 8U);
  // The first block issues its exit in cycle 50, and its loads have come in cycle 55.
  scheduler.monitored({0, 0, 50, 3});
  scheduler.freed(0, 0, kAlone, 49);
  EXPECT_EQ(hand_out(scheduler, 60), (Starts{{0, 0, 8, 59}})) << "the limit holds from 60 on";
  scheduler.freed(0, 0, kAlone, 55);
  EXPECT_TRUE(hand_out(scheduler, 70).empty()) << "7 are left, 3 are enough";
  for (const std::uint64_t cycle : {71U, 72U, 73U, 74U}) scheduler.freed(0, 0, kAlone, cycle);
  EXPECT_TRUE(hand_out(scheduler, 100).empty()) << "3 are left";
  scheduler.freed(0, 0, kAlone, 100);
  EXPECT_EQ(hand_out(scheduler, 120), (Starts{{0, 0, 9, 110}}));
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 3, 60}}));
}

TEST(LazyBlocks, TheFirstCoreDecidesForAll) {
  LazyBlocks scheduler(2, 10, LimitRules{LimitScope::first_core});
  begin(scheduler, 100, 4, 0);
  hand_out(scheduler, 10);
  scheduler.monitored({1, 0, 20, 1});
  scheduler.freed(1, 0, kAlone, 20);
  EXPECT_EQ(hand_out(scheduler, 40), (Starts{{1, 0, 8, 30}})) << "core 1 does not decide";
  scheduler.monitored({0, 0, 50, 2});
  scheduler.freed(1, 0, kAlone, 51);
  EXPECT_TRUE(hand_out(scheduler, 70).empty());
}

TEST(LazyBlocks, EachCoreForItself) {
  LazyBlocks scheduler(2, 10, LimitRules{LimitScope::each_core});
  begin(scheduler, 100, 4, 0);
  hand_out(scheduler, 10);
  scheduler.monitored({1, 0, 20, 1});
  scheduler.freed(1, 0, kAlone, 20);
  scheduler.freed(0, 0, kAlone, 25);
  EXPECT_EQ(hand_out(scheduler, 60), (Starts{{0, 0, 8, 35}}));
  scheduler.monitored({0, 0, 60, 2});
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 2, 70}, {0, 1, 1, 30}}));
}

TEST(LazyBlocks, TheLowerMedianOfTheCoresThatHadBlocks) {
  LazyBlocks scheduler(5, 10, LimitRules{LimitScope::median});
  begin(scheduler, 4, 4, 0);
  hand_out(scheduler, 10);
  scheduler.monitored({2, 0, 20, 4});
  scheduler.monitored({0, 0, 35, 1});
  scheduler.monitored({1, 0, 22, 2});
  EXPECT_TRUE(scheduler.limits().empty()) << "core 3 has not told, core 4 has no block";
  scheduler.monitored({3, 0, 30, 3});
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, std::nullopt, 2, 45}}))
      << "it holds when the last of them is done, whichever was told last";
}

TEST(LazyBlocks, ACoreWhoseFirstBlockComesLaterDoesNotCount) {
  MonitoredLimits limits({LimitScope::median}, 10);
  const LaunchBlocks launch{100, resources(1)};
  limits.begin({&launch, 1}, 0);
  limits.gave(0, 0, 5);
  limits.gave(1, 0, 30);
  limits.monitored({0, 0, 20, 3});
  EXPECT_EQ(limits.limit(1, 0, 29), std::nullopt);
  EXPECT_EQ(limits.limit(1, 0, 30), 3U);
}

TEST(LazyBlocks, TakesOneLaunchAtATime) {
  EXPECT_EQ(LazyBlocks(1, 10, LimitRules{}).most_launches(), 1U);
}

/// One launch of `kernel`, whose blocks need `registers`, of which a core has 40.
void begin_kernel(BlockScheduler& scheduler, std::uint64_t kernel, std::uint64_t registers,
                  std::uint64_t cycle) {
  const LaunchBlocks launch{100, resources(1, registers), false, 0, kernel};
  scheduler.begin({&launch, 1}, resources(8, 40), cycle);
}

TEST(LazyBlocks, ALimitMayBeRememberedWithTheKernel) {
  LazyBlocks scheduler(1, 10, LimitRules{LimitScope::first_core, true});
  begin_kernel(scheduler, 7, 10, 0);
  EXPECT_EQ(hand_out(scheduler, 20).size(), 4U);
  scheduler.monitored({0, 0, 20, 2});
  begin_kernel(scheduler, 8, 10, 100);
  EXPECT_EQ(hand_out(scheduler, 120).size(), 4U) << "another kernel";
  begin_kernel(scheduler, 7, 8, 200);
  EXPECT_EQ(hand_out(scheduler, 220).size(), 5U) << "blocks that need other resources";
  begin_kernel(scheduler, 7, 10, 300);
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 2, 300}}));
  EXPECT_EQ(hand_out(scheduler, 320).size(), 2U);
  scheduler.monitored({0, 0, 320, 4});
  scheduler.freed(0, 0, kAlone, 330);
  EXPECT_EQ(hand_out(scheduler, 360).size(), 1U) << "it is not monitored anew";
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 2, 300}}));
}

TEST(LazyBlocks, EachCoreRemembersItsOwn) {
  LazyBlocks scheduler(2, 10, LimitRules{LimitScope::each_core, true});
  begin_kernel(scheduler, 7, 10, 0);
  hand_out(scheduler, 20);
  scheduler.monitored({1, 0, 20, 1});
  begin_kernel(scheduler, 7, 10, 100);
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 1, 1, 100}}));
  const Starts starts = hand_out(scheduler, 120);
  EXPECT_EQ(places_on(starts, 0).size(), 4U);
  EXPECT_EQ(places_on(starts, 1).size(), 1U);
}

TEST(RandomLimit, IsDrawnAnewForEveryLaunchFromOneToAsManyAsFit) {
  const auto limits = [](unsigned seed, unsigned found) {
    RandomLimit scheduler(1, 10, LimitRules{}, seed);
    std::vector<unsigned> drawn;
    for (std::uint64_t launch = 0; launch < 200; ++launch) {
      begin(scheduler, 100, 6, 1000 * launch);
      hand_out(scheduler, 1000 * launch + 20);
      EXPECT_TRUE(scheduler.limits().empty()) << "as LCS";
      scheduler.monitored({0, 0, 1000 * launch + 100, found});
      EXPECT_EQ(scheduler.limits().at(0).cycle, 1000 * launch + 110);
      drawn.push_back(scheduler.limits().at(0).limit);
    }
    return drawn;
  };
  const std::vector<unsigned> drawn = limits(1, 3);
  for (unsigned limit = 1; limit <= 6; ++limit) {
    EXPECT_GT(std::count(drawn.begin(), drawn.end(), limit), 15) << limit;
  }
  EXPECT_EQ(*std::max_element(drawn.begin(), drawn.end()), 6U);
  EXPECT_EQ(*std::min_element(drawn.begin(), drawn.end()), 1U);
  EXPECT_EQ(limits(1, 5), drawn) << "whatever the monitor has found";
  EXPECT_NE(limits(2, 3), drawn);
}

TEST(LazyBlocks, ALimitIsForgottenWithTheLaunch) {
  LazyBlocks scheduler(1, 10, LimitRules{LimitScope::first_core});
  begin(scheduler, 4, 4, 0);
  hand_out(scheduler, 10);
  scheduler.monitored({0, 0, 20, 1});
  begin(scheduler, 4, 4, 100);
  EXPECT_EQ(hand_out(scheduler, 120).size(), 4U);
  EXPECT_TRUE(scheduler.limits().empty());
}

}  // namespace
}  // namespace paws
