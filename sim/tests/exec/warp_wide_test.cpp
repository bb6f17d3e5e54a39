// SPDX-License-Identifier: MIT
// Instructions that look across the lanes of a warp, and special registers.
#include <functional>

#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

/// Lane i's input is {10ull * i, lane operand, 0}; returns the 32 results.
std::vector<std::uint64_t> over_lanes(const std::string& body,
                                      const std::function<std::uint64_t(unsigned)>& b = nullptr) {
  std::vector<Inputs> in;
  for (unsigned i = 0; i < 32; ++i) in.push_back({10ull * i, b ? b(i) : 0, i});
  return run_body(body, in);
}

TEST(Shfl, Modes) {
  auto got = over_lanes("shfl.sync.up.b32 %d32, %a32, 3, 0, 0xffffffff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 10ull * (i < 3 ? i : i - 3)) << i;
  got = over_lanes("shfl.sync.down.b32 %d32, %a32, 3, 31, 0xffffffff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 10ull * (i > 28 ? i : i + 3)) << i;
  got = over_lanes("shfl.sync.bfly.b32 %d32, %a32, 5, 31, 0xffffffff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 10ull * (i ^ 5)) << i;
  got = over_lanes("shfl.sync.idx.b32 %d32, %a32, %b32, 31, 0xffffffff;",
                   [](unsigned i) { return i * 7 % 40; });
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 10ull * (i * 7 % 40 % 32)) << i;
}

TEST(Shfl, SegmentsAndPredicate) {
  // Width 8: c = (32 - 8) << 8 | 31 for down, idx, bfly; (32 - 8) << 8 for up.
  auto got = over_lanes("shfl.sync.down.b32 %d32, %a32, 2, 0x181f, 0xffffffff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 10ull * (i % 8 < 6 ? i + 2 : i)) << i;
  got = over_lanes("shfl.sync.up.b32 %r0|%dp, %a32, 2, 0x1800, 0xffffffff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i % 8 >= 2 ? 1u : 0u) << i;
  got = over_lanes("shfl.sync.idx.b32 %d32, %a32, 1, 0x181f, 0xffffffff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 10ull * (i / 8 * 8 + 1)) << i;
  got = over_lanes("shfl.sync.down.b32 %r0|%dp, %a32, 2, 0x181f, 0xffffffff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i % 8 < 6 ? 1u : 0u) << i;
}

TEST(Shfl, LanesThatDoNotExecuteGiveZero) {
  // On another path: lanes 0 to 7 read lanes 16 to 23.
  auto got = over_lanes(
      "mov.u32 %d32, 7; setp.ge.u32 %p0, %c32, 8; @%p0 bra skip;\n"
      "shfl.sync.down.b32 %d32, %a32, 16, 31, 0xff;\nskip:\n");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i < 8 ? 0u : 7u) << i;
  // Kept from executing by the guard: odd lanes read even ones. The lane is in range all the same.
  const auto odd = [](unsigned i) { return i % 2; };
  for (const std::string mode : {"up.b32 %r0|%p1, %a32, 1, 0", "down.b32 %r0|%p1, %a32, 1, 31",
                                 "bfly.b32 %r0|%p1, %a32, 1, 31", "idx.b32 %r0|%p1, %a32, 0, 31"}) {
    got = over_lanes("mov.u32 %r0, 7; setp.ne.u32 %p1, 0, 0; @%pb shfl.sync." + mode +
                         ", 0xffffffff; selp.b32 %r1, 100, 0, %p1; add.u32 %d32, %r0, %r1;",
                     odd);
    // Lane 31 of .down is at the end of its segment and reads itself.
    for (unsigned i = 0; i < 32; ++i) {
      const bool own = i == 31 && mode.starts_with("down");
      EXPECT_EQ(got[i], i % 2 == 0 ? 7u : (own ? 310u : 100u)) << mode << " " << i;
    }
  }
  // Ended: lanes 16 to 31 have left the kernel.
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<4>; .reg .pred %p<2>;
  mov.u32 %r0, %tid.x; add.u32 %r1, %r0, 1;
  ld.param.u64 %l0, [out]; mad.wide.u32 %l0, %r0, 4, %l0;
  setp.ge.u32 %p0, %r0, 16; @%p0 exit;
  shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffffffff;
  st.global.u32 [%l0], %r2;
  ret;
})");
  const auto out = ptx.buffer("out", 128);
  ptx.run({{1, 1, 1}, {32, 1, 1}, 0}, {out});
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 4ull * i), i < 8 ? i + 9 : 0u) << i;
  }
}

TEST(Shfl, LanesBeyondTheBlockGiveZero) {
  std::vector<Inputs> threads(40);
  for (auto& thread : threads) thread.a = 5;
  const auto got = run_body("shfl.sync.down.b32 %d32, %a32, 4, 31, 0xffffffff;", threads);
  for (unsigned i = 0; i < 36; ++i) EXPECT_EQ(got[i], 5u) << i;
  for (unsigned i = 36; i < 40; ++i) EXPECT_EQ(got[i], 0u) << i;
}

TEST(Shfl, TheMemberMaskChangesNoValue) {
  const auto got = over_lanes("shfl.sync.down.b32 %d32, %a32, 16, 31, 0xff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 10ull * (i < 16 ? i + 16 : i)) << i;
}

TEST(Shfl, AReductionOfWarpSumsMayReachBehindThem) {
  // As the last step of NVIDIA's sample "reduction", kernel 7: one lane per warp adds up the sums
  // of the warps, with distances from 16 on, so that it reads lanes outside of the branch.
  const auto got = over_lanes(R"(
    add.u32 %r0, %c32, 1; mov.u32 %d32, 0;
    setp.ge.u32 %p0, %c32, 8;
    @%p0 bra skip;
    shfl.sync.down.b32 %r1, %r0, 16, 31, 0xff; add.u32 %r0, %r0, %r1;
    shfl.sync.down.b32 %r1, %r0, 8, 31, 0xff; add.u32 %r0, %r0, %r1;
    shfl.sync.down.b32 %r1, %r0, 4, 31, 0xff; add.u32 %r0, %r0, %r1;
    shfl.sync.down.b32 %r1, %r0, 2, 31, 0xff; add.u32 %r0, %r0, %r1;
    shfl.sync.down.b32 %r1, %r0, 1, 31, 0xff; add.u32 %d32, %r0, %r1;
    skip:
  )");
  EXPECT_EQ(got[0], 36u);
}

TEST(Vote, Modes) {
  const auto odd = [](unsigned i) { return i % 2; };
  auto got = over_lanes("vote.sync.ballot.b32 %d32, %pb, 0xffffffff;", odd);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 0xaaaaaaaau);
  got = over_lanes("vote.sync.ballot.b32 %d32, !%pb, 0x0000ffff;", odd);
  EXPECT_EQ(got[0], 0x5555u);
  EXPECT_EQ(over_lanes("vote.sync.all.pred %dp, %pb, 0xffffffff;", odd)[7], 0u);
  EXPECT_EQ(over_lanes("vote.sync.all.pred %dp, %pb, 0xaaaaaaaa;", odd)[1], 1u);
  EXPECT_EQ(over_lanes("vote.sync.any.pred %dp, %pb, 0xffffffff;", odd)[7], 1u);
  EXPECT_EQ(over_lanes("vote.sync.any.pred %dp, %pb, 0x55555555;", odd)[0], 0u);
  EXPECT_EQ(over_lanes("vote.sync.uni.pred %dp, %pb, 0xffffffff;", odd)[0], 0u);
  EXPECT_EQ(over_lanes("vote.sync.uni.pred %dp, %pb, 0x55555555;", odd)[0], 1u);
}

TEST(Vote, OnlyExecutingLanesTakePart) {
  const auto got = over_lanes(
      "mov.u32 %d32, 0; setp.lt.u32 %p0, %c32, 5; @!%p0 bra skip;\n"
      "vote.sync.ballot.b32 %d32, %p0, 0xffffffff; vote.sync.any.pred %p1, !%p0, 0xffffffff;\n"
      "@%p1 mov.u32 %d32, 99;\nskip:\n");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i < 5 ? 0x1fu : 0u);
}

TEST(Match, AnyAndAll) {
  const auto third = [](unsigned i) { return i % 3; };
  auto got = over_lanes("match.any.sync.b32 %d32, %b32, 0xffffffff;", third);
  for (unsigned i = 0; i < 32; ++i) {
    std::uint32_t expected = 0;
    for (unsigned j = 0; j < 32; ++j) expected |= (i % 3 == j % 3 ? 1u : 0u) << j;
    EXPECT_EQ(got[i], expected);
  }
  EXPECT_EQ(over_lanes("match.all.sync.b32 %d32, %b32, 0xffffffff;", third)[0], 0u);
  EXPECT_EQ(over_lanes("match.all.sync.b64 %d32|%p0, %l0, 0xffffffff;")[0], 0xffffffffu);
  EXPECT_EQ(over_lanes("match.all.sync.b32 %r0|%dp, %b32, 0x9;", third)[0], 1u);
}

TEST(Redux, Operations) {
  EXPECT_EQ(over_lanes("redux.sync.add.u32 %d32, %a32, 0xffffffff;")[4], 4960u);
  EXPECT_EQ(over_lanes("redux.sync.max.u32 %d32, %a32, 0x0000ffff;")[4], 150u);
  EXPECT_EQ(over_lanes("sub.s32 %r0, %a32, 100; redux.sync.min.s32 %d32, %r0, 0xffffffff;")[4],
            static_cast<std::uint32_t>(-100));
  EXPECT_EQ(over_lanes("redux.sync.or.b32 %d32, %c32, 0xffffffff;")[4], 31u);
  EXPECT_EQ(over_lanes("redux.sync.xor.b32 %d32, %c32, 0xffffffff;")[4], 0u);
}

/// The lanes of a tile of eight, as a member mask.
std::uint64_t tile_of_eight(unsigned lane) { return 0xffull << (lane & 24); }

TEST(Vote, EachLaneVotesWithThoseOfItsOwnMask) {
  auto got = over_lanes("setp.eq.u32 %p0, %a32, 170; vote.sync.ballot.b32 %d32, %p0, %b32;",
                        tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i / 8 == 2 ? 1u << 17 : 0u) << i;
  got = over_lanes("setp.eq.u32 %p0, %a32, 170; vote.sync.any.pred %dp, %p0, %b32;", tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i / 8 == 2 ? 1u : 0u) << i;
  got = over_lanes("setp.lt.u32 %p0, %c32, 12; vote.sync.all.pred %dp, %p0, %b32;", tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i < 8 ? 1u : 0u) << i;
  got = over_lanes("setp.lt.u32 %p0, %c32, 12; vote.sync.uni.pred %dp, %p0, %b32;", tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i / 8 != 1 ? 1u : 0u) << i;
}

TEST(Match, EachLaneIsComparedWithThoseOfItsOwnMask) {
  auto got = over_lanes("shr.u32 %r0, %c32, 1; match.any.sync.b32 %d32, %r0, %b32;", tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 3u << (i & 30)) << i;
  got = over_lanes("and.b32 %r0, %c32, 7; match.any.sync.b32 %d32, %r0, %b32;", tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 1u << i) << i;
  const std::string limit = "min.u32 %r0, %c32, 16;";
  got = over_lanes(limit + "match.all.sync.b32 %d32|%p0, %r0, %b32;", tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i < 16 ? 0u : tile_of_eight(i)) << i;
  got = over_lanes(limit + "match.all.sync.b32 %r1|%dp, %r0, %b32;", tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i < 16 ? 0u : 1u) << i;
}

TEST(Redux, EachLaneGetsTheResultOfItsOwnMask) {
  const auto got = over_lanes("redux.sync.add.u32 %d32, %c32, %b32;", tile_of_eight);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 28u + 64u * (i / 8)) << i;
}

TEST(Warp, ActiveMaskUnderDivergence) {
  const auto got = over_lanes(
      "mov.u32 %d32, 0; setp.lt.u32 %p0, %c32, 5; @!%p0 bra skip;\nactivemask.b32 %d32;\nskip:\n");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i < 5 ? 0x1fu : 0u);
}

TEST(Elect, TheLowestMemberLeads) {
  auto got = over_lanes("elect.sync %r0|%dp, 0xfffffff0;");
  for (unsigned i = 4; i < 32; ++i) EXPECT_EQ(got[i], i == 4 ? 1u : 0u) << i;
  got = over_lanes("elect.sync %d32|%p0, 0xffffffe0;");
  for (unsigned i = 5; i < 32; ++i) EXPECT_EQ(got[i], 5u) << i;
  got = over_lanes("elect.sync _|%dp, 0xffffffff;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], i == 0 ? 1u : 0u) << i;
}

TEST(Special, WarpsAndCores) {
  std::vector<Inputs> threads(96);
  auto got = run_body("mov.u32 %d32, %warpid;", threads);
  for (unsigned i = 0; i < 96; ++i) EXPECT_EQ(got[i], i / 32) << i;
  EXPECT_EQ(run_body("mov.u32 %d32, %nwarpid;", threads)[40], 3u);
  got = run_body("mov.u32 %r0, %smid; mov.u32 %r1, %nsmid; setp.lt.u32 %dp, %r0, %r1;", threads);
  EXPECT_EQ(got[95], 1u);
  EXPECT_EQ(run_body("mov.u32 %d32, %clock_hi;", threads)[0], 0u);
}

TEST(Special, LanesAndMasks) {
  auto got = over_lanes("mov.u32 %d32, %lanemask_lt;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], (1u << i) - 1);
  got = over_lanes("mov.u32 %d32, %lanemask_ge;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], ~((1u << i) - 1));
  got = over_lanes("mov.u32 %d32, %lanemask_eq;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], 1u << i);
  got = over_lanes("mov.u32 %d32, %lanemask_le;");
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(got[i], (2ull << i) - 1);
  got = over_lanes("mov.u32 %d32, %lanemask_gt;");
  EXPECT_EQ(got[31], 0u);
  EXPECT_EQ(got[0], 0xfffffffeu);
  got = over_lanes("mov.u32 %d32, %laneid;");
  EXPECT_EQ(got[17], 17u);
  got = over_lanes("mov.u32 %r0, %clock; mov.u32 %r1, %clock; setp.gt.u32 %dp, %r1, %r0;");
  EXPECT_EQ(got[0], 1u);
}

TEST(Special, GridAndBlockShapes) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<16>; .reg .b64 %l<4>;
  mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z;
  mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y;
  mad.lo.u32 %r5, %r2, %r4, %r1; mad.lo.u32 %r5, %r5, %r3, %r0;
  mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ctaid.y; mov.u32 %r8, %ctaid.z;
  mov.u32 %r9, %nctaid.x; mov.u32 %r10, %nctaid.y;
  mad.lo.u32 %r11, %r8, %r10, %r7; mad.lo.u32 %r11, %r11, %r9, %r6;
  mad.lo.u32 %r12, %r11, 24, %r5;
  ld.param.u64 %l0, [out];
  mad.wide.u32 %l0, %r12, 4, %l0;
  st.global.u32 [%l0], %r12;
  ret;
})");
  const auto out = ptx.buffer("out", 1152);
  ptx.run({{3, 2, 2}, {2, 3, 4}, 0}, {out});
  for (std::uint32_t i = 0; i < 24 * 12; ++i) EXPECT_EQ(ptx.at<std::uint32_t>(out + 4ull * i), i);
}

TEST(Special, DynamicSharedMemory) {
  PtxRun ptx(R"(
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<8>;
  .shared .align 4 .b8 fixed[64];
  mov.u32 %r0, %dynamic_smem_size;
  mov.u32 %r1, %total_smem_size;
  mov.u64 %l0, dynamic;
  st.shared.u32 [%l0+124], %r1;
  ld.shared.u32 %r2, [%l0+124];
  mov.u64 %l2, fixed;
  st.shared.u32 [%l2], %r0;
  ld.shared.u32 %r3, [%l2];
  ld.param.u64 %l1, [out];
  st.global.v2.u32 [%l1], {%r3, %r2};
  ret;
})");
  const auto out = ptx.buffer("out", 8);
  ptx.run({{1, 1, 1}, {1, 1, 1}, 128}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 128u);
  EXPECT_EQ(ptx.at<std::uint32_t>(out + 4), 192u);
}

}  // namespace
}  // namespace paws::exec
