// SPDX-License-Identifier: MIT
// The block schedulers of the catalogue on the GPU: results, limits, windows and host threads.

#include "sim/blocks/block_policies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// What a core has had of blocks.
struct BlockLog {
  struct Started {
    std::uint64_t block = 0;
    std::uint32_t pair = 0;
    std::uint64_t cycle = 0;
    unsigned resident = 0;  ///< with it
  };
  std::vector<Started> started;
  unsigned resident = 0;

  [[nodiscard]] unsigned most() const {
    unsigned most = 0;
    for (const Started& start : started) most = std::max(most, start.resident);
    return most;
  }
};
using BlockLogs = std::map<std::uint32_t, BlockLog>;  ///< by core

/// Logs blocks and holds nothing back.
class LoggingFilter final : public core::IssueFilter {
 public:
  explicit LoggingFilter(BlockLog& log) : log_(log) {}
  void begin(const core::Core& /*core*/, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {
    log_ = {};
  }
  void block_started(std::uint64_t cycle, const core::BlockTable::Slot& slot) override {
    log_.started.push_back({slot.block->index(), slot.pair, cycle, ++log_.resident});
  }
  void block_ended(std::uint64_t /*cycle*/, const core::BlockTable::Slot& /*slot*/) override {
    --log_.resident;
  }
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void l1_accessed(const core::L1Access& /*access*/) override {}
  void advance(std::uint64_t /*cycle*/) override {}
  [[nodiscard]] WarpMask admit(unsigned /*scheduler*/, WarpMask issuable) const override {
    return issuable;
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t /*cycle*/) const override {
    return std::numeric_limits<std::uint64_t>::max();
  }

 private:
  BlockLog& log_;
};

/// Counts the issues of every block until all warps of one have ended.
class IssueCounter final : public core::CoreObserver {
 public:
  IssueCounter(std::uint64_t& sum, std::uint64_t& most) : sum_(sum), most_(most) {}

  void begin(const core::Core& core, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {
    core_ = &core;
  }
  void decided(const core::SchedulerView& /*view*/) override {}
  void issued(std::uint64_t /*cycle*/, std::uint32_t warp, std::uint32_t /*pc*/) override {
    if (!over_) ++issues_[core_->view(warp).block];
  }
  void stepped(std::uint64_t /*cycle*/) override {
    if (over_) return;
    std::map<std::uint64_t, unsigned> live;
    for (std::uint32_t warp = 0; warp < core_->warps(); ++warp) {
      if (core_->view(warp).live) ++live[core_->view(warp).block];
    }
    for (const auto& [block, issued] : issues_) over_ = over_ || live[block] == 0;
    if (!over_) return;
    for (const auto& [block, issued] : issues_) {
      sum_ += issued;
      most_ = std::max(most_, issued);
    }
  }
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t /*cycle*/) override {}

 private:
  std::uint64_t& sum_;
  std::uint64_t& most_;
  const core::Core* core_ = nullptr;
  std::map<std::uint64_t, std::uint64_t> issues_;  ///< by block of the grid
  bool over_ = false;
};

/// Blocks of two warps, two-dimensional, several rounds on two cores; `set` makes it another run.
GpuRun run_under(const std::string& blocks, BlockLogs& logs,
                 const std::function<void(GpuRun&)>& set = {}) {
  GpuRun run;
  run.config.cores = 2;
  run.scheduler = "single:gto";
  run.shape = {{67, 1, 1}, {32, 2, 1}};
  run.buffer_bytes = 16384;
  run.launches = 2;
  for (std::uint32_t core = 0; core < 2; ++core) logs[core];
  run.options.filter = [&logs](std::uint32_t core) {
    return std::make_unique<LoggingFilter>(logs.at(core));
  };
  if (set) set(run);
  run.options.block_scheduler = block_scheduler(blocks, run.config.distributor);
  run.run(kBusyKernel);
  return run;
}

TEST(BlockPolicies, NoCoreHasMoreBlocksThanTheLimit) {
  BlockLogs logs;
  const GpuRun run = run_under("limit:3", logs);
  EXPECT_EQ(run.statistics.cores.blocks, 2U * 67U);
  for (const auto& [core, log] : logs) EXPECT_EQ(log.most(), 3U) << "core " << core;
}

TEST(BlockPolicies, ALazyCoreGetsNoBlockBeyondItsLimit) {
  BlockLogs logs;
  const GpuRun run = run_under("lcs", logs);
  ASSERT_EQ(run.statistics.kernels.size(), 2U);
  for (const LaunchStatistics& launch : run.statistics.kernels) {
    ASSERT_EQ(launch.limits.size(), 1U);
    EXPECT_GE(launch.limits[0].limit, 1U);
    EXPECT_LT(launch.limits[0].limit, 8U);
    EXPECT_EQ(launch.limits[0].core, 0U);
    EXPECT_LT(launch.limits[0].cycle, launch.cycles);
  }
  const LaunchStatistics& first = run.statistics.kernels[0];
  const BlockLimit& limit = run.statistics.kernels[1].limits[0];
  for (const auto& [core, log] : logs) {
    EXPECT_EQ(log.most(), 8U) << "core " << core << " until the limit holds";
    unsigned late = 0;
    for (const BlockLog::Started& start : log.started) {
      if (start.cycle < first.cycles + limit.cycle) continue;
      EXPECT_LE(start.resident, limit.limit) << "core " << core << ", cycle " << start.cycle;
      ++late;
    }
    EXPECT_GT(late, 0U) << "core " << core;
  }
}

TEST(BlockPolicies, TheLimitIsTheQuotientOfIssues) {
  // Counted beside the monitor: what the blocks of core 0 have issued when the first one ends.
  BlockLogs logs;
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
  const GpuRun run = run_under("lcs", logs, [&](GpuRun& set) {
    set.launches = 1;
    // A warp each, so that a scheduler has the blocks of every second slot to itself.
    set.shape.block = {32, 1, 1};
    set.options.filter = {};
    set.options.observe = [&](std::uint32_t core) -> std::unique_ptr<core::CoreObserver> {
      if (core != 0) return nullptr;
      return std::make_unique<IssueCounter>(sum, most);
    };
  });
  ASSERT_GT(most, 0U);
  EXPECT_EQ(run.statistics.kernels[0].limits.at(0).limit, sum / most);
}

TEST(BlockPolicies, PairsStayTogetherWhateverTheOrderOfBlocks) {
  for (const unsigned seed : {0U, 1U}) {
    BlockLogs logs;
    run_under("bcs", logs, [seed](GpuRun& run) { run.config.noise.seed = seed; });
    std::map<std::uint64_t, std::uint32_t> core_of;
    unsigned pairs = 0;
    for (const auto& [core, log] : logs) {
      for (const BlockLog::Started& start : log.started) core_of[start.block] = core;
      for (std::size_t i = 1; i < log.started.size(); ++i) {
        const auto& [first, second] = std::pair(log.started[i - 1], log.started[i]);
        if (first.block % 2 != 0 || first.block == 66) continue;
        ++pairs;
        EXPECT_EQ(second.block, first.block + 1);
        EXPECT_EQ(second.cycle, first.cycle + 1);
        EXPECT_EQ(second.pair, first.pair);
      }
    }
    EXPECT_EQ(pairs, 33U);
    ASSERT_EQ(core_of.size(), 67U);
    for (std::uint64_t block = 0; block < 66; block += 2) {
      EXPECT_EQ(core_of[block], core_of[block + 1]) << "block " << block << ", seed " << seed;
    }
  }
}

TEST(BlockPolicies, MonitorsHaveRoomForSoManySlots) {
  BlockLogs logs;
  EXPECT_EQ(error_of([&logs] {
              run_under("lcs", logs, [](GpuRun& run) { run.config.core.blocks = 33; });
            }),
            "the block monitors of LCS have room for 32 block slots and 4 schedulers: core.blocks "
            "is 33, core.schedulers 2");
}

}  // namespace
}  // namespace paws
