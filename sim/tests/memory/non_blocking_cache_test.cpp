// SPDX-License-Identifier: MIT
#include "sim/memory/non_blocking_cache.h"

#include <gtest/gtest.h>

namespace paws::memory {
namespace {

using Result = NonBlockingCache::Result;

constexpr unsigned kLine = 128;
const auto kYes = [] { return true; };
const auto kNo = [] { return false; };

/// One set of two ways, two MSHRs that serve two requests each; lines are numbered from 0.
class NonBlockingCacheTest : public testing::Test {
 protected:
  template <typename MayFetch>
  Result read(std::uint64_t line, std::uint32_t request, const MayFetch& may_fetch) {
    return cache_.read(line * kLine, request, 0, may_fetch).result;
  }
  MshrFile::Waiting fill(std::uint64_t line) { return cache_.fill(line * kLine); }

  NonBlockingCache cache_{{2 * kLine, 2, kLine, 1, 2, 2}};
};

TEST_F(NonBlockingCacheTest, AMissIsMergedIntoUntilItIsFilled) {
  EXPECT_EQ(read(1, 10, kYes), Result::miss);
  EXPECT_EQ(read(1, 11, kNo), Result::merged) << "a merge fetches nothing";
  EXPECT_EQ(read(1, 12, kYes), Result::full) << "the MSHR serves two";
  EXPECT_EQ(fill(1), (MshrFile::Waiting{10, 11}));
  EXPECT_EQ(read(1, 12, kNo), Result::hit);
}

TEST_F(NonBlockingCacheTest, AHitNeedsNeitherMshrNorPort) {
  read(1, 0, kYes);
  fill(1);
  cache_.mshrs().add_single();
  cache_.mshrs().add_single();
  EXPECT_EQ(read(1, 1, kNo), Result::hit);
  EXPECT_EQ(read(2, 1, kYes), Result::full);
  cache_.mshrs().take_single();
  EXPECT_EQ(read(2, 1, kNo), Result::held);
  EXPECT_EQ(read(2, 1, kYes), Result::miss) << "the attempts have changed nothing";
}

TEST_F(NonBlockingCacheTest, AReservedSetTakesNoMiss) {
  NonBlockingCache cache({kLine, 1, kLine, 1, 4, 4});
  EXPECT_EQ(cache.read(0, 0, 0, kYes).result, Result::miss);
  EXPECT_EQ(cache.read(kLine, 1, 0, kYes).result, Result::no_way);
  EXPECT_EQ(cache.mshrs().size(), 1U);
  cache.fill(0);
  EXPECT_EQ(cache.read(kLine, 1, 0, kYes).result, Result::miss);
}

TEST_F(NonBlockingCacheTest, OwnersOfLinesAndVictimsAreKnown) {
  cache_.read(1 * kLine, 0, 7, kYes);
  fill(1);
  EXPECT_EQ(cache_.read(1 * kLine, 0, 8, kYes).tags.owner, 7U) << "the one who brought it";
  EXPECT_FALSE(cache_.write(2 * kLine, 9).replaced);
  const TagArray::Access clean = cache_.read(3 * kLine, 0, 5, kYes).tags;
  EXPECT_TRUE(clean.replaced);
  EXPECT_FALSE(clean.dirty);
  EXPECT_EQ(clean.victim, 1U * kLine);
  EXPECT_EQ(clean.owner, 7U);
  const TagArray::Access dirty = cache_.read(4 * kLine, 0, 5, kYes).tags;
  EXPECT_EQ(dirty.writeback(), 2U * kLine);
  EXPECT_EQ(dirty.owner, 9U);
  const TagArray::Access pending = cache_.tags().look(3 * kLine);
  EXPECT_EQ(pending.result, TagArray::Result::pending);
  EXPECT_EQ(pending.owner, 5U);
  EXPECT_EQ(cache_.tags().look(1 * kLine).result, TagArray::Result::miss);
}

TEST(MshrFile, CountsLinesAndSinglesAgainstOneLimit) {
  MshrFile mshrs(2, 1);
  mshrs.add(0, 1);
  EXPECT_FALSE(mshrs.full());
  mshrs.add_single();
  EXPECT_TRUE(mshrs.full());
  EXPECT_EQ(mshrs.size(), 2U);
  EXPECT_EQ(mshrs.lines(), 1U);
  EXPECT_FALSE(mshrs.join(*mshrs.find(0), 2)) << "the first request counts";
  EXPECT_TRUE(mshrs.outstanding(0));
  EXPECT_FALSE(mshrs.outstanding(128));
  mshrs.take_single();
  EXPECT_FALSE(mshrs.full());
}

TEST(SectoredCache, ALineIsDoneWhenNoSectorIsOnItsWay) {
  NonBlockingCache cache({2 * kLine, 2, kLine, 1, 1, 3, true});
  auto read = [&](std::uint32_t request, SectorMask sectors, const auto& may_fetch) {
    return cache.read(0, request, 0, may_fetch, sectors);
  };
  EXPECT_EQ(read(1, 0b0001, kYes).result, Result::miss);
  EXPECT_EQ(read(2, 0b0001, kNo).result, Result::merged);
  EXPECT_EQ(read(3, 0b0011, kNo).result, Result::held) << "the second sector must be fetched";
  const NonBlockingCache::Lookup more = read(3, 0b0011, kYes);
  EXPECT_EQ(more.result, Result::miss);
  EXPECT_EQ(more.tags.fetch, 0b0010) << "the first one is on its way";
  EXPECT_EQ(cache.mshrs().lines(), 1U);
  EXPECT_EQ(read(4, 0b0100, kYes).result, Result::full) << "the MSHR serves three";
  EXPECT_TRUE(cache.fill(0, 0b0001).empty());
  EXPECT_EQ(read(4, 0b0001, kNo).result, Result::hit) << "a sector that is there";
  EXPECT_EQ(cache.fill(0, 0b0010), (MshrFile::Waiting{1, 2, 3}));
  EXPECT_EQ(read(5, 0b0011, kNo).result, Result::hit);
  EXPECT_EQ(read(5, 0b1000, kYes).result, Result::miss);
}

}  // namespace
}  // namespace paws::memory
