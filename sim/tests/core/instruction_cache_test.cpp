// SPDX-License-Identifier: MIT
#include "sim/core/instruction_cache.h"

#include <gtest/gtest.h>

#include <limits>

#include "sim/memory/memory_system.h"
#include "sim/tests/core/settle.h"

namespace paws::core {
namespace {

using Result = InstructionCache::Result;

/// A cache of one core with its memory system; lines are numbered from 0.
class InstructionCacheTest : public testing::Test {
 protected:
  void make(unsigned bytes, unsigned ways, unsigned mshrs, unsigned prefetch = 0,
            unsigned l15_bytes = 0) {
    config_ = load_gpu("m2090");
    config_.cores = 1;
    config_.icache.bytes = bytes;
    config_.icache.ways = ways;
    config_.icache.mshrs = mshrs;
    config_.icache.prefetch = prefetch;
    config_.icache.l15_bytes = l15_bytes;
    memory_.emplace(config_);
    statistics_ = {};
    cache_.emplace(config_, memory_->port(0), statistics_);
  }

  Result fetch(std::uint64_t line, std::uint32_t warp = 0) {
    return cache_->fetch(line * config_.icache.line_bytes + 8, warp, cycle_);
  }

  /// Lets time pass until no request is under way; returns the warps that are served, in order.
  std::vector<std::uint32_t> settle() {
    core::settle(*memory_, cycle_, [this](const memory::Response& response) {
      EXPECT_EQ(response.kind, memory::RequestKind::instruction);
      cache_->respond(response);
    });
    std::vector<std::uint32_t> served;
    while (cache_->has_served()) served.push_back(cache_->next_served());
    return served;
  }

  GpuConfig config_;
  std::optional<memory::MemorySystem> memory_;
  CoreStatistics statistics_;
  std::optional<InstructionCache> cache_;
  std::uint64_t cycle_ = 0;
};

using Warps = std::vector<std::uint32_t>;

TEST_F(InstructionCacheTest, OneMissServesEveryWarpThatWaits) {
  make(2048, 4, 2);
  EXPECT_EQ(fetch(0, 5), Result::miss);
  EXPECT_EQ(fetch(0, 3), Result::miss);
  EXPECT_EQ(fetch(0, 7), Result::miss);
  EXPECT_FALSE(cache_->has_served());
  EXPECT_EQ(settle(), (Warps{5, 3, 7}));
  EXPECT_EQ(fetch(0), Result::hit);
  EXPECT_EQ(fetch(0), Result::hit);
  EXPECT_EQ(statistics_.icache_accesses, 5U);
  EXPECT_EQ(statistics_.icache_misses, 1U);
  EXPECT_EQ(statistics_.icache_pending_hits, 2U);
  EXPECT_EQ(memory_->statistics().requests, 1U);
  EXPECT_EQ(memory_->statistics().responses, 1U);
}

TEST_F(InstructionCacheTest, WithoutAnMshrNothingChangesBeforeAResponse) {
  make(2048, 4, 2);
  EXPECT_EQ(fetch(0, 1), Result::miss);
  EXPECT_EQ(fetch(1, 2), Result::miss);
  EXPECT_EQ(fetch(2, 3), Result::full);
  EXPECT_EQ(fetch(2, 3), Result::full);
  EXPECT_EQ(fetch(1, 4), Result::miss) << "an outstanding miss takes any number of warps";
  EXPECT_EQ(settle(), (Warps{1, 2, 4}));
  EXPECT_EQ(fetch(2, 3), Result::miss);
  EXPECT_EQ(settle(), (Warps{3}));
}

TEST_F(InstructionCacheTest, HitsGoOnUnderMisses) {
  make(2048, 4, 1);
  EXPECT_EQ(fetch(0), Result::miss);
  settle();
  EXPECT_EQ(fetch(1), Result::miss);
  EXPECT_EQ(fetch(0), Result::hit);
  EXPECT_EQ(fetch(2), Result::full);
}

TEST_F(InstructionCacheTest, ALineThatIsReplacedMissesAgain) {
  make(128, 1, 2);
  for (unsigned turn = 0; turn < 3; ++turn) {
    for (std::uint64_t line : {0U, 1U}) {
      EXPECT_EQ(fetch(line), Result::miss);
      EXPECT_EQ(fetch(1 - line, 1), Result::full) << "the only way is reserved";
      EXPECT_EQ(settle(), Warps{0});
      EXPECT_EQ(fetch(line), Result::hit);
      EXPECT_EQ(fetch(line), Result::hit);
    }
  }
  EXPECT_EQ(statistics_.icache_misses, 6U);
}

TEST_F(InstructionCacheTest, TheLeastRecentlyUsedLineGoes) {
  make(256, 2, 2);
  fetch(0);
  fetch(1);
  settle();
  EXPECT_EQ(fetch(1), Result::hit);
  EXPECT_EQ(fetch(0), Result::hit);
  fetch(2);
  settle();
  EXPECT_EQ(fetch(0), Result::hit);
  EXPECT_EQ(fetch(1), Result::miss);
}

TEST_F(InstructionCacheTest, ABackedUpPortIsTriedAgain) {
  make(2048, 4, 256);
  std::uint64_t line = 0;
  while (fetch(line) == Result::miss) {
    ASSERT_LT(++line, 64U) << "the port takes any number of requests in one cycle";
  }
  EXPECT_EQ(fetch(line), Result::port_busy);
  settle();
  EXPECT_EQ(fetch(line), Result::miss);
}

TEST_F(InstructionCacheTest, AFetchBringsTheLinesBehindItsOwn) {
  make(2048, 4, 4, 2);
  EXPECT_EQ(fetch(0, 7), Result::miss);
  EXPECT_EQ(cache_->lines(), 3U);
  EXPECT_EQ(settle(), Warps{7}) << "nobody waits for the others";
  EXPECT_EQ(fetch(1), Result::hit) << "and brings line 3";
  settle();
  EXPECT_EQ(fetch(2), Result::hit) << "and brings line 4";
  settle();
  EXPECT_EQ(statistics_.icache_misses, 1U);
  EXPECT_EQ(statistics_.icache_prefetches, 4U);
  EXPECT_EQ(memory_->statistics().requests, 5U);
  EXPECT_EQ(statistics_.requests, statistics_.replies);
}

TEST_F(InstructionCacheTest, AWarpWaitsForALineThatIsPrefetched) {
  make(2048, 4, 4, 1);
  EXPECT_EQ(fetch(0, 1), Result::miss);
  EXPECT_EQ(fetch(1, 2), Result::miss);
  EXPECT_EQ(settle(), (Warps{1, 2}));
  EXPECT_EQ(statistics_.icache_misses, 1U);
  EXPECT_EQ(statistics_.icache_pending_hits, 1U);
  EXPECT_EQ(statistics_.icache_prefetches, 2U) << "line 1, and line 2 behind it";
}

TEST_F(InstructionCacheTest, APrefetchLeavesAnMshrForAFetch) {
  make(2048, 4, 2, 4);
  EXPECT_EQ(fetch(0), Result::miss);
  EXPECT_EQ(cache_->lines(), 1U) << "the other MSHR is for whoever asks next";
  EXPECT_EQ(fetch(8), Result::miss);
  EXPECT_EQ(fetch(4), Result::full);
  EXPECT_EQ(statistics_.icache_prefetches, 0U);
}

TEST_F(InstructionCacheTest, ALineThatAPrefetchReplacesIsNoLongerHit) {
  make(128, 1, 4, 1);
  EXPECT_EQ(fetch(0), Result::miss);
  settle();
  EXPECT_EQ(fetch(0), Result::hit) << "line 1 takes its only way";
  EXPECT_EQ(fetch(0, 1), Result::full);
  settle();
  EXPECT_EQ(fetch(0), Result::miss);
}

TEST_F(InstructionCacheTest, TheSecondLevelKeepsWhatTheFirstCannot) {
  make(128, 1, 2, 0, 2048);
  for (std::uint64_t line : {0U, 1U}) {
    EXPECT_EQ(fetch(line), Result::miss);
    settle();
  }
  EXPECT_EQ(memory_->statistics().requests, 2U);
  const std::uint64_t begin = cycle_;
  EXPECT_EQ(fetch(0, 3), Result::miss);
  ASSERT_EQ(cache_->next_line(), begin + config_.icache.l15_latency);
  EXPECT_EQ(cache_->outstanding(), 0U);
  EXPECT_EQ(cache_->lines(), 1U);
  EXPECT_EQ(fetch(0, 5), Result::miss) << "waits for the same line";
  cache_->take_line();
  EXPECT_EQ(settle(), (Warps{3, 5}));
  EXPECT_EQ(cache_->next_line(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(fetch(0), Result::hit);
  EXPECT_EQ(memory_->statistics().requests, 2U);
  EXPECT_EQ(statistics_.icache_l15_accesses, 3U);
  EXPECT_EQ(statistics_.icache_l15_misses, 2U);
}

TEST_F(InstructionCacheTest, TheSecondLevelNeedsNoPort) {
  make(128, 1, 256, 0, 65536);
  EXPECT_EQ(fetch(0), Result::miss);
  settle();
  EXPECT_EQ(fetch(1), Result::miss);
  settle();
  for (memory::Port& port = memory_->port(0); port.can_send(cycle_);) {
    port.send({memory::RequestKind::store, 0, 1 << 20, 128}, cycle_);
  }
  EXPECT_EQ(fetch(2), Result::port_busy);
  EXPECT_EQ(fetch(0), Result::miss);
}

TEST_F(InstructionCacheTest, ALineThatHasGoneIsPrefetchedAgain) {
  make(1024, 1, 4, 1);
  EXPECT_EQ(fetch(0), Result::miss);
  settle();
  EXPECT_EQ(fetch(0), Result::hit) << "and the line behind is there";
  EXPECT_EQ(fetch(9), Result::miss) << "takes the way of line 1";
  settle();
  EXPECT_EQ(statistics_.icache_prefetches, 2U) << "lines 1 and 10";
  EXPECT_EQ(fetch(0), Result::hit);
  EXPECT_EQ(statistics_.icache_prefetches, 3U);
  settle();
  EXPECT_EQ(fetch(1), Result::hit);
}

TEST_F(InstructionCacheTest, OfNoSizeAlwaysHits) {
  make(0, 4, 2);
  for (std::uint64_t line = 0; line < 1000; ++line) EXPECT_EQ(fetch(line), Result::hit);
  settle();
  EXPECT_EQ(memory_->statistics().requests, 0U);
}

}  // namespace
}  // namespace paws::core
