// SPDX-License-Identifier: MIT
// Independent thread scheduling: lanes of a warp that wait for each other.
#include <array>
#include <cstring>
#include <span>

#include "sim/exec/simt_stack.h"
#include "sim/support/error.h"
#include "sim/tests/exec/ptx_harness.h"
#include "sim/tests/support/both_ways.h"

namespace paws::exec {
namespace {

/// Every thread takes the lock, adds its number to the sum, and gives the lock back; then the warp
/// adds up what each thread saw.
const char* const kLock = R"(
.visible .entry k(.param .u64 lock, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  ld.param.u64 %rd0, [lock]; ld.param.u64 %rd1, [out];
  mov.u32 %r0, %tid.x;
TAKE:
  atom.global.acquire.gpu.cas.b32 %r1, [%rd0], 0, 1;
  setp.ne.u32 %p0, %r1, 0;
  @%p0 bra TAKE;
  ld.volatile.global.u32 %r2, [%rd0+4];
  add.u32 %r3, %r2, %r0;
  st.volatile.global.u32 [%rd0+4], %r3;
  atom.global.release.gpu.exch.b32 %r4, [%rd0], 0;
  mov.u32 %r5, 1;
  shfl.sync.bfly.b32 %r6, %r5, 16, 31, -1; add.u32 %r5, %r5, %r6;
  shfl.sync.bfly.b32 %r6, %r5, 8, 31, -1; add.u32 %r5, %r5, %r6;
  shfl.sync.bfly.b32 %r6, %r5, 4, 31, -1; add.u32 %r5, %r5, %r6;
  bar.sync 0;
  vote.sync.ballot.b32 %r7, 1, -1;
  mad.wide.u32 %rd1, %r0, 8, %rd1;
  st.global.v2.u32 [%rd1], {%r5, %r7};
  ret;
})";

/// The run's message, empty when it ends well.
std::string run(PtxRun& ptx, unsigned yield_after, const std::vector<std::uint64_t>& params,
                unsigned threads) {
  KernelLaunch launch;
  launch.module = &ptx.module();
  launch.kernel = &ptx.module().kernels.front();
  launch.shape = {{1, 1, 1}, {threads, 1, 1}};
  const auto bytes = std::as_bytes(std::span(params));
  launch.params.assign(bytes.begin(), bytes.end());
  BothWays runner(200'000);
  runner.yield_after(yield_after);
  try {
    runner.run(launch, ptx.memory());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ThreadScheduling, ALockPerThreadIsPassedOn) {
  for (const unsigned yield_after : {1U, 3U, 16U}) {
    PtxRun ptx(kLock, yield_after);
    const auto lock = ptx.buffer("lock", 8);
    const auto out = ptx.buffer("out", 8 * 64);
    ASSERT_EQ(run(ptx, yield_after, {lock, out}, 64), "") << yield_after;
    EXPECT_EQ(ptx.at<std::uint32_t>(lock + 4), 63U * 64 / 2);
    for (unsigned i = 0; i < 64; ++i) {
      EXPECT_EQ(ptx.at<std::uint32_t>(out + 8 * i), 8U) << "shuffles wait for their members";
      EXPECT_EQ(ptx.at<std::uint32_t>(out + 8 * i + 4), ~0U) << "and votes";
    }
  }
}

TEST(ThreadScheduling, WithoutItThePathThatSpinsNeverEnds) {
  PtxRun ptx(kLock);
  const auto lock = ptx.buffer("lock", 8);
  const auto out = ptx.buffer("out", 8 * 64);
  const std::string message = run(ptx, 0, {lock, out}, 64);
  EXPECT_NE(message.find("not finished after 200000 warp instructions"), std::string::npos);
  EXPECT_NE(
      message.find("it runs with 31 of its threads; if they wait for one of the others, as for "
                   "a lock, neither goes on"),
      std::string::npos)
      << message;
  EXPECT_NE(message.find("core.yield_after"), std::string::npos) << message;
  PtxRun alone("\n.visible .entry k() {\nLOOP: bra LOOP;\n}");
  EXPECT_EQ(run(alone, 0, {}, 64).find("core.yield_after"), std::string::npos)
      << "all of its threads run";
}

/// Each thread counts down from four times its number, with `each_turn` in every turn, and then
/// adds up; the warp instructions of a warp.
std::uint64_t instructions_of_loops(const std::string& each_turn, unsigned yield_after) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r4, 0;
LOOP:
  )" + each_turn +
                 R"(
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p0, %r1, 0;
  @%p0 bra LOOP;
  mad.wide.u32 %rd1, %r0, 4, %rd0;
  st.global.u32 [%rd1], %r4;
  ret;
})",
             yield_after);
  const auto out = ptx.buffer("out", 4 * 32);
  KernelLaunch launch;
  launch.module = &ptx.module();
  launch.kernel = &ptx.module().kernels.front();
  launch.shape = {{1, 1, 1}, {32, 1, 1}};
  launch.params.resize(8);
  std::memcpy(launch.params.data(), &out, 8);
  BothWays runner;
  runner.yield_after(yield_after);
  runner.run(launch, ptx.memory());
  return runner.warp_instructions();
}

TEST(ThreadScheduling, LanesThatLeaveALoopWaitUnlessItPolls) {
  for (const char* computes :
       {"add.u32 %r4, %r4, %r1;", "ld.global.u32 %r5, [%rd0]; add.u32 %r4, %r4, %r5;",
        "red.global.add.u32 [%rd0], 0;", "atom.global.add.u32 %r6, [%rd0], 0;"}) {
    EXPECT_EQ(instructions_of_loops(computes, 1), instructions_of_loops(computes, 0)) << computes;
  }
  for (const char* polls :
       {"ld.volatile.global.u32 %r4, [%rd0];", "ld.relaxed.gpu.global.u32 %r4, [%rd0];",
        "ld.global.cv.u32 %r4, [%rd0];", "atom.global.add.u32 %r4, [%rd0], 0;", "membar.gl;",
        "nanosleep.u32 20;",
        "setp.eq.u32 %p1, %r0, 99; @%p1 ld.volatile.global.u32 %r4, [%rd0];"}) {
    EXPECT_GT(instructions_of_loops(polls, 4), instructions_of_loops(polls, 0)) << polls;
    EXPECT_GT(instructions_of_loops(polls, 1), instructions_of_loops(polls, 4)) << polls;
    EXPECT_EQ(instructions_of_loops(polls, 1000), instructions_of_loops(polls, 0)) << polls;
  }
}

TEST(ThreadScheduling, ALoopThatDoesNotSeemToPollGivesWayAtLast) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 flag) {
  .reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  ld.param.u64 %rd0, [flag];
  mov.u32 %r0, %tid.x;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra SET;
WAIT:
  ld.global.u32 %r3, [%rd0];
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra WAIT;
  ret;
SET:
  st.global.u32 [%rd0], 1;
  ret;
})",
             2);
  const auto flag = ptx.buffer("flag", 4);
  EXPECT_EQ(run(ptx, 2, {flag}, 32), "");
}

/// Odd lanes wait for a flag that the even lane before them sets in the other leg.
TEST(ThreadScheduling, AProducerRunsBesideItsConsumer) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 flags, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  ld.param.u64 %rd0, [flags]; ld.param.u64 %rd1, [out];
  mov.u32 %r0, %tid.x; and.b32 %r1, %r0, -2; and.b32 %r2, %r0, 1;
  mad.wide.u32 %rd0, %r1, 4, %rd0; mad.wide.u32 %rd1, %r0, 4, %rd1;
  setp.eq.u32 %p0, %r2, 0;
  @%p0 bra PRODUCE;
WAIT:
  ld.volatile.global.u32 %r3, [%rd0];
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra WAIT;
  add.u32 %r3, %r3, 1;
  bra MEET;
PRODUCE:
  add.u32 %r3, %r0, 100;
  st.volatile.global.u32 [%rd0], %r3;
MEET:
  st.global.u32 [%rd1], %r3;
  ret;
})");
  const auto flags = ptx.buffer("flags", 4 * 32);
  const auto out = ptx.buffer("out", 4 * 32);
  ASSERT_EQ(run(ptx, 4, {flags, out}, 32), "");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(ptx.at<std::uint32_t>(out + 4 * i), 100 + i);
}

TEST(SimtStack, WaitingLanesGoOnAndTheTreeStaysWhole) {
  const auto any = [](std::uint32_t, LaneMask) { return true; };
  SimtStack<LaneMask> stack;
  stack.start(0xff);
  using Leg = SimtStack<LaneMask>::Leg;
  const std::array<Leg, 2> outer{{{10, 0x0f}, {20, 0xf0}}};
  stack.diverge(outer, 30);
  const std::array<Leg, 2> inner{{{25, 0x30}, {21, 0xc0}}};  // 0x30 waits at 25
  stack.diverge(inner, 25);
  EXPECT_EQ(stack.pc(), 21U);
  ASSERT_TRUE(stack.yield(any));
  EXPECT_EQ(stack.lanes(), 0x0fU) << "the outer leg has waited for longest";
  ASSERT_TRUE(stack.yield(any));
  EXPECT_EQ(stack.lanes(), 0x30U) << "then those that wait for the inner leg";
  EXPECT_EQ(stack.pc(), 25U);
  EXPECT_EQ(stack.live(), 0xffU);
  stack.advance(30);
  EXPECT_EQ(stack.lanes(), 0x0fU);
  stack.advance(30);
  EXPECT_EQ(stack.lanes(), 0xc0U);
  EXPECT_EQ(stack.pc(), 21U);
  stack.advance(25);
  EXPECT_EQ(stack.pc(), 25U);
  EXPECT_EQ(stack.lanes(), 0xc0U) << "the others are ahead";
  stack.advance(30);
  EXPECT_EQ(stack.lanes(), 0xffU) << "all have met";
  EXPECT_FALSE(stack.yield(any));
  EXPECT_EQ(stack.depth(), 1U);
}

}  // namespace
/// Halves of a warp wait for each other in a function: who has called it waits for both.
TEST(ThreadScheduling, WhoHasCalledWaitsForPathsThatTakeTurns) {
  constexpr unsigned kYieldAfter = 8;
  PtxRun ptx(R"(
.func f(.reg .u32 n, .reg .u64 out) {
  .reg .b32 %r<4>; .reg .pred %p<3>;
  setp.eq.u32 %p0, n, 0;
  @%p0 bra last;
  sub.u32 %r0, n, 1;
  call f, (%r0, out);
  ret;
last:
  mov.u32 %r1, %laneid;
  setp.lt.u32 %p1, %r1, 16;
  @%p1 bra low;
high:
  ld.volatile.global.u32 %r2, [out];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra high;
  st.volatile.global.u32 [out+4], 1;
  bra both;
low:
  st.volatile.global.u32 [out], 1;
wait:
  ld.volatile.global.u32 %r2, [out+4];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra wait;
both:
  st.volatile.global.u32 [out+8], 7;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b64 %l<3>; .reg .b32 %r<2>;
  ld.param.u64 %l0, [out];
  call f, (2, %l0);
  ld.volatile.global.u32 %r0, [%l0+8];
  mov.u32 %r1, %laneid;
  mad.wide.u32 %l1, %r1, 4, %l0;
  st.global.u32 [%l1+16], %r0;
  ret;
})",
             kYieldAfter);
  const auto out = ptx.buffer("out", 16 + 128);
  ASSERT_EQ(run(ptx, kYieldAfter, {out}, 32), "");
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 16 + 4 * i), 7u) << i;
  }
}

}  // namespace paws::exec
