// SPDX-License-Identifier: MIT
// cp.async and barrier objects, and how they are refused when they are used wrongly.
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

const LaunchShape kWarp{{1, 1, 1}, {32, 1, 1}};

TEST(CopyAsync, FillsWhatItDoesNotReadWithZeros) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;
  .shared .align 16 .b8 tile[1024];
  mov.u32 %r0, %tid.x;
  ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out];
  mad.wide.u32 %rd0, %r0, 16, %rd0; mad.wide.u32 %rd1, %r0, 32, %rd1;
  mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 16, %r1;
  and.b32 %r2, %r0, 15;
  cp.async.cg.shared.global.L2::128B [%r1], [%rd0], 16, %r2;
  setp.gt.u32 %p, %r0, 9;
  cp.async.ca.shared.global [%r1+512], [%rd0+8], 8, %p;
  cp.async.commit_group;
  cp.async.wait_group 0;
  bar.sync 0;
  ld.shared.v4.b32 {%r3,%r4,%r5,%r6}, [%r1];
  st.global.v4.b32 [%rd1], {%r3,%r4,%r5,%r6};
  ld.shared.v2.b32 {%r3,%r4}, [%r1+512];
  st.global.v2.b32 [%rd1+16], {%r3,%r4};
  ret;
})");
  const auto in = ptx.buffer("in", 512);
  const auto out = ptx.buffer("out", 1024);
  const auto byte = [](std::uint64_t i) { return static_cast<std::uint8_t>(i * 7 + 1); };
  for (std::uint64_t i = 0; i < 512; ++i) ptx.at<std::uint8_t>(in + i) = byte(i);
  ptx.run(kWarp, {in, out});
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    for (std::uint64_t i = 0; i < 16; ++i) {
      EXPECT_EQ(ptx.at<std::uint8_t>(out + 32 * lane + i),
                i < (lane & 15) ? byte(16 * lane + i) : 0);
    }
    for (std::uint64_t i = 0; i < 8; ++i) {
      EXPECT_EQ(ptx.at<std::uint8_t>(out + 32 * lane + 16 + i),
                lane > 9 ? 0 : byte(16 * lane + 8 + i));
    }
  }
}

TEST(CopyAsync, RefusesWhatLiesOutside) {
  const auto error = [](const std::string& copy) {
    PtxRun ptx(
        ".visible .entry k(.param .u64 in) { .reg .b64 %rd0; .reg .b32 %r0;\n"
        ".shared .align 16 .b8 tile[64]; ld.param.u64 %rd0, [in]; mov.u32 %r0, 17;\n" +
        copy + "\ncp.async.wait_all; ret; }");
    const auto in = ptx.buffer("in", 64);
    return ptx.run_error(kWarp, {in});
  };
  EXPECT_NE(error("cp.async.ca.shared.global [tile+64], [%rd0], 4;")
                .find("4-byte asynchronous copy at shared address 0x40: the block has 64 bytes"),
            std::string::npos);
  EXPECT_NE(error("cp.async.ca.shared.global [tile], [%rd0+64], 4;").find("past the end of 'in'"),
            std::string::npos);
  EXPECT_NE(error("cp.async.ca.shared.global [tile], [%rd0+2], 4;").find("not a multiple of 4"),
            std::string::npos);
  EXPECT_NE(error("cp.async.cg.shared.global [tile], [%rd0], 16, %r0;")
                .find("an asynchronous copy of 16 bytes is to read 17"),
            std::string::npos);
}

TEST(CopyBulk, MovesWhatEachLaneSays) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;
  .shared .align 128 .b8 tile[1024];
  .shared .align 8 .b64 object;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out];
  setp.eq.u32 %p0, %r0, 0;
  @%p0 mbarrier.init.shared.b64 [object], 32;
  mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 32, %r1;
  mad.wide.u32 %rd2, %r0, 64, %rd0; mad.wide.u32 %rd3, %r0, 32, %rd1;
  and.b32 %r2, %r0, 1; shl.b32 %r2, %r2, 4; add.u32 %r2, %r2, 16;  // 16 or 32 bytes
  mbarrier.arrive.expect_tx.shared::cta.b64 %rd4, [object], %r2;
  cp.async.bulk.prefetch.L2.global [%rd2], %r2;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r1], [%rd2+16], %r2, [object], %rd5;
  mbarrier.test_wait.shared.b64 %p1, [object], %rd4;
  @!%p1 trap;
  cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r1], 32;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
  cp.async.bulk.wait_group 0;
  ret;
})");
  const auto in = ptx.buffer("in", 2048);
  const auto out = ptx.buffer("out", 1024);
  const auto byte = [](std::uint64_t i) { return static_cast<std::uint8_t>(i * 7 + i / 64); };
  for (std::uint64_t i = 0; i < 2048; ++i) ptx.at<std::uint8_t>(in + i) = byte(i);
  ptx.run(kWarp, {in, out});
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    for (std::uint64_t i = 0; i < 32; ++i) {
      EXPECT_EQ(ptx.at<std::uint8_t>(out + 32 * lane + i),
                i < 16 || lane % 2 == 1 ? byte(64 * lane + 16 + i) : 0)
          << lane << " " << i;
    }
  }
}

TEST(CopyBulk, RefusesWhatCannotBe) {
  const auto error = [](const std::string& places, const std::string& bytes) {
    PtxRun ptx(
        ".visible .entry k(.param .u64 in) { .reg .b64 %rd0; .reg .b32 %r<2>;\n"
        ".shared .align 16 .b8 tile[64]; .shared .align 8 .b64 object;\n"
        "ld.param.u64 %rd0, [in]; mbarrier.init.shared.b64 [object], 1; mov.u32 %r0, " +
        bytes + ";\ncp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes " + places +
        ", %r0, [object]; ret; }");
    const auto in = ptx.buffer("in", 64);
    return ptx.run_error({{1, 1, 1}, {1, 1, 1}}, {in});
  };
  EXPECT_NE(
      error("[tile], [%rd0]", "40").find("a bulk copy of 40 bytes, which is not a multiple of 16"),
      std::string::npos);
  EXPECT_NE(error("[tile+48], [%rd0]", "32")
                .find("32-byte bulk copy at shared address 0x30: the block has 72 bytes"),
            std::string::npos);
  EXPECT_NE(error("[tile+8], [%rd0]", "32")
                .find("32-byte bulk copy at shared address 0x8: not a multiple of 16"),
            std::string::npos);
  EXPECT_NE(error("[tile], [%rd0+48]", "32").find("runs over the end of 'in' (64 bytes)"),
            std::string::npos);
  EXPECT_NE(error("[tile], [%rd0+8]", "32").find("not a multiple of 16"), std::string::npos);
}

/// Two warps take turns at a barrier object for several phases; an odd one drops out.
TEST(Mbarrier, PhasesEndWhenAllHaveArrived) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;
  .shared .align 8 .b64 object;
  mov.u32 %r0, %tid.x;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 mbarrier.init.shared.b64 [object], 64;
  bar.sync 0;
  mbarrier.arrive.shared.b64 %rd2, [object];
  mbarrier.pending_count.b64 %r3, %rd2;
WAIT:
  mbarrier.test_wait.shared.b64 %p1, [object], %rd2;
  @!%p1 bra WAIT;
  // The first phase, of parity 0, has ended; the second has not.
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [object], 0;
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [object], 1, 1000;
  selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; or.b32 %r1, %r1, %r2;
  bar.sync 0;
  @%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [object], 16;
  bar.sync 0;
  mbarrier.arrive_drop.release.cta.shared.b64 %rd3, [object];
  bar.sync 0;
  mbarrier.test_wait.parity.shared.b64 %p1, [object], 1;
  selp.u32 %r2, 4, 0, %p1; or.b32 %r1, %r1, %r2;
  bar.sync 0;
  @%p0 mbarrier.complete_tx.shared.b64 [object], 16;
  bar.sync 0;
  mbarrier.test_wait.parity.shared.b64 %p1, [object], 1;
  selp.u32 %r2, 8, 0, %p1; or.b32 %r1, %r1, %r2;
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 8, %rd0;
  st.global.v2.u32 [%rd0], {%r1, %r3};
  ret;
})");
  const auto out = ptx.buffer("out", 512);
  ptx.run({{1, 1, 1}, {64, 1, 1}}, {out});
  for (std::uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 8 * i), 1U | 8U) << i;
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 8 * i + 4), i < 32 ? 32 - i : 96 - i)
        << "before the arrival; the second warp, which ended the barrier, goes first";
  }
}

/// Bytes that come before they are expected count: whichever operation is the last ends the phase.
TEST(Mbarrier, APhaseEndsWhenItExpectsTheBytesThatHaveCome) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;
  .shared .align 8 .b64 object;
  mbarrier.init.shared.b64 [object], 1;
  mbarrier.complete_tx.shared.b64 [object], 16;
  mbarrier.arrive.shared.b64 %rd1, [object];
  mbarrier.test_wait.shared.b64 %p1, [object], %rd1;
  mbarrier.expect_tx.relaxed.cta.shared.b64 [object], 16;
  mbarrier.test_wait.shared.b64 %p2, [object], %rd1;
  selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; or.b32 %r1, %r1, %r2;
  ld.param.u64 %rd0, [out];
  st.global.u32 [%rd0], %r1;
  ret;
})");
  const auto out = ptx.buffer("out", 4);
  ptx.run({{1, 1, 1}, {1, 1, 1}}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 2U);
}

TEST(Mbarrier, TooManyArrivalsAreAnError) {
  PtxRun ptx(R"(
.visible .entry k() {
  .reg .b64 %rd<2>;
  .shared .align 8 .b64 object;
  mbarrier.init.shared.b64 [object], 3;
  mbarrier.arrive.noComplete.shared.b64 %rd0, [object], 5;
  ret;
})");
  EXPECT_EQ(ptx.run_error({{1, 1, 1}, {1, 1, 1}}),
            "test.ptx:9: kernel 'k', block (0,0,0), warp 0, lane 0, thread (0,0,0): more arrivals "
            "at a barrier object than it expects");
}

TEST(Mbarrier, CountsHaveLimits) {
  const auto error = [](const std::string& operations) {
    PtxRun ptx(R"(
.visible .entry k() {
  .reg .b64 %rd<2>;
  .shared .align 8 .b64 object;
)" + operations +
               " ret;\n}");
    return ptx.run_error({{1, 1, 1}, {1, 1, 1}});
  };
  EXPECT_NE(error("mbarrier.init.shared.b64 [object], 1048576;")
                .find("a barrier of 1048576 arrivals, and it counts up to 1048575"),
            std::string::npos);
  EXPECT_NE(error("mbarrier.init.shared.b64 [object], 1048575; trap;").find("trap"),
            std::string::npos);
  // Without .noinc the phase waits for one arrival more.
  const std::string late = "cp.async.mbarrier.arrive.shared.b64 [object]; trap;";
  EXPECT_NE(
      error("mbarrier.init.shared.b64 [object], 1048575;" + late)
          .find("a barrier object is to wait for 1048576 arrivals, and it counts up to 1048575"),
      std::string::npos);
  EXPECT_NE(error("mbarrier.init.shared.b64 [object], 1048574;" + late).find("trap"),
            std::string::npos);
  for (const char* arrive : {"arrive", "arrive_drop"}) {
    EXPECT_NE(error("mbarrier.init.shared.b64 [object], 2; mbarrier." + std::string(arrive) +
                    ".shared.b64 %rd0, [object], 0;")
                  .find("an arrival at a barrier object with a count of 0"),
              std::string::npos)
        << arrive;
  }
  for (const char* operation :
       {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 1048576;",
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd0, [object], 1048576;"}) {
    EXPECT_NE(
        error(std::string("mbarrier.init.shared.b64 [object], 2;") + operation)
            .find("a barrier object is to wait for 1048576 bytes, and it counts up to 1048575"),
        std::string::npos)
        << operation;
  }
}

}  // namespace
}  // namespace paws::exec
