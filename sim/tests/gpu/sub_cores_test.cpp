// SPDX-License-Identifier: MIT
// Cores whose schedulers have fetch and units of their own (core.sub_cores), and sectored caches.
// The numbers are worked out by hand from the keys of preset a100.

#include <gtest/gtest.h>

#include <string>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

GpuRun on_a100(unsigned warps) {
  GpuRun run;
  run.config = load_gpu("a100");
  run.config.cores = 1;
  run.config.icache.bytes = 0;  // every fetch hits
  run.config.frontend.schedule = false;
  run.config.frontend.remove_dead_code = false;
  run.scheduler = "single:gto";
  run.shape.block = {32 * warps, 1, 1};
  return run;
}

/// Cycles that 200 more copies of `code` take.
std::uint64_t cycles_of(GpuRun run, const std::string& code) {
  auto cycles = [&](unsigned copies) {
    GpuRun each = run;
    std::string text;
    for (unsigned i = 0; i < copies; ++i) text += code;
    each.run(text + "ret;");
    return each.statistics.cycles;
  };
  return cycles(400) - cycles(200);
}

TEST(SubCores, LanesForFp32AndForIntegersIssueInTurn) {
  // Four warps, one per sub-core; nothing depends on anything.
  const std::string fma = "fma.rn.f32 %f1, %f2, %f3, %f4;";
  const std::string add = "add.u32 %r1, %r2, %r3;";
  EXPECT_NEAR(cycles_of(on_a100(4), fma), 2 * 200 * 2, 4) << "every write waits for the last";
  const std::string both =
      "fma.rn.f32 %f1, %f9, %f9, %f9; add.u32 %r1, %r9, %r9;"
      "fma.rn.f32 %f2, %f9, %f9, %f9; add.u32 %r2, %r9, %r9;"
      "fma.rn.f32 %f3, %f9, %f9, %f9; add.u32 %r3, %r9, %r9;";
  EXPECT_NEAR(cycles_of(on_a100(4), both), 200 * 6, 12) << "one instruction per cycle";
  EXPECT_NEAR(cycles_of(on_a100(8), both), 200 * 12, 24);
  const std::string only =
      "add.u32 %r1, %r9, %r9; add.u32 %r2, %r9, %r9;"
      "add.u32 %r3, %r9, %r9; add.u32 %r4, %r9, %r9;";
  EXPECT_NEAR(cycles_of(on_a100(4), only), 200 * 8, 12) << "16 lanes take two cycles";
  EXPECT_NEAR(cycles_of(on_a100(1), only), 200 * 8, 12) << "a warp has the lanes of its sub-core";
}

TEST(SubCores, EachHasItsSpecialFunctionUnits) {
  const std::string sin =
      "sin.approx.f32 %f1, %f9; sin.approx.f32 %f2, %f9;"
      "sin.approx.f32 %f3, %f9; sin.approx.f32 %f4, %f9;";
  EXPECT_NEAR(cycles_of(on_a100(1), sin), 200 * 4 * 8, 12);
  EXPECT_NEAR(cycles_of(on_a100(4), sin), 200 * 4 * 8, 12);
  EXPECT_NEAR(cycles_of(on_a100(8), sin), 200 * 8 * 8, 12);
}

TEST(SubCores, TheLoadStoreUnitIsShared) {
  // A sub-core reckons the addresses of a warp in four cycles; the unit takes one warp per cycle.
  std::string load;
  for (unsigned i = 1; i <= 8; ++i) {
    load += "ld.shared.u32 %r" + std::to_string(i) + ", [shared_words];";
  }
  EXPECT_NEAR(cycles_of(on_a100(1), load), 200 * 8 * 4, 40);
  EXPECT_NEAR(cycles_of(on_a100(4), load), 200 * 8 * 4, 40);
  EXPECT_NEAR(cycles_of(on_a100(8), load), 2 * 200 * 8 * 4, 40);
}

TEST(SubCores, SkippingIdleCyclesChangesNothing) {
  for (const char* scheduler : {"single:rr", "single:gto", "single:paws", "two-level:paws"}) {
    GpuRun skip;
    skip.config = load_gpu("a100");
    skip.config.cores = 2;
    skip.scheduler = scheduler;
    skip.shape.grid = {40, 1, 1};
    skip.shape.block = {64, 1, 1};
    skip.buffer_bytes = 16384;
    skip.launches = 2;
    GpuRun step = skip;
    step.options.skip_idle_cycles = false;
    skip.run(kBusyKernel);
    step.run(kBusyKernel);
    EXPECT_EQ(step.statistics.cycles, skip.statistics.cycles) << scheduler;
    EXPECT_EQ(step.statistics.cores.scheduler_cycles, skip.statistics.cores.scheduler_cycles);
    EXPECT_EQ(step.statistics.cores.warp_cycles, skip.statistics.cores.warp_cycles);
    EXPECT_EQ(step.statistics.memory.load_latency, skip.statistics.memory.load_latency);
    EXPECT_EQ(step.words, skip.words);
  }
}

/// Bytes of DRAM's bus that 32 lanes take which read a word each, `stride` bytes apart.
double bytes_read(bool sectored, unsigned stride) {
  GpuRun run = on_a100(1);
  run.config.l1.sectored = run.config.l2.sectored = sectored;
  run.buffer_bytes = 32 * 256;
  run.run("mul.wide.u32 %rd1, %r0, " + std::to_string(stride) +
          "; add.u64 %rd2, %rd0, %rd1; ld.global.u32 %r1, [%rd2]; ret;");
  const double clocks = static_cast<double>(run.statistics.memory.dram_busy_fs) * 1e-15 *
                        run.config.dram.clock_mhz * 1e6;
  return clocks * run.config.dram.bytes_per_clock;
}

TEST(SectoredCaches, FetchTheSectorsThatAreAskedFor) {
  EXPECT_NEAR(bytes_read(true, 4), 128, 1) << "a line";
  EXPECT_NEAR(bytes_read(true, 256), 32 * 32, 8) << "a sector of each of 32 lines";
  EXPECT_NEAR(bytes_read(false, 256), 32 * 128, 32);
  EXPECT_NEAR(bytes_read(true, 32), 32 * 32, 8) << "all sectors of eight lines";
}

}  // namespace
}  // namespace paws
