// SPDX-License-Identifier: MIT
#include "sim/core/l1_data_cache.h"

#include <gtest/gtest.h>

#include <optional>

#include "sim/memory/memory_system.h"
#include "sim/tests/core/settle.h"

namespace paws::core {
namespace {

using Result = L1DataCache::Result;
using Found = memory::TagArray::Result;

struct Recorder : L1Listener {
  void l1_accessed(const L1Access& access) override { accesses.push_back(access); }
  std::vector<L1Access> accesses;
};

/// An L1 of one set with two ways and its memory system; lines are numbered from 0.
class L1DataCacheTest : public testing::Test {
 protected:
  L1DataCacheTest() {
    config_.cores = 1;
    config_.l1.ways = 2;
    config_.l1.bytes = 2 * memory::kLineBytes;
    config_.l1.mshrs = 2;
    config_.l1.mshr_merges = 2;
    config_.l1.stores = 2;
  }
  void make() {
    memory_.emplace(config_);
    cache_.emplace(config_, memory_->port(0), statistics_, &recorder_);
  }

  static Transaction line(std::uint64_t number) {
    return {number * memory::kLineBytes, memory::kLineBytes, 1};
  }
  Result load(std::uint64_t number, std::uint32_t operation = 0, std::uint32_t warp = 0,
              std::uint64_t block = 0) {
    return cache_->load(line(number), {operation, {block, warp}}, cycle_ += 100);
  }
  Result store(std::uint64_t number, std::uint32_t operation = 0, std::uint32_t warp = 0,
               std::uint64_t block = 0) {
    return cache_->store(line(number), {operation, {block, warp}}, cycle_ += 100);
  }
  Result store_back(std::uint64_t number, std::uint32_t operation = 0) {
    return cache_->store_back(line(number), {operation, {0, 0}}, cycle_ += 100);
  }
  Result store_local(std::uint64_t number, std::uint32_t warp = 0, std::uint64_t block = 0) {
    return cache_->store_local(line(number), {0, {block, warp}}, cycle_ += 100);
  }

  /// What has come back: operations, those with data first.
  struct Came {
    std::vector<std::uint32_t> data, acknowledged;
  };
  Came settle() {
    Came came;
    core::settle(*memory_, cycle_, [&](const memory::Response& response) {
      const L1DataCache::Reply reply = cache_->respond(response);
      std::vector<std::uint32_t>& list = reply.acknowledges ? came.acknowledged : came.data;
      list.insert(list.end(), reply.operations.begin(), reply.operations.end());
    });
    EXPECT_EQ(cache_->outstanding_loads() + cache_->outstanding_stores(), 0U);
    return came;
  }

  GpuConfig config_ = load_gpu("m2090");
  CoreStatistics statistics_;
  Recorder recorder_;
  std::optional<memory::MemorySystem> memory_;
  std::optional<L1DataCache> cache_;
  std::uint64_t cycle_ = 0;
};

using Operations = std::vector<std::uint32_t>;

TEST_F(L1DataCacheTest, AStoreThatIsWrittenBackFetchesItsLineFirst) {
  make();
  EXPECT_EQ(store_back(1, 5), Result::under_way);
  EXPECT_EQ(store_back(1, 6), Result::under_way) << "merged";
  EXPECT_EQ(statistics_.requests, 1U) << "one line fetched, nothing written";
  EXPECT_EQ(settle().data, (std::vector<std::uint32_t>{5, 6}));
  EXPECT_EQ(store_back(1, 7), Result::done);
  EXPECT_EQ(load(2, 8), Result::under_way);
  EXPECT_EQ(store_back(2, 9), Result::under_way) << "dirty although a load fetches it";
  settle();
  EXPECT_EQ(statistics_.store_transactions, 0U);
  // Two other lines push both out.
  load(3);
  load(4);
  settle();
  EXPECT_EQ(statistics_.store_transactions, 2U) << "each written back once";
  EXPECT_EQ(statistics_.l1_store_accesses, 4U);
  EXPECT_EQ(statistics_.l1_store_misses, 0U);
  EXPECT_EQ(statistics_.requests, 4U + 2U);
}

TEST_F(L1DataCacheTest, OneMissServesAllThatMergeIntoIt) {
  make();
  EXPECT_EQ(load(1, 5), Result::under_way);
  EXPECT_EQ(load(1, 6), Result::under_way);
  EXPECT_EQ(load(1, 7), Result::full) << "an MSHR serves two";
  EXPECT_EQ(cache_->outstanding_loads(), 1U);
  EXPECT_EQ(settle().data, (Operations{5, 6}));
  EXPECT_EQ(load(1, 7), Result::done);
  EXPECT_EQ(statistics_.requests, 1U);
  EXPECT_EQ(statistics_.l1_misses, 1U);
  EXPECT_EQ(statistics_.l1_pending_hits, 1U);
  EXPECT_EQ(statistics_.l1_hits, 1U);
}

TEST_F(L1DataCacheTest, LoadsThatPassItByHoldAnMshrThatNothingMergesInto) {
  make();
  EXPECT_EQ(cache_->load_past(line(1), {1, {}}, 100), Result::under_way);
  EXPECT_EQ(cache_->atomic(line(1), {2, {}}, true, 200), Result::under_way);
  EXPECT_EQ(cache_->outstanding_loads(), 2U);
  EXPECT_EQ(cache_->outstanding_lines(), 0U);
  EXPECT_EQ(load(1, 3), Result::full) << "both MSHRs are in use";
  EXPECT_EQ(settle().data, (Operations{1, 2}));
  EXPECT_EQ(load(1, 3), Result::under_way) << "neither has brought the line in";
}

TEST_F(L1DataCacheTest, AGlobalStoreDropsItsLineAndGoesOn) {
  make();
  load(1);
  settle();
  EXPECT_EQ(store(1, 9), Result::under_way);
  EXPECT_EQ(cache_->outstanding_stores(), 1U);
  EXPECT_EQ(store(2, 10), Result::under_way);
  EXPECT_EQ(store(3, 11), Result::full) << "two stores at a time";
  EXPECT_EQ(settle().acknowledged, (Operations{9, 10}));
  EXPECT_EQ(load(1), Result::under_way) << "the line is gone";
  EXPECT_EQ(statistics_.l1_store_accesses, 2U);
  EXPECT_EQ(statistics_.l1_store_misses, 1U);
}

TEST_F(L1DataCacheTest, AGlobalStoreMayKeepItsLine) {
  config_.l1.store_keeps = true;
  make();
  load(1);
  load(2);
  settle();
  EXPECT_EQ(store(1, 9), Result::under_way);
  EXPECT_EQ(store(5, 10), Result::under_way) << "allocates nothing";
  EXPECT_EQ(settle().acknowledged, (Operations{9, 10}));
  EXPECT_EQ(load(3), Result::under_way);
  EXPECT_EQ(store(3), Result::under_way) << "on its way";
  settle();
  EXPECT_EQ(load(3), Result::done);
  EXPECT_EQ(load(1), Result::done) << "used later than line 2";
  EXPECT_EQ(load(2), Result::under_way);
  EXPECT_EQ(statistics_.l1_store_accesses, 3U);
  EXPECT_EQ(statistics_.l1_store_misses, 1U);
  EXPECT_EQ(statistics_.l1_pending_hits, 1U);
  EXPECT_EQ(statistics_.store_transactions, 3U);
}

TEST_F(L1DataCacheTest, ALocalStoreStaysUntilItIsEvicted) {
  make();
  EXPECT_EQ(store_local(1), Result::done);
  EXPECT_EQ(store_local(2), Result::done);
  EXPECT_EQ(statistics_.requests, 0U);
  EXPECT_EQ(store_local(3), Result::done);
  EXPECT_EQ(cache_->outstanding_stores(), 1U) << "line 1 is written back";
  EXPECT_TRUE(settle().acknowledged.empty()) << "a line that is written back acknowledges no store";
  EXPECT_EQ(statistics_.store_transactions, 1U);
}

TEST_F(L1DataCacheTest, TheListenerLearnsWhoseLinesAreHitAndEvicted) {
  make();
  load(1, 0, 11);
  load(1, 1, 12);
  settle();
  load(1, 2, 13);
  store_local(2, 14);
  load(3, 3, 15);  // evicts line 1
  settle();
  store(3, 4, 16);
  store(3, 5, 16);
  const std::vector<L1Access>& told = recorder_.accesses;
  ASSERT_EQ(told.size(), 7U);
  const auto expect = [&told](std::size_t n, std::uint32_t warp, Found result, unsigned number) {
    EXPECT_EQ(told[n].warp, warp) << n;
    EXPECT_EQ(told[n].result, result) << n;
    EXPECT_EQ(told[n].line, number * memory::kLineBytes) << n;
  };
  expect(0, 11, Found::miss, 1);
  EXPECT_EQ(told[0].cycle, 100U);
  EXPECT_FALSE(told[0].replaced);
  expect(1, 12, Found::pending, 1);
  EXPECT_EQ(told[1].owner, 11U);
  expect(2, 13, Found::hit, 1);
  EXPECT_EQ(told[2].owner, 11U) << "a hit does not change the owner";
  expect(3, 14, Found::miss, 2);
  EXPECT_TRUE(told[3].store);
  expect(4, 15, Found::miss, 3);
  EXPECT_FALSE(told[4].store);
  EXPECT_TRUE(told[4].replaced);
  EXPECT_EQ(told[4].victim, memory::kLineBytes);
  EXPECT_EQ(told[4].victim_owner, 11U);
  expect(5, 16, Found::hit, 3);
  EXPECT_EQ(told[5].owner, 15U) << "whose line the store has dropped";
  expect(6, 16, Found::miss, 3);
}

TEST_F(L1DataCacheTest, HitsAreCountedByWhoseLineTheyFind) {
  config_.l1.mshr_merges = 8;
  make();
  const std::uint64_t block = 6;
  load(1, 0, 3, block);
  load(1, 1, 3, block);
  load(1, 2, 4, block);
  load(1, 3, 3, block + 1);
  load(1, 4, 3, block + 2);
  load(1, 5, 3, block - 1);
  EXPECT_EQ(statistics_.l1_pending_hits_by_locality, (memory::LocalityCounts{1, 1, 1, 2}));
  EXPECT_EQ(statistics_.l1_hits_by_locality, memory::LocalityCounts{});
  settle();
  load(1, 0, 4, block);
  load(1, 0, 3, block);
  load(1, 0, 3, block + 1);
  load(1, 0, 9, block + 1);
  store_local(1, 3, block + 64);
  store(1, 0, 5, block);
  EXPECT_EQ(statistics_.l1_hits_by_locality, (memory::LocalityCounts{1, 2, 2, 1}));
  EXPECT_EQ(statistics_.l1_pending_hits_by_locality, (memory::LocalityCounts{1, 1, 1, 2}));
  load(1, 0, 3, block + 1);
  settle();
  load(1, 0, 3, block + 1);
  EXPECT_EQ(statistics_.l1_hits_by_locality[0], 2U)
      << "the line belongs to who has brought it back";
  settle();
}

TEST_F(L1DataCacheTest, ALineThatIsWrittenBackComesFromItsOwner) {
  make();
  store_local(1, 3, 6);
  store_local(2, 3, 6);
  store_local(3, 0, 9);  // evicts line 1
  settle();
  load(1, 0, 4, 6);
  settle();
  EXPECT_EQ(memory_->statistics().l2_hits_by_locality, (memory::LocalityCounts{0, 1, 0, 0}));
}

TEST_F(L1DataCacheTest, AnAttemptThatMustBeRepeatedIsNotTold) {
  make();
  load(1);
  load(2);
  EXPECT_EQ(load(3), Result::full);
  EXPECT_EQ(cache_->load_past(line(4), {1, {}}, cycle_ + 100), Result::full);
  EXPECT_EQ(recorder_.accesses.size(), 2U);
  EXPECT_EQ(statistics_.l1_accesses, 2U);
  settle();
}

TEST_F(L1DataCacheTest, ANewKernelStartsEmpty) {
  make();
  load(1);
  settle();
  cache_->clear();
  EXPECT_EQ(load(1), Result::under_way);
}

}  // namespace
}  // namespace paws::core
