// SPDX-License-Identifier: MIT
// Timing against closed forms: what a kernel must cost follows from the preset's numbers.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// Cycles of `body(n)` for two values of n, per unit of n: start and end of the kernel cancel out.
double slope(GpuRun run, const std::function<std::string(unsigned)>& body, unsigned small,
             unsigned large) {
  // Straight code grows with n; fetch from beyond the core has tests of its own.
  run.config.icache.bytes = 0;
  run.run(body(small));
  const auto first = static_cast<double>(run.statistics.cycles);
  run.run(body(large));
  return (static_cast<double>(run.statistics.cycles) - first) / (large - small);
}

/// Ends with a store, so that the work before it is not dead.
std::string store_r1() { return "st.global.u32 [%rd0], %r1;\nret;"; }

TEST(Timing, ADependentAluChainTakesEighteenCyclesALink) {
  GpuRun run;
  run.shape.block = {32, 1, 1};
  auto chain = [](unsigned n) {
    return repeat(n, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) + store_r1();
  };
  const GpuConfig& config = run.config;
  const double expected = config.core.pipeline_latency + config.frontend.latencies.integer;
  EXPECT_EQ(expected, 18);
  EXPECT_NEAR(slope(run, chain, 100, 300), expected, 0.1);
}

TEST(Timing, IndependentInstructionsOfOneWarpAreBoundByFetch) {
  GpuRun run;
  run.shape.block = {32, 1, 1};
  auto independent = [](unsigned n) {
    return repeat(
               n,
               [](unsigned i) { return fmt::format("add.u32 %r{}, %r0, {};", 10 + i % 60, i); }) +
           store_r1();
  };
  run.config.frontend.remove_dead_code = false;
  const double cycles = slope(run, independent, 600, 1800);
  // Two instructions per fetch, issued in alternate cycles.
  EXPECT_GE(cycles, run.config.core.issue_interval);
  EXPECT_LE(cycles, run.config.core.issue_interval + 0.5 * (run.config.core.fetch_latency + 2));
}

TEST(Timing, ManyWarpsReachOneInstructionPerCycle) {
  struct Case {
    const char* scheduler;
    double cycles;
  };
  // 32 warps, two schedulers with one instruction in two cycles each. GTO serves the nine oldest
  // of its 16 warps every 18 cycles and the other seven after them, one chain behind the other.
  for (const auto& [scheduler, cycles] :
       {Case{"single:rr", 32}, Case{"single:gto", 36}, Case{"two-level:rr", 32}}) {
    GpuRun run;
    run.scheduler = scheduler;
    run.shape.block = {1024, 1, 1};
    run.config.core.register_banks = 0;
    // Ready queues of 6 cannot hide 18 cycles with one instruction of each warp in flight.
    run.config.scheduler.ready = 16;
    auto chain = [](unsigned n) {
      return repeat(n, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) + store_r1();
    };
    EXPECT_NEAR(slope(run, chain, 100, 300), cycles, 1.0) << scheduler;
  }
}

TEST(Timing, SpecialFunctionsTakeEightCyclesAWarp) {
  GpuRun run;
  run.scheduler = "single:rr";
  run.shape.block = {1024, 1, 1};
  auto special = [](unsigned n) {
    return repeat(n, [](unsigned) { return "ex2.approx.f32 %f1, %f1;"; }) + "mov.b32 %r1, %f1;" +
           store_r1();
  };
  EXPECT_NEAR(slope(run, special, 20, 60), 32 * run.config.core.sfu_interval, 4);
}

TEST(Timing, SharedMemoryPaysForBankConflicts) {
  auto cycles = [](unsigned stride) {
    GpuRun run;
    run.scheduler = "single:rr";
    run.shape.block = {512, 1, 1};
    auto loads = [stride](unsigned n) {
      return fmt::format(
                 "mov.u32 %r2, shared_words;\nand.b32 %r3, %r0, 31;\nmad.lo.u32 %r4, %r3, {}, "
                 "%r2;\n",
                 4 * stride) +
             repeat(n,
                    [](unsigned i) {
                      return fmt::format("ld.volatile.shared.u32 %r{}, [%r4];", 10 + i % 20);
                    }) +
             store_r1();
    };
    return slope(run, loads, 40, 120) / 16;  // per warp instruction
  };
  // A bank delivers one word in two cycles.
  EXPECT_NEAR(cycles(1), 2, 0.2);
  EXPECT_NEAR(cycles(4), 8, 0.3);
  EXPECT_NEAR(cycles(32), 64, 1);
}

/// Load-to-use latency of a chain of loads that walks over `lines` lines, 4 KiB apart, again and
/// again. The loaded word is 0 and is added to the next address: that addition is in the chain too
/// and is taken off.
double chase(unsigned lines, unsigned small, unsigned large) {
  GpuRun run;
  run.shape.block = {1, 1, 1};
  run.buffer_bytes = 4 << 20;
  auto body = [lines](unsigned n) {
    return repeat(n,
                  [lines](unsigned i) {
                    return fmt::format(
                        "add.u64 %rd1, %rd0, {};\nadd.u64 %rd1, %rd1, %rd2;\n"
                        "ld.global.u64 %rd2, [%rd1];",
                        i % lines * 4096);
                  }) +
           "cvt.u32.u64 %r1, %rd2;\n" + store_r1();
  };
  const unsigned addition =
      run.config.core.pipeline_latency + run.config.frontend.latencies.integer64;
  return slope(run, body, small, large) - addition;
}

// Andersch et al. 2015 measure 45, 310 and 685 cycles on GF106.
TEST(Timing, APointerChaseSeesL1L2AndDram) {
  EXPECT_NEAR(chase(4, 40, 120), 45, 5);
  EXPECT_NEAR(chase(256, 300, 500), 310, 20);
  EXPECT_NEAR(chase(1024, 100, 300), 685, 30);
}

/// Turns of a loop whose body has `length` instructions.
std::string long_loop(unsigned length, unsigned turns) {
  return "mov.u32 %r2, 0;\nTURN:\n" +
         repeat(length - 3, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) +
         fmt::format("add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, {};\n@%p1 bra TURN;\n", turns) +
         store_r1();
}

/// One level of instruction cache of so many bytes, which brings only what is asked for.
void one_level(GpuConfig& config, unsigned bytes) {
  config.icache.bytes = bytes;
  config.icache.prefetch = 0;
  config.icache.l15_bytes = 0;
}

TEST(Timing, AKernelLargerThanTheInstructionCacheMissesInEveryTurn) {
  auto misses = [](unsigned length, unsigned turns, unsigned bytes) {
    GpuRun run;
    run.shape.block = {32, 1, 1};
    one_level(run.config, bytes);
    run.run(long_loop(length, turns));
    EXPECT_EQ(run.statistics.memory.requests, run.statistics.memory.responses);
    return run.statistics.cores.icache_misses;
  };
  // 512 instructions of 8 bytes that begin within a line of 128 bytes touch 33; the cache holds 16
  // or 64.
  EXPECT_NEAR(static_cast<double>(misses(512, 20, 2048)), 20 * 33, 5);
  EXPECT_LE(misses(512, 20, 8192), 34U);
  EXPECT_LE(misses(200, 20, 2048), 14U);
  EXPECT_EQ(misses(512, 20, 0), 0U);
}

TEST(Timing, AnInstructionMissIsStateOneAndLastsUntilTheLineComes) {
  GpuRun run;
  run.shape.block = {32, 1, 1};
  auto cycles = [&run](unsigned bytes) {
    one_level(run.config, bytes);
    run.run(long_loop(512, 40));
    return static_cast<double>(run.statistics.cycles);
  };
  const auto empty = [&run] {
    return static_cast<double>(
        run.statistics.cores
            .scheduler_cycles[static_cast<std::size_t>(SchedulerState::no_instruction)]);
  };
  const double perfect = cycles(0);
  const double perfect_empty = empty();
  const double missing = cycles(2048);
  // Nearly all of the 40 x 33 lines come from the L2: the 310 cycles of a load, less its stages.
  EXPECT_NEAR((missing - perfect) / (40 * 33), 300, 10);
  // Two schedulers with one enabled cycle in two each see the wait.
  EXPECT_NEAR(empty() - perfect_empty, missing - perfect, 0.03 * missing);
}

TEST(Timing, PrefetchAndASecondLevelShortenInstructionMisses) {
  auto cycles = [](unsigned prefetch, unsigned l15_bytes) {
    GpuRun run;
    run.shape.block = {32, 1, 1};
    one_level(run.config, 2048);
    run.config.icache.mshrs = 4;
    run.config.icache.prefetch = prefetch;
    run.config.icache.l15_bytes = l15_bytes;
    run.run(long_loop(512, 40));
    return static_cast<double>(run.statistics.cycles);
  };
  // The additions depend on one another: 18 cycles each, 288 for the 16 of a line. A line from the
  // L2 takes 300 cycles, and one from the second level l15_latency less the cycle of a hit.
  const double line = 16 * 18;
  const double lines = 40 * 32;
  EXPECT_NEAR(cycles(0, 0) / lines, line + 300, 30);
  EXPECT_NEAR(cycles(0, 8192) / lines, line + load_gpu("m2090").icache.l15_latency - 1, 20);
  EXPECT_NEAR(cycles(1, 0) / lines, (line + 300) / 2, 20) << "two lines at a time";
  EXPECT_NEAR(cycles(1, 8192) / lines, line, 10) << "the line is there in time";
}

TEST(Timing, WarpsShareInstructionMisses) {
  auto cycles = [](unsigned threads) {
    GpuRun run;
    run.scheduler = "single:rr";
    run.shape.block = {threads, 1, 1};
    run.run(long_loop(512, 10));
    return static_cast<double>(run.statistics.cycles);
  };
  EXPECT_LT(cycles(512), 1.2 * cycles(32));
}

TEST(Timing, RegisterBanksBoundTheRate) {
  // Two reads and one write per instruction. A single bank serves them one after another; so many
  // that nothing meets, or a collection that takes always the same time, leave the issue rate.
  auto cycles = [](unsigned banks) {
    GpuRun run;
    run.scheduler = "single:rr";
    run.shape.block = {1024, 1, 1};
    run.config.core.register_banks = banks;
    run.config.scheduler.ready = 16;
    auto chain = [](unsigned n) {
      return repeat(n, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) + store_r1();
    };
    return slope(run, chain, 100, 300);
  };
  EXPECT_NEAR(cycles(1), 32 * 3, 2);
  EXPECT_NEAR(cycles(128), 32, 1);
  EXPECT_NEAR(cycles(0), 32, 1);
}

TEST(Timing, AWarpThatWaitsForALoadGivesUpItsReadyEntry) {
  // A ready queue of one, and warps 0, 2, 4 and 6 of the block on the same scheduler. Their chains
  // of loads overlap only if a waiting warp leaves ready: one latency per load, not four.
  auto per_load = [](unsigned threads) {
    GpuRun run;
    run.config.scheduler.ready = 1;
    run.shape.block = {threads, 1, 1};
    auto body = [](unsigned n) {
      return repeat(n,
                    [](unsigned i) {
                      return fmt::format(
                          "add.u64 %rd1, %rd0, {};\nadd.u64 %rd1, %rd1, %rd2;\n"
                          "ld.volatile.global.u64 %rd2, [%rd1];",
                          8 * (i % 16));
                    }) +
             "cvt.u32.u64 %r1, %rd2;\n" + store_r1();
    };
    return slope(run, body, 20, 60);
  };
  EXPECT_LT(per_load(7 * 32), 1.5 * per_load(32));
}

TEST(Timing, AWarpAtABarrierGivesUpItsReadyEntry) {
  GpuRun run;
  run.config.scheduler.ready = 1;
  run.shape.block = {8 * 32, 1, 1};
  // Ends at all: the others must get the only entry to reach the barrier.
  EXPECT_NO_THROW(run.run("bar.sync 0;\nbar.sync 0;\nst.global.u32 [%rd0], %r0;\nret;"));
}

TEST(Timing, AFenceWaitsForTheWarpsOwnStores) {
  auto cycles = [](const char* fence) {
    GpuRun run;
    run.shape.block = {32, 1, 1};
    auto stores = [fence](unsigned n) {
      return repeat(n,
                    [fence](unsigned) {
                      return fmt::format("st.global.u32 [%rd0], %r0; {}", fence);
                    }) +
             "ret;";
    };
    return slope(run, stores, 20, 60);
  };
  // An acknowledgement comes from the L2: as far as a load that hits there.
  EXPECT_LT(cycles(""), 20);
  EXPECT_GT(cycles("membar.gl;"), 250);
}

TEST(Timing, ABlockKeepsItsPlaceUntilItsLoadsAreBack) {
  auto cycles = [](unsigned blocks) {
    GpuRun run;
    run.config.core.blocks = 1;
    run.shape.grid = {blocks, 1, 1};
    run.shape.block = {32, 1, 1};
    run.run("ld.volatile.global.u32 %r1, [%rd0];\nret;");  // no instruction waits for it
    return static_cast<double>(run.statistics.cycles);
  };
  EXPECT_GT((cycles(20) - cycles(10)) / 10, 300);
}

TEST(Timing, BlocksRunSideBySideUpToTheOccupancy) {
  GpuRun run;
  run.config.icache.bytes = 0;
  run.scheduler = "single:rr";
  run.shape.block = {64, 1, 1};
  const std::string body =
      repeat(200, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) + store_r1();
  run.shape.grid = {1, 1, 1};
  run.run(body);
  const auto one = static_cast<double>(run.statistics.cycles);
  run.shape.grid = {8, 1, 1};
  run.run(body);
  EXPECT_LT(static_cast<double>(run.statistics.cycles), 1.2 * one);
  EXPECT_EQ(run.statistics.cores.blocks, 8U);
  run.shape.grid = {16, 1, 1};
  run.run(body);
  EXPECT_GT(static_cast<double>(run.statistics.cycles), 1.6 * one);
}

/// Cycles of blocks that do nothing.
std::uint64_t empty_blocks(GpuConfig config, unsigned blocks, unsigned warps,
                           unsigned launches = 1) {
  GpuRun run;
  run.config = std::move(config);
  run.config.icache.bytes = 0;
  run.shape.grid = {blocks, 1, 1};
  run.shape.block = {32 * warps, 1, 1};
  run.launches = launches;
  run.run("ret;");
  return run.statistics.cycles;
}

TEST(Timing, BlocksStartAtTheirInterval) {
  GpuConfig config = small_gpu(4);
  const std::uint64_t free = empty_blocks(config, 1024, 1);
  config.distributor.interval = 10;
  EXPECT_LT(free, 4000U);
  // A scheduler of the last block may issue its end a cycle later.
  EXPECT_NEAR(static_cast<double>(empty_blocks(config, 1024, 1) - empty_blocks(config, 512, 1)),
              10 * 512, 1);
}

TEST(Timing, EveryLaunchStartsWithItsLatency) {
  GpuConfig config = small_gpu(4);
  const std::uint64_t free = empty_blocks(config, 8, 1, 3);
  config.distributor.start_latency = 2000;
  EXPECT_EQ(empty_blocks(config, 8, 1, 3), free + 3U * 2000);
}

TEST(Timing, WarpsOfABlockMayStartOneByOne) {
  GpuConfig config = small_gpu(1);
  const std::uint64_t two_by_two = empty_blocks(config, 1, 32);
  config.core.launch_interval = 3;
  const std::uint64_t three = empty_blocks(config, 1, 32);
  config.core.launch_interval = 5;
  EXPECT_GT(three, two_by_two);
  EXPECT_NEAR(static_cast<double>(empty_blocks(config, 1, 32) - three), 31 * (5 - 3), 1);
}

}  // namespace
}  // namespace paws
