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

TEST(TagArray, SectorsComeEachByItself) {
  TagArray tags = one_set();
  const TagArray::Access first = tags.read(0, 7, 0b0001);
  EXPECT_EQ(first.result, Result::miss);
  EXPECT_EQ(first.fetch, 0b0001);
  const TagArray::Access more = tags.read(0, 8, 0b0011);
  EXPECT_EQ(more.result, Result::miss) << "of the second sector";
  EXPECT_EQ(more.fetch, 0b0010);
  EXPECT_EQ(more.owner, 7U) << "the line is the first one's";
  EXPECT_FALSE(more.replaced);
  tags.fill(0, 0b0001);
  EXPECT_TRUE(tags.coming(0));
  EXPECT_EQ(tags.read(0, 8, 0b0001).result, Result::hit);
  EXPECT_EQ(tags.read(0, 8, 0b0010).result, Result::pending);
  EXPECT_EQ(tags.lacks(0, 0b1110), 0b1100);
  tags.fill(0, 0b0010);
  EXPECT_FALSE(tags.coming(0));
  EXPECT_TRUE(tags.holds(0, 0b0011));
  EXPECT_FALSE(tags.holds(0, 0b0100));
}

TEST(TagArray, AVictimIsWrittenBackBySectors) {
  TagArray tags = one_set();
  tags.write(0, 0, 0b0100);
  tags.read(0, 0, 0b0001);
  EXPECT_EQ(tags.write(1 * kLine, 0, 0b1000).result, Result::miss);
  tags.fill(0, 0b0001);
  const TagArray::Access access = tags.read(2 * kLine, 0, 0b0001);
  EXPECT_EQ(access.victim, 0U);
  EXPECT_TRUE(access.dirty);
  EXPECT_EQ(access.dirty_sectors, 0b0100) << "not what was read";
}

TEST(TagArray, EvictKeepsTheSectorsOnTheirWay) {
  TagArray tags = one_set();
  tags.write(0, 5, 0b0001);
  tags.read(0, 6, 0b0010);
  EXPECT_EQ(tags.evict(0), 5U);
  EXPECT_FALSE(tags.holds(0, 0b0001));
  EXPECT_EQ(tags.read(0, 6, 0b0010).result, Result::pending);
  tags.fill(0, 0b0010);
  EXPECT_TRUE(tags.holds(0, 0b0010));
}

}  // namespace
}  // namespace paws::memory
