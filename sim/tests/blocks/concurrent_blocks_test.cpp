// SPDX-License-Identifier: MIT
#include "sim/blocks/concurrent_blocks.h"

#include <array>

#include "sim/tests/blocks/support.h"

namespace paws {
namespace {

TEST(ConcurrentBlocks, EvenCoresTakeTheFirstLaunchAndOddOnesTheSecond) {
  ConcurrentBlocks scheduler(2, 10, LimitRules{LimitScope::first_core});
  const std::array launches{LaunchBlocks{10, resources(1), false},
                            LaunchBlocks{3, resources(1), false}};
  scheduler.begin(launches, resources(2), 0);
  EXPECT_EQ(hand_out(scheduler, 10),
            (Starts{{0, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 1}, {1, 1, 1, 1}}));
  scheduler.freed(1, 1, kAlone, 20);
  EXPECT_EQ(hand_out(scheduler, 40), (Starts{{1, 1, 2, 30}}));
  scheduler.freed(1, 1, kAlone, 40);
  EXPECT_TRUE(hand_out(scheduler, 60).empty()) << "the core is not empty";
  scheduler.freed(1, 1, kAlone, 60);
  EXPECT_EQ(hand_out(scheduler, 80), (Starts{{1, 0, 2, 70}, {1, 0, 3, 71}}))
      << "it takes the other launch";
}

TEST(ConcurrentBlocks, EveryLaunchHasTheLimitOfItsOwnCores) {
  ConcurrentBlocks scheduler(2, 10, LimitRules{LimitScope::first_core});
  const std::array launches{LaunchBlocks{100, resources(1), false},
                            LaunchBlocks{100, resources(1), false}};
  scheduler.begin(launches, resources(4), 0);
  EXPECT_EQ(hand_out(scheduler, 10).size(), 8U);
  scheduler.monitored({1, 1, 20, 1});
  scheduler.monitored({0, 0, 21, 3});
  for (const std::uint32_t core : {0U, 1U}) {
    for (unsigned i = 0; i < 2; ++i) scheduler.freed(core, core, kAlone, 30);
  }
  EXPECT_EQ(hand_out(scheduler, 60), (Starts{{0, 0, 4, 40}})) << "2 of 3, and 2 of 1";
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 3, 31}, {1, 1, 1, 30}}));
}

TEST(ConcurrentBlocks, ACoreThatTakesAnotherLaunchFindsALimitForIt) {
  ConcurrentBlocks scheduler(1, 10, LimitRules{LimitScope::first_core});
  const std::array launches{LaunchBlocks{2, resources(1), false},
                            LaunchBlocks{100, resources(1), false}};
  scheduler.begin(launches, resources(2), 0);
  EXPECT_EQ(hand_out(scheduler, 10), (Starts{{0, 0, 0, 0}, {0, 0, 1, 1}}));
  scheduler.monitored({0, 0, 20, 1});
  scheduler.freed(0, 0, kAlone, 20);
  scheduler.freed(0, 0, kAlone, 21);
  EXPECT_EQ(hand_out(scheduler, 50), (Starts{{0, 1, 0, 31}, {0, 1, 1, 32}}));
  scheduler.monitored({0, 1, 60, 1});
  scheduler.freed(0, 1, kAlone, 70);
  EXPECT_TRUE(hand_out(scheduler, 90).empty()) << "one is left, and one is enough";
}

TEST(MixedBlocks, LaunchesInTurnUpToTheirLimits) {
  MixedBlocks scheduler(1, 10, {1, 3}, false);
  const std::array launches{LaunchBlocks{100, resources(1), false},
                            LaunchBlocks{100, resources(1), false}};
  scheduler.begin(launches, resources(8), 0);
  EXPECT_EQ(hand_out(scheduler, 10),
            (Starts{{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 1, 2}, {0, 1, 2, 3}}));
  scheduler.freed(0, 1, kAlone, 20);
  scheduler.freed(0, 0, kAlone, 20);
  EXPECT_EQ(hand_out(scheduler, 50), (Starts{{0, 0, 1, 30}, {0, 1, 3, 31}}));
}

TEST(MixedBlocks, WhenALaunchEndsTheOthersKeepTheirLimits) {
  MixedBlocks scheduler(1, 10, {1, 2}, false);
  const std::array launches{LaunchBlocks{1, resources(1), false},
                            LaunchBlocks{100, resources(1), false}};
  scheduler.begin(launches, resources(8), 0);
  EXPECT_EQ(hand_out(scheduler, 10).size(), 3U);
  scheduler.freed(0, 0, kAlone, 20);
  EXPECT_TRUE(hand_out(scheduler, 50).empty());
  EXPECT_EQ(scheduler.next_start(), kNever);
}

TEST(MixedBlocks, WhenALaunchEndsTheOtherMayTakeItsShare) {
  MixedBlocks scheduler(1, 10, {2, 1}, true);
  const std::array launches{LaunchBlocks{2, resources(1), false},
                            LaunchBlocks{100, resources(1), false}};
  scheduler.begin(launches, resources(8), 0);
  EXPECT_EQ(hand_out(scheduler, 10),
            (Starts{{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 0, 1, 2}, {0, 1, 1, 3}, {0, 1, 2, 4}}))
      << "three in all: the first launch has no block left";
  scheduler.freed(0, 0, kAlone, 20);
  EXPECT_TRUE(hand_out(scheduler, 50).empty());
  scheduler.freed(0, 1, kAlone, 50);
  EXPECT_EQ(hand_out(scheduler, 80), (Starts{{0, 1, 3, 60}}));
}

TEST(MixedBlocks, LimitsThatAreNoneAndLaunchesThatFitNoCoreTogetherAreRefused) {
  const std::array launches{LaunchBlocks{9, resources(1, 60)}, LaunchBlocks{9, resources(1, 30)}};
  const auto why = [&](std::vector<unsigned> limits, std::uint64_t registers) {
    const auto refused =
        MixedBlocks(1, 10, std::move(limits), false).refuses(launches, resources(8, registers));
    return refused ? std::to_string(refused->launch) + ": " + refused->why : "";
  };
  EXPECT_EQ(why({1, 3}, 100), "");
  EXPECT_EQ(why({2, 3}, 100),
            "0: a limit of 2 blocks per core (--blocks), but 1 fit: a core has no more registers");
  EXPECT_EQ(why({1, 4}, 100),
            "1: a limit of 4 blocks per core (--blocks), but 3 fit: a core has no more registers");
  EXPECT_EQ(why({1, 1}, 80),
            "1: a block of it and one of the other launch fit no core together (--blocks): they "
            "need 90 registers, a core has 80");
}

}  // namespace
}  // namespace paws
