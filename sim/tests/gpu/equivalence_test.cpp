// SPDX-License-Identifier: MIT
// The same kernel, the same cycles: whatever engine decides and whether idle cycles are skipped.

#include <gtest/gtest.h>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

GpuRun busy(const std::string& scheduler) {
  GpuRun run;
  run.config.cores = 2;
  run.scheduler = scheduler;
  run.shape.grid = {40, 1, 1};
  run.shape.block = {64, 1, 1};
  run.buffer_bytes = 16384;
  run.launches = 2;
  return run;
}

class Equivalence : public testing::TestWithParam<std::string> {};

class EngineEquivalence : public Equivalence {};

TEST_P(EngineEquivalence, EnginesAgree) {
  GpuRun model = busy(GetParam());
  model.run(kBusyKernel);
  EXPECT_GT(model.words[0], 0U);

  GpuRun rtl = busy(GetParam());
  rtl.factory = [](const SchedulerConfig& config) { return make_rtl(config); };
  rtl.run(kBusyKernel);
  EXPECT_EQ(rtl.statistics.cycles, model.statistics.cycles);
  EXPECT_EQ(rtl.statistics.cores.lanes, model.statistics.cores.lanes);
  EXPECT_EQ(rtl.statistics.cores.scheduler_cycles, model.statistics.cores.scheduler_cycles);

  GpuRun lockstep = busy(GetParam());
  lockstep.factory = [](const SchedulerConfig& config) { return make_lockstep(config, "none"); };
  lockstep.run(kBusyKernel);
  EXPECT_EQ(lockstep.statistics.cycles, model.statistics.cycles);
}

TEST_P(Equivalence, SkippingIdleCyclesChangesNothing) {
  GpuRun skip = busy(GetParam());
  skip.run(kBusyKernel);
  GpuRun step = busy(GetParam());
  step.options.skip_idle_cycles = false;
  step.run(kBusyKernel);
  EXPECT_EQ(step.statistics.cycles, skip.statistics.cycles);
  EXPECT_EQ(step.statistics.cores.scheduler_cycles, skip.statistics.cores.scheduler_cycles);
  EXPECT_EQ(step.statistics.cores.warp_cycles, skip.statistics.cores.warp_cycles);
  EXPECT_EQ(step.statistics.cores.parts, skip.statistics.cores.parts);
  EXPECT_EQ(step.statistics.memory.load_latency, skip.statistics.memory.load_latency);
  EXPECT_EQ(step.words, skip.words);
}

TEST_P(Equivalence, SkippingIsExactWithPrefetchAndASecondLevelOfTheInstructionCache) {
  GpuRun skip = busy(GetParam());
  skip.config.icache.bytes = 256;
  skip.config.icache.ways = 2;
  skip.config.icache.line_bytes = 64;
  skip.config.icache.mshrs = 3;
  skip.config.icache.prefetch = 1;
  skip.config.icache.l15_bytes = 512;
  skip.config.icache.l15_ways = 2;
  GpuRun step = skip;
  skip.run(kBusyKernel);
  step.options.skip_idle_cycles = false;
  step.run(kBusyKernel);
  const CoreStatistics& cores = skip.statistics.cores;
  EXPECT_GT(cores.icache_prefetches, 10U);
  EXPECT_GT(cores.icache_l15_accesses, cores.icache_l15_misses);
  EXPECT_EQ(cores.icache_l15_accesses, cores.icache_misses + cores.icache_prefetches);
  EXPECT_EQ(step.statistics.cycles, skip.statistics.cycles);
  EXPECT_EQ(step.statistics.cores.scheduler_cycles, cores.scheduler_cycles);
  EXPECT_EQ(step.statistics.cores.icache_prefetches, cores.icache_prefetches);
  EXPECT_EQ(step.statistics.cores.icache_l15_misses, cores.icache_l15_misses);
  EXPECT_EQ(step.statistics.memory.fetch_latency, skip.statistics.memory.fetch_latency);
}

TEST_P(Equivalence, SkippingIsExactWhenFetchAndOperandsAreScarce) {
  GpuRun skip = busy(GetParam());
  skip.config.icache.bytes = 64;
  skip.config.icache.ways = 1;
  skip.config.icache.line_bytes = 64;
  skip.config.icache.mshrs = 1;
  skip.config.interconnect.buffer_flits = 1;
  skip.config.core.register_banks = 3;
  skip.config.core.alu_collectors = 1;
  skip.config.core.memory_collectors = 1;
  GpuRun step = skip;
  skip.run(kBusyKernel);
  step.options.skip_idle_cycles = false;
  step.run(kBusyKernel);
  EXPECT_GT(skip.statistics.cores.icache_misses, 100U);
  EXPECT_GT(skip.statistics.cores.icache_pending_hits, 0U);
  EXPECT_GT(skip.statistics.cores.operand_conflict_cycles, 100U);
  EXPECT_EQ(step.statistics.cycles, skip.statistics.cycles);
  EXPECT_EQ(step.statistics.cores.scheduler_cycles, skip.statistics.cores.scheduler_cycles);
  EXPECT_EQ(step.statistics.cores.icache_accesses, skip.statistics.cores.icache_accesses);
  EXPECT_EQ(step.statistics.cores.icache_misses, skip.statistics.cores.icache_misses);
  EXPECT_EQ(step.statistics.cores.operand_conflict_cycles,
            skip.statistics.cores.operand_conflict_cycles);
  EXPECT_EQ(step.statistics.memory.load_latency, skip.statistics.memory.load_latency);
  EXPECT_EQ(step.words, skip.words);
}

/// Each lane loads and stores a line of its own, over and over, beside some arithmetic.
const char* const kScatteredKernel = R"(
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r2, %r1, 64, %r0;
  mul.lo.u32 %r3, %r2, 37;
LOOP:
  and.b32 %r4, %r3, 511;
  mul.wide.u32 %rd1, %r4, 128;
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r5, [%rd2];
  mul.lo.u32 %r6, %r15, %r0;
  shl.b32 %r7, %r0, 2;
  mov.u32 %r8, shared_words;
  add.u32 %r8, %r8, %r7;
  st.shared.u32 [%r8], %r6;
  add.u32 %r5, %r5, 1;
  st.global.u32 [%rd2+64], %r5;
  add.u32 %r3, %r3, 73;
  add.u32 %r15, %r15, 1;
  setp.lt.u32 %p1, %r15, 6;
  @%p1 bra LOOP;
  ret;
)";

TEST_P(Equivalence, SkippingIsExactWhenAccessesAreRefused) {
  GpuRun skip = busy(GetParam());
  skip.buffer_bytes = 512 * 128;
  skip.config.interconnect.buffer_flits = 2;
  skip.config.l2.queue = 2;
  skip.config.l2.interval = 60;
  skip.config.l1.bytes = 2048;
  skip.config.l1.ways = 2;
  skip.config.icache.bytes = 64;  // instruction lines go through the same port
  skip.config.icache.ways = 1;
  skip.config.icache.line_bytes = 64;
  GpuRun step = skip;
  GpuRun windows = skip;
  skip.run(kScatteredKernel);
  step.options.skip_idle_cycles = false;
  step.run(kScatteredKernel);
  windows.options.longest_window = 3;
  windows.run(kScatteredKernel);
  EXPECT_GT(skip.statistics.cores.l1_reservation_fails, 1000U);
  EXPECT_GT(skip.statistics.cores.l2_stop_cycles, 1000U);
  EXPECT_EQ(step.statistics.cycles, skip.statistics.cycles);
  EXPECT_EQ(step.statistics.cores.l1_reservation_fails, skip.statistics.cores.l1_reservation_fails);
  EXPECT_EQ(step.statistics.cores.l2_stop_cycles, skip.statistics.cores.l2_stop_cycles);
  EXPECT_TRUE(step.statistics.cores == skip.statistics.cores);
  EXPECT_TRUE(windows.statistics.cores == skip.statistics.cores);
  EXPECT_EQ(step.words, skip.words);
}

TEST_P(Equivalence, RepeatedRunsAreIdentical) {
  GpuRun first = busy(GetParam());
  first.run(kBusyKernel);
  GpuRun second = busy(GetParam());
  second.run(kBusyKernel);
  EXPECT_EQ(first.statistics.cycles, second.statistics.cycles);
  EXPECT_EQ(first.statistics.memory.load_latency, second.statistics.memory.load_latency);
}

INSTANTIATE_TEST_SUITE_P(Schedulers, Equivalence, testing::ValuesIn(scheduler_names()));
INSTANTIATE_TEST_SUITE_P(Schedulers, EngineEquivalence, testing::ValuesIn(rtl_scheduler_names()));

TEST(Equivalence, PhasesReachTheScheduler) {
  // With equal phases PAWS would be oldest on one level and GTO on two.
  auto cycles = [](const char* scheduler) {
    GpuRun run = busy(scheduler);
    run.config.scheduler.ready = 3;
    // All blocks add to one word, whose atomics would hide the order of everything else.
    run.config.l2.atomic_interval = 1;
    run.run(kBusyKernel);
    return run.statistics.cycles;
  };
  EXPECT_NE(cycles("single:paws"), cycles("single:oldest"));
  EXPECT_NE(cycles("two-level:paws"), cycles("two-level:gto"));
}

TEST(Equivalence, StatesAddUpToTheEnabledCycles) {
  GpuRun run = busy("two-level:paws");
  run.run(kBusyKernel);
  const std::uint64_t per_core = run.statistics.cycles;  // two schedulers, every other cycle each
  EXPECT_EQ(run.statistics.cores.enabled_cycles(), per_core * run.config.cores);
  EXPECT_EQ(run.statistics.cores.scheduler_cycles[static_cast<std::size_t>(SchedulerState::issued)],
            run.statistics.cores.warp_instructions());
}

}  // namespace
}  // namespace paws
