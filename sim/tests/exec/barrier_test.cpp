// SPDX-License-Identifier: MIT
// Block barriers: which warps wait, which are released, what reductions give.
#include "sim/exec/barriers.h"
#include "sim/exec/decoded.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

Barriers::Arrival sync(std::uint32_t threads = 0, unsigned barrier = 0) {
  return {.barrier = barrier, .threads = threads, .waits = true, .lanes = kAllLanes, .holds = 0};
}

TEST(Barriers, CompletesWithTheLastWarp) {
  Barriers barriers;
  barriers.start(0b111);
  EXPECT_EQ(barriers.arrive(0, sync()).released, 0u);
  EXPECT_TRUE(barriers.waiting(0));
  EXPECT_EQ(barriers.arrive(2, sync()).released, 0u);
  EXPECT_EQ(barriers.arrive(1, sync()).released, 0b111u);
  EXPECT_FALSE(barriers.waiting(0));
}

TEST(Barriers, ExitOfTheLastExpectedWarpCompletes) {
  Barriers barriers;
  barriers.start(0b111);
  barriers.arrive(0, sync());
  barriers.arrive(2, sync());
  BlockWarpMask released = 0;
  barriers.end(1, kAllLanes,
               [&](const Barriers::Completion& completion) { released |= completion.released; });
  EXPECT_EQ(released, 0b101u);
}

TEST(Barriers, CountsAndNames) {
  Barriers barriers;
  barriers.start(0b1111);
  EXPECT_EQ(barriers.arrive(0, sync(64, 1)).released, 0u);
  EXPECT_EQ(barriers.arrive(1, sync(0, 2)).released, 0u);
  Barriers::Arrival producer = sync(64, 1);
  producer.waits = false;
  EXPECT_EQ(barriers.arrive(3, producer).released, 0b0001u);
  EXPECT_FALSE(barriers.waiting(3));
  EXPECT_TRUE(barriers.waiting(1));
}

TEST(Barriers, IsReusable) {
  Barriers barriers;
  barriers.start(0b11);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(barriers.arrive(0, sync()).released, 0u);
    EXPECT_EQ(barriers.arrive(1, sync()).released, 0b11u);
  }
}

TEST(Barrier, OrdersSharedMemory) {
  // A tree reduction over the block; wrong without any one of its barriers.
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<4>;
  .shared .align 4 .b8 sums[1024];
  mov.u32 %r0, %tid.x;
  mov.u64 %l0, sums;
  mad.wide.u32 %l1, %r0, 4, %l0;
  st.shared.u32 [%l1], %r0;
  mov.u32 %r1, 128;
loop: bar.sync 0;
  setp.ge.u32 %p0, %r0, %r1;
  @%p0 bra skip;
  mad.wide.u32 %l2, %r1, 4, %l1;
  ld.shared.u32 %r2, [%l2];
  ld.shared.u32 %r3, [%l1];
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%l1], %r3;
skip: shr.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra loop;
  setp.ne.u32 %p2, %r0, 0;
  @%p2 exit;
  ld.shared.u32 %r4, [sums];
  ld.param.u64 %l3, [out];
  st.global.u32 [%l3], %r4;
  ret;
})");
  const auto out = ptx.buffer("out", 4);
  ptx.run({{1, 1, 1}, {256, 1, 1}, 0}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 255u * 256 / 2);
}

TEST(Barrier, Reductions) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<8>;
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p0, %r0, 70;
  bar.red.popc.u32 %r1, 0, %p0;
  bar.red.and.pred %p1, 1, %p0;
  bar.red.or.pred %p2, 2, !%p0;
  setp.lt.u32 %p3, %r0, 1000;
  bar.red.and.pred %p4, 3, %p3;
  selp.u32 %r2, 1000, 0, %p1;
  selp.u32 %r3, 2000, 0, %p2;
  selp.u32 %r4, 4000, 0, %p4;
  add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4;
  ld.param.u64 %l0, [out];
  mad.wide.u32 %l0, %r0, 4, %l0;
  st.global.u32 [%l0], %r1;
  ret;
})");
  const auto out = ptx.buffer("out", 384);
  ptx.run({{1, 1, 1}, {96, 1, 1}, 0}, {out});
  for (std::uint32_t t = 0; t < 96; ++t)
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 4ull * t), 70u + 6000) << t;
}

TEST(Barrier, ProducerArrivesConsumerWaits) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<8>;
  .shared .align 4 .u32 cell;
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p0, %r0, 32;
  @!%p0 bra producer;
  bar.sync 1, 64;
  ld.shared.u32 %r1, [cell];
  ld.param.u64 %l0, [out];
  st.global.u32 [%l0], %r1;
  ret;
producer:
  mov.u32 %r2, 77;
  st.shared.u32 [cell], %r2;
  bar.arrive 1, 64;
  ret;
})");
  const auto out = ptx.buffer("out", 4);
  ptx.run({{1, 1, 1}, {64, 1, 1}, 0}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 77u);
}

TEST(Barrier, WarpsThatEndedAreNotExpected) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<8>;
  mov.u32 %r0, %tid.x;
  setp.ge.u32 %p0, %r0, 64;
  @%p0 exit;
  bar.sync 0;
  ld.param.u64 %l0, [out];
  red.global.add.u32 [%l0], 1;
  ret;
})");
  const auto out = ptx.buffer("out", 4);
  ptx.run({{1, 1, 1}, {128, 1, 1}, 0}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 64u);
}

TEST(Barrier, DeadlockIsAnError) {
  PtxRun ptx(R"(
.visible .entry deadly() {
  .reg .b32 %r<8>; .reg .pred %p<8>;
  mov.u32 %r0, %tid.x;
  setp.ge.u32 %p0, %r0, 32;
  @%p0 bra other;
  bar.sync 1;
  ret;
other: bar.sync 2;
  ret;
})");
  const std::string message = ptx.run_error({{1, 1, 1}, {64, 1, 1}, 0});
  EXPECT_EQ(message,
            "test.ptx:10: kernel 'deadly', block (0,0,0): deadlock, every warp that has not ended "
            "waits at a barrier that cannot complete (warps 0, 1)");
}

}  // namespace
}  // namespace paws::exec
