// SPDX-License-Identifier: MIT
#include "sim/core/coalescer.h"

#include <gtest/gtest.h>

#include <functional>

namespace paws::core {
namespace {

exec::Outcome access(std::uint8_t bytes, const std::function<std::uint64_t(unsigned)>& address,
                     exec::LaneMask active = 0xffff'ffff) {
  exec::Outcome outcome;
  outcome.active = active;
  outcome.bytes = bytes;
  for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) outcome.addresses[lane] = address(lane);
  return outcome;
}

Transactions lines(const exec::Outcome& outcome, bool atomic = false) {
  Transactions transactions;
  coalesce(outcome, atomic, transactions);
  return transactions;
}

TEST(Coalescer, ConsecutiveWordsAreOneLine) {
  const Transactions one = lines(access(4, [](unsigned lane) { return 256 + 4 * lane; }));
  ASSERT_EQ(one.count, 1U);
  EXPECT_EQ(one.list[0].line, 256U);
  EXPECT_EQ(one.list[0].bytes, 128U);
}

TEST(Coalescer, MisalignedWordsAreTwoLines) {
  EXPECT_EQ(lines(access(4, [](unsigned lane) { return 64 + 4 * lane; })).count, 2U);
}

TEST(Coalescer, EveryLaneItsOwnLine) {
  const Transactions all = lines(access(4, [](unsigned lane) { return 512 * lane; }));
  ASSERT_EQ(all.count, 32U);
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(all.list[i].line, 512U * i);
    EXPECT_EQ(all.list[i].bytes, 32U);
  }
}

/// Turns that loads of words `stride` words apart take with four banks of tags.
unsigned turns(unsigned stride, unsigned first = 0) {
  Transactions all = lines(access(4, [=](unsigned lane) { return 4 * (first + stride * lane); }));
  const Transactions before = all;
  take_turns(all, 4);
  EXPECT_EQ(all.count, before.count);
  for (unsigned i = 1; i < all.count; ++i) {
    EXPECT_GE(all.list[i].turn, all.list[i - 1].turn);
    EXPECT_LE(all.list[i].turn, all.list[i - 1].turn + 1U);
  }
  return all.list[all.count - 1].turn + 1U;
}

TEST(Coalescer, ABankOfTagsLooksUpOneLineInATurn) {
  EXPECT_EQ(turns(1), 1U);
  EXPECT_EQ(turns(1, 16), 1U) << "two lines";
  EXPECT_EQ(turns(4), 1U) << "lines 0 to 3";
  EXPECT_EQ(turns(3, 96), 1U) << "lines 3 to 5: banks 3, 1 and 0";
  EXPECT_EQ(turns(3, 100), 2U) << "lines 3 to 6: line 6 is in the bank of line 3";
  EXPECT_EQ(turns(9), 3U) << "nine lines";
  EXPECT_EQ(turns(32), 8U);
  EXPECT_EQ(turns(64), 8U) << "even lines are in all banks";
}

TEST(Coalescer, TexelsOfAllLanesShareLines) {
  exec::Outcome fetch = access(4, [](unsigned) { return 0; }, 0x0000'ffff);
  fetch.memory = true;
  // Two texels for each lane, one line apart; lane 3 touches one of them alone, lane 20 is
  // inactive.
  fetch.texels.resize(2);
  for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
    fetch.texels[0][lane] = lane == 20 ? 4096 : 256 + 4 * lane;
    fetch.texels[1][lane] = lane == 3 ? exec::kNoTexel : 384 + 4 * lane;
  }
  const Transactions touched = lines(fetch);
  ASSERT_EQ(touched.count, 2U);
  EXPECT_EQ(touched.list[0].line, 256U);
  EXPECT_EQ(touched.list[0].bytes, 64U);
  EXPECT_EQ(touched.list[1].line, 384U);
  EXPECT_EQ(touched.list[1].bytes, 64U);
  for (auto& texels : fetch.texels) texels.fill(exec::kNoTexel);
  EXPECT_EQ(lines(fetch).count, 0U);
}

TEST(Coalescer, ATextureCacheHasLinesOfItsOwn) {
  exec::Outcome fetch = access(4, [](unsigned) { return 0; });
  fetch.memory = true;
  fetch.texels.resize(1);
  // Bytes 224 to 287 and 480 to 511.
  for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
    fetch.texels[0][lane] = lane < 16 ? 224 + 4 * lane : 480 + 4 * (lane % 8);
  }
  const auto split = [&](unsigned line_bytes) {
    Transactions all = lines(fetch);
    split_lines(all, line_bytes);
    std::vector<std::pair<std::uint64_t, unsigned>> found;
    for (unsigned i = 0; i < all.count; ++i) {
      found.emplace_back(all.list[i].line, all.list[i].sectors);
      EXPECT_EQ(all.list[i].bytes, line_bytes);
    }
    return found;
  };
  using Found = std::vector<std::pair<std::uint64_t, unsigned>>;
  EXPECT_EQ(split(32), (Found{{128, 0b1000}, {256, 0b0001}, {384, 0b1000}}));
  EXPECT_EQ(split(64), (Found{{128, 0b1100}, {256, 0b0011}, {384, 0b1100}}));
  EXPECT_EQ(split(128), (Found{{128, 0b1111}, {256, 0b1111}, {384, 0b1111}}));
}

TEST(Coalescer, EveryTexelInALineOfItsOwn) {
  exec::Outcome fetch = access(16, [](unsigned) { return 0; });
  fetch.memory = true;
  fetch.texels.resize(exec::kMaxTexels);
  for (unsigned i = 0; i < exec::kMaxTexels; ++i) {
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      fetch.texels[i][lane] = 256 * (i * ir::kWarpSize + lane);
    }
  }
  EXPECT_EQ(lines(fetch).count, kMaxTransactions);
}

TEST(Coalescer, TwoRowsOfABlockAreTwoLines) {
  const Transactions rows =
      lines(access(4, [](unsigned lane) { return 4096 * (lane / 16) + 96 + 4 * (lane % 16); }));
  ASSERT_EQ(rows.count, 4U) << "each over the end of a line";
  EXPECT_EQ(rows.list[0].line, 0U);
  EXPECT_EQ(rows.list[0].bytes, 32U);
  EXPECT_EQ(rows.list[1].line, 128U);
  EXPECT_EQ(rows.list[1].bytes, 32U);
  EXPECT_EQ(rows.list[2].line, 4096U);
  EXPECT_EQ(rows.list[3].line, 4224U);
  const Transactions same = lines(access(4, [](unsigned lane) { return 256 * (lane / 16) + 40; }));
  ASSERT_EQ(same.count, 2U);
  EXPECT_EQ(same.list[0].bytes, 32U);
}

TEST(Coalescer, ALaneOutOfStepIsSeen) {
  for (unsigned odd = 0; odd < ir::kWarpSize; ++odd) {
    const Transactions apart =
        lines(access(4, [odd](unsigned lane) { return lane == odd ? 8192U : 1024U + 4 * lane; }));
    ASSERT_EQ(apart.count, 2U) << "lane " << odd;
    EXPECT_EQ(apart.list[odd == 0 ? 0 : 1].line, 8192U);
    EXPECT_EQ(apart.list[odd == 0 ? 0 : 1].bytes, 32U);
  }
}

TEST(Coalescer, AddressesThatNoMemoryHasMayWrapAround) {
  const Transactions around = lines(access(8, [](unsigned) { return ~std::uint64_t{3}; }));
  ASSERT_EQ(around.count, 2U);
  EXPECT_EQ(around.list[0].line, ~std::uint64_t{127});
  EXPECT_EQ(around.list[1].line, 0U);
}

TEST(Coalescer, InactiveLanesDoNotCount) {
  EXPECT_EQ(lines(access(4, [](unsigned lane) { return 512 * lane; }, 0x5)).count, 2U);
  EXPECT_EQ(lines(access(4, [](unsigned lane) { return 512 * lane; }, 0)).count, 0U);
}

TEST(Coalescer, WideElementsTakeMoreLines) {
  EXPECT_EQ(lines(access(16, [](unsigned lane) { return 16 * lane; })).count, 4U);
  // Not aligned to their size, as a packed structure may be: up to two lines a lane.
  EXPECT_EQ(lines(access(16, [](unsigned lane) { return 256 * lane + 120; })).count, 64U);
}

TEST(Coalescer, AtomicsCountTheMostContendedWord) {
  EXPECT_EQ(lines(access(4, [](unsigned) { return 0; }), true).list[0].conflicts, 32U);
  EXPECT_EQ(lines(access(4, [](unsigned lane) { return 4 * lane; }), true).list[0].conflicts, 1U);
  EXPECT_EQ(lines(access(4, [](unsigned lane) { return 4 * (lane / 4); }), true).list[0].conflicts,
            4U);
}

/// Strides of 4-byte words over 32 banks: gcd(stride, 32) passes.
class SharedStride : public testing::TestWithParam<std::pair<unsigned, unsigned>> {};

TEST_P(SharedStride, ConflictsAreTheGreatestCommonDivisor) {
  const auto [stride, passes] = GetParam();
  const unsigned step = stride;
  EXPECT_EQ(shared_passes(access(4, [step](unsigned lane) { return 4 * step * lane; }), 32, false),
            passes);
}

INSTANTIATE_TEST_SUITE_P(Strides, SharedStride,
                         testing::Values(std::pair{1U, 1U}, std::pair{2U, 2U}, std::pair{3U, 1U},
                                         std::pair{4U, 4U}, std::pair{8U, 8U}, std::pair{16U, 16U},
                                         std::pair{31U, 1U}, std::pair{32U, 32U},
                                         std::pair{33U, 1U}));

TEST(SharedMemory, LanesThatReadOneWordShareIt) {
  const exec::Outcome broadcast = access(4, [](unsigned) { return 64; });
  EXPECT_EQ(shared_passes(broadcast, 32, false), 1U);
  EXPECT_EQ(shared_passes(broadcast, 32, true), 32U);
}

TEST(SharedMemory, WordsOfOneRowOfTheBanksDoNotConflict) {
  const auto swapped = [](unsigned lane) { return 1024 + 4 * (lane ^ 5U); };
  EXPECT_EQ(shared_passes(access(4, swapped), 32, false), 1U);
  EXPECT_EQ(shared_passes(access(4, swapped), 16, false), 2U) << "two rows of 16 banks";
  EXPECT_EQ(shared_passes(access(4, swapped), 32, true), 1U);
}

TEST(SharedMemory, WideAccessesGoByPartsOfTheWarp) {
  EXPECT_EQ(shared_passes(access(8, [](unsigned lane) { return 8 * lane; }), 32, false), 2U);
  EXPECT_EQ(shared_passes(access(16, [](unsigned lane) { return 16 * lane; }), 32, false), 4U);
}

}  // namespace
}  // namespace paws::core
