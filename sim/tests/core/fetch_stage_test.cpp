// SPDX-License-Identifier: MIT
#include "sim/core/fetch_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "sim/memory/memory_system.h"
#include "sim/tests/core/settle.h"

namespace paws::core {
namespace {

using Fetch = FetchStage::Fetch;

/// A fetch stage of two schedulers with its memory system. Warps fetch from lines of their own
/// number, unless `lines` says another one.
class FetchStageTest : public testing::Test {
 protected:
  /// `bytes` 0: every fetch hits.
  void make(unsigned bytes, unsigned mshrs = 2, unsigned l15_bytes = 0, unsigned ibuffer = 2,
            FetchOrder order = FetchOrder::round_robin) {
    config_ = load_gpu("m2090");
    config_.core.ibuffer = ibuffer;
    config_.core.fetch = static_cast<unsigned>(order);
    config_.cores = 1;
    config_.icache.bytes = bytes;
    config_.icache.mshrs = mshrs;
    config_.icache.prefetch = 0;
    config_.icache.l15_bytes = l15_bytes;
    memory_.emplace(config_);
    fetch_.emplace(config_, memory_->port(0), statistics_);
    fetch_->begin();
  }

  Fetch step() {
    return fetch_->step(++cycle_, [this](std::uint32_t warp, unsigned ahead) -> FetchStage::Code {
      if (ahead >= code_) return {};
      const std::uint64_t line = one_line_ ? 0 : std::uint64_t{warp};
      return {line * config_.icache.line_bytes, std::min(2U, code_ - ahead)};
    });
  }
  /// Warps fetched for in the next `count` cycles, which must all begin a fetch.
  std::vector<std::uint32_t> next(unsigned count) {
    std::vector<std::uint32_t> warps;
    for (unsigned i = 0; i < count; ++i) {
      const Fetch fetch = step();
      EXPECT_NE(fetch.kind, Fetch::Kind::none);
      warps.push_back(fetch.warp);
    }
    return warps;
  }
  /// Lets time pass until every line has come.
  void settle() {
    core::settle(*memory_, cycle_, [this](const memory::Response& came) { fetch_->respond(came); });
  }

  GpuConfig config_;
  CoreStatistics statistics_;
  std::optional<memory::MemorySystem> memory_;
  std::optional<FetchStage> fetch_;
  std::uint64_t cycle_ = 0;
  bool one_line_ = false;
  unsigned code_ = 100;  ///< instructions from a warp's pc on
};

using Warps = std::vector<std::uint32_t>;

TEST_F(FetchStageTest, SchedulersTakeTurnsAndTheirWarpsGoRound) {
  make(0);
  for (const std::uint32_t warp : {0U, 2U, 4U, 1U}) fetch_->start(warp);
  // Scheduler 0 begins behind its slot 0, which counts as the last one.
  EXPECT_EQ(next(3), (Warps{2, 1, 4}));
  fetch_->start(1);
  fetch_->start(2);
  EXPECT_EQ(next(3), (Warps{1, 0, 2}));
  EXPECT_EQ(step().kind, Fetch::Kind::none);
  EXPECT_FALSE(fetch_->busy());
}

TEST_F(FetchStageTest, AHitTakesTheCacheAndTheFetch) {
  make(0);
  fetch_->start(5);
  const Fetch fetch = step();
  EXPECT_EQ(fetch.kind, Fetch::Kind::hit);
  EXPECT_EQ(fetch.warp, 5U);
  EXPECT_EQ(fetch.arrives, cycle_ + config_.icache.latency + config_.core.fetch_latency);
}

TEST_F(FetchStageTest, AnEmptyBufferWantsTheNextInstructions) {
  make(0);
  fetch_->start(0);
  next(1);
  fetch_->arrived(0, 2);
  EXPECT_EQ(fetch_->buffered(0), 2U);
  fetch_->issued(0);
  EXPECT_EQ(fetch_->buffered(0), 1U);
  EXPECT_FALSE(fetch_->busy()) << "one is left";
  fetch_->issued(0);
  EXPECT_EQ(fetch_->buffered(0), 0U);
  EXPECT_TRUE(fetch_->busy());
  EXPECT_EQ(next(1), Warps{0});
}

TEST_F(FetchStageTest, NothingIsFetchedBehindABranch) {
  make(0);
  fetch_->start(0);
  next(1);
  fetch_->arrived(0, 2);
  fetch_->branched(0);
  EXPECT_EQ(fetch_->buffered(0), 0U) << "what stands behind the branch is void";
  EXPECT_TRUE(fetch_->behind_branch(0));
  EXPECT_FALSE(fetch_->behind_branch(2));
  EXPECT_EQ(step().kind, Fetch::Kind::none);
  fetch_->resolved(0);
  EXPECT_EQ(next(1), Warps{0});
  EXPECT_TRUE(fetch_->behind_branch(0)) << "until the instructions are there";
  fetch_->arrived(0, 1);
  EXPECT_FALSE(fetch_->behind_branch(0));
}

TEST_F(FetchStageTest, AWarpThatHasEndedIsNotFetchedFor) {
  make(0);
  fetch_->start(0);
  next(1);
  fetch_->arrived(0, 1);
  fetch_->issued(0);
  fetch_->stop(0);
  EXPECT_EQ(fetch_->buffered(0), 0U);
  EXPECT_EQ(step().kind, Fetch::Kind::none);
}

TEST_F(FetchStageTest, WarpsThatMissAreServedOneByOneBeforeAnyLookUp) {
  make(2048);
  one_line_ = true;
  for (const std::uint32_t warp : {0U, 1U, 3U}) fetch_->start(warp);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(step().kind, Fetch::Kind::missed);
  EXPECT_EQ(fetch_->outstanding(), 1U) << "one line for all";
  EXPECT_FALSE(fetch_->busy());
  settle();
  EXPECT_TRUE(fetch_->busy());
  fetch_->start(6);
  for (unsigned i = 0; i < 3; ++i) {
    const Fetch fetch = step();
    EXPECT_EQ(fetch.kind, Fetch::Kind::served);
    EXPECT_EQ(fetch.arrives, cycle_ + config_.core.fetch_latency);
  }
  const Fetch last = step();
  EXPECT_EQ(last.kind, Fetch::Kind::hit);
  EXPECT_EQ(last.warp, 6U);
}

TEST_F(FetchStageTest, ALineOfTheSecondLevelServesAndUnblocks) {
  make(512, 1, 2048);
  config_.icache.l15_latency = 5;
  // One set of four ways: the fifth line replaces the first.
  for (const std::uint32_t warp : {0U, 2U, 4U, 6U, 8U}) {
    fetch_->start(warp);
    EXPECT_EQ(step().kind, Fetch::Kind::missed);
    settle();
    EXPECT_EQ(step().kind, Fetch::Kind::served);
  }
  fetch_->start(0);
  fetch_->start(2);
  EXPECT_EQ(step().kind, Fetch::Kind::missed);
  const std::uint64_t begin = cycle_;
  EXPECT_EQ(fetch_->next_line(), begin + 5);
  EXPECT_EQ(fetch_->outstanding(), 0U);
  EXPECT_EQ(fetch_->lines(), 1U);
  EXPECT_EQ(step().kind, Fetch::Kind::none) << "the only MSHR is in use";
  EXPECT_FALSE(fetch_->busy());
  cycle_ = begin + 3;
  EXPECT_EQ(step().kind, Fetch::Kind::none);
  const Fetch served = step();
  EXPECT_EQ(served.kind, Fetch::Kind::served);
  EXPECT_EQ(served.arrives, begin + 5 + config_.core.fetch_latency);
  EXPECT_EQ(step().kind, Fetch::Kind::missed) << "the other warp asks again";
}

TEST_F(FetchStageTest, AWarpWithoutAnMshrWaitsForTheNextResponse) {
  make(2048, 1);
  fetch_->start(0);
  fetch_->start(2);
  EXPECT_EQ(step().kind, Fetch::Kind::missed);
  EXPECT_EQ(step().kind, Fetch::Kind::none) << "the only MSHR is in use";
  EXPECT_FALSE(fetch_->busy()) << "it is not tried again before that";
  settle();
  EXPECT_EQ(step().kind, Fetch::Kind::served);
  EXPECT_EQ(step().kind, Fetch::Kind::missed);
}

TEST_F(FetchStageTest, ANewKernelFindsEmptyBuffersAndTheLinesOfTheOldOne) {
  make(2048);
  fetch_->start(2);
  EXPECT_EQ(step().kind, Fetch::Kind::missed);
  settle();
  EXPECT_EQ(step().kind, Fetch::Kind::served);
  fetch_->arrived(2, 2);
  fetch_->start(4);
  fetch_->begin();
  EXPECT_EQ(fetch_->buffered(2), 0U);
  EXPECT_FALSE(fetch_->busy());
  fetch_->start(2);
  EXPECT_EQ(step().kind, Fetch::Kind::hit);
}

TEST_F(FetchStageTest, ALargerBufferIsFilledWheneverAnEntryIsFree) {
  make(0, 2, 0, 3);
  fetch_->start(0);
  EXPECT_EQ(step().instructions, 2U);
  EXPECT_EQ(step().instructions, 1U) << "an entry that is on its way is not free";
  EXPECT_EQ(step().kind, Fetch::Kind::none);
  fetch_->arrived(0, 2);
  fetch_->arrived(0, 1);
  EXPECT_EQ(fetch_->buffered(0), 3U);
  EXPECT_FALSE(fetch_->busy());
  fetch_->issued(0);
  EXPECT_EQ(step().instructions, 1U);
  fetch_->issued(0);
  EXPECT_EQ(step().instructions, 1U) << "a second fetch while the first one is under way";
  fetch_->arrived(0, 1);
  EXPECT_EQ(fetch_->buffered(0), 2U);
}

TEST_F(FetchStageTest, TheBufferOfTwoIsFilledWhenItIsEmpty) {
  make(0, 2, 0, 2);
  fetch_->start(0);
  next(1);
  fetch_->arrived(0, 2);
  fetch_->issued(0);
  EXPECT_EQ(step().kind, Fetch::Kind::none);
  fetch_->issued(0);
  EXPECT_EQ(step().instructions, 2U);
}

TEST_F(FetchStageTest, WhatIsOnItsWayBehindABranchIsVoid) {
  make(0, 2, 0, 4);
  fetch_->start(0);
  next(2);
  fetch_->arrived(0, 2);
  fetch_->branched(0);
  EXPECT_EQ(step().kind, Fetch::Kind::none) << "not resolved";
  fetch_->resolved(0);
  EXPECT_EQ(next(1), Warps{0});
  fetch_->arrived(0, 2);
  EXPECT_EQ(fetch_->buffered(0), 0U) << "begun before the branch";
  EXPECT_TRUE(fetch_->behind_branch(0));
  fetch_->arrived(0, 2);
  EXPECT_EQ(fetch_->buffered(0), 2U);
  EXPECT_FALSE(fetch_->behind_branch(0));
}

TEST_F(FetchStageTest, AMissUnderWayHoldsTheNextFetchOfItsWarp) {
  make(2048, 2, 0, 4);
  fetch_->start(0);
  EXPECT_EQ(step().kind, Fetch::Kind::missed);
  EXPECT_EQ(step().kind, Fetch::Kind::none) << "there is room for two more";
  settle();
  const Fetch served = step();
  EXPECT_EQ(served.kind, Fetch::Kind::served);
  EXPECT_EQ(served.instructions, 2U);
  EXPECT_EQ(step().kind, Fetch::Kind::hit);
}

TEST_F(FetchStageTest, ABranchDoesNotForgetItsMiss) {
  make(2048, 2, 0, 4);
  fetch_->start(2);
  step();
  settle();
  for (unsigned i = 0; i < 2; ++i) fetch_->arrived(2, step().instructions);
  for (unsigned i = 0; i < 2; ++i) fetch_->issued(2);
  one_line_ = true;  // another line
  EXPECT_EQ(step().kind, Fetch::Kind::missed);
  fetch_->branched(2);
  fetch_->resolved(2);
  EXPECT_EQ(step().kind, Fetch::Kind::none) << "until the line has come";
  settle();
  EXPECT_EQ(step().kind, Fetch::Kind::served);
  EXPECT_EQ(step().kind, Fetch::Kind::hit) << "behind the branch";
  fetch_->arrived(2, 2);
  EXPECT_EQ(fetch_->buffered(2), 0U) << "the served one is void";
  fetch_->arrived(2, 2);
  EXPECT_EQ(fetch_->buffered(2), 2U);
}

TEST_F(FetchStageTest, BehindTheEndOfTheCodeNothingIsFetched) {
  make(0, 2, 0, 4);
  code_ = 3;
  fetch_->start(0);
  EXPECT_EQ(step().instructions, 2U);
  EXPECT_EQ(step().instructions, 1U);
  EXPECT_EQ(step().kind, Fetch::Kind::none);
  EXPECT_FALSE(fetch_->busy());
  fetch_->arrived(0, 2);
  fetch_->arrived(0, 1);
  fetch_->issued(0);
  --code_;
  EXPECT_FALSE(fetch_->busy()) << "though there is room";
  fetch_->branched(0);
  code_ = 100;
  fetch_->resolved(0);
  EXPECT_EQ(step().instructions, 2U) << "the branch leads elsewhere";
}

TEST_F(FetchStageTest, AWarpThatHasEndedWithAFetchUnderWayLeavesNothing) {
  make(512, 1, 0, 4);
  fetch_->start(0);
  EXPECT_EQ(step().kind, Fetch::Kind::missed);
  fetch_->start(2);
  EXPECT_EQ(step().kind, Fetch::Kind::none) << "no MSHR";
  fetch_->stop(2);
  fetch_->stop(0);
  settle();
  EXPECT_EQ(step().kind, Fetch::Kind::served) << "the caller waits for it";
  EXPECT_EQ(step().kind, Fetch::Kind::none) << "neither warp wants another";
  fetch_->start(0);
  EXPECT_EQ(step().kind, Fetch::Kind::hit);
  fetch_->arrived(0, 2);
  EXPECT_EQ(fetch_->buffered(0), 2U) << "the next warp of the slot begins anew";
}

TEST_F(FetchStageTest, GreedyFetchGoesToTheLastIssuerThenToTheYoungestOrOldest) {
  for (const FetchOrder order : {FetchOrder::greedy_youngest, FetchOrder::greedy_oldest}) {
    make(0, 2, 0, 2, order);
    for (const std::uint32_t warp : {4U, 0U, 6U, 2U}) fetch_->start(warp);  // scheduler 0
    const bool youngest = order == FetchOrder::greedy_youngest;
    EXPECT_EQ(next(4), youngest ? (Warps{2, 6, 0, 4}) : (Warps{4, 0, 6, 2}));
    for (const std::uint32_t warp : {4U, 0U, 6U, 2U}) fetch_->arrived(warp, 2);
    for (const std::uint32_t warp : {4U, 2U, 0U, 6U, 4U, 2U, 6U, 0U}) fetch_->issued(warp);
    EXPECT_EQ(next(3), youngest ? (Warps{0, 2, 6}) : (Warps{0, 4, 6})) << "0 issued last";
    fetch_->begin();
  }
}

TEST_F(FetchStageTest, AnEndedWarpIsNoLastIssuer) {
  make(0, 2, 0, 2, FetchOrder::greedy_youngest);
  fetch_->start(0);
  next(1);
  fetch_->arrived(0, 1);
  fetch_->issued(0);
  fetch_->stop(0);
  fetch_->start(0);
  fetch_->start(2);
  EXPECT_EQ(next(2), (Warps{2, 0})) << "the slot's next warp is not preferred";
}

}  // namespace
}  // namespace paws::core
