// SPDX-License-Identifier: MIT
// Dynamic warp formation by hand, on four lanes, and what must hold of it for random programs.
#include "sim/core/dynamic_warp_formation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace paws::core {
namespace {

/// "pc 7: 0 - 2 1": the row of lanes 0 to 3, a dash for an idle lane.
std::string text(const FormedWarp& warp) {
  std::string line = "pc " + std::to_string(warp.pc) + ":";
  for (unsigned lane = 0; lane < 4; ++lane) {
    const bool idle = (warp.lanes >> lane & 1) == 0;
    line += idle ? " -" : " " + std::to_string(warp.row[lane]);
  }
  return line;
}

/// A kernel of so many instructions, at some of which control flow meets again.
ir::Kernel kernel_of(unsigned pcs, const std::vector<std::uint32_t>& meets) {
  ir::Kernel kernel;
  kernel.code.resize(pcs + meets.size());
  for (std::size_t i = 0; i < meets.size(); ++i) {
    ir::Instruction& branch = kernel.code[pcs + i];
    branch.op = ir::Op::bra;
    branch.guard = 0;
    branch.reconverge = meets[i];
  }
  return kernel;
}

LargeWarpMask rows_of(unsigned rows, LaneBits lanes) {
  LargeWarpMask threads{};
  std::fill_n(threads.begin(), rows, lanes);
  return threads;
}

constexpr auto kMajority = FormationPriority::majority;
constexpr auto kPdom = FormationPriority::pdom;

std::uint64_t seed() {
  const char* given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20071201;
}

/// A former for one launch of a kernel of 32 instructions, whose threads have four lanes.
class Formation {
 public:
  explicit Formation(FormationPriority priority, const std::vector<std::uint32_t>& meets = {})
      : former_(priority, 8, counts), kernel_(kernel_of(32, meets)) {
    former_.begin();
    former_.add_launch(kernel_);
  }

  FormationCounts counts;
  DynamicWarpFormation& former() { return former_; }
  /// A block of full rows.
  void start(unsigned rows) {
    std::vector<std::uint32_t> numbers(rows);
    std::iota(numbers.begin(), numbers.end(), 0);
    former_.start(0, numbers, rows_of(rows, 0xf));
  }
  /// Selects a warp and lets its lanes 0 to 3 go to these pcs.
  std::string step(const std::array<std::uint32_t, 4>& next) {
    const FormedWarp warp = former_.select();
    retire(warp, next);
    return text(warp);
  }
  void retire(const FormedWarp& warp, const std::array<std::uint32_t, 4>& next, LaneBits ended = 0,
              LaneBits held = 0) {
    DynamicWarpFormation::NextPcs all{};
    std::copy(next.begin(), next.end(), all.begin());
    former_.retire(warp, all, ended, held);
  }
  std::vector<std::string> waiting() const {
    std::vector<std::string> lines;
    for (const FormedWarp& warp : former_.waiting()) lines.push_back(text(warp));
    return lines;
  }

 private:
  DynamicWarpFormation former_;
  ir::Kernel kernel_;
};

using Lines = std::vector<std::string>;

TEST(DynamicWarpFormation, TheOutcomesOfABranchMergeLaneByLane) {
  Formation formation(kMajority);
  formation.start(2);
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 0 0 0 0", "pc 0: 1 1 1 1"}));
  EXPECT_EQ(formation.step({5, 1, 5, 1}), "pc 0: 0 0 0 0");
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 1 1 1 1", "pc 5: 0 - 0 -", "pc 1: - 0 - 0"}));
  EXPECT_EQ(formation.step({1, 5, 1, 5}), "pc 0: 1 1 1 1");
  EXPECT_EQ(formation.waiting(), (Lines{"pc 5: 0 1 0 1", "pc 1: 1 0 1 0"}))
      << "two full warps, of two rows each";
  const FormationCounts& counts = formation.counts;
  EXPECT_EQ(counts.formed, 4U);
  EXPECT_EQ(counts.joined, 4U);
  EXPECT_EQ(counts.conflicts, 1U) << "the second row at the start";
  EXPECT_EQ(counts.splits, 2U);
  EXPECT_EQ(counts.most, 3U);
}

TEST(DynamicWarpFormation, ThreadsKeepTheirLanes) {
  Formation formation(kMajority);
  formation.start(2);
  formation.step({5, 5, 1, 1});
  formation.step({5, 5, 1, 1});
  EXPECT_EQ(formation.waiting(),
            (Lines{"pc 5: 0 0 - -", "pc 1: - - 0 0", "pc 5: 1 1 - -", "pc 1: - - 1 1"}))
      << "divergence along columns: nothing merges";
}

TEST(DynamicWarpFormation, OnlyTheYoungestWarpIsFilledUp) {
  Formation formation(kMajority);
  formation.start(4);
  formation.step({5, 1, 1, 1});
  formation.step({6, 5, 1, 1});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 2 2 2 2", "pc 0: 3 3 3 3", "pc 5: 0 1 - -",
                                        "pc 1: - 0 0 0", "pc 6: 1 - - -", "pc 1: - - 1 1"}))
      << "of row 1 one thread joins, two find their lanes taken";
  formation.step({5, 1, 5, 5});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 3 3 3 3", "pc 5: 0 1 2 2", "pc 1: - 0 0 0",
                                        "pc 6: 1 - - -", "pc 1: - 2 1 1", "pc 5: 2 - - -"}));
  formation.step({1, 5, 5, 5});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 5: 0 1 2 2", "pc 1: - 0 0 0", "pc 6: 1 - - -",
                                        "pc 1: 3 2 1 1", "pc 5: 2 3 3 3"}))
      << "lane 0 of the older warp at pc 1 stays idle";
}

TEST(DynamicWarpFormation, ASelectedWarpIsNotJoinedNorIsAnOlderOne) {
  Formation formation(kPdom);
  formation.start(4);
  formation.step({5, 5, 1, 1});
  formation.step({5, 5, 2, 2});
  formation.step({3, 3, 5, 5});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 3 3 3 3", "pc 5: 0 0 - -", "pc 1: - - 0 0",
                                        "pc 5: 1 1 2 2", "pc 2: - - 1 1", "pc 3: 2 2 - -"}));
  const FormedWarp row3 = formation.former().select();
  EXPECT_EQ(text(formation.former().select()), "pc 5: 1 1 2 2");
  formation.retire(row3, {6, 6, 5, 5});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 5: 0 0 - -", "pc 1: - - 0 0", "pc 2: - - 1 1",
                                        "pc 3: 2 2 - -", "pc 6: 3 3 - -", "pc 5: - - 3 3"}));
}

TEST(DynamicWarpFormation, MajorityStaysAtAPcUntilNoThreadWaitsThere) {
  Formation formation(kMajority);
  formation.start(3);
  EXPECT_EQ(formation.step({1, 1, 1, 1}), "pc 0: 0 0 0 0");
  EXPECT_EQ(formation.step({1, 2, 2, 2}), "pc 0: 1 1 1 1");
  // 4 threads at pc 0, 5 at pc 1, 3 at pc 2.
  EXPECT_EQ(formation.step({2, 2, 2, 2}), "pc 0: 2 2 2 2");
  // 5 at pc 1, 7 at pc 2.
  EXPECT_EQ(formation.step({1, 1, 1, 1}), "pc 2: 2 1 1 1");
  // 9 at pc 1, 3 at pc 2, where the majority was and still is.
  EXPECT_EQ(formation.step({4, 4, 4, 4}), "pc 2: - 2 2 2");
  EXPECT_EQ(formation.step({4, 4, 4, 4}), "pc 1: 0 0 0 0");
  // 5 at pc 1, 7 at pc 4.
  EXPECT_EQ(formation.step({4, 4, 4, 4}), "pc 1: 1 1 1 1");
}

TEST(DynamicWarpFormation, MajorityPrefersTheLowestOfEqualPcs) {
  Formation formation(kMajority);
  formation.start(2);
  formation.step({7, 7, 7, 7});
  formation.step({3, 3, 3, 3});
  EXPECT_EQ(formation.step({8, 8, 8, 8}), "pc 3: 1 1 1 1");
  EXPECT_EQ(formation.step({8, 8, 8, 8}), "pc 7: 0 0 0 0");
}

TEST(DynamicWarpFormation, PdomPrefersTheFewestMeetingPointsThenTheFullest) {
  Formation formation(kPdom, {5});
  formation.start(3);
  EXPECT_EQ(formation.step({5, 5, 5, 5}), "pc 0: 0 0 0 0");
  EXPECT_EQ(formation.step({1, 1, 1, 2}), "pc 0: 1 1 1 1");
  EXPECT_EQ(formation.step({1, 1, 1, 1}), "pc 0: 2 2 2 2");
  EXPECT_EQ(formation.waiting(),
            (Lines{"pc 5: 0 0 0 0", "pc 1: 1 1 1 2", "pc 2: - - - 1", "pc 1: 2 2 2 -"}));
  EXPECT_EQ(formation.step({5, 5, 5, 5}), "pc 1: 1 1 1 2") << "younger, but behind";
  EXPECT_EQ(formation.step({5, 5, 5, 0}), "pc 1: 2 2 2 -") << "younger, but fuller";
  EXPECT_EQ(formation.step({0, 0, 0, 5}), "pc 2: - - - 1");
  EXPECT_EQ(formation.step({9, 9, 9, 9}), "pc 5: 0 0 0 0") << "the oldest of three";
}

TEST(DynamicWarpFormation, PdomCountsAWarpAndThenItsThreadsAsTheFurthestOfThem) {
  Formation formation(kPdom, {5});
  formation.start(2);
  EXPECT_EQ(formation.step({5, 5, 6, 6}), "pc 0: 0 0 0 0");
  EXPECT_EQ(formation.step({7, 7, 7, 7}), "pc 0: 1 1 1 1");
  const FormedWarp row1 = formation.former().select();
  const FormedWarp behind = formation.former().select();
  EXPECT_EQ(text(behind), "pc 6: - - 0 0");
  EXPECT_EQ(formation.step({8, 8, 8, 8}), "pc 5: 0 0 - -");
  formation.retire(behind, {8, 8, 8, 8});
  formation.retire(row1, {9, 9, 9, 9});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 8: 0 0 0 0", "pc 9: 1 1 1 1"}));
  const FormedWarp held = formation.former().select();
  EXPECT_EQ(text(held), "pc 9: 1 1 1 1") << "two threads at pc 8 are ahead";
  EXPECT_EQ(formation.step({10, 10, 11, 11}), "pc 8: 0 0 0 0");
  FormedWarp one = held;
  one.lanes = 1;
  formation.retire(one, {14, 0, 0, 0});
  EXPECT_EQ(formation.step({15, 15, 15, 15}), "pc 14: 1 - - -")
      << "those at pc 11, never at pc 5, have merged with some that were";
}

TEST(DynamicWarpFormation, AWarpPutBackCountsNoMeetingPoint) {
  Formation formation(kPdom, {5});
  formation.start(2);
  EXPECT_EQ(formation.step({5, 5, 5, 5}), "pc 0: 0 0 0 0");
  EXPECT_EQ(formation.step({5, 5, 5, 6}), "pc 0: 1 1 1 1");
  EXPECT_EQ(formation.step({5, 5, 5, 5}), "pc 6: - - - 1");
  formation.former().put_back(formation.former().select());
  EXPECT_EQ(formation.waiting(), (Lines{"pc 5: 1 1 1 1", "pc 5: 0 0 0 0"}))
      << "it waits behind the other, whose lanes are taken";
  EXPECT_EQ(formation.step({6, 6, 6, 6}), "pc 5: 1 1 1 1") << "both have passed one point";
}

TEST(DynamicWarpFormation, LaunchesDoNotMix) {
  Formation formation(kMajority);
  const ir::Kernel second = kernel_of(8, {});
  formation.former().add_launch(second);
  formation.former().start(0, std::vector<std::uint32_t>{0}, {0x3});
  formation.former().start(1, std::vector<std::uint32_t>{1}, {0xc});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 0 0 - -", "pc 0: - - 1 1"}));
  EXPECT_EQ(formation.former().select().launch, 0U);
  EXPECT_EQ(formation.former().select().launch, 1U);
  EXPECT_TRUE(formation.former().empty());
}

TEST(DynamicWarpFormation, BlocksMix) {
  Formation formation(kMajority);
  formation.former().start(0, std::vector<std::uint32_t>{4}, {0x3});
  formation.former().start(0, std::vector<std::uint32_t>{2, 5}, {0xe, 0});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 4 4 2 2", "pc 0: - 2 - -"}))
      << "a row without threads is no warp";
}

TEST(DynamicWarpFormation, ThreadsThatHaveEndedLeave) {
  Formation formation(kMajority);
  formation.start(1);
  const FormedWarp warp = formation.former().select();
  formation.retire(warp, {1, 1, 1, 2}, 0x5);
  EXPECT_EQ(formation.waiting(), (Lines{"pc 1: - 0 - -", "pc 2: - - - 0"}));
  formation.retire(formation.former().select(), {}, 0x2);
  formation.retire(formation.former().select(), {}, 0x8);
  EXPECT_TRUE(formation.former().empty());
}

TEST(DynamicWarpFormation, ThreadsComeFromABarrierAsFromThePipeline) {
  Formation formation(kPdom, {1});
  formation.former().start(0, std::vector<std::uint32_t>{3, 1}, {0xf, 0xf});
  formation.former().start(0, std::vector<std::uint32_t>{2}, {0xf});
  formation.retire(formation.former().select(), {1, 1, 1, 1}, 0, 0x3);
  formation.retire(formation.former().select(), {1, 1, 1, 1}, 0, 0xf);
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 2 2 2 2", "pc 1: - - 3 3"}))
      << "two threads pass the barrier's guard and are held";
  formation.retire(formation.former().select(), {4, 4, 4, 4}, 0, 0xf);
  formation.former().release(std::vector<std::uint32_t>{3, 1}, {0xf, 0xf});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 1: 3 3 3 3", "pc 1: 1 1 1 1"}))
      << "those of the other block are still held";
  EXPECT_EQ(formation.step({4, 4, 4, 4}), "pc 1: 3 3 3 3");
  EXPECT_EQ(formation.step({4, 4, 4, 4}), "pc 1: 1 1 1 1");
  formation.former().release(std::vector<std::uint32_t>{2}, {0xf});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 4: 3 3 3 3", "pc 4: 1 1 1 1", "pc 1: 2 2 2 2"}));
  EXPECT_EQ(formation.step({4, 4, 4, 4}), "pc 4: 3 3 3 3") << "all have passed one point";
}

TEST(DynamicWarpFormation, BeginForgetsThreadsAndLaunches) {
  Formation formation(kPdom, {5});
  formation.start(2);
  formation.step({5, 5, 5, 5});
  const FormedWarp warp = formation.former().select();
  formation.retire(warp, {}, 0, 0xf);
  formation.former().begin();
  EXPECT_TRUE(formation.former().empty());
  EXPECT_EQ(formation.former().held(), std::vector<FormedWarp>{});
  const ir::Kernel kernel = kernel_of(4, {});
  formation.former().add_launch(kernel);
  formation.start(1);
  formation.former().release(std::vector<std::uint32_t>{0, 1}, {0xf, 0xf});
  EXPECT_EQ(formation.waiting(), (Lines{"pc 0: 0 0 0 0"}));
}

TEST(DynamicWarpFormation, ConditionalBranchesCanDiverge) {
  ir::Instruction instruction;
  EXPECT_FALSE(can_diverge(instruction));
  instruction.guard = 0;
  EXPECT_FALSE(can_diverge(instruction));
  instruction.op = ir::Op::bra;
  EXPECT_TRUE(can_diverge(instruction));
  instruction.uniform = true;
  EXPECT_TRUE(can_diverge(instruction)) << "rows can go different ways";
  instruction.guard = ir::kNoReg;
  EXPECT_FALSE(can_diverge(instruction));
  instruction.op = ir::Op::brx;
  EXPECT_TRUE(can_diverge(instruction));
}

/// What each thread is doing, beside the former.
struct Thread {
  enum class State { waits, flies, held, ended } state = State::waits;
  std::uint32_t pc = 0;
  std::uint32_t passed = 0;
};
using ThreadId = std::pair<unsigned, unsigned>;  ///< row and lane

class Threads {
 public:
  std::map<ThreadId, Thread> all;

  /// The thread comes to `pc`.
  void go(const ThreadId& id, std::uint32_t pc, const std::set<std::uint32_t>& meets) {
    Thread& thread = all.at(id);
    thread.state = Thread::State::waits;
    thread.pc = pc;
    if (meets.contains(pc)) ++thread.passed;
  }

  /// Threads at each pc that wait.
  std::map<std::uint32_t, unsigned> at() const {
    std::map<std::uint32_t, unsigned> counts;
    for (const auto& [id, thread] : all) counts[thread.pc] += thread.state == Thread::State::waits;
    return counts;
  }
  std::uint32_t passed(const FormedWarp& warp) const {
    std::uint32_t most = 0;
    for_each(warp, [&](const ThreadId& id) { most = std::max(most, all.at(id).passed); });
    return most;
  }
  template <class Each>
  static void for_each(const FormedWarp& warp, Each each) {
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((warp.lanes >> lane & 1) != 0) each(ThreadId{warp.row[lane], lane});
    }
  }
};

class RandomFormation : public testing::TestWithParam<FormationPriority> {};

// Every thread is in exactly one place, in its lane, at its pc, and each priority selects what its
// definition says, worked out from the threads alone.
TEST_P(RandomFormation, KeepsEveryThreadAndItsPriority) {
  using State = Thread::State;
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed()));
  std::mt19937_64 random(seed());
  for (unsigned round = 0; round < 5; ++round) {
    const unsigned rows = 1 + random() % 32;
    const unsigned pcs = 2 + random() % 12;  // and one behind the last, for barriers
    const unsigned spread = 1 + random() % 3;
    std::vector<std::uint32_t> points;
    for (unsigned pc = 0; pc < pcs; ++pc) {
      if (random() % 3 == 0) points.push_back(pc);
    }
    const std::set<std::uint32_t> meets(points.begin(), points.end());
    const ir::Kernel kernel = kernel_of(pcs + 1, points);
    FormationCounts counts;
    DynamicWarpFormation former(GetParam(), rows, counts);
    former.begin();
    former.add_launch(kernel);
    Threads threads;
    std::vector<std::uint32_t> numbers(rows);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::shuffle(numbers.begin(), numbers.end(), random);
    LargeWarpMask exist{};
    for (unsigned row = 0; row < rows; ++row) {
      exist[row] = static_cast<LaneBits>(random() % 4 == 0 ? random() : ~0U);
      for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
        if ((exist[row] >> lane & 1) != 0) threads.all[{numbers[row], lane}] = {};
      }
    }
    former.start(0, numbers, exist);
    std::deque<FormedWarp> flying;
    std::optional<std::uint32_t> majority;

    const auto retire = [&](const FormedWarp& warp) {
      DynamicWarpFormation::NextPcs next{};
      const bool barrier = random() % 20 == 0;
      const auto base = static_cast<std::uint32_t>(random() % pcs);
      LaneBits ended = 0;
      LaneBits held = 0;
      Threads::for_each(warp, [&](const ThreadId& id) {
        const LaneBits bit = LaneBits{1} << id.second;
        Thread& thread = threads.all.at(id);
        if (random() % 50 == 0) {
          thread.state = State::ended;
          ended |= bit;
        } else if (barrier && random() % 8 != 0) {
          thread.state = State::held;
          thread.pc = warp.pc + 1;
          held |= bit;
        } else {
          next[id.second] = static_cast<std::uint32_t>((base + random() % spread) % pcs);
          threads.go(id, next[id.second], meets);
        }
      });
      former.retire(warp, next, ended, held);
    };
    const auto release = [&] {
      LargeWarpMask those{};
      for (unsigned row = 0; row < rows; ++row) {
        for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
          const auto found = threads.all.find({numbers[row], lane});
          if (found == threads.all.end() || found->second.state != State::held) continue;
          if (random() % 3 == 0) continue;
          those[row] |= LaneBits{1} << lane;
          threads.go(found->first, found->second.pc, meets);
        }
      }
      former.release(numbers, those);
    };

    for (unsigned step = 0; step < 200; ++step) {
      std::map<ThreadId, unsigned> seen;
      const std::vector<FormedWarp> waiting = former.waiting();
      ASSERT_EQ(waiting.empty(), former.empty());
      for (const FormedWarp& warp : waiting) {
        ASSERT_NE(warp.lanes, 0U);
        Threads::for_each(warp, [&](const ThreadId& id) {
          ASSERT_TRUE(threads.all.contains(id)) << "row " << id.first << ", lane " << id.second;
          ++seen[id];
          EXPECT_EQ(threads.all.at(id).state, State::waits);
          EXPECT_EQ(threads.all.at(id).pc, warp.pc);
        });
      }
      for (const auto& [id, thread] : threads.all) {
        ASSERT_EQ(seen[id], thread.state == State::waits ? 1U : 0U)
            << "row " << id.first << ", lane " << id.second << ", step " << step;
      }

      if (!former.empty() && random() % 4 != 0) {
        const std::map<std::uint32_t, unsigned> at = threads.at();
        const FormedWarp warp = former.select();
        ASSERT_EQ(std::count(waiting.begin(), waiting.end(), warp), 1);
        const auto place = std::find(waiting.begin(), waiting.end(), warp);
        if (GetParam() == kMajority) {
          if (!majority) {
            majority = std::max_element(at.begin(), at.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                       })->first;
          }
          ASSERT_EQ(warp.pc, *majority);
          for (auto older = waiting.begin(); older != place; ++older) {
            ASSERT_NE(older->pc, warp.pc) << "an older warp waits there";
          }
          if (at.at(warp.pc) == static_cast<unsigned>(std::popcount(warp.lanes))) majority.reset();
        } else {
          const auto key = [&](const FormedWarp& of) {
            return std::pair{threads.passed(of), -std::popcount(of.lanes)};
          };
          for (auto other = waiting.begin(); other != waiting.end(); ++other) {
            if (other < place) {
              ASSERT_LT(key(warp), key(*other));
            } else {
              ASSERT_LE(key(warp), key(*other));
            }
          }
        }
        const std::uint32_t passed = threads.passed(warp);
        Threads::for_each(warp, [&](const ThreadId& id) {
          threads.all.at(id).state = State::flies;
          threads.all.at(id).passed = passed;
        });
        flying.push_back(warp);
      }
      if (flying.size() > 6 || (!flying.empty() && random() % 3 == 0)) {
        const auto which = flying.begin() + static_cast<std::ptrdiff_t>(random() % flying.size());
        const FormedWarp warp = *which;
        flying.erase(which);
        retire(warp);
      }
      if (random() % 20 == 0) release();
    }
  }
}

// What the table knows of a pc is the last warp founded there, if it was not selected yet: nothing
// else is filled up, and of that no free lane stays idle while a thread of the lane comes.
TEST_P(RandomFormation, FillsTheYoungestWarpAlone) {
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed()));
  std::mt19937_64 random(seed());
  constexpr unsigned kRows = 16, kPcs = 4;
  FormationCounts counts;
  DynamicWarpFormation former(GetParam(), kRows, counts);
  const ir::Kernel kernel = kernel_of(kPcs, {});
  former.begin();
  former.add_launch(kernel);
  std::vector<std::uint32_t> numbers(kRows);
  std::iota(numbers.begin(), numbers.end(), 0);
  former.start(0, numbers, rows_of(kRows, ~0U));
  for (unsigned step = 0; step < 5000; ++step) {
    const FormedWarp warp = former.select();
    const std::vector<FormedWarp> before = former.waiting();
    DynamicWarpFormation::NextPcs next{};
    const auto pc = static_cast<std::uint32_t>(random() % kPcs);
    const bool splits = random() % 2 == 0;
    for (std::uint32_t& lane : next) {
      lane = splits ? static_cast<std::uint32_t>(random() % kPcs) : pc;
    }
    former.retire(warp, next, 0, 0);
    const std::vector<FormedWarp> after = former.waiting();
    ASSERT_GE(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      const bool grew = after[i].lanes != before[i].lanes;
      if (!grew) continue;
      const auto younger =
          std::find_if(before.begin() + static_cast<std::ptrdiff_t>(i) + 1, before.end(),
                       [&](const FormedWarp& other) { return other.pc == before[i].pc; });
      EXPECT_EQ(younger, before.end()) << "step " << step << ": not the youngest";
      EXPECT_EQ(after[i].lanes & before[i].lanes, before[i].lanes);
    }
    for (std::size_t i = before.size(); i < after.size(); ++i) {
      ASSERT_EQ(after[i].lanes & ~warp.lanes, 0U) << "founded by the retired warp";
      const auto older =
          std::find_if(after.rbegin() + static_cast<std::ptrdiff_t>(after.size() - i), after.rend(),
                       [&](const FormedWarp& other) { return other.pc == after[i].pc; });
      if (GetParam() == kMajority && older != after.rend()) {
        EXPECT_EQ(after[i].lanes & ~older->lanes, 0U) << "step " << step << ": lanes were free";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Priorities, RandomFormation, testing::Values(kMajority, kPdom),
                         [](const auto& given) {
                           return given.param == kMajority ? "majority" : "pdom";
                         });

}  // namespace
}  // namespace paws::core
