// SPDX-License-Identifier: MIT
#include "sim/blocks/paired_blocks.h"

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "sim/tests/blocks/support.h"

namespace paws {
namespace {

TEST(PairedBlocks, ConsecutiveBlocksInConsecutiveCyclesPairByPair) {
  PairedBlocks scheduler(2, 10, {}, {});
  begin(scheduler, 100, 4, 100, true);
  EXPECT_EQ(hand_out(scheduler, 150), (Starts{{0, 0, 0, 100, 0},
                                              {1, 0, 2, 100, 0},
                                              {0, 0, 1, 101, 0},
                                              {1, 0, 3, 101, 0},
                                              {0, 0, 4, 102, 1},
                                              {1, 0, 6, 102, 1},
                                              {0, 0, 5, 103, 1},
                                              {1, 0, 7, 103, 1}}));
  EXPECT_FALSE(scheduler.monitors());
  EXPECT_EQ(scheduler.together(0), 2U);
}

TEST(PairedBlocks, APairTakesTheTimeOfTwoBlocks) {
  PairedBlocks scheduler(2, 10, {}, {});
  scheduler.pace(5);
  begin(scheduler, 100, 4, 100, true);
  EXPECT_EQ(hand_out(scheduler, 125), (Starts{{0, 0, 0, 100, 0},
                                              {0, 0, 1, 101, 0},
                                              {1, 0, 2, 110, 0},
                                              {1, 0, 3, 111, 0},
                                              {0, 0, 4, 120, 1},
                                              {0, 0, 5, 121, 1}}));
}

TEST(PairedBlocks, APairIsReplacedWhenBothHaveEnded) {
  PairedBlocks scheduler(1, 10, {}, {});
  begin(scheduler, 100, 4, 0, true);
  hand_out(scheduler, 10);
  scheduler.freed(0, 0, 0, 20);
  scheduler.freed(0, 0, 1, 21);
  EXPECT_TRUE(hand_out(scheduler, 50).empty()) << "one of each pair";
  EXPECT_EQ(scheduler.next_start(), kNever);
  scheduler.freed(0, 0, 1, 60);
  EXPECT_EQ(hand_out(scheduler, 90), (Starts{{0, 0, 4, 70, 1}, {0, 0, 5, 71, 1}}));
}

TEST(PairedBlocks, AnOddPlaceStaysEmptyAndAnOddLastBlockGoesAlone) {
  PairedBlocks scheduler(1, 10, {}, {});
  begin(scheduler, 7, 5, 0, true);
  EXPECT_EQ(places_on(hand_out(scheduler, 50), 0), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  scheduler.freed(0, 0, 0, 60);
  scheduler.freed(0, 0, 0, 60);
  EXPECT_EQ(hand_out(scheduler, 80), (Starts{{0, 0, 4, 70, 0}, {0, 0, 5, 71, 0}}));
  scheduler.freed(0, 0, 1, 80);
  scheduler.freed(0, 0, 1, 80);
  EXPECT_EQ(hand_out(scheduler, 100), (Starts{{0, 0, 6, 90, kAlone}}));
  EXPECT_EQ(scheduler.started(), 7U);
}

TEST(PairedBlocks, ACapCountsTheFirstBlockOfAPair) {
  PairedBlocks scheduler(1, 10, {}, {});
  begin(scheduler, 20, 6, 0, true);
  scheduler.cap(0, 1, 0);
  EXPECT_EQ(hand_out(scheduler, 50), (Starts{{0, 0, 0, 0, 0}, {0, 0, 1, 1, 0}}));
  scheduler.cap(0, 2, 60);
  EXPECT_EQ(hand_out(scheduler, 70), Starts{});
  scheduler.cap(0, 3, 80);
  EXPECT_EQ(hand_out(scheduler, 100), (Starts{{0, 0, 2, 80, 1}, {0, 0, 3, 81, 1}}));
}

TEST(PairedBlocks, OneDimensionAndOneBlockPerCoreAreRoundRobin) {
  PairedBlocks scheduler(2, 10, {}, {});
  begin(scheduler, 100, 2, 0, false);
  EXPECT_EQ(scheduler.together(0), 1U);
  EXPECT_EQ(hand_out(scheduler, 10),
            (Starts{{0, 0, 0, 0}, {1, 0, 1, 0}, {0, 0, 2, 1}, {1, 0, 3, 1}}));
  begin(scheduler, 100, 1, 100, true);
  EXPECT_EQ(hand_out(scheduler, 110), (Starts{{0, 0, 0, 100}, {1, 0, 1, 100}}));
}

TEST(PairedBlocks, ALaterLaunchGetsThePairsThatFitBesideEarlierOnes) {
  PairedBlocks scheduler(1, 10, {}, {});
  const std::array launches{LaunchBlocks{4, resources(1, 10), true},
                            LaunchBlocks{20, resources(1, 20), true}};
  scheduler.begin(launches, resources(8, 80), 0);
  EXPECT_EQ(hand_out(scheduler, 50), (Starts{{0, 0, 0, 0, 0},
                                             {0, 0, 1, 1, 0},
                                             {0, 0, 2, 2, 1},
                                             {0, 0, 3, 3, 1},
                                             {0, 1, 0, 4, 2},
                                             {0, 1, 1, 5, 2}}));
}

TEST(PairedBlocks, ALimitIsRoundedUpToPairs) {
  PairedBlocks scheduler(1, 10, LimitRules{LimitScope::first_core}, {});
  begin(scheduler, 100, 8, 0, true);
  EXPECT_TRUE(scheduler.monitors());
  EXPECT_EQ(hand_out(scheduler, 20).size(), 8U);
  scheduler.monitored({0, 0, 20, 3});
  EXPECT_EQ(scheduler.limits(), (std::vector<BlockLimit>{{0, 0, 4, 30}})) << "what is in force";
  for (const std::uint32_t pair : {0U, 0U, 1U, 1U}) scheduler.freed(0, 0, pair, 30);
  EXPECT_TRUE(hand_out(scheduler, 60).empty()) << "two pairs are left, for a limit of 3";
  for (const std::uint32_t pair : {2U, 2U}) scheduler.freed(0, 0, pair, 60);
  EXPECT_EQ(places_on(hand_out(scheduler, 90), 0), (std::vector<std::uint64_t>{8, 9}));
}

TEST(PairedBlocks, WithLcsTheLimitHoldsForOneDimensionToo) {
  PairedBlocks scheduler(1, 10, LimitRules{LimitScope::first_core}, {});
  begin(scheduler, 100, 8, 0, false);
  hand_out(scheduler, 20);
  scheduler.monitored({0, 0, 20, 3});
  for (unsigned i = 0; i < 5; ++i) scheduler.freed(0, 0, kAlone, 30);
  EXPECT_TRUE(hand_out(scheduler, 60).empty());
  scheduler.freed(0, 0, kAlone, 60);
  EXPECT_EQ(hand_out(scheduler, 90).size(), 1U);
}

/// As hand_out(), with the numbers of the blocks instead of cores and launches.
struct Numbered {
  std::uint64_t place = 0;
  std::optional<std::uint64_t> number;
  std::uint32_t pair = kAlone;
  bool operator==(const Numbered&) const = default;
};
std::vector<Numbered> numbered(BlockScheduler& scheduler, std::uint64_t end) {
  std::vector<Numbered> starts;
  scheduler.hand_out(end, [&](const BlockScheduler::Start& start) {
    starts.push_back({start.place, start.number, start.pair});
  });
  return starts;
}

TEST(PairedBlocks, NoPairCrossesARowIfToldSo) {
  PairedBlocks scheduler(1, 10, {}, {true, false});
  const LaunchBlocks launch{11, resources(1), true, 3};
  scheduler.begin({&launch, 1}, resources(10), 0);
  EXPECT_EQ(numbered(scheduler, 50), (std::vector<Numbered>{{0, 0, 0},
                                                            {1, 1, 0},
                                                            {2, 2, kAlone},
                                                            {3, 4, 1},
                                                            {4, 5, 1},
                                                            {5, 6, kAlone},
                                                            {6, 8, 2},
                                                            {7, 9, 2}}))
      << "blocks alone take places of pairs, of which there are five";
  scheduler.freed(0, 0, kAlone, 50);
  EXPECT_EQ(numbered(scheduler, 80), (std::vector<Numbered>{{8, 10, kAlone}}));
  scheduler.freed(0, 0, 1, 80);
  scheduler.freed(0, 0, 1, 80);
  EXPECT_EQ(numbered(scheduler, 110), (std::vector<Numbered>{{9, 12, 1}, {10, 13, 1}}));
  EXPECT_EQ(scheduler.together(0), 3U) << "a perturbed order keeps rows";
  const LaunchBlocks even{8, resources(1), true, 4};
  scheduler.begin({&even, 1}, resources(8), 100);
  EXPECT_EQ(scheduler.together(0), 2U);
  PairedBlocks plain(1, 10, {}, {});
  plain.begin({&launch, 1}, resources(12), 0);
  EXPECT_EQ(numbered(plain, 50).at(3), (Numbered{3, {}, 1})) << "the numbers are the grid's";
}

TEST(PairedBlocks, TheLastPlaceOfAnOddLimitTakesBlocksOneByOneIfToldSo) {
  PairedBlocks scheduler(1, 10, {}, {false, true});
  begin(scheduler, 11, 5, 0, true);
  EXPECT_EQ(hand_out(scheduler, 50), (Starts{{0, 0, 0, 0, 0},
                                             {0, 0, 1, 1, 0},
                                             {0, 0, 2, 2, 1},
                                             {0, 0, 3, 3, 1},
                                             {0, 0, 4, 4, kAlone}}));
  scheduler.freed(0, 0, kAlone, 60);
  EXPECT_EQ(hand_out(scheduler, 80), (Starts{{0, 0, 5, 70, kAlone}})) << "the split pair's second";
  scheduler.freed(0, 0, kAlone, 80);
  scheduler.freed(0, 0, 1, 81);
  EXPECT_EQ(hand_out(scheduler, 100), (Starts{{0, 0, 6, 90, kAlone}}));
  scheduler.freed(0, 0, 1, 100);
  EXPECT_EQ(hand_out(scheduler, 130), (Starts{{0, 0, 8, 110, 1}, {0, 0, 9, 111, 1}}));
  scheduler.freed(0, 0, 0, 130);
  scheduler.freed(0, 0, 0, 130);
  EXPECT_EQ(hand_out(scheduler, 160), (Starts{{0, 0, 10, 140, kAlone}})) << "the odd last block";
  EXPECT_EQ(scheduler.next_start(), kNever) << "the place of single blocks is not free";
  scheduler.freed(0, 0, kAlone, 160);
  EXPECT_EQ(hand_out(scheduler, 190), (Starts{{0, 0, 7, 170, kAlone}}));
  EXPECT_EQ(scheduler.started(), 11U);
}

TEST(PairedBlocks, TheSecondBlockOfASplitPairGoesAloneWhenNoPairIsLeft) {
  PairedBlocks scheduler(1, 10, {}, {false, true});
  begin(scheduler, 4, 3, 0, true);
  EXPECT_EQ(hand_out(scheduler, 50),
            (Starts{{0, 0, 0, 0, 0}, {0, 0, 1, 1, 0}, {0, 0, 2, 2, kAlone}}));
  scheduler.freed(0, 0, 0, 60);
  scheduler.freed(0, 0, 0, 60);
  EXPECT_EQ(hand_out(scheduler, 80), (Starts{{0, 0, 3, 70, kAlone}}));
}

TEST(PairedBlocks, AnEvenLimitHasNoPlaceForSingleBlocks) {
  PairedBlocks scheduler(1, 10, LimitRules{}, {false, true});
  begin(scheduler, 100, 7, 0, true);
  EXPECT_EQ(hand_out(scheduler, 20).size(), 7U);
  scheduler.monitored({0, 0, 20, 4});
  for (const std::uint32_t pair : {0U, 0U, kAlone}) scheduler.freed(0, 0, pair, 30);
  EXPECT_EQ(hand_out(scheduler, 60), Starts{}) << "four are left";
  scheduler.freed(0, 0, 1, 60);
  EXPECT_EQ(hand_out(scheduler, 90), Starts{}) << "room for one, and none of them is a pair";
  // Four fit, but for the other launch: the place of a pair takes no single block.
  const std::array launches{LaunchBlocks{1, resources(1, 40)},
                            LaunchBlocks{20, resources(1, 30), true}};
  scheduler.begin(launches, resources(8, 130), 100);
  EXPECT_EQ(hand_out(scheduler, 150),
            (Starts{{0, 0, 0, 100}, {0, 1, 0, 101, 0}, {0, 1, 1, 102, 0}}));
}

TEST(PairedBlocks, AnOddLimitOfLcsStaysOddWithAPlaceForSingleBlocks) {
  PairedBlocks scheduler(1, 10, LimitRules{}, {false, true});
  begin(scheduler, 100, 8, 0, true);
  EXPECT_EQ(hand_out(scheduler, 20).size(), 8U);
  scheduler.monitored({0, 0, 20, 3});
  EXPECT_EQ(scheduler.limits().at(0).limit, 3U);
  for (const std::uint32_t pair : {0U, 0U, 1U, 1U, 2U, 2U}) scheduler.freed(0, 0, pair, 30);
  EXPECT_EQ(hand_out(scheduler, 60), (Starts{{0, 0, 8, 40, kAlone}}));
  for (const std::uint32_t pair : {3U, 3U}) scheduler.freed(0, 0, pair, 60);
  EXPECT_EQ(hand_out(scheduler, 90), (Starts{{0, 0, 10, 70, 0}, {0, 0, 11, 71, 0}}));
}

TEST(RandomPairs, AreDrawnFromTheBlocksThatTheCoresHoldTogether) {
  constexpr std::uint64_t kBlocks = 50;
  constexpr std::uint64_t kTogether = 3 * 4;
  RandomPairs scheduler(3, 10, 7);
  std::vector<std::vector<std::uint64_t>> orders;
  for (std::uint64_t launch = 0; launch < 2; ++launch) {
    begin(scheduler, kBlocks, 5, 1000 * launch, true);
    std::vector<std::uint64_t> order(kBlocks);
    std::set<std::uint64_t> seen;
    std::uint64_t neighbours = 0;
    for (std::uint64_t cycle = 1000 * launch; scheduler.started() < kBlocks; cycle += 100) {
      scheduler.hand_out(cycle + 50, [&](const BlockScheduler::Start& start) {
        ASSERT_TRUE(start.number.has_value());
        order.at(*start.number) = start.place;
        seen.insert(start.place);
        EXPECT_EQ(start.place / kTogether, *start.number / kTogether);
        scheduler.freed(start.core, 0, start.pair, cycle + 50);
      });
    }
    EXPECT_EQ(seen.size(), kBlocks);
    for (std::uint64_t i = 0; i < kBlocks; i += 2) neighbours += (order[i] ^ order[i + 1]) == 1;
    EXPECT_LT(neighbours, kBlocks / 4);
    orders.push_back(order);
  }
  EXPECT_NE(orders[0], orders[1]) << "every launch anew";
}

TEST(RandomPairs, BlocksOfOneDimensionStayInOrder) {
  RandomPairs scheduler(1, 10, 7);
  begin(scheduler, 4, 4, 0, false);
  EXPECT_EQ(hand_out(scheduler, 50),
            (Starts{{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 0, 2, 2}, {0, 0, 3, 3}}));
}

}  // namespace
}  // namespace paws
