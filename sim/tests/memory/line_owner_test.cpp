// SPDX-License-Identifier: MIT
#include "sim/memory/line_owner.h"

#include <gtest/gtest.h>

namespace paws::memory {
namespace {

TEST(LineOwner, IsTheSameWarpBlockPairOrAnother) {
  const LineOwner warp(1000, 127);
  EXPECT_EQ(warp.finds(LineOwner(1000, 127)), Locality::same_warp);
  EXPECT_EQ(warp.finds(LineOwner(1000, 126)), Locality::same_block);
  EXPECT_EQ(warp.finds(LineOwner(1000, 0)), Locality::same_block);
  EXPECT_EQ(warp.finds(LineOwner(1001, 127)), Locality::paired_block);
  EXPECT_EQ(warp.finds(LineOwner(1001, 3)), Locality::paired_block);
  EXPECT_EQ(warp.finds(LineOwner(999, 127)), Locality::other_block);
  EXPECT_EQ(warp.finds(LineOwner(1002, 127)), Locality::other_block);
  EXPECT_EQ(LineOwner(1001, 5).finds(LineOwner(1002, 5)), Locality::other_block)
      << "next to each other, but of two pairs";
  const std::uint64_t far = std::uint64_t{1} << 50;
  EXPECT_EQ(LineOwner(far, 1).finds(LineOwner(0, 1)), Locality::other_block);
  EXPECT_EQ(LineOwner(far, 1).finds(LineOwner(far + 1, 1)), Locality::paired_block);
}

TEST(LineOwner, ComesBackFromItsNumber) {
  const LineOwner warp(70'000'000'000, 101);
  EXPECT_EQ(LineOwner::of(warp.number()), warp);
  EXPECT_EQ(LineOwner::of(warp.number()).warp_slot(), 101U);
}

TEST(LineOwner, OneAccessIsCountedOnce) {
  LocalityCounts counts{};
  count(counts, LineOwner(2, 1), LineOwner(3, 1).number());
  count(counts, LineOwner(2, 1), LineOwner(2, 1).number());
  EXPECT_EQ(counts, (LocalityCounts{1, 0, 1, 0}));
}

}  // namespace
}  // namespace paws::memory
