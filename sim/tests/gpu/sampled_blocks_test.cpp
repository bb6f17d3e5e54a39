// SPDX-License-Identifier: MIT
#include "sim/gpu/sampled_blocks.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "sim/exec/functional_runner.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

TEST(SampledBlocks, RunWavesThatAreNotTimedBeforeTheNextOne) {
  // 28 blocks in waves of 5: the first, third and sixth one, of three blocks, are timed.
  using Run = std::array<std::uint64_t, 3>;
  std::vector<Run> ran;
  SampledBlocks blocks(
      28, 5, [](std::uint64_t wave) { return wave == 3; },
      [&ran](std::uint64_t first, std::uint64_t last, std::uint64_t ahead) {
        ran.push_back({first, last, ahead});
        return 1000 + first;
      });
  EXPECT_EQ(blocks.timed(), 5U + 5U + 3U);
  std::uint64_t issued = 50;
  const auto reach = [&](std::uint64_t place, std::uint64_t cycle) {
    return blocks.reach(place, cycle, [&issued] { return issued; });
  };
  blocks.begin(100, issued);
  EXPECT_EQ(reach(0, 110), 0U);
  EXPECT_EQ(reach(4, 140), 4U);
  EXPECT_TRUE(ran.empty());
  issued = 80;
  EXPECT_EQ(reach(5, 150), 10U);
  EXPECT_EQ(ran, (std::vector<Run>{{5, 10, 1}}));
  EXPECT_EQ(reach(9, 170), 14U);
  EXPECT_EQ(reach(4, 170), 4U);  // out of turn, as one of a pair
  issued = 200;
  EXPECT_EQ(reach(10, 180), 25U);
  EXPECT_EQ(ran, (std::vector<Run>{{5, 10, 1}, {15, 20, 2}, {20, 25, 1}}));
  EXPECT_EQ(reach(12, 190), 27U);
  const std::vector<Wave> waves = blocks.end(300, 260);
  const std::vector<Wave> expected{{true, 50, 30},   {false, 0, 1005}, {true, 30, 120},
                                   {false, 0, 1015}, {false, 0, 1020}, {true, 120, 60}};
  ASSERT_EQ(waves.size(), expected.size());
  for (std::size_t i = 0; i < waves.size(); ++i) {
    EXPECT_EQ(waves[i].timed, expected[i].timed) << i;
    EXPECT_EQ(waves[i].cycles, expected[i].cycles) << i;
    EXPECT_EQ(waves[i].warp_instructions, expected[i].warp_instructions) << i;
  }
}

/// 200 blocks of two warps, of which two cores hold 16 at a time.
GpuRun many_blocks() {
  GpuRun run;
  run.config = small_gpu(2);
  run.shape.grid = {200, 1, 1};
  run.shape.block = {64, 1, 1};
  run.buffer_bytes = 16384;
  return run;
}

/// Every third of the 13 waves is timed.
GpuRun sampled(GpuRun run, const std::string& body, std::uint64_t* waves = nullptr) {
  exec::FunctionalRunner functional;
  run.options.functional = &functional;
  run.options.sample = [waves](const KernelLaunch&, std::uint64_t count) -> TimedWaves {
    if (waves != nullptr) *waves = count;
    return [](std::uint64_t wave) { return wave % 3 == 1; };
  };
  run.run(body);
  return run;
}

TEST(SampledBlocks, LeaveTheMemoryOfAWholeRun) {
  // Atomics of all blocks, and values that every block writes.
  const std::string body = R"(
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r2, %r1, 7, %r0;
  and.b32 %r3, %r2, 1023;
  mul.wide.u32 %rd1, %r3, 4;
  add.u64 %rd2, %rd0, %rd1;
  red.global.add.u32 [%rd2], %r2;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd0, %rd3;
  mul.lo.u32 %r4, %r1, %r1;
  st.global.u32 [%rd4+8192], %r4;
  ret;
)";
  GpuRun whole = many_blocks();
  whole.run(body);
  EXPECT_TRUE(whole.statistics.kernels.front().waves.empty());
  EXPECT_EQ(whole.statistics.cores.blocks, 200U);
  for (const std::uint64_t seed : {0, 5}) {
    GpuRun run = many_blocks();
    run.config.noise.seed = seed;
    std::uint64_t waves = 0;
    run = sampled(run, body, &waves);
    EXPECT_EQ(waves, 13U);
    EXPECT_EQ(run.words, whole.words) << seed;
    EXPECT_EQ(run.statistics.cores.blocks, 4U * 16 + 8) << seed;
    const LaunchStatistics& launch = run.statistics.kernels.front();
    ASSERT_EQ(launch.waves.size(), 13U);
    std::uint64_t cycles = 0;
    std::uint64_t instructions = 0;
    for (std::size_t i = 0; i < 13; ++i) {
      EXPECT_EQ(launch.waves[i].timed, i % 3 == 0) << i;
      EXPECT_EQ(launch.waves[i].cycles != 0, launch.waves[i].timed) << i;
      cycles += launch.waves[i].cycles;
      instructions += launch.waves[i].warp_instructions;
    }
    EXPECT_EQ(cycles, run.statistics.cycles);
    EXPECT_EQ(cycles, launch.cycles);
    EXPECT_EQ(instructions, whole.statistics.cores.warp_instructions());
    EXPECT_LT(cycles, whole.statistics.cycles * 2 / 3);
  }
}

TEST(SampledBlocks, LeaveTheirLinesInTheL2) {
  // Each block reads the line that the block two waves in front of it has written.
  const std::string body = R"(
  mov.u32 %r1, %ctaid.x;
  shl.b32 %r2, %r1, 7;
  cvt.u64.u32 %rd1, %r2;
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r3, [%rd2];
  st.global.u32 [%rd2+4096], %r3;
  ret;
)";
  GpuRun run = many_blocks();
  run.buffer_bytes = 204 * 128 + 4096;
  const GpuRun part = sampled(run, body);
  // So the first two waves fetch lines, of which the second is not timed; all others find them in
  // the L2, whether the wave that has written them was timed or not.
  const memory::Statistics& memory = part.statistics.memory;
  run.run(body);
  EXPECT_EQ(run.statistics.memory.dram_reads - memory.dram_reads, 16U);
}

TEST(SampledBlocks, ALaunchForItsValuesLeavesItsLinesInTheL2) {
  // Each block adds to a line of its own.
  const std::string body = R"(
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd1, %r1, 128;
  add.u64 %rd2, %rd0, %rd1;
  red.global.add.u32 [%rd2], 1;
  st.global.u32 [%rd2+4], %r1;
  ret;
)";
  const auto launched = [&body](unsigned for_values, unsigned launches) {
    exec::FunctionalRunner functional;
    GpuRun run = many_blocks();
    run.buffer_bytes = 200 * 128;
    run.options.functional = &functional;
    run.for_values = for_values;
    run.launches = launches;
    run.run(body);
    run.options.functional = nullptr;
    return run;
  };
  const GpuRun cold = launched(0, 1);
  const GpuRun warm = launched(1, 1);
  const GpuRun timed = launched(0, 2);
  EXPECT_EQ(warm.words, timed.words);
  EXPECT_EQ(warm.statistics.kernels.size(), 1U);
  // What is left to fetch is the code.
  EXPECT_EQ(cold.statistics.memory.dram_reads - warm.statistics.memory.dram_reads, 200U);
  EXPECT_EQ(warm.statistics.cores.warp_instructions(), cold.statistics.cores.warp_instructions());
}

TEST(SampledBlocks, AreTheSameWithSeveralThreads) {
  const auto figures = [](unsigned threads) {
    GpuRun run = many_blocks();
    run.options.threads = threads;
    return sampled(run, kBusyKernel).statistics;
  };
  const GpuStatistics one = figures(1);
  const GpuStatistics two = figures(2);
  EXPECT_EQ(one.cycles, two.cycles);
  EXPECT_EQ(one.memory, two.memory);
}

TEST(SampledBlocks, AreNotAskedForOfLaunchesTogetherNorOfBarrels) {
  GpuRun barrel = many_blocks();
  barrel.config = load_gpu("lwm2011");
  barrel.scheduler = "single:rr";
  std::uint64_t waves = 0;
  EXPECT_EQ(sampled(barrel, "ret;", &waves).statistics.cores.blocks, 200U);
  EXPECT_EQ(waves, 0U);
}

TEST(SampledBlocks, AFaultOfABlockThatIsNotTimedIsNamed) {
  GpuRun run = many_blocks();
  const std::string message = error_of([&run] {
    sampled(run, "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 20;\n@%p1 trap;\nret;\n");
  });
  EXPECT_NE(message.find("block (20,0,0)"), std::string::npos) << message;
}

}  // namespace
}  // namespace paws
