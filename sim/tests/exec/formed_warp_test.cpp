// SPDX-License-Identifier: MIT
// Threads that execute in warps formed as they go, in any order.

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "sim/exec/deferred.h"
#include "sim/exec/formed_warp_block.h"
#include "sim/exec/lane_masks.h"
#include "sim/support/error.h"
#include "sim/tests/exec/busy_kernel.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

/// A block of formed warps that runs the first kernel of a PTX text. Knows where each thread
/// stands.
class FormedRun {
 public:
  FormedRun(const std::string& entry, unsigned threads, std::uint64_t buffer_bytes = 4096)
      : ptx_(entry),
        executable_(ptx_.module().kernels.front()),
        out(ptx_.buffer("out", buffer_bytes)),
        block(executable_, {{1, 1, 1}, {threads, 1, 1}, 0},
              reinterpret_cast<const std::byte*>(&out), ptx_.memory(), 0, 1),
        at(threads) {
    block.start(0);
  }

  [[nodiscard]] bool live(unsigned thread) const {
    return (block.live()[thread / 32] >> thread % 32 & 1) != 0;
  }
  [[nodiscard]] bool runs(unsigned thread) const {
    return live(thread) && (block.waiting()[thread / 32] >> thread % 32 & 1) == 0;
  }
  [[nodiscard]] const ir::Instruction& code(unsigned thread) const {
    return executable_.kernel().code.at(at.at(thread));
  }

  /// The threads, of different lanes and at one pc, execute their instruction.
  const FormedOutcome& step(const std::vector<unsigned>& threads,
                            DeferredAccesses* later = nullptr) {
    FormedWarp warp;
    warp.pc = at.at(threads.front());
    for (const unsigned thread : threads) {
      EXPECT_EQ(at.at(thread), warp.pc);
      EXPECT_EQ(warp.lanes >> thread % 32 & 1, 0U);
      warp.lanes |= LaneBits{1} << thread % 32;
      warp.row[thread % 32] = static_cast<std::uint8_t>(thread / 32);
    }
    block.execute(warp, 0, outcome, later);
    for (const unsigned thread : threads) {
      if ((outcome.ended >> thread % 32 & 1) == 0) at[thread] = outcome.next[thread % 32];
    }
    return outcome;
  }
  /// The threads one by one up to that kind of instruction.
  void bring(const std::vector<unsigned>& threads, ir::Op op) {
    for (const unsigned thread : threads) {
      while (code(thread).op != op) step({thread});
    }
  }
  std::uint32_t& word(std::uint64_t index) { return ptx_.at<std::uint32_t>(out + 4 * index); }

 private:
  PtxRun ptx_;
  Executable executable_;

 public:
  const std::uint64_t out;
  FormedWarpBlock block;
  FormedOutcome outcome;
  std::vector<std::uint32_t> at;  ///< pc of each thread
};

/// Until all have ended: a random thread that runs, with some others that may go with it.
void finish(FormedRun& run, std::mt19937_64& random, bool put_off) {
  DeferredAccesses later;
  std::size_t done = 0;
  std::vector<unsigned> ready;
  while (true) {
    ready.clear();
    for (unsigned thread = 0; thread < run.at.size(); ++thread) {
      if (run.runs(thread)) ready.push_back(thread);
    }
    if (ready.empty()) break;
    std::shuffle(ready.begin(), ready.end(), random);
    const std::uint64_t most = 1 + random() % 32;
    std::vector<unsigned> warp;
    LaneBits lanes = 0;
    for (const unsigned thread : ready) {
      const LaneBits lane = LaneBits{1} << thread % 32;
      if (run.at[thread] != run.at[ready.front()] || (lanes & lane) != 0) continue;
      lanes |= lane;
      warp.push_back(thread);
      if (warp.size() == most) break;
    }
    run.step(warp, put_off ? &later : nullptr);
    for (; done < later.size(); ++done) perform(later, done);
  }
  for (unsigned thread = 0; thread < run.at.size(); ++thread) {
    ASSERT_FALSE(run.live(thread)) << "thread " << thread << " waits for ever";
  }
}

TEST(FormedWarps, GiveWhatTheProgramsWarpsGive) {
  const char* const given = std::getenv("PAWS_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20070001;
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (unsigned round = 0; round < 6; ++round) {
    const unsigned threads = 1 + static_cast<unsigned>(random() % 200);
    PtxRun expected(kBusy);
    const std::uint64_t out = expected.buffer("out", 4096);
    FormedRun run(kBusy, threads);
    for (unsigned i = 0; i < threads; ++i) {
      const auto data = static_cast<std::uint32_t>(random()) >> (random() % 32);
      expected.at<std::uint32_t>(out + 4 * i) = run.word(i) = data;
    }
    expected.run({{1, 1, 1}, {threads, 1, 1}, 0}, {out});
    finish(run, random, round % 2 == 1);
    for (unsigned i = 0; i < threads; ++i) {
      EXPECT_EQ(run.word(i), expected.at<std::uint32_t>(out + 4 * i)) << "thread " << i;
    }
  }
}

TEST(FormedWarps, TellTheNextPcOfEachLane) {
  FormedRun run(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<4>; .reg .pred %p<4>;
  mov.u32 %r0, %tid.x;
  setp.ge.u32 %p0, %r0, 40;
  @%p0 bra far;
  setp.eq.u32 %p1, %r0, 2;
  @%p1 exit;
  exit;
far:
  rem.u32 %r1, %r0, 3;
  ts: .branchtargets A, B;
  brx.idx %r1, ts;
A: ld.param.u64 %l0, [out]; st.global.u32 [%l0], %r0;
B: ret;
})",
                96);
  const std::vector<unsigned> mixed{1, 2, 35, 68};
  run.bring(mixed, ir::Op::bra);
  const std::uint32_t branch = run.at[1];
  const FormedOutcome& outcome = run.step(mixed);
  EXPECT_TRUE(outcome.branch);
  EXPECT_EQ(outcome.warp.path, 0b11110U);
  EXPECT_EQ(outcome.taken, 0b10000U);
  EXPECT_EQ(outcome.next[1], branch + 1);
  EXPECT_EQ(outcome.next[3], branch + 1);
  EXPECT_GT(outcome.next[4], branch + 1);
  run.bring({1, 2, 35}, ir::Op::exit);
  run.step({1, 2, 35});
  EXPECT_EQ(run.outcome.warp.active, 0b00100U);
  EXPECT_EQ(run.outcome.ended, 0b00100U);
  EXPECT_FALSE(run.live(2));
  EXPECT_EQ(run.outcome.next[1], run.outcome.next[3]);
  EXPECT_EQ(run.block.live()[0], ~0b100U);
  run.bring({64, 45}, ir::Op::brx);  // their indices are 1 and 0, that of 68 is 2
  run.step({64, 45});
  EXPECT_TRUE(run.outcome.branch);
  EXPECT_LT(run.outcome.next[13], run.outcome.next[0]);
  run.bring({68}, ir::Op::brx);
  std::string message;
  try {
    run.step({68});
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_NE(
      message.find("warp 2, lane 4, thread (68,0,0): branch index 2, the table has 2 targets"),
      std::string::npos)
      << message;
}

TEST(FormedWarps, GatherAddressesOfSeveralRows) {
  FormedRun run(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %l0, [out];
  mad.wide.u32 %l1, %r0, 4, %l0;
  st.global.u32 [%l1], %r0;
  ret;
})",
                96);
  const std::vector<unsigned> warp{70, 1, 66, 95};
  run.bring(warp, ir::Op::st);
  DeferredAccesses later;
  run.step(warp, &later);
  EXPECT_TRUE(run.outcome.warp.memory);
  EXPECT_TRUE(run.outcome.warp.store);
  EXPECT_EQ(run.outcome.warp.space, ir::Space::global);
  for (const unsigned thread : warp) {
    EXPECT_EQ(run.outcome.warp.addresses[thread % 32], run.out + 4 * thread);
    EXPECT_EQ(run.word(thread), 0U);
  }
  ASSERT_EQ(later.size(), 2U);  // rows 0 and 2, in this order
  EXPECT_EQ(later[0].warp, 0U);
  EXPECT_EQ(later[1].warp, 2U);
  for (std::size_t i = 0; i < 2; ++i) perform(later, i);
  for (const unsigned thread : warp) EXPECT_EQ(run.word(thread), thread);
  EXPECT_EQ(run.block.executed_threads(), 4U * 3 + 4);
}

TEST(FormedBarrier, ThreadsArriveOneByOne) {
  FormedRun run(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<4>;
  mov.u32 %r0, %tid.x;
  setp.ge.u32 %p0, %r0, 30;
  bar.red.popc.u32 %r1, 0, %p0;
  ld.param.u64 %l0, [out];
  mad.wide.u32 %l1, %r0, 4, %l0;
  st.global.u32 [%l1], %r1;
  ret;
})",
                34);
  std::vector<unsigned> all;
  for (unsigned thread = 0; thread < 34; ++thread) all.push_back(thread);
  run.bring(all, ir::Op::bar);
  for (unsigned thread = 2; thread < 32; ++thread) {
    run.step({thread});
    EXPECT_TRUE(run.outcome.warp.barrier);
    EXPECT_EQ(run.outcome.waits, LaneBits{1} << thread);
    EXPECT_EQ(run.outcome.released, LargeWarpMask{});
    EXPECT_FALSE(run.runs(thread));
  }
  run.step({0, 33});
  EXPECT_EQ(run.outcome.waits, 0b11U);
  run.step({32});
  run.step({1});  // the last one need not wait
  EXPECT_EQ(run.outcome.waits, 0U);
  LargeWarpMask others{};
  others[0] = ~2U;
  others[1] = 3;
  EXPECT_EQ(run.outcome.released, others);
  for (const unsigned thread : all) EXPECT_TRUE(run.runs(thread));
  std::mt19937_64 random(1);
  finish(run, random, false);
  for (const unsigned thread : all) EXPECT_EQ(run.word(thread), 4U) << thread;
}

TEST(FormedBarrier, EndedThreadsAreNotExpected) {
  FormedRun run(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .pred %p<4>;
  mov.u32 %r0, %tid.x;
  setp.eq.u32 %p0, %r0, 3;
  @%p0 exit;
  bar.sync 0;
  ret;
})",
                4);
  run.bring({0, 1, 2, 3}, ir::Op::exit);
  const std::uint32_t exit = run.at[0];
  for (const unsigned thread : {0U, 1U, 2U}) run.step({thread});
  ASSERT_EQ(run.at[0], exit + 1);
  run.step({0, 1, 2});
  EXPECT_EQ(run.outcome.waits, 0b111U);
  run.step({3});
  EXPECT_EQ(run.outcome.ended, 0b1000U);
  EXPECT_EQ(run.outcome.released[0], 0b111U);
}

TEST(FormedWarps, RefuseWarpWideOperations) {
  for (const std::string text :
       {"shfl.sync.idx.b32 %r0, %r0, 0, 31, -1;", "vote.sync.ballot.b32 %r0, %p0, -1;",
        "activemask.b32 %r0;", "match.any.sync.b32 %r0, %r0, -1;",
        "redux.sync.add.s32 %r0, %r0, -1;", "bar.warp.sync -1;"}) {
    PtxRun ptx(R"(.visible .entry k(.param .u64 out) {
  .reg .b32 %r<2>; .reg .b64 %l<2>; .reg .pred %p<2>;
  mov.u32 %r0, %tid.x;
  setp.eq.u32 %p0, %r0, 1;
  )" + text + R"(
  ld.param.u64 %l0, [out];
  st.global.u32 [%l0], %r0;
  ret;
})");
    const std::uint64_t out = ptx.buffer("out", 4);
    const Executable executable(ptx.module().kernels.front());
    std::string message;
    try {
      FormedWarpBlock block(executable, {{1, 1, 1}, {64, 1, 1}, 0},
                            reinterpret_cast<const std::byte*>(&out), ptx.memory(), 0, 1);
    } catch (const InputError& error) {
      message = error.what();
    }
    EXPECT_EQ(message.find("test.ptx:8: kernel 'k': "), 0U) << text << message;
    EXPECT_NE(message.find("speaks of the lanes of a warp, and with dynamic warp formation they "
                           "need not be in one warp"),
              std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace paws::exec
