// SPDX-License-Identifier: MIT
#include "sim/core/scoreboard.h"

#include <gtest/gtest.h>

#include <utility>

namespace paws::core {
namespace {

/// An instruction that writes `writes` and also reads `reads`.
TimedInstruction instruction(std::initializer_list<ir::RegId> writes,
                             std::initializer_list<ir::RegId> reads, bool long_op = false) {
  TimedInstruction timed;
  timed.long_op = long_op;
  for (const ir::RegId reg : writes) {
    timed.write.at(timed.written++) = reg;
    timed.check.at(timed.checked++) = reg;
  }
  for (const ir::RegId reg : reads) timed.check.at(timed.checked++) = reg;
  return timed;
}

/// An asynchronous copy, and the end of a group of them.
std::pair<TimedInstruction, TimedInstruction> copies() {
  TimedInstruction copy, commit;
  copy.copies = commit.commits = true;
  return {copy, commit};
}

TimedInstruction wait_for_copies() {
  TimedInstruction wait;
  wait.awaits_copies = true;
  return wait;
}

constexpr std::uint32_t kWarps = 3;

using Kind = ir::CopyKind;

class ScoreboardTest : public testing::Test {
 protected:
  ScoreboardTest() { scoreboard_.begin(kWarps, 130); }

  [[nodiscard]] bool stalls(std::uint32_t warp, const TimedInstruction& next) const {
    return scoreboard_.check(warp, next).any;
  }
  [[nodiscard]] bool waits_for_load(std::uint32_t warp, const TimedInstruction& next) const {
    return scoreboard_.check(warp, next).long_load;
  }

  Scoreboard scoreboard_;
};

TEST_F(ScoreboardTest, AWaitKnowsHowManyGroupsOfCopiesAreUnderWay) {
  const auto [copy, commit] = copies();
  TimedInstruction wait = wait_for_copies();
  const auto waits = [&](std::uint8_t groups) {
    wait.groups = groups;
    return stalls(1, wait);
  };
  EXPECT_FALSE(waits(0)) << "no group";
  for (const TimedInstruction& next : {copy, copy, commit, copy, commit, copy}) {
    scoreboard_.issued(1, next);
  }
  EXPECT_TRUE(waits(0) && waits(1));
  EXPECT_FALSE(waits(2)) << "both may be under way; the last copy is in no group";
  scoreboard_.copied(1, Kind::simple, 1);
  EXPECT_TRUE(waits(1)) << "half of the first group";
  scoreboard_.copied(1, Kind::simple, 2);
  EXPECT_FALSE(waits(1));
  EXPECT_TRUE(waits(0));
  scoreboard_.copied(1, Kind::simple, 3);
  EXPECT_FALSE(waits(0));
  scoreboard_.issued(1, commit);
  EXPECT_TRUE(waits(0));
  scoreboard_.copied(1, Kind::simple, 4);
  EXPECT_FALSE(waits(0));
  EXPECT_FALSE(stalls(0, wait)) << "another warp";
}

/// As the hardware's dependence counters see them: a copy whose line was in the cache may come
/// first, and does not end the wait for an older one.
TEST_F(ScoreboardTest, CopiesAreDoneInTheOrderOfTheirIssue) {
  const auto [copy, commit] = copies();
  TimedInstruction wait = wait_for_copies();
  wait.groups = 1;
  for (const TimedInstruction& next : {copy, commit, copy, commit, copy, commit}) {
    scoreboard_.issued(1, next);
  }
  EXPECT_EQ(scoreboard_.last_copy(1, Kind::simple), 3U);
  EXPECT_TRUE(stalls(1, wait));
  EXPECT_TRUE(waits_for_load(1, wait)) << "for memory, as the reader of a load";
  scoreboard_.copied(1, Kind::simple, 3);
  scoreboard_.copied(1, Kind::simple, 2);
  EXPECT_TRUE(stalls(1, wait)) << "the first copy is under way";
  scoreboard_.copied(1, Kind::simple, 1);
  EXPECT_FALSE(stalls(1, wait));
  EXPECT_FALSE(waits_for_load(1, wait));
  wait.groups = 0;
  EXPECT_FALSE(stalls(1, wait)) << "the others had come before";
}

TEST_F(ScoreboardTest, BulkCopiesAreCountedApart) {
  TimedInstruction store;
  store.copies = true;
  store.copy_kind = Kind::bulk_store;
  TimedInstruction load = store;
  load.copy_kind = Kind::bulk_load;
  TimedInstruction commit;
  commit.commits = true;
  commit.copy_kind = Kind::bulk_store;
  TimedInstruction written = wait_for_copies();
  written.copy_kind = Kind::bulk_store;
  TimedInstruction read = written;
  read.copy_kind = Kind::bulk_read;
  for (const TimedInstruction& next : {store, load, store, commit}) scoreboard_.issued(1, next);
  EXPECT_FALSE(stalls(1, wait_for_copies())) << "no group of cp.async";
  EXPECT_TRUE(stalls(1, written) && stalls(1, read));
  scoreboard_.copied(1, Kind::bulk_read, 1);
  scoreboard_.copied(1, Kind::bulk_read, 2);
  EXPECT_TRUE(stalls(1, written));
  EXPECT_FALSE(stalls(1, read));
  scoreboard_.copied(1, Kind::bulk_store, 2);
  scoreboard_.copied(1, Kind::bulk_store, 1);
  EXPECT_FALSE(stalls(1, written));
  EXPECT_EQ(scoreboard_.last_copy(1, Kind::bulk_load), 1U);
  EXPECT_FALSE(scoreboard_.has_copied(1, Kind::bulk_load, 1));
  scoreboard_.copied(1, Kind::bulk_load, 1);
  EXPECT_TRUE(scoreboard_.has_copied(1, Kind::bulk_load, 1));
}

/// Who waits for one copy learns of it before the older ones are there.
TEST_F(ScoreboardTest, ACopyMayComeBeforeAnOlderOne) {
  TimedInstruction load;
  load.copies = true;
  load.copy_kind = Kind::bulk_load;
  for (unsigned i = 0; i < 4; ++i) scoreboard_.issued(1, load);
  const auto come = [&](std::uint32_t copy) {
    return scoreboard_.has_come(1, Kind::bulk_load, copy);
  };
  scoreboard_.copied(1, Kind::bulk_load, 3);
  EXPECT_TRUE(come(3));
  EXPECT_FALSE(scoreboard_.has_copied(1, Kind::bulk_load, 3)) << "older ones are under way";
  EXPECT_FALSE(come(1) || come(2) || come(4));
  EXPECT_FALSE(scoreboard_.has_come(1, Kind::simple, 3)) << "another kind";
  EXPECT_FALSE(scoreboard_.has_come(0, Kind::bulk_load, 3)) << "another warp";
  scoreboard_.copied(1, Kind::bulk_load, 1);
  EXPECT_TRUE(come(1) && come(3));
  EXPECT_FALSE(come(2));
  scoreboard_.copied(1, Kind::bulk_load, 2);
  EXPECT_TRUE(come(1) && come(2) && come(3));
  EXPECT_TRUE(scoreboard_.has_copied(1, Kind::bulk_load, 3));
  EXPECT_FALSE(come(4));
}

/// The sanitizers notice an access beyond the registers.
TEST(Scoreboard, AKernelWithoutRegistersNeverStalls) {
  Scoreboard scoreboard;
  scoreboard.begin(kWarps, 0);
  scoreboard.issued(kWarps - 1, instruction({}, {}));
  scoreboard.written(kWarps - 1, instruction({}, {}));
  EXPECT_FALSE(scoreboard.check(kWarps - 1, instruction({}, {})).any);
}

TEST_F(ScoreboardTest, ReadersAndWritersOfAPendingRegisterStall) {
  const TimedInstruction producer = instruction({129}, {0});
  scoreboard_.issued(1, producer);
  EXPECT_TRUE(stalls(1, instruction({5}, {3, 129}))) << "RAW";
  EXPECT_TRUE(stalls(1, instruction({129}, {}))) << "WAW";
  EXPECT_FALSE(stalls(1, instruction({0}, {128, 65, 1}))) << "WAR and neighbours";
  EXPECT_FALSE(waits_for_load(1, instruction({}, {129})));
  for (const std::uint32_t other : {0U, 2U}) {
    EXPECT_FALSE(stalls(other, instruction({}, {129}))) << "warp " << other;
  }
  scoreboard_.written(1, producer);
  EXPECT_FALSE(stalls(1, instruction({}, {129})));
}

TEST_F(ScoreboardTest, LongOperationsAreToldApart) {
  const TimedInstruction load = instruction({64, 65}, {0}, true);
  const TimedInstruction add = instruction({66}, {0});
  scoreboard_.issued(0, load);
  scoreboard_.issued(0, add);
  EXPECT_TRUE(waits_for_load(0, instruction({}, {66, 65})));
  EXPECT_FALSE(waits_for_load(0, instruction({}, {66})));
  EXPECT_TRUE(stalls(0, instruction({}, {66})));
  scoreboard_.written(0, add);
  EXPECT_TRUE(scoreboard_.long_outstanding(0)) << "only the short one has come";
  scoreboard_.written(0, load);
  EXPECT_FALSE(stalls(0, instruction({}, {64, 65, 66})));
  EXPECT_FALSE(waits_for_load(0, instruction({}, {64, 65})));
}

TEST_F(ScoreboardTest, EveryLongOperationCounts) {
  const TimedInstruction first = instruction({1}, {}, true);
  const TimedInstruction second = instruction({2}, {}, true);
  scoreboard_.issued(2, first);
  scoreboard_.issued(2, second);
  EXPECT_FALSE(scoreboard_.long_outstanding(1));
  scoreboard_.written(2, second);
  EXPECT_TRUE(scoreboard_.long_outstanding(2));
  scoreboard_.written(2, first);
  EXPECT_FALSE(scoreboard_.long_outstanding(2));
}

TEST_F(ScoreboardTest, AFenceWaitsForTheStoresOfItsWarp) {
  TimedInstruction fence;
  fence.fence = true;
  scoreboard_.store_issued(1);
  scoreboard_.store_issued(1);
  EXPECT_TRUE(stalls(1, fence));
  EXPECT_FALSE(stalls(0, fence)) << "another warp's stores";
  EXPECT_FALSE(stalls(1, instruction({1}, {2}))) << "no fence";
  EXPECT_FALSE(scoreboard_.store_done(1));
  EXPECT_TRUE(stalls(1, fence));
  EXPECT_TRUE(scoreboard_.store_done(1)) << "the last one";
  EXPECT_FALSE(stalls(1, fence));
}

TEST_F(ScoreboardTest, ANewKernelStartsWithNothingPending) {
  scoreboard_.issued(2, instruction({7}, {}, true));
  scoreboard_.store_issued(2);
  scoreboard_.begin(kWarps, 8);
  TimedInstruction fence = instruction({}, {7});
  fence.fence = true;
  EXPECT_FALSE(stalls(2, fence));
  EXPECT_FALSE(scoreboard_.long_outstanding(2));
}

}  // namespace
}  // namespace paws::core
