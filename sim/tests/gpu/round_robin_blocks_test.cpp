// SPDX-License-Identifier: MIT
#include "sim/gpu/round_robin_blocks.h"

#include <gtest/gtest.h>

#include <limits>
#include <tuple>

namespace paws {
namespace {

using Start = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>;  // cycle, core, block
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

std::vector<Start> hand_out(RoundRobinBlocks& distributor, std::uint64_t end) {
  std::vector<Start> starts;
  distributor.hand_out(end, [&](std::uint32_t core, std::uint64_t block, std::uint64_t cycle) {
    starts.emplace_back(cycle, core, block);
  });
  return starts;
}

TEST(RoundRobinBlocks, OneBlockPerCoreAndCycleLowestCoreFirst) {
  RoundRobinBlocks distributor(3, 10);
  distributor.begin(8, 4, 100);
  EXPECT_EQ(distributor.next_start(), 100U);
  EXPECT_EQ(hand_out(distributor, 101),
            (std::vector<Start>{{100, 0, 0}, {100, 1, 1}, {100, 2, 2}}));
  EXPECT_EQ(hand_out(distributor, 200),
            (std::vector<Start>{{101, 0, 3}, {101, 1, 4}, {101, 2, 5}, {102, 0, 6}, {102, 1, 7}}));
  EXPECT_EQ(distributor.started(), 8U);
  EXPECT_EQ(distributor.next_start(), kNever);
}

TEST(RoundRobinBlocks, AFreedSlotIsKnownAndAnsweredAfterTheLatency) {
  RoundRobinBlocks distributor(2, 10);
  distributor.begin(100, 1, 0);
  hand_out(distributor, 10);
  EXPECT_EQ(distributor.next_start(), kNever);
  distributor.freed(1, 20);
  distributor.freed(1, 20);
  distributor.freed(0, 21);
  EXPECT_EQ(hand_out(distributor, 31), (std::vector<Start>{{30, 1, 2}}));
  EXPECT_EQ(hand_out(distributor, 32), (std::vector<Start>{{31, 0, 3}, {31, 1, 4}}));
}

TEST(RoundRobinBlocks, SlotsOfALaunchDoNotOutliveIt) {
  RoundRobinBlocks distributor(1, 5);
  distributor.begin(1, 8, 0);
  hand_out(distributor, 100);
  distributor.freed(0, 50);
  distributor.begin(2, 1, 200);
  EXPECT_EQ(hand_out(distributor, 300), (std::vector<Start>{{200, 0, 0}}));
}

}  // namespace
}  // namespace paws
