// SPDX-License-Identifier: MIT
#include "sim/throttle/dynamic_block_limit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/blocks/block_policies.h"
#include "sim/tests/gpu/support.h"
#include "sim/throttle/throttles.h"

namespace paws {
namespace {

constexpr unsigned kNever = 1'000'000;  ///< cycles, a threshold that no period reaches

/// What one core has seen of blocks and limits.
struct Log {
  std::map<std::uint64_t, unsigned> limits;  ///< by the cycle from which they hold in the core
  std::vector<std::uint64_t> starts;         ///< cycles in which blocks start
  std::vector<unsigned> resident;            ///< blocks at each start, with the one that starts
  unsigned paused_alone = 0;                 ///< times that a paused warp issued for want of others

  [[nodiscard]] unsigned limit_in(std::uint64_t cycle) const {
    return std::prev(limits.upper_bound(cycle))->second;
  }
};

/// DYNCTA, with what it says checked against the blocks that it is told of.
class Watched final : public core::IssueFilter {
 public:
  Watched(const DynctaSettings& settings, Log& log) : filter_(settings), log_(log) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override {
    filter_.begin(core, running, cycle);
    slots_ = core::WarpSlots(core.schedulers());
    log_ = {};
    log_.limits[cycle] = filter_.block_limit();
  }
  void block_started(std::uint64_t cycle, const core::BlockTable::Slot& slot) override {
    filter_.block_started(cycle, slot);
    blocks_.push_back(slot.warps);
    log_.starts.push_back(cycle);
    log_.resident.push_back(static_cast<unsigned>(blocks_.size()));
  }
  void block_ended(std::uint64_t cycle, const core::BlockTable::Slot& slot) override {
    filter_.block_ended(cycle, slot);
    std::erase(blocks_, slot.warps);
  }
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void l1_accessed(const core::L1Access& /*access*/) override {}
  void advance(std::uint64_t cycle) override {
    filter_.advance(cycle);
    if (log_.limits.rbegin()->second != block_limit()) log_.limits[cycle] = block_limit();
  }
  [[nodiscard]] WarpMask admit(unsigned scheduler, WarpMask issuable) const override {
    WarpMask paused = 0;
    for (std::size_t i = block_limit(); i < blocks_.size(); ++i) {
      for (const std::uint32_t warp : blocks_[i]) {
        if (slots_.scheduler(warp) == scheduler) paused |= slots_.bit(warp);
      }
    }
    const WarpMask admitted = filter_.admit(scheduler, issuable);
    if ((issuable & ~paused) != 0) {
      EXPECT_EQ(admitted, issuable & ~paused);
    } else {
      EXPECT_EQ(admitted, issuable);
      ++log_.paused_alone;
    }
    return admitted;
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t cycle) const override {
    return filter_.next_change(cycle);
  }
  [[nodiscard]] unsigned block_limit() const override { return filter_.block_limit(); }
  void end(CoreStatistics& statistics) override { filter_.end(statistics); }

 private:
  throttle::DynamicBlockLimit filter_;
  Log& log_;
  core::WarpSlots slots_{1};
  std::vector<std::vector<std::uint32_t>> blocks_;
};

/// Blocks of two warps on one core, of which `fit` fit.
GpuRun run_with(const DynctaSettings& settings, unsigned fit, unsigned blocks,
                const std::string& body, Log& log) {
  GpuRun run;
  run.config.core.blocks = fit;
  run.scheduler = "single:gto";
  run.shape = {{blocks, 1, 1}, {64, 1, 1}};
  run.buffer_bytes = 1 << 16;
  run.options.filter = [&](std::uint32_t /*core*/) {
    return std::make_unique<Watched>(settings, log);
  };
  run.run(body);
  return run;
}

/// A chain of loads, each of a line that no other warp touches.
std::string loads(unsigned count) {
  return R"(
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r1, %r1, 64, %r0;
  mul.wide.u32 %rd1, %r1, 4;
  add.u64 %rd2, %rd0, %rd1;
)" +
         repeat(count,
                [](unsigned) {
                  return "ld.volatile.global.u32 %r2, [%rd2];\nmul.wide.u32 %rd3, %r2, 4;\n"
                         "add.u64 %rd2, %rd2, %rd3;";
                }) +
         "ret;\n";
}

std::string additions(unsigned count) {
  return repeat(count, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) +
         "st.global.u32 [%rd0], %r1;\nret;\n";
}

TEST(DynamicBlockLimit, ALaunchBeginsWithHalfOfTheBlocksThatFit) {
  for (const auto& [fit, half] : {std::pair{1U, 1U}, {2U, 1U}, {3U, 1U}, {5U, 2U}, {8U, 4U}}) {
    Log log;
    run_with({kNever, kNever, 0, kNever}, fit, 20, loads(1), log);
    EXPECT_EQ(log.limits, (std::map<std::uint64_t, unsigned>{{0, half}}));
    EXPECT_EQ(*std::max_element(log.resident.begin(), log.resident.end()), half) << fit;
    EXPECT_EQ(log.starts.size(), 20U);
  }
}

TEST(DynamicBlockLimit, WhileWarpsDoNotWaitForMemoryItRisesByOnePerPeriod) {
  Log log;
  const GpuRun run = run_with({100, kNever, 50, kNever}, 6, 6, additions(400), log);
  EXPECT_EQ(log.limits, (std::map<std::uint64_t, unsigned>{{0, 3}, {100, 4}, {200, 5}, {300, 6}}));
  const std::uint64_t latency = run.config.distributor.latency;
  EXPECT_EQ(log.starts,
            (std::vector<std::uint64_t>{0, 1, 2, 100 + latency, 200 + latency, 300 + latency}))
      << "a request takes as long as the news that a block has ended";
  EXPECT_EQ(log.paused_alone, 0U);
  EXPECT_EQ(run.statistics.cores.dyncta.memory_cycles, 0U);
}

TEST(DynamicBlockLimit, WhileAllWarpsWaitForMemoryItFallsAndLaterBlocksPause) {
  Log log;
  const GpuRun run = run_with({200, kNever, 0, 100}, 6, 12, loads(6), log);
  EXPECT_EQ(log.limits.size(), 3U);
  EXPECT_EQ(log.limits.rbegin()->second, 1U);
  for (std::size_t i = 3; i < log.starts.size(); ++i) {
    EXPECT_LE(log.resident[i], log.limit_in(log.starts[i] - run.config.distributor.latency)) << i;
  }
  EXPECT_EQ(log.resident.back(), 1U);
  EXPECT_GT(log.paused_alone, 0U) << "a paused warp may issue when no other can";
}

TEST(DynamicBlockLimit, BetweenItsThresholdsItStays) {
  Log log;
  const GpuRun run = run_with({2000, kNever, 100, 2000}, 6, 12, loads(20), log);
  EXPECT_EQ(log.limits.size(), 1U);
  const DynctaCounts& counts = run.statistics.cores.dyncta;
  EXPECT_GT(counts.periods, 5U);
  EXPECT_EQ(counts.limits, 3 * counts.periods);
}

TEST(DynamicBlockLimit, IdleCyclesCountBeforeThoseThatWaitForMemory) {
  // Blocks of 4 instructions: the core stands empty until the next one comes.
  Log log;
  run_with({100, 16, 0, 0}, 2, 40, "ret;\n", log);
  EXPECT_EQ(log.limits.begin()->second, 1U);
  EXPECT_EQ(log.limits.rbegin()->second, 2U) << "C_mem >= 0 alone would let it fall";
  Log no_idle;
  run_with({100, kNever, 0, 0}, 4, 40, "ret;\n", no_idle);
  EXPECT_EQ(no_idle.limits.rbegin()->second, 1U);
}

TEST(DynamicBlockLimit, CountsTheCyclesInWhichAllWaitForMemory) {
  // A period is a cycle, so that none is left out. Of a load that hits, its reader waits for the
  // cycles between their issues.
  auto cycles = [](unsigned count) {
    GpuRun run;
    run.config.icache.bytes = 0;
    run.config.dyncta.period = 1;
    run.scheduler = "single:gto";
    run.shape.block = {32, 1, 1};
    run.options.filter = throttle_factory("dyncta", run.config);
    run.run(
        repeat(count,
               [](unsigned) { return "ld.global.u64 %rd2, [%rd0];\nadd.u64 %rd0, %rd0, %rd2;"; }) +
        "st.global.u32 [%rd0], %r0;\nret;");
    return run.statistics.cores.dyncta.memory_cycles;
  };
  EXPECT_EQ(cycles(12) - cycles(2), 10U * small_gpu().l1.latency);
}

TEST(DynamicBlockLimit, WarpsAtABarrierAreIdleTogetherAndElseDoNotCount) {
  auto counts = [](const std::string& body) {
    GpuRun run;
    run.config.icache.bytes = 0;
    run.config.dyncta.period = 1;
    run.scheduler = "single:gto";
    run.shape.block = {64, 1, 1};
    run.options.filter = throttle_factory("dyncta", run.config);
    run.run(body);
    return run.statistics.cores.dyncta;
  };
  // The second warp waits at the barrier; the first one for memory, or for its additions.
  const std::string first_only = "setp.ge.u32 %p1, %r0, 32;\n@%p1 bra MEET;\n";
  const std::string meet = "MEET:\nbar.sync 0;\nret;\n";
  const std::string load =
      "ld.volatile.global.u32 %r2, [%rd0];\nst.shared.u32 [shared_words], %r2;\n";
  const DynctaCounts with_load = counts(first_only + load + meet);
  const DynctaCounts with_additions =
      counts(first_only + repeat(40, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) +
             "st.shared.u32 [shared_words], %r1;\n" + meet);
  EXPECT_GT(with_load.memory_cycles, 500U) << "a load from DRAM";
  EXPECT_EQ(with_additions.memory_cycles, 0U);
  EXPECT_LT(with_additions.idle_cycles, 40U) << "without the start, the end and the barrier";
}

TEST(DynamicBlockLimit, APeriodWithoutABlockGoesOnUntilOneComes) {
  Log log;
  GpuRun run;
  run.config.distributor.latency = 500;
  run.config.core.blocks = 2;
  run.scheduler = "single:gto";
  run.shape = {{6, 1, 1}, {32, 1, 1}};
  run.options.filter = [&](std::uint32_t /*core*/) {
    return std::make_unique<Watched>(DynctaSettings{300, 16, 0, kNever}, log);
  };
  run.run("ret;");
  ASSERT_GE(log.starts.size(), 2U);
  EXPECT_GT(log.starts[1], 500U);
  EXPECT_EQ(log.limits, (std::map<std::uint64_t, unsigned>{{0, 1}, {log.starts[1], 2}}));
}

TEST(DynamicBlockLimit, WorksUnderEverySchedulerAndBlockScheduler) {
  const auto run_under = [](const std::string& scheduler, const std::string& blocks,
                            const std::function<void(GpuRun&)>& set) {
    GpuRun run;
    run.config.cores = 2;
    run.config.dyncta = {120, 6, 20, 60};
    run.scheduler = scheduler;
    run.shape = {{33, 1, 1}, {32, 2, 1}};
    run.buffer_bytes = 16384;
    run.launches = 2;
    run.options.filter = throttle_factory("dyncta", run.config);
    run.options.block_scheduler = block_scheduler(blocks, run.config.distributor);
    set(run);
    run.run(kBusyKernel);
    return run;
  };
  for (const auto& [scheduler, blocks] : {std::pair{"single:rr", "rr"},
                                          {"single:gto", "limit:3"},
                                          {"two-level:paws", "bcs"},
                                          {"single:paws", "lcs"},
                                          {"single:gto", "lcs+bcs"}}) {
    const GpuRun reference = run_under(scheduler, blocks, [](GpuRun&) {});
    EXPECT_GT(reference.statistics.cores.dyncta.periods, 0U);
    for (const unsigned window : {1U, 7U}) {
      const GpuRun run = run_under(scheduler, blocks, [window](GpuRun& set) {
        set.options.longest_window = window;
        set.options.threads = 2;
        set.options.skip_idle_cycles = window != 1;
      });
      EXPECT_EQ(run.statistics.cycles, reference.statistics.cycles) << scheduler << blocks;
      EXPECT_EQ(run.statistics.cores, reference.statistics.cores) << scheduler << blocks;
      EXPECT_EQ(run.words, reference.words) << scheduler << blocks;
    }
  }
}

TEST(DynamicBlockLimit, TakesOneLaunchAtATime) {
  GpuRun run;
  Gpu gpu(run.config, scheduler_config(run.config, "single:gto"), make_model, [&] {
    GpuOptions options;
    options.filter = throttle_factory("dyncta", run.config);
    return options;
  }());
  DeviceMemory memory;
  std::vector<KernelLaunch> launches(2);
  launches[1].where = {"launch.toml", 12};
  EXPECT_EQ(error_of([&] { gpu.run_together(launches, memory); }),
            "launch.toml:12: 2 launches together: the throttle (--throttle) takes 1 at most");
}

}  // namespace
}  // namespace paws
