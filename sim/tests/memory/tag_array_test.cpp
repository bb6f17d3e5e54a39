// SPDX-License-Identifier: MIT
#include "sim/memory/tag_array.h"

#include <gtest/gtest.h>

namespace paws::memory {
namespace {

using Result = TagArray::Result;

constexpr std::uint64_t kLine = 128;

/// One set of two ways.
TagArray one_set() { return {2 * kLine, 2, kLine}; }

TEST(TagArray, AMissReservesUntilItIsFilled) {
  TagArray tags = one_set();
  EXPECT_EQ(tags.read(0).result, Result::miss);
  EXPECT_FALSE(tags.holds(0));
  EXPECT_EQ(tags.read(0).result, Result::pending);
  tags.fill(0);
  EXPECT_TRUE(tags.holds(0));
  EXPECT_EQ(tags.read(0).result, Result::hit);
}

TEST(TagArray, TheLeastRecentlyUsedLineGoes) {
  TagArray tags = one_set();
  for (std::uint64_t line : {0 * kLine, 1 * kLine}) {
    tags.read(line);
    tags.fill(line);
  }
  tags.read(0);
  EXPECT_EQ(tags.read(2 * kLine).result, Result::miss);
  EXPECT_TRUE(tags.holds(0));
  EXPECT_FALSE(tags.holds(1 * kLine));
}

TEST(TagArray, ReservedLinesAreNotReplaced) {
  TagArray tags = one_set();
  tags.read(0 * kLine);
  tags.read(1 * kLine);
  EXPECT_EQ(tags.read(2 * kLine).result, Result::reservation_fail);
  EXPECT_EQ(tags.write(2 * kLine).result, Result::reservation_fail);
}

TEST(TagArray, ADirtyVictimIsWrittenBackOnce) {
  TagArray tags = one_set();
  EXPECT_EQ(tags.write(0).result, Result::miss);
  EXPECT_EQ(tags.write(0).result, Result::hit);
  tags.write(1 * kLine);
  const TagArray::Access access = tags.write(2 * kLine);
  ASSERT_TRUE(access.writeback().has_value());
  EXPECT_EQ(*access.writeback(), 0U);
  tags.clear();
  EXPECT_FALSE(tags.write(3 * kLine).writeback().has_value());
}

TEST(TagArray, EvictDropsValidLinesOnly) {
  TagArray tags = one_set();
  tags.read(0);
  EXPECT_FALSE(tags.evict(0));
  tags.fill(0);
  EXPECT_TRUE(tags.evict(0));
  EXPECT_FALSE(tags.evict(0));
}

TEST(TagArray, ASliceUsesAllItsSets) {
  // Of 12 slices this one gets every twelfth piece of 256 bytes; as many lines as it has stay.
  TagArray tags(64 * kLine, 4, kLine, 12);
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t piece = 0; piece < 32; ++piece) {
      for (std::uint64_t line = 0; line < 2; ++line) {
        const std::uint64_t address = piece * 12 * 256 + line * kLine;
        EXPECT_EQ(tags.read(address).result, round == 0 ? Result::miss : Result::hit);
        tags.fill(address);
      }
    }
  }
}

}  // namespace
}  // namespace paws::memory
