// SPDX-License-Identifier: MIT
// Barrel cores with large warps: engines, idle cycles, windows and host threads change nothing, and
// what cannot be is refused.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <tuple>

#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine/lockstep/branch_masks_lockstep.h"
#include "engine/lockstep/lockstep.h"
#include "engine/lockstep/subwarp_packer_lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/tests/gpu/races.h"
#include "sim/tests/gpu/random_kernel.h"

namespace paws {
namespace {

unsigned seed() {
  const char* const given = std::getenv("PAWS_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 1;
}

/// One core, whose L1 writes back.
GpuRun large(unsigned rows, const std::string& scheduler = "single:rr") {
  GpuRun run;
  run.config = load_gpu("lwm2011");
  run.config.core.warp_rows = rows;
  run.config.scheduler.group = rows == 1 ? 8 : 2;
  run.config.core.shared_bytes = 65536;
  run.config.l1.array_bytes = 98304;
  run.scheduler = scheduler;
  run.shape.block = {32 * rows, 1, 1};
  run.shape.grid = {8 + 32 / rows, 1, 1};  // eight more than are resident at a time
  run.buffer_bytes = 16384 + 64;
  run.launches = 2;
  return run;
}

/// Cores of the same kind with the memory system of the m2090, whose L1s write through.
GpuRun large_on_m2090(unsigned rows, unsigned cores) {
  GpuRun run = large(rows);
  const GpuConfig m2090 = small_gpu(cores);
  run.config.cores = cores;
  run.config.l1 = m2090.l1;
  run.config.l1.array_bytes = 98304;
  run.config.l2 = m2090.l2;
  run.config.interconnect = m2090.interconnect;
  run.config.dram = m2090.dram;
  run.config.core.local_private = false;
  return run;
}

/// Whether the RTL of the scheduler is among those built with the project, so that no test builds
/// an engine: those of 32 warps, and of 4 with groups.
bool has_built_scheduler(const GpuRun& run) {
  const unsigned warps = run.config.warps_per_scheduler();
  return warps == 32 || (warps == 4 && run.scheduler == "single:group");
}

void set_engine(GpuRun& run, const std::string& engine) {
  if (engine == "rtl") {
    if (has_built_scheduler(run)) {
      run.factory = [](const SchedulerConfig& config) { return make_rtl(config); };
    }
    run.options.subwarp_packer = [](const SubwarpPackerConfig& config) {
      return make_rtl_subwarp_packer(config);
    };
    run.options.branch_masks = [](const BranchMasksConfig& config) {
      return make_rtl_branch_masks(config);
    };
  } else if (engine == "lockstep") {
    if (has_built_scheduler(run)) {
      run.factory = [](const SchedulerConfig& config) { return make_lockstep(config, "none"); };
    }
    run.options.subwarp_packer = [](const SubwarpPackerConfig& config) {
      return make_subwarp_packer_lockstep(config, "none");
    };
    run.options.branch_masks = [](const BranchMasksConfig& config) {
      return make_branch_masks_lockstep(config, "none");
    };
  }
}

class LargeWarps : public testing::TestWithParam<unsigned> {};

TEST_P(LargeWarps, EnginesAgree) {
  for (const char* scheduler : {"single:rr", "single:group"}) {
    for (const char* kernel : {kBusyKernel, kRacyKernel}) {
      GpuRun model = large(GetParam(), scheduler);
      model.run(kernel);
      EXPECT_GT(model.statistics.cores.barrel.branches, 0U);
      for (const char* engine : {"rtl", "lockstep"}) {
        GpuRun run = large(GetParam(), scheduler);
        set_engine(run, engine);
        run.run(kernel);
        expect_same(run, model, fmt::format("{}, {}", engine, scheduler));
      }
    }
  }
}

TEST_P(LargeWarps, SkippingIdleCyclesChangesNothing) {
  for (const char* scheduler : {"single:rr", "single:group", "single:paws", "two-level:rr"}) {
    for (GpuRun skip : {large(GetParam(), scheduler), large_on_m2090(GetParam(), 2)}) {
      skip.scheduler = scheduler;
      GpuRun step = skip;
      skip.run(kBusyKernel);
      step.options.skip_idle_cycles = false;
      step.run(kBusyKernel);
      expect_same(step, skip, scheduler);
    }
  }
}

TEST_P(LargeWarps, WindowsChangeNothing) {
  expect_no_difference(large(GetParam()), kRacyKernel, "one core");
  expect_no_difference(large_on_m2090(GetParam(), 3), kRacyKernel, "three cores");
}

TEST_P(LargeWarps, RunRandomKernelsWhateverTheWindows) {
  std::mt19937 random(seed() + GetParam());
  for (unsigned n = 0; n < 4; ++n) {
    const std::string kernel = random_kernel(random);
    GpuRun run = n % 2 == 0 ? large(GetParam(), "single:group") : large_on_m2090(GetParam(), 2);
    run.shape.grid = {4 + 8 / GetParam(), 1, 1};
    // 30 of 32 threads in the last row.
    run.shape.block = {32 * GetParam() + 30, 1, 1};
    run.config.large.refetch_first = n % 4 >= 2;
    run.config.large.pack_guard = random() % 2 == 0;
    const std::string what = fmt::format("PAWS_SEED={}, kernel {}:\n{}", seed(), n, kernel);
    expect_no_difference(run, kernel, what);
    GpuRun lockstep = run;
    run.run(kernel);
    set_engine(lockstep, "lockstep");
    lockstep.run(kernel);
    expect_same(lockstep, run, what);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, LargeWarps, testing::Values(1U, 2U, 4U, 8U, 16U));

TEST(LargeWarps, FillABlockOf1024Threads) {
  GpuRun run = large(32, "single:group");
  GpuRun lockstep = run;
  run.run(kBusyKernel);
  set_engine(lockstep, "lockstep");
  lockstep.run(kBusyKernel);
  expect_same(lockstep, run, "lockstep");
}

TEST(LargeWarps, AWindowIsAsLongAsThePipeline) {
  const GpuRun run = large(8);
  const Gpu gpu(run.config, scheduler_config(run.config, "single:rr"), make_model, {});
  EXPECT_EQ(gpu.window(), 7U);
}

/// Threads count no rows: what they do is the same whatever the warps are.
TEST(LargeWarps, CountTheSameThreads) {
  const auto counts = [](unsigned rows) {
    GpuRun run = large(rows);
    run.shape.block = {512, 1, 1};
    run.shape.grid = {12, 1, 1};
    run.run(kBusyKernel);
    return run.statistics.cores;
  };
  const CoreStatistics warps = counts(1);
  for (const unsigned rows : {2U, 8U, 16U}) {
    const CoreStatistics large_warps = counts(rows);
    EXPECT_EQ(large_warps.barrel.threads, warps.barrel.threads) << rows;
    EXPECT_EQ(large_warps.thread_instructions(), warps.thread_instructions()) << rows;
    EXPECT_LT(large_warps.barrel.instructions[0], warps.barrel.instructions[0]) << rows;
  }
}

std::string refused(GpuRun run, const std::string& body = "ret;") {
  return error_of([&] { run.run(body); });
}

TEST(LargeWarps, DoNotFitEverywhere) {
  GpuRun small_block = large(8);
  small_block.shape.block = {128, 1, 1};
  EXPECT_NE(refused(small_block)
                .find("kernel 'test': a block of 128 threads does not fill a large "
                      "warp of 256 (core.warp_rows is 8)"),
            std::string::npos)
      << refused(small_block);
  GpuRun no_barrel;
  no_barrel.config.core.warp_rows = 8;
  EXPECT_EQ(refused(no_barrel),
            "core.warp_rows is 8: large warps need a barrel core (core.pipeline_stages)");
  GpuRun groups = large(8, "single:group");
  groups.config.scheduler.group = 3;
  EXPECT_NE(refused(groups).find("3"), std::string::npos) << refused(groups);
}

TEST(LargeWarps, LackWhatNeedsWarpsThatOverlap) {
  GpuRun sca = large(1, "single:sca");
  EXPECT_NE(refused(sca).find("single:sca asks for"), std::string::npos) << refused(sca);
  GpuRun filter = large(1);
  filter.options.filter = [](std::uint32_t) { return nullptr; };
  EXPECT_EQ(refused(filter), "a barrel core (core.pipeline_stages) has no throttle");
}

/// One thread after the other takes the lock; the others of its large warp wait where it is given
/// back, so none of them gives it back.
const char* const kLock = R"(
  SPIN:
    atom.global.exch.b32 %r1, [%rd0], 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra SPIN;
    st.global.u32 [%rd0], 0;
    ret;)";

TEST(LargeWarps, NameTheOneWhoseThreadsLockEachOther) {
  GpuRun run = large(8);
  run.shape.grid = {1, 1, 1};
  run.options.max_cycles = 20000;
  const std::string message = refused(run, kLock);
  EXPECT_EQ(message.find("test.ptx:"), 0U) << message;
  for (const char* part :
       {"kernel 'test', block (0,0,0), large warp 0 is still running, 255 of its threads here; the "
        "others wait for these",
        "not finished after 20000 cycles (--max-cycles)"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in: " << message;
  }
}

TEST(LargeWarps, RefuseABarrierThatSomeOfTheirRowsMiss) {
  GpuRun run = large(8);
  run.shape.grid = {1, 1, 1};
  const std::string message = refused(
      run, "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra SKIP;\nbar.sync 0;\nSKIP:\nbar.sync 1;\nret;");
  EXPECT_NE(message.find("barrier"), std::string::npos) << message;
  EXPECT_NE(message.find("large warp 0"), std::string::npos) << message;
}

}  // namespace
}  // namespace paws
