// SPDX-License-Identifier: MIT
// Bulk copies, and arrivals at barrier objects that wait for copies: their values while cores work
// side by side, and what they mean for cycles.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

// The barrier object lies behind the words.
const char* const kObject =
    "mov.u32 %r1, shared_words; add.u32 %r2, %r1, 4080; setp.eq.u32 %p0, %r0, 0;\n";

std::string init(unsigned arrivals) {
  return "@%p0 mbarrier.init.shared.b64 [%r2], " + std::to_string(arrivals) + "; bar.sync 0;\n";
}
const char* const kWait =
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0; @!%p1 bra WAIT;\n";

/// Word i of the buffer is 3 * i + 1.
struct BulkRun : GpuRun {
  BulkRun() {
    config.bulk.interval = 2;
    config.frontend.schedule = false;
    config.icache.bytes = 0;  // every fetch hits
    shape.block = {32, 1, 1};
    prepare = [this](std::uint64_t, std::byte* to) {
      std::vector<std::uint32_t> filled(buffer_bytes / 4);
      for (std::uint32_t i = 0; i < filled.size(); ++i) filled[i] = 3 * i + 1;
      std::memcpy(to, filled.data(), buffer_bytes);
    };
  }
  BulkRun(const BulkRun&) = delete;
  BulkRun& operator=(const BulkRun&) = delete;
};

/// Thread 0 fetches 512 bytes, of a line, then a part of one, and so on; everybody waits for them.
const std::string kFetch =
    std::string(kObject) + init(1) +
    "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [%r2], 1024;\n"
    "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0+16], 512, "
    "[%r2];\n"
    "@%p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1+512], [%rd0+1024], "
    "512, [%r2];\n";

TEST(BulkCopies, GiveTheirDataToWhoWaitsForThem) {
  BulkRun run;
  run.shape.block = {128, 1, 1};
  run.run(kFetch + kWait +
          "mad.lo.u32 %r3, %r0, 4, %r1; ld.shared.u32 %r4, [%r3]; ld.shared.u32 %r5, [%r3+512];\n"
          "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd1, %rd0;\n"
          "st.global.u32 [%rd1+2048], %r4; st.global.u32 [%rd1+2560], %r5; ret;");
  for (std::uint32_t i = 0; i < 128; ++i) {
    EXPECT_EQ(run.words[512 + i], 3 * (4 + i) + 1) << i;
    EXPECT_EQ(run.words[640 + i], 3 * (256 + i) + 1) << i;
  }
  // 512 bytes from 16 on touch five lines, those from 1024 on four.
  EXPECT_EQ(run.statistics.cores.bypass_transactions, 9U);
}

/// The phase of the barrier object does not end before the bytes have come.
TEST(BulkCopies, ComeLater) {
  BulkRun run;
  run.run(kFetch +
          "mbarrier.test_wait.parity.shared.b64 %p1, [%r2], 0; selp.u32 %r3, 1, 0, %p1;\n"
          "mov.u32 %r6, %clock;\n" +
          kWait + "mov.u32 %r7, %clock; sub.u32 %r7, %r7, %r6;\n" +
          "st.global.v2.u32 [%rd0], {%r3, %r7}; ret;");
  EXPECT_EQ(run.words[0], 0U);
  EXPECT_GT(run.words[1], 200U) << "a request to the DRAM";
}

/// Copies have no order: that of a line in the L2 is there before an older one from the DRAM.
TEST(BulkCopies, DoNotWaitForOlderOnes) {
  const auto fetch = [](const std::string& to, const std::string& from, const std::string& object) {
    return "mbarrier.arrive.expect_tx.shared::cta.b64 _, [" + object +
           "], 16;\ncp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [" + to + "], [" +
           from + "], 16, [" + object + "];\n";
  };
  BulkRun run;
  run.shape.block = {1, 1, 1};
  run.run(std::string(kObject) +
          "mbarrier.init.shared.b64 [%r2], 1; mbarrier.init.shared.b64 [%r2+8], 1;\n"
          "ld.global.u32 %r3, [%rd0]; add.u32 %r3, %r3, 1;\n" +  // brings the line into the L2
          fetch("%r1", "%rd0+2048", "%r2") +
          fetch("%r1+16", "%rd0", "%r2+8") +
          "YOUNGER: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2+8], 0; @!%p1 bra YOUNGER;\n"
          "mbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0; selp.u32 %r4, 1, 0, %p2;\n" +
          kWait +
          "ld.shared.u32 %r5, [%r1]; ld.shared.u32 %r6, [%r1+16];\n"
          "st.global.v4.u32 [%rd0+64], {%r3, %r4, %r5, %r6}; ret;");
  EXPECT_EQ(run.words[16], 2U);
  EXPECT_EQ(run.words[17], 0U) << "the older one is under way";
  EXPECT_EQ(run.words[18], 3U * 512 + 1);
  EXPECT_EQ(run.words[19], 1U);
}

/// A queue of copies that takes the whole port lets a request for instructions pass.
TEST(BulkCopies, DoNotKeepInstructionsFromComing) {
  BulkRun run;
  run.config.icache = small_gpu().icache;
  run.buffer_bytes = 32 * 4096;
  // The additions are several lines of code, which nobody has asked for before.
  run.run(std::string(kObject) +
          "mul.wide.u32 %rd1, %r0, 4096; add.u64 %rd1, %rd1, %rd0; mov.u32 %r6, %clock;\n"
          "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 4096;\n"
          "cp.async.bulk.commit_group;\n" +
          repeat(64, [](unsigned) { return "add.u32 %r5, %r5, 1;"; }) +
          "mov.u32 %r7, %clock; cp.async.bulk.wait_group.read 0; mov.u32 %r8, %clock;\n"
          "cp.async.bulk.wait_group 0; sub.u32 %r7, %r7, %r6; sub.u32 %r8, %r8, %r6;\n"
          "st.global.v2.u32 [%rd0], {%r7, %r8}; st.global.u32 [%rd0+8], %r5; ret;");
  EXPECT_EQ(run.words[2], 64U);
  // A line of a store takes the port for five of its cycles, which are two of the core.
  EXPECT_GT(run.words[1], 1000U * 10);
  EXPECT_LT(run.words[0] + 2000, run.words[1]) << "the code has come before the last request";
}

TEST(BulkCopies, TakeTheTimeOfTheirLines) {
  const auto cycles = [](unsigned interval) {
    BulkRun run;
    run.config.bulk.interval = interval;
    run.run(kFetch + kWait + "mov.u32 %r3, 7; st.global.u32 [%rd0], %r3; ret;");
    return run.statistics.cycles;
  };
  const auto fast = cycles(1);
  const auto slow = cycles(100);
  // The first lines are there before the last one is asked for.
  EXPECT_GE(slow, fast + 8 * 99 - 200);
  EXPECT_LE(slow, fast + 8 * 99);
}

/// The block ends while its copy is on the way; the data come nevertheless.
TEST(BulkCopies, ToGlobalMemoryOutliveTheirWarp) {
  BulkRun run;
  run.run(std::string(kObject) +
          "mad.lo.u32 %r3, %r0, 4, %r1; add.u32 %r4, %r0, 70; st.shared.u32 [%r3], %r4;\n"
          "fence.proxy.async.shared::cta; bar.sync 0;\n"
          "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0+64], [%r1], 128;\n"
          "@%p0 cp.async.bulk.commit_group; ret;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.words[16 + i], 70 + i);
  EXPECT_EQ(run.words[15], 46U);
  EXPECT_EQ(run.words[48], 145U);
  EXPECT_EQ(run.statistics.cores.store_transactions, 2U);
}

/// Once the source has been read, it may be written again.
TEST(BulkCopies, ToGlobalMemoryWriteWhatTheyHaveRead) {
  for (const unsigned threads : {1U, 2U}) {
    BulkRun run;
    run.config.cores = 2;
    run.options.threads = threads;
    run.config.bulk.interval = 1;
    run.run(std::string(kObject) +
            "mad.lo.u32 %r3, %r0, 4, %r1; add.u32 %r4, %r0, 70; st.shared.u32 [%r3], %r4;\n"
            "bar.sync 0;\n"
            "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0+128], [%r1], 64;\n"
            "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0+192], [%r1+64], 64;\n"
            "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; bar.sync 0;\n"
            "st.shared.u32 [%r3], %r0; ret;");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.words[32 + i], 70 + i) << threads;
  }
}

TEST(BulkCopies, HaveReadTheirSourceBeforeTheyHaveBeenWritten) {
  const auto cycles = [](const char* wait) {
    BulkRun run;
    run.run(std::string(kObject) +
            "mov.u32 %r6, %clock;\n"
            "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0+128], [%r1], 1024;\n"
            "cp.async.bulk.commit_group; cp.async.bulk.wait_group" +
            wait + "; mov.u32 %r7, %clock; sub.u32 %r7, %r7, %r6; st.global.u32 [%rd0], %r7; ret;");
    return run.words[0];
  };
  const auto read = cycles(".read 0");
  EXPECT_GE(read, 7U * 2) << "eight requests";
  EXPECT_GT(cycles(" 0"), read + 50);
  EXPECT_LT(cycles(" 1"), 30U) << "the youngest group may be under way";
}

TEST(BulkCopies, AreRefusedWithoutAnEngine) {
  EXPECT_NE(error_of([] {
              BulkRun run;
              run.config.bulk.interval = 0;
              run.run(kFetch + "ret;");
            })
                .find("kernel 'test' makes bulk copies, which the GPU 'm2090' does not have "
                      "(bulk.interval is 0)"),
            std::string::npos);
}

TEST(BulkCopies, AreNotInBarrelCores) {
  EXPECT_NE(error_of([] {
              BulkRun run;
              run.config = load_gpu("lwm2011");
              run.config.bulk.interval = 2;
              run.config.core.shared_bytes = 65536;
              run.config.l1.array_bytes = 98304;
              run.run(kFetch + "ret;");
            })
                .find("kernel 'test' makes bulk copies, which the GPU 'lwm2011' does not have: its "
                      "instructions do not overlap (core.pipeline_stages is not 0)"),
            std::string::npos);
}

/// Each thread copies a word.
const char* const kCopy =
    "mad.lo.u32 %r3, %r0, 4, %r1; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd2, %rd0, %rd1;\n"
    "cp.async.ca.shared.global [%r3], [%rd2], 4;\n";
const std::string kNoinc = "cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];\n";
/// Without .noinc the phase waits for one arrival more, which is the late one.
const std::string kInc = "cp.async.mbarrier.arrive.shared.b64 [%r2];\n";
const std::string kArrive = "mbarrier.arrive.shared.b64 %rd3, [%r2];\n";

/// An arrival for copies waits for them, the warp does not.
TEST(LateArrivals, LetTheWarpGoOn) {
  constexpr unsigned kAdds = 40;
  const std::string adds = repeat(kAdds, [](unsigned) { return "add.u32 %r5, %r5, 1;"; });
  const auto cycles = [](const std::string& order) {
    BulkRun run;
    run.run(kObject + init(32) + kCopy + order + kWait +
            "ld.shared.u32 %r4, [%r3]; add.u32 %r4, %r4, %r5; st.global.u32 [%rd2+1024], %r4; "
            "ret;");
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(run.words[256 + i], 3 * i + 1 + kAdds);
    return run.statistics.cycles;
  };
  const auto waits = cycles("cp.async.wait_all;" + kArrive + adds);
  EXPECT_GT(waits, cycles(kNoinc + adds) + kAdds * 10);
  EXPECT_GT(waits, cycles(kInc + kArrive + adds) + kAdds * 10);
}

/// Right behind the arrival the copies are under way, and so is the phase.
TEST(LateArrivals, DoNotComeBeforeTheirCopies) {
  const auto ended = [](const std::string& order) {
    BulkRun run;
    run.run(kObject + init(32) + kCopy + order +
            "mbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0; selp.u32 %r5, 1, 0, %p2;\n" +
            kWait + "st.global.u32 [%rd2+1024], %r5; ret;");
    return run.words[256];
  };
  EXPECT_EQ(ended(kNoinc), 0U);
  EXPECT_EQ(ended(kInc + kArrive), 0U);
  EXPECT_EQ(ended("cp.async.wait_all;" + kNoinc), 1U) << "the copies are there";
  EXPECT_EQ(ended("cp.async.wait_all;" + kInc + kArrive), 1U) << "the copies are there";
}

/// One with .noinc, two without; neither is an access to shared memory.
TEST(LateArrivals, TakeIssueSlots) {
  const auto statistics = [](const std::string& arrive) {
    BulkRun run;
    run.run(kObject + init(64) + kCopy + arrive + "cp.async.wait_all; ret;");
    return run.statistics.cores;
  };
  const auto none = statistics("");
  const auto noinc = statistics(kNoinc);
  const auto inc = statistics(kInc);
  EXPECT_EQ(noinc.warp_instructions(), none.warp_instructions() + 1);
  EXPECT_EQ(inc.warp_instructions(), none.warp_instructions() + 2);
  EXPECT_EQ(noinc.shared_accesses, none.shared_accesses);
  EXPECT_EQ(inc.shared_accesses, none.shared_accesses);
}

/// Many blocks on several cores, each a pipeline of two buffers: the same on one thread and on two,
/// and if every cycle is stepped.
TEST(LateArrivals, OfPipelinesOnSeveralCores) {
  const auto run_with = [](const GpuOptions& options, const std::string& scheduler) {
    BulkRun run;
    run.config.cores = 3;
    run.options = options;
    run.scheduler = scheduler;
    run.shape.grid = {24, 1, 1};
    run.shape.block = {64, 1, 1};
    run.buffer_bytes = 1 << 17;
    // Block b sums its 16 chunks of 256 bytes, in each thread a word of each.
    run.run(
        std::string(kObject) +
        "@%p0 mbarrier.init.shared.b64 [%r2], 1; @%p0 mbarrier.init.shared.b64 [%r2+8], 1;\n"
        "bar.sync 0;\n"
        "mov.u32 %r3, %ctaid.x; mul.wide.u32 %rd1, %r3, 4096; add.u64 %rd1, %rd0, %rd1;\n"
        "mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u64 %rd2, %rd1; mov.u32 %r9, 0;\n"
        "@!%p0 bra LOOP;\n"
        "FIRST: and.b32 %r7, %r9, 1; mad.lo.u32 %r8, %r7, 8, %r2; mad.lo.u32 %r10, %r7, 256, %r1;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], 256;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd2], 256, "
        "[%r8];\n"
        "add.u64 %rd2, %rd2, 256; add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 2; @%p2 bra FIRST;\n"
        "LOOP: and.b32 %r7, %r5, 1; mad.lo.u32 %r8, %r7, 8, %r2; mad.lo.u32 %r10, %r7, 256, %r1;\n"
        "shr.u32 %r11, %r5, 1; and.b32 %r11, %r11, 1;\n"
        "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r8], %r11; @!%p1 bra WAIT;\n"
        "mad.lo.u32 %r12, %r0, 4, %r10; ld.shared.u32 %r13, [%r12]; add.u32 %r6, %r6, %r13;\n"
        "bar.sync 0; setp.lt.u32 %p3, %r5, 14; and.pred %p3, %p3, %p0; @!%p3 bra NEXT;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], 256;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd2], 256, "
        "[%r8];\n"
        "add.u64 %rd2, %rd2, 256;\n"
        "NEXT: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 16; @%p2 bra LOOP;\n"
        "mad.lo.u32 %r3, %r3, 64, %r0; mul.wide.u32 %rd3, %r3, 4; add.u64 %rd3, %rd0, %rd3;\n"
        "st.global.u32 [%rd3+98304], %r6; ret;");
    for (std::uint32_t block = 0; block < 24; ++block) {
      for (std::uint32_t thread = 0; thread < 64; ++thread) {
        std::uint32_t sum = 0;
        for (std::uint32_t chunk = 0; chunk < 16; ++chunk) {
          sum += 3 * (block * 1024 + chunk * 64 + thread) + 1;
        }
        EXPECT_EQ(run.words[24576 + block * 64 + thread], sum) << block << " " << thread;
      }
    }
    return std::pair{run.statistics.cycles, run.statistics.memory.load_latency};
  };
  GpuOptions two;
  two.threads = 2;
  GpuOptions stepped;
  stepped.skip_idle_cycles = false;
  stepped.longest_window = 1;
  for (const char* scheduler : {"two-level:paws", "single:gto"}) {
    const auto reference = run_with({}, scheduler);
    EXPECT_EQ(run_with(two, scheduler), reference) << scheduler;
    EXPECT_EQ(run_with(stepped, scheduler), reference) << scheduler;
  }
}

}  // namespace
}  // namespace paws
