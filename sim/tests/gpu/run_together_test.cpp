// SPDX-License-Identifier: MIT
// Two launches that share the cores: results, statistics of each, windows and host threads.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// `sum` adds what the threads of a block exchange through shared memory, in a loop with local
/// memory and barriers, blocks of three warps; `mark` writes its thread's number, blocks of two.
constexpr const char* kKernels = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry sum(.param .u64 buffer)
{
  .reg .pred %p<4>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<10>;
  .shared .align 4 .b8 words[512];
  .local .align 4 .b8 own[16];
  ld.param.u64 %rd0, [buffer];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mad.lo.u32 %r3, %r1, %r2, %r0;
  mul.wide.u32 %rd1, %r3, 4;
  add.u64 %rd2, %rd0, %rd1;
  shl.b32 %r4, %r0, 2;
  mov.u32 %r5, words;
  add.u32 %r5, %r5, %r4;
LOOP:
  st.local.u32 [own], %r10;
  st.shared.u32 [%r5], %r3;
  bar.sync 0;
  xor.b32 %r6, %r4, 4;
  mov.u32 %r7, words;
  add.u32 %r7, %r7, %r6;
  ld.shared.u32 %r8, [%r7];
  bar.sync 0;
  ld.local.u32 %r9, [own];
  add.u32 %r10, %r9, %r8;
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %p1, %r11, 5;
  @%p1 bra LOOP;
  st.global.u32 [%rd2], %r10;
  ret;
}
.visible .entry mark(.param .u64 buffer)
{
  .reg .b32 %r<10>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd0, [buffer];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mad.lo.u32 %r3, %r1, %r2, %r0;
  mul.wide.u32 %rd1, %r3, 4;
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r4, [%rd2];
  add.u32 %r5, %r4, %r3;
  st.global.u32 [%rd2], %r5;
  ret;
}
)";

struct Together {
  static constexpr std::uint32_t kSums = 40;
  static constexpr std::uint32_t kMarks = 70;

  GpuConfig config = small_gpu(2);
  GpuOptions options;
  GpuStatistics statistics;
  std::array<std::vector<std::uint32_t>, 2> words;

  /// Both at once, or one after the other; the first launch of all is a `mark` alone.
  void run(bool at_once = true) {
    const ir::Module module = frontend::compile_text(kKernels, "test.ptx", {config.frontend});
    DeviceMemory memory;
    memory.load(module);
    const std::array bytes{kSums * 96 * std::uint64_t{4}, kMarks * 64 * std::uint64_t{4}};
    std::array<std::uint64_t, 2> addresses{};
    std::vector<KernelLaunch> launches(2);
    for (unsigned i = 0; i < 2; ++i) {
      addresses[i] = memory.allocate(i == 0 ? "sums" : "marks", bytes[i]);
      launches[i].module = &module;
      launches[i].kernel = module.find(i == 0 ? "sum" : "mark");
      launches[i].params.resize(launches[i].kernel->param_bytes);
      std::memcpy(launches[i].params.data(), &addresses[i], sizeof addresses[i]);
    }
    launches[0].shape = {{kSums, 1, 1}, {96, 1, 1}};
    launches[1].shape = {{kMarks, 1, 1}, {64, 1, 1}};
    Gpu gpu(config, scheduler_config(config, "two-level:paws"), make_model, options);
    gpu.run(launches[1], memory);
    if (at_once) {
      gpu.run_together(launches, memory);
    } else {
      for (const KernelLaunch& launch : launches) gpu.run(launch, memory);
    }
    statistics = gpu.statistics();
    for (unsigned i = 0; i < 2; ++i) {
      words[i].resize(bytes[i] / 4);
      std::memcpy(words[i].data(), memory.at(addresses[i], bytes[i]), bytes[i]);
    }
  }
};

TEST(RunTogether, ResultsAreThoseOfEachLaunch) {
  Together both;
  both.run();
  for (std::uint32_t i = 0; i < both.words[0].size(); ++i) {
    EXPECT_EQ(both.words[0][i], 5 * (i ^ 1U)) << "sum " << i;
  }
  for (std::uint32_t i = 0; i < both.words[1].size(); ++i) {
    EXPECT_EQ(both.words[1][i], 2 * i) << "mark " << i;
  }
}

TEST(RunTogether, StatisticsAreThoseOfEachLaunch) {
  Together both;
  both.run();
  Together one_by_one;
  one_by_one.run(false);
  ASSERT_EQ(both.statistics.kernels.size(), 3U);
  for (unsigned i = 0; i < 3; ++i) {
    const LaunchStatistics& shared = both.statistics.kernels[i];
    const LaunchStatistics& alone = one_by_one.statistics.kernels[i];
    EXPECT_EQ(shared.kernel, alone.kernel);
    EXPECT_EQ(shared.warp_instructions, alone.warp_instructions) << shared.kernel;
    EXPECT_EQ(shared.thread_instructions, alone.thread_instructions) << shared.kernel;
    EXPECT_EQ(shared.blocks, alone.blocks) << shared.kernel;
  }
  EXPECT_EQ(both.statistics.kernels[0].cycles, one_by_one.statistics.kernels[0].cycles);
  EXPECT_EQ(both.statistics.kernels[1].cycles, both.statistics.kernels[2].cycles);
  EXPECT_LT(both.statistics.cycles, one_by_one.statistics.cycles) << "they fill each other's gaps";
}

TEST(RunTogether, WindowsThreadsAndSkippingChangeNothing) {
  Together reference;
  reference.run();
  for (const unsigned window : {0U, 1U, 7U}) {
    Together run;
    run.options.longest_window = window;
    run.options.threads = 2;
    run.options.skip_idle_cycles = window != 1;
    run.run();
    EXPECT_EQ(run.statistics.cycles, reference.statistics.cycles) << "windows of " << window;
    EXPECT_EQ(run.statistics.cores, reference.statistics.cores) << "windows of " << window;
    EXPECT_EQ(run.statistics.memory, reference.statistics.memory) << "windows of " << window;
    EXPECT_EQ(run.words, reference.words);
    for (unsigned i = 0; i < 3; ++i) {
      EXPECT_EQ(static_cast<const LaunchCounts&>(run.statistics.kernels[i]),
                static_cast<const LaunchCounts&>(reference.statistics.kernels[i]));
    }
  }
}

TEST(RunTogether, AFailureNamesBothKernels) {
  Together run;
  run.options.interrupted = [] { return true; };
  std::string message;
  try {
    run.run();
  } catch (const Interrupted& interrupted) {
    message = interrupted.what();
  }
  EXPECT_EQ(message, "interrupted in launch 1 (kernel 'mark'), cycle 0, 0 of 70 blocks started");
  unsigned asked = 0;
  run.options.interrupted = [&asked] { return ++asked == 2; };
  try {
    run.run();
  } catch (const Interrupted& interrupted) {
    message = interrupted.what();
  }
  EXPECT_EQ(message,
            "interrupted in launch 2 (kernel 'sum' and kernel 'mark'), cycle 0, 0 of 110 blocks "
            "started");
}

// A store of global memory allocates no line; the others are the first ones of a warp slot to its
// local memory.
TEST(RunTogether, LocalMemoryIsThatOfEachLaunch) {
  constexpr std::uint32_t kBlocks = 40, kThreads = 96;
  constexpr std::uint64_t kGlobalStores = 2 * kBlocks * kThreads / ir::kWarpSize;
  constexpr std::uint64_t kUsedSlots = 24;  // eight blocks of three warps
  const GpuConfig config = small_gpu();
  const ir::Module module = frontend::compile_text(kKernels, "test.ptx", {config.frontend});
  DeviceMemory memory;
  memory.load(module);
  std::vector<KernelLaunch> launches(2);
  for (KernelLaunch& launch : launches) {
    const std::uint64_t address = memory.allocate("sums", std::uint64_t{kBlocks} * kThreads * 4);
    launch.module = &module;
    launch.kernel = module.find("sum");
    launch.params.resize(launch.kernel->param_bytes);
    std::memcpy(launch.params.data(), &address, sizeof address);
    launch.shape = {{kBlocks, 1, 1}, {kThreads, 1, 1}};
  }
  Gpu gpu(config, scheduler_config(config, "two-level:paws"), make_model, {});
  gpu.run_together(launches, memory);
  const CoreStatistics& cores = gpu.statistics().cores;
  EXPECT_EQ(cores.store_transactions, kGlobalStores);
  EXPECT_EQ(cores.l1_store_misses, kGlobalStores + launches.size() * kUsedSlots);
}

}  // namespace
}  // namespace paws
