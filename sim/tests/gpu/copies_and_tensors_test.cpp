// SPDX-License-Identifier: MIT
// What asynchronous copies, tensor instructions, cooperative grids and independent thread
// scheduling mean for cycles.

#include <gtest/gtest.h>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

const char* const kAddresses =
    "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd2, %rd0, %rd1;\n"
    "mov.u32 %r1, shared_words; mad.lo.u32 %r1, %r0, 4, %r1;\n";

TEST(AsynchronousCopies, OverlapWithWhatFollows) {
  constexpr unsigned kAdds = 40;
  const std::string adds = repeat(kAdds, [](unsigned) { return "add.u32 %r2, %r2, 1;"; });
  const std::string end =
      "bar.sync 0; ld.shared.u32 %r4, [%r1+4]; add.u32 %r4, %r4, %r2;\n"
      "st.global.u32 [%rd2+1024], %r4; ret;";
  const auto cycles = [&](const std::string& body) {
    GpuRun run;
    run.config.frontend.schedule = false;
    run.config.icache.bytes = 0;  // every fetch hits
    run.shape.block = {32, 1, 1};
    run.run(kAddresses + body);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(run.words[256 + i], kAdds);
    return run.statistics.cycles;
  };
  const auto copied =
      cycles("cp.async.ca.shared.global [%r1+4], [%rd2], 4; cp.async.commit_group;\n" + adds +
             "cp.async.wait_group 0;\n" + end);
  const auto loaded =
      cycles("ld.global.u32 %r3, [%rd2]; st.shared.u32 [%r1+4], %r3;\n" + adds + end);
  // The load takes longer than the additions.
  EXPECT_GT(loaded, copied + kAdds * 15);
}

TEST(AsynchronousCopies, AWaitForOlderGroupsLetsTheLastOneBeUnderWay) {
  const auto cycles = [](unsigned allowed) {
    GpuRun run;
    run.shape.block = {32, 1, 1};
    run.config.frontend.schedule = false;
    run.config.icache.bytes = 0;  // every fetch hits
    run.buffer_bytes = 1 << 16;
    run.run(
        std::string(kAddresses) +
        "cp.async.ca.shared.global [%r1], [%rd2], 4; cp.async.commit_group;\n"
        // A chain of additions: the first copy comes meanwhile.
        + repeat(40, [](unsigned) { return "add.u32 %r2, %r2, 1;"; }) +
        "cp.async.ca.shared.global [%r1+512], [%rd2+32768], 4; cp.async.commit_group;\n"
        "cp.async.wait_group " +
        std::to_string(allowed) +
        ";\nmov.u32 %r3, %clock;\n"
        "st.global.u32 [%rd2+1024], %r3; st.global.u32 [%rd2+2048], %r2; cp.async.wait_all; ret;");
    return run.words[256];
  };
  EXPECT_GT(cycles(0), cycles(1) + 200);
}

/// A younger copy that hits the L1 comes first.
TEST(AsynchronousCopies, AWaitForAnOlderGroupIsNotEndedByAYoungerOne) {
  const auto cycles = [](const char* older, const char* younger) {
    GpuRun run;
    run.shape.block = {32, 1, 1};
    run.config.frontend.schedule = false;
    run.config.icache.bytes = 0;  // every fetch hits
    run.buffer_bytes = 1 << 16;
    run.run(std::string(kAddresses) +
            "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1;\n"  // brings the line
            "mov.u32 %r4, %clock;\n"
            "cp.async.ca.shared.global [%r1], [%rd2+" +
            older +
            "], 4; cp.async.commit_group;\n"
            "cp.async.ca.shared.global [%r1+512], [%rd2+" +
            younger +
            "], 4; cp.async.commit_group;\n"
            "cp.async.wait_group 1; mov.u32 %r3, %clock; sub.u32 %r3, %r3, %r4;\n"
            "st.global.u32 [%rd2+1024], %r3; st.global.u32 [%rd2+2048], %r2;\n"
            "cp.async.wait_all; ret;");
    return run.words[256];
  };
  EXPECT_GT(cycles("32768", "0"), cycles("0", "32768") + 200);
}

TEST(AsynchronousCopies, ThatReadNothingGoToNoMemory) {
  const auto requests = [](const char* bytes) {
    GpuRun run;
    run.shape.block = {32, 1, 1};
    run.run(std::string(kAddresses) + "mov.u32 %r5, " + bytes +
            ";\ncp.async.ca.shared.global [%r1], [%rd2], 4, %r5; cp.async.wait_all;\n"
            "ld.shared.u32 %r3, [%r1]; st.global.u32 [%rd2+1024], %r3; ret;");
    EXPECT_EQ(run.words[256], 0U);
    return run.statistics.cores.l1_accesses;
  };
  EXPECT_EQ(requests("0") + 1, requests("4"));
}

/// As warps that wait for a load: they leave the ready queue, so that others have their place.
TEST(AsynchronousCopies, WhoWaitsForThemLeavesTheReadyQueue) {
  const auto cycles = [](const std::string& load) {
    GpuRun run;
    run.config.scheduler.ready = 2;
    run.shape.block = {512, 1, 1};
    run.buffer_bytes = 1 << 20;
    run.run(std::string(kAddresses) +
            repeat(16, [&](unsigned) { return load + " add.u64 %rd2, %rd2, 4096;"; }) + "ret;");
    return run.statistics.cycles;
  };
  const auto copied = cycles("cp.async.ca.shared.global [%r1], [%rd2], 4; cp.async.wait_all;");
  const auto loaded = cycles("ld.global.u32 %r3, [%rd2]; st.shared.u32 [%r1], %r3;");
  EXPECT_LT(copied, loaded * 5 / 4);
}

/// The string is what the thread stored before, although that store is done later than it issues.
TEST(Printf, StringsAreThoseOfThePrintingThread) {
  GpuRun run;
  run.shape.block = {1, 1, 1};
  run.declarations =
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
      ".global .align 1 .b8 format[7] = {37, 115, 32, 37, 115, 10, 0};\n";
  run.run(R"(
  .local .align 8 .b8 arguments[24];
  mov.u64 %rd3, arguments; cvta.local.u64 %rd4, %rd3; mov.u64 %rd5, format;
  cvta.global.u64 %rd6, %rd5;
  st.local.u64 [%rd3], %rd0; add.u64 %rd7, %rd4, 16; st.local.u64 [%rd3+8], %rd7;
  mov.u32 %r1, 0x4141; mov.u32 %r3, 0;
AGAIN:
  add.u32 %r1, %r1, 1; st.global.u32 [%rd0], %r1; st.local.u32 [%rd3+16], %r1;
  { .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], %rd6; st.param.b64 [a], %rd4;
    call.uni (r), vprintf, (f, a); ld.param.b32 %r5, [r]; }
  add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3;
  @%p1 bra AGAIN;
  ret;)");
  EXPECT_EQ(run.printed, "BA BA\nCA CA\nDA DA\n");
}

TEST(Tensors, OccupyTheirUnit) {
  const auto cycles = [](unsigned interval) {
    GpuRun run;
    run.config.tensor = {.interval = interval, .latency = 20};
    run.config.icache.bytes = 0;
    run.shape.block = {32, 1, 1};
    run.run(repeat(9,
                   [](unsigned i) {
                     const std::string d = std::to_string(40 + i);
                     return "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r" + d +
                            ",%r51,%r52,%r53}, {%r1,%r2}, {%r3}, {%r" + d +
                            ",%r5,%r6,%r7}; st.global.u32 [%rd0+" + std::to_string(4 * i) +
                            "], %r" + d + ";";
                   }) +
            "ret;");
    return run.statistics.cycles;
  };
  // An instruction with 128 bits of k takes half of the interval. The results wait for each other,
  // about 40 cycles.
  EXPECT_GE(cycles(200), cycles(8) + 8 * 50);
}

TEST(CooperativeGrids, ThatDoNotFitAreRefused) {
  GpuRun run;
  run.shape.grid = {9, 1, 1};
  run.shape.block = {32, 1, 1};
  const std::string body = "mov.u32 %r1, %envreg1; st.global.u32 [%rd0], %r1; ret;";
  const std::string message = error_of([&] { run.run(body); });
  EXPECT_NE(message.find("kernel 'test' waits for its whole grid of 9 blocks (a cooperative "
                         "launch), and 8 fit on the 1 cores at once"),
            std::string::npos)
      << message;
  run.shape.grid = {8, 1, 1};
  EXPECT_EQ(error_of([&] { run.run(body); }), "");
}

TEST(ThreadScheduling, ALockPerThreadIsPassedOnInTime) {
  GpuRun run;
  run.config.frontend.yield_after = 1;
  run.options.max_cycles = 1'000'000;
  run.shape.grid = {2, 1, 1};
  run.shape.block = {32, 1, 1};
  run.run(R"(
TAKE:
  atom.global.acquire.gpu.cas.b32 %r1, [%rd0], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra TAKE;
  ld.volatile.global.u32 %r2, [%rd0+4];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%rd0+4], %r2;
  atom.global.release.gpu.exch.b32 %r3, [%rd0], 0;
  ret;)");
  EXPECT_EQ(run.words[1], 2U * 32);
}

}  // namespace
}  // namespace paws
