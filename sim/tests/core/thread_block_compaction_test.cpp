// SPDX-License-Identifier: MIT
// Thread block compaction by hand, on four lanes.
#include "sim/core/thread_block_compaction.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "sim/tests/core/warp_former_support.h"

namespace paws::core {
namespace {

using Lines = std::vector<std::string>;
using Pcs = std::array<std::uint32_t, 4>;

/// At 1 a branch to 5, at 2 one to 4, both of which meet at 8; at 9 one back to 8, which meets at
/// 10; at 10 a barrier. All else adds.
ir::Kernel kernel() {
  ir::Kernel kernel;
  kernel.code.resize(12);
  const auto branch = [&](std::uint32_t pc, std::uint32_t target, std::uint32_t reconverge) {
    kernel.code[pc].op = ir::Op::bra;
    kernel.code[pc].guard = 0;
    kernel.code[pc].target = target;
    kernel.code[pc].reconverge = reconverge;
  };
  branch(1, 5, 8);
  branch(2, 4, 8);
  branch(9, 8, 10);
  kernel.code[10].op = ir::Op::bar;
  return kernel;
}

class Compaction : public testing::Test {
 protected:
  Compaction() {
    former_.begin();
    former_.add_launch(kernel_);
  }
  void start(unsigned rows, std::uint32_t first = 0, LaneBits lanes = 0xf) {
    std::vector<std::uint32_t> numbers(rows);
    std::iota(numbers.begin(), numbers.end(), first);
    former_.start(0, numbers, rows_of(rows, lanes));
  }
  void retire(const FormedWarp& warp, const Pcs& next, LaneBits ended = 0, LaneBits held = 0) {
    WarpFormer::NextPcs all{};
    std::copy(next.begin(), next.end(), all.begin());
    former_.retire(warp, all, ended, held);
  }
  std::string step(const Pcs& next, LaneBits ended = 0) {
    const FormedWarp warp = former_.select();
    retire(warp, next, ended);
    return text(warp);
  }
  /// The next warp and its threads go on to `pc`.
  std::string go(std::uint32_t pc) { return step({pc, pc, pc, pc}); }
  Lines waiting() const { return texts(former_.waiting()); }

  ir::Kernel kernel_ = kernel();
  FormationCounts counts_;
  ThreadBlockCompaction former_{8, counts_};
};

TEST_F(Compaction, EachWayIsPackedAndWhereTheyMeetTheProgramsWarpsReturn) {
  start(3);
  EXPECT_EQ(go(1), "pc 0: 0 0 0 0");
  EXPECT_EQ(go(1), "pc 0: 1 1 1 1");
  EXPECT_EQ(go(1), "pc 0: 2 2 2 2");
  EXPECT_EQ(step({5, 5, 2, 2}), "pc 1: 0 0 0 0");
  EXPECT_EQ(step({5, 2, 5, 2}), "pc 1: 1 1 1 1");
  EXPECT_EQ(waiting(), (Lines{"pc 1: 2 2 2 2"})) << "the others wait for it";
  EXPECT_EQ(step({2, 2, 2, 5}), "pc 1: 2 2 2 2");
  EXPECT_EQ(waiting(), (Lines{"pc 5: 0 0 1 2", "pc 5: 1 - - -"})) << "the taken way first";
  EXPECT_EQ(go(6), "pc 5: 0 0 1 2");
  EXPECT_EQ(go(6), "pc 5: 1 - - -");
  EXPECT_EQ(go(7), "pc 6: 0 0 1 2");
  EXPECT_EQ(go(8), "pc 6: 1 - - -") << "at the end of the path it waits";
  EXPECT_EQ(waiting(), (Lines{"pc 7: 0 0 1 2"}));
  EXPECT_EQ(go(8), "pc 7: 0 0 1 2");
  EXPECT_EQ(waiting(), (Lines{"pc 2: 2 1 0 0", "pc 2: - 2 2 1"})) << "then the other way";
  // Nobody takes the branch at 2.
  EXPECT_EQ(go(3), "pc 2: 2 1 0 0");
  EXPECT_EQ(waiting(), (Lines{"pc 2: - 2 2 1"}));
  EXPECT_EQ(go(3), "pc 2: - 2 2 1");
  EXPECT_EQ(waiting(), (Lines{"pc 3: 2 1 0 0", "pc 3: - 2 2 1"})) << "as they were";
  EXPECT_EQ(go(8), "pc 3: 2 1 0 0");
  EXPECT_EQ(go(8), "pc 3: - 2 2 1");
  EXPECT_EQ(waiting(), (Lines{"pc 8: 0 0 0 0", "pc 8: 1 1 1 1", "pc 8: 2 2 2 2"}));
  EXPECT_EQ(counts_.splits, 1U);
  EXPECT_EQ(counts_.together, 1U);
  EXPECT_EQ(counts_.formed, 3U + 2 + 2 + 3);
  EXPECT_EQ(counts_.most, 3U);
}

TEST_F(Compaction, ThreadsThatLeaveALoopWaitForTheOthers) {
  start(2);
  for (unsigned i = 0; i < 2; ++i) go(9);
  EXPECT_EQ(step({8, 10, 8, 8}), "pc 9: 0 0 0 0");
  EXPECT_EQ(step({8, 8, 10, 10}), "pc 9: 1 1 1 1");
  EXPECT_EQ(waiting(), (Lines{"pc 8: 0 1 0 0", "pc 8: 1 - - -"}));
  EXPECT_EQ(go(9), "pc 8: 0 1 0 0");
  EXPECT_EQ(go(9), "pc 8: 1 - - -");
  EXPECT_EQ(step({10, 10, 10, 8}), "pc 9: 0 1 0 0");
  EXPECT_EQ(go(10), "pc 9: 1 - - -");
  EXPECT_EQ(waiting(), (Lines{"pc 8: - - - 0"}));
  EXPECT_EQ(go(9), "pc 8: - - - 0");
  EXPECT_EQ(go(10), "pc 9: - - - 0");
  EXPECT_EQ(waiting(), (Lines{"pc 10: 0 0 0 0", "pc 10: 1 1 1 1"}));
}

TEST_F(Compaction, ThreadsThatHaveEndedAreWaitedForNoMore) {
  start(2);
  EXPECT_EQ(step({1, 1, 1, 1}, 0x3), "pc 0: 0 0 0 0");
  EXPECT_EQ(go(1), "pc 0: 1 1 1 1");
  EXPECT_EQ(go(5), "pc 1: - - 0 0");
  EXPECT_EQ(waiting(), (Lines{"pc 1: 1 1 1 1"}));
  EXPECT_EQ(step({2, 2, 2, 5}), "pc 1: 1 1 1 1");
  EXPECT_EQ(waiting(), (Lines{"pc 5: - - 0 0", "pc 5: - - - 1"}));
  EXPECT_EQ(step({}, 0xc), "pc 5: - - 0 0");
  EXPECT_EQ(step({}, 0x8), "pc 5: - - - 1") << "the last of the path";
  EXPECT_EQ(waiting(), (Lines{"pc 2: 1 1 1 -"}));
  EXPECT_EQ(step({}, 0x7), "pc 2: 1 1 1 -");
  EXPECT_TRUE(former_.empty());
}

TEST_F(Compaction, ThePathOfAllThreadsIsNotPackedThoughLanesAreFree) {
  former_.start(0, std::vector<std::uint32_t>{0, 1}, {0x3, 0xc});
  EXPECT_EQ(waiting(), (Lines{"pc 0: 0 0 - -", "pc 0: - - 1 1"}));
  for (unsigned i = 0; i < 2; ++i) go(1);
  EXPECT_EQ(step({5, 2, 0, 0}), "pc 1: 0 0 - -");
  EXPECT_EQ(step({0, 0, 5, 2}), "pc 1: - - 1 1");
  EXPECT_EQ(go(8), "pc 5: 0 - 1 -");
  EXPECT_EQ(go(3), "pc 2: - 0 - 1");
  EXPECT_EQ(go(8), "pc 3: - 0 - 1");
  EXPECT_EQ(waiting(), (Lines{"pc 8: 0 0 - -", "pc 8: - - 1 1"}));
}

TEST_F(Compaction, AWarpThatEndsLetsThoseGoOnThatHaveCome) {
  start(2);
  EXPECT_EQ(go(1), "pc 0: 0 0 0 0");
  const FormedWarp row1 = former_.select();
  EXPECT_EQ(go(5), "pc 1: 0 0 0 0");
  EXPECT_TRUE(former_.empty());
  retire(row1, {}, 0xf);
  EXPECT_EQ(waiting(), (Lines{"pc 5: 0 0 0 0"}));
}

TEST_F(Compaction, AWarpIsHeldAsAWhole) {
  start(2);
  for (unsigned i = 0; i < 2; ++i) go(10);
  const FormedWarp row0 = former_.select();
  retire(row0, {11, 11, 11, 11}, 0, 0x7);
  EXPECT_EQ(texts(former_.held()), (Lines{"pc 11: 0 0 0 -"}));
  retire(former_.select(), {11, 11, 11, 11}, 0, 0xf);
  EXPECT_TRUE(former_.empty());
  former_.release(std::vector<std::uint32_t>{0, 1}, {0x3, 0xf});
  EXPECT_EQ(waiting(), (Lines{"pc 11: 1 1 1 1"})) << "one thread of row 0 is still held";
  former_.release(std::vector<std::uint32_t>{0, 1}, {0x4, 0});
  EXPECT_EQ(waiting(), (Lines{"pc 11: 1 1 1 1", "pc 11: 0 0 0 0"}));
  EXPECT_TRUE(former_.held().empty());
}

TEST_F(Compaction, BlocksDoNotMix) {
  start(1, 3, 0x3);
  start(1, 6, 0xc);
  EXPECT_EQ(waiting(), (Lines{"pc 0: 3 3 - -", "pc 0: - - 6 6"}));
  EXPECT_EQ(go(1), "pc 0: 3 3 - -");
  EXPECT_EQ(go(1), "pc 0: - - 6 6");
  EXPECT_EQ(step({5, 2, 0, 0}), "pc 1: 3 3 - -") << "the other block is not waited for";
  EXPECT_EQ(waiting(), (Lines{"pc 1: - - 6 6", "pc 5: 3 - - -"}));
}

TEST_F(Compaction, AWarpPutBackWaitsAgain) {
  start(2);
  former_.put_back(former_.select());
  EXPECT_EQ(waiting(), (Lines{"pc 0: 1 1 1 1", "pc 0: 0 0 0 0"}));
}

TEST_F(Compaction, BeginForgetsBlocksAndLaunches) {
  start(2);
  go(10);
  retire(former_.select(), {}, 0, 0xf);
  former_.begin();
  EXPECT_TRUE(former_.empty());
  EXPECT_TRUE(former_.held().empty());
  former_.add_launch(kernel_);
  start(1);
  EXPECT_EQ(waiting(), (Lines{"pc 0: 0 0 0 0"}));
}

}  // namespace
}  // namespace paws::core
