// SPDX-License-Identifier: MIT
// Windows and host threads change nothing: neither cycles, nor statistics, nor memory.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "sim/tests/gpu/races.h"
#include "sim/tests/gpu/random_kernel.h"

namespace paws {
namespace {

unsigned seed() {
  const char* const given = std::getenv("PAWS_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 1;
}

class Windows : public testing::TestWithParam<const char*> {};

TEST_P(Windows, ChangeNothing) {
  GpuRun run = racy(3);
  run.scheduler = GetParam();
  expect_no_difference(run, kRacyKernel, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Schedulers, Windows,
                         testing::Values("single:gto", "single:paws", "two-level:rr",
                                         "two-level:paws"));

TEST(Windows, ChangeNothingOfNoiseAndMeasuredKeys) {
  GpuRun quiet = racy(3);
  quiet.run(kRacyKernel);
  GpuRun run = racy(3);
  run.config.noise.seed = 7;
  run.config.scheduler.key_source = 3;
  expect_no_difference(run, kRacyKernel, "perturbed");
  run.run(kRacyKernel);
  EXPECT_NE(run.statistics.cycles, quiet.statistics.cycles);
}

TEST(Windows, ChangeNothingWhenEveryCycleIsStepped) {
  GpuRun run = racy(3);
  run.options.skip_idle_cycles = false;
  expect_no_difference(run, kRacyKernel, "stepped");
  GpuRun skipping = racy(3);
  skipping.run(kRacyKernel);
  run.run(kRacyKernel);
  expect_same(skipping, run, "skipping");
}

class ExtremeMachines : public testing::TestWithParam<const char*> {};

TEST_P(ExtremeMachines, WindowsChangeNothing) {
  GpuRun run = racy(3);
  const std::string text = GetParam();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    set_key(run.config, text.substr(at, space - at));
    at = space + 1;
  }
  expect_no_difference(run, kRacyKernel, text);
}

INSTANTIATE_TEST_SUITE_P(
    Windows, ExtremeMachines,
    testing::Values("l1.latency=1", "l1.latency=400", "distributor.latency=1",
                    "distributor.latency=500", "interconnect.latency=0", "interconnect.latency=1",
                    "interconnect.clock_mhz=10000", "l2.queue=1", "l2.queue=4", "dram.queue=1",
                    "l2.mshrs=1", "l1.mshrs=2", "l1.stores=1", "core.blocks=1",
                    "interconnect.latency=0 interconnect.clock_mhz=10000 l2.latency=1",
                    "l2.queue=1 dram.queue=1 l1.bytes=1024 l2.bytes=24576",
                    "l2.partitions=2 l2.far_latency=60 dram.twtr=10 dram.twr=19",
                    "l2.partitions=2 l2.far_latency=1 l2.queue=1 l2.mshrs=1 l2.bytes=24576",
                    "distributor.interval=9 distributor.start_latency=700",
                    "core.launch_interval=2 l1.store_keeps=true l1.tag_banks=4"));

TEST(Windows, ChangeNothingForRandomKernels) {
  std::mt19937 random(seed());
  for (unsigned n = 0; n < 12; ++n) {
    const std::string kernel = random_kernel(random);
    GpuRun run = racy(2 + n % 3);
    run.shape.grid = {12, 1, 1};
    expect_no_difference(run, kernel,
                         fmt::format("PAWS_SEED={}, kernel {}:\n{}", seed(), n, kernel));
  }
}

TEST(Windows, AreAsLongAsTheShortestWayBetweenCores) {
  auto window = [](const std::string& setting) {
    GpuConfig config = small_gpu(2);
    if (!setting.empty()) set_key(config, setting);
    const Gpu gpu(config, scheduler_config(config, "single:rr"), make_model, {});
    return gpu.window();
  };
  EXPECT_EQ(window(""), 32U);
  EXPECT_EQ(window("distributor.latency=1"), 1U);
  EXPECT_EQ(window("l1.latency=5"), 6U);
  EXPECT_EQ(window("interconnect.latency=2"), 5U);  // five interconnect cycles there and back
  EXPECT_EQ(window("interconnect.latency=0"), 1U);
}

TEST(Windows, TheFirstFailureByCycleAndCoreIsReported) {
  // Threads of all blocks fail in a loop, in an order that their data decides.
  const std::string kernel =
      "mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, 7919, %r0;\nmul.lo.u32 %r2, %r2, 2654435;\n"
      "LOOP:\nshr.u32 %r3, %r2, 12;\nand.b32 %r3, %r3, 4095;\nmul.wide.u32 %rd1, %r3, 4;\n"
      "add.u64 %rd2, %rd0, %rd1;\nred.global.add.u32 [%rd2], 1;\n"
      "setp.eq.u32 %p1, %r3, 77;\n@%p1 trap;\n"
      "mad.lo.u32 %r2, %r2, 1664525, 1013904223;\nbra LOOP;\n";
  std::string first;
  for (const std::uint64_t bytes : {16384UL, 12288UL}) {
    std::string reference;
    for (const auto& [threads, window] : {std::pair{1U, 1U}, std::pair{1U, 0U}, std::pair{2U, 0U},
                                          std::pair{2U, 7U}, std::pair{3U, 0U}}) {
      GpuRun run = racy(3);
      run.buffer_bytes = bytes;
      run.options.threads = threads;
      run.options.longest_window = window;
      const std::string message = error_of([&] { run.run(kernel); });
      if (reference.empty()) reference = message;
      EXPECT_NE(message, "");
      EXPECT_EQ(message, reference) << threads << " threads, window " << window;
    }
    EXPECT_NE(reference, first);
    first = reference;
  }
}

TEST(Windows, ASpinEndsInTheSameCycle) {
  for (const unsigned window : {1U, 0U}) {
    GpuRun run = racy(2);
    run.options.max_cycles = 20001;
    run.options.longest_window = window;
    const std::string message =
        error_of([&] { run.run("LOOP:\nadd.u32 %r1, %r1, 1;\nbra LOOP;\n"); });
    EXPECT_NE(message.find("not finished after 20001 cycles"), std::string::npos) << message;
  }
}

TEST(Windows, AnInterruptedRunSaysHowFarItGot) {
  GpuRun run = racy(2);
  run.options.threads = 2;
  unsigned asked = 0;
  run.options.interrupted = [&asked] { return ++asked == 3; };
  try {
    run.run("LOOP:\nadd.u32 %r1, %r1, 1;\nbra LOOP;\n");
    FAIL() << "not interrupted";
  } catch (const Interrupted& interrupted) {
    const std::string message = interrupted.what();
    EXPECT_EQ(message.find("interrupted in launch 1 (kernel 'test'), cycle "), 0U) << message;
    EXPECT_NE(message.find("4 of 20 blocks started"), std::string::npos) << message;
  }
}

TEST(Windows, TellBlocksThatHaveEnded) {
  GpuRun run = racy(2);
  run.launches = 1;
  std::vector<std::uint64_t> cycles;
  std::vector<std::uint64_t> ended;
  run.options.progress = [&](std::uint64_t now, std::uint64_t blocks, std::uint64_t all) {
    EXPECT_EQ(all, 20U);
    cycles.push_back(now);
    ended.push_back(blocks);
  };
  run.run("LOOP:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 800;\n@%p1 bra LOOP;\n");
  ASSERT_GT(ended.size(), 3U);
  EXPECT_TRUE(std::is_sorted(cycles.begin(), cycles.end()));
  EXPECT_TRUE(std::is_sorted(ended.begin(), ended.end()));
  EXPECT_EQ(ended.front(), 0U);
  EXPECT_GT(ended.back(), 0U);
  EXPECT_LT(ended.back(), 20U);
}

}  // namespace
}  // namespace paws
