// SPDX-License-Identifier: MIT
// A block scheduler other than round robin, through the options of the GPU.
#include "sim/blocks/block_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

/// Fills the core with the highest number first, and gives no core more than `limit` blocks.
class LimitedBlocks final : public BlockScheduler {
 public:
  struct Log {
    unsigned most = 0;                     ///< blocks that a core had at a time
    std::vector<std::uint32_t> first_two;  ///< cores of the first two blocks
  };

  LimitedBlocks(std::uint32_t cores, std::uint64_t latency, unsigned limit, Log& log)
      : latency_(latency), limit_(limit), log_(log), resident_(cores), next_(cores) {}

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override {
    ASSERT_EQ(launches.size(), 1U);
    blocks_ = launches.front().blocks;
    started_ = 0;
    std::fill(resident_.begin(), resident_.end(), 0U);
    std::fill(next_.begin(), next_.end(), cycle);
    limit_now_ = std::min(limit_, core.count(launches.front().needs).blocks);
    known_.clear();
  }
  void freed(std::uint32_t core, std::uint32_t /*launch*/, std::uint32_t /*pair*/,
             std::uint64_t cycle) override {
    known_.emplace(cycle + latency_, core);
  }
  void cap(std::uint32_t /*core*/, unsigned /*blocks*/, std::uint64_t /*cycle*/) override {}
  void hand_out(std::uint64_t end, const HandOut& to) override {
    for (std::uint64_t cycle = next_start(); cycle < end; cycle = next_start()) {
      while (!known_.empty() && known_.begin()->first <= cycle) {
        --resident_[known_.begin()->second];
        known_.erase(known_.begin());
      }
      for (auto core = static_cast<std::uint32_t>(resident_.size()); core-- > 0;) {
        if (resident_[core] == limit_now_ || next_[core] > cycle || started_ == blocks_) continue;
        log_.most = std::max(log_.most, ++resident_[core]);
        if (started_ < 2) log_.first_two.push_back(core);
        next_[core] = cycle + 1;
        BlockScheduler::Start start;
        start.core = core;
        start.place = started_++;
        start.cycle = cycle;
        to(start);
      }
    }
  }
  [[nodiscard]] std::uint64_t started() const override { return started_; }
  [[nodiscard]] std::uint64_t blocks() const override { return blocks_; }
  [[nodiscard]] std::uint64_t next_start() const override {
    if (started_ == blocks_) return kNever;
    std::uint64_t next = kNever;
    for (std::size_t core = 0; core < resident_.size(); ++core) {
      if (resident_[core] < limit_now_) next = std::min(next, next_[core]);
    }
    for (const auto& [cycle, core] : known_) {
      next = std::min(next, std::max(cycle, next_[core]));
    }
    return next;
  }

 private:
  std::uint64_t latency_;
  unsigned limit_;
  unsigned limit_now_ = 0;
  Log& log_;
  std::uint64_t blocks_ = 0;
  std::uint64_t started_ = 0;
  std::vector<unsigned> resident_;                     ///< by core, as far as is known
  std::vector<std::uint64_t> next_;                    ///< by core: first cycle that may start one
  std::multimap<std::uint64_t, std::uint32_t> known_;  ///< slots freed, by when this is known
};

GpuRun limited(unsigned limit, LimitedBlocks::Log& log, unsigned longest_window = 0) {
  GpuRun run;
  run.config.cores = 2;
  run.shape = {{30, 1, 1}, {64, 1, 1}};
  run.buffer_bytes = 16384;
  run.launches = 2;
  run.options.longest_window = longest_window;
  run.options.threads = longest_window == 0 ? 1 : 2;
  if (limit != 0) {
    run.options.block_scheduler = [&log, limit](std::uint32_t cores, std::uint64_t latency) {
      return std::make_unique<LimitedBlocks>(cores, latency, limit, log);
    };
  }
  run.run(kBusyKernel);
  return run;
}

TEST(BlockScheduler, DecidesWhichCoreGetsABlockAndHowMany) {
  LimitedBlocks::Log log;
  const GpuRun two = limited(2, log);
  EXPECT_EQ(log.most, 2U);
  EXPECT_EQ(log.first_two, (std::vector<std::uint32_t>{1, 0, 1, 0}));
  EXPECT_EQ(two.statistics.cores.blocks, 60U);
  LimitedBlocks::Log none;
  const GpuRun round_robin = limited(0, none);
  EXPECT_LT(two.statistics.cores.warp_cycles, round_robin.statistics.cores.warp_cycles)
      << "fewer warps at a time, two of eight blocks";
}

TEST(BlockScheduler, WindowsAndThreadsChangeNothing) {
  LimitedBlocks::Log log;
  const GpuRun reference = limited(3, log);
  for (const unsigned window : {1U, 7U}) {
    const GpuRun run = limited(3, log, window);
    EXPECT_EQ(run.statistics.cycles, reference.statistics.cycles) << "windows of " << window;
    EXPECT_EQ(run.statistics.cores, reference.statistics.cores) << "windows of " << window;
    EXPECT_EQ(run.words, reference.words);
  }
}

}  // namespace
}  // namespace paws
