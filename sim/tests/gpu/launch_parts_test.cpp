// SPDX-License-Identifier: MIT
// Start-up, steady state and tail: against counts made from the issues, the block starts and the
// block ends alone, and against closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "sim/blocks/blocks_in_turn.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// What one core has been seen to do, cycle by cycle.
struct CoreLog {
  std::uint64_t begin = 0, end = 0;   ///< cycles of the launch
  std::vector<std::uint64_t> issues;  ///< cycle of each
  std::vector<std::uint64_t> starts;  ///< cycle in which each block started
  std::vector<std::uint64_t> ends;    ///< cycle in which each block ended, in order
  std::vector<std::uint64_t> warps;   ///< live ones that the cycle `begin` + index has left
};

/// Fills in a core's log, but for the blocks.
class CoreWatch final : public core::CoreObserver {
 public:
  explicit CoreWatch(std::vector<CoreLog>& launches) : launches_(launches) {}

  void begin(const core::Core& core, const core::RunningKernels& /*running*/,
             std::uint64_t cycle) override {
    core_ = &core;
    launches_.emplace_back().begin = cycle;
  }
  void decided(const core::SchedulerView& /*view*/) override {}
  void issued(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {
    launches_.back().issues.push_back(cycle);
  }
  void stepped(std::uint64_t cycle) override {
    launches_.back().warps.resize(cycle + 1 - launches_.back().begin, core_->live_warps());
  }
  void skipped(std::uint64_t /*from*/, std::uint64_t to) override {
    launches_.back().warps.resize(to - launches_.back().begin, core_->live_warps());
  }
  void end(std::uint64_t cycle) override { launches_.back().end = cycle; }

 private:
  std::vector<CoreLog>& launches_;
  const core::Core* core_ = nullptr;
};

/// Blocks in turn, as ever, with a log of which started and ended where.
class BlockWatch final : public BlockScheduler {
 public:
  BlockWatch(std::uint32_t cores, std::uint64_t latency, std::vector<std::vector<CoreLog>>& logs)
      : blocks_(cores, latency), logs_(logs) {}

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override {
    blocks_.begin(launches, core, cycle);
  }
  void freed(std::uint32_t core, std::uint32_t launch, std::uint32_t pair,
             std::uint64_t cycle) override {
    logs_[core].back().ends.push_back(cycle);
    blocks_.freed(core, launch, pair, cycle);
  }
  void cap(std::uint32_t core, unsigned blocks, std::uint64_t cycle) override {
    blocks_.cap(core, blocks, cycle);
  }
  void hand_out(std::uint64_t end, const HandOut& to) override {
    blocks_.hand_out(end, [&](const Start& start) {
      logs_[start.core].back().starts.push_back(start.cycle);
      to(start);
    });
  }
  [[nodiscard]] std::uint64_t started() const override { return blocks_.started(); }
  [[nodiscard]] std::uint64_t blocks() const override { return blocks_.blocks(); }
  [[nodiscard]] std::uint64_t next_start() const override { return blocks_.next_start(); }

 private:
  BlocksInTurn blocks_;
  std::vector<std::vector<CoreLog>>& logs_;
};

constexpr unsigned kBlocksOfACore = 8;  // of the m2090, for small blocks

/// The cycle in which a core had kBlocksOfACore blocks for the first time; the launch's end if
/// never.
std::uint64_t full_from(const CoreLog& log) {
  for (std::size_t i = 0; i < log.starts.size(); ++i) {
    const auto ended = std::count_if(log.ends.begin(), log.ends.end(),
                                     [&](std::uint64_t end) { return end < log.starts[i]; });
    if (i + 1 - static_cast<std::size_t>(ended) == kBlocksOfACore) return log.starts[i];
  }
  return log.end;
}

/// Counts of [from, to).
PartCounts between(const CoreLog& log, std::uint64_t from, std::uint64_t to) {
  PartCounts counts;
  counts.cycles = to - from;
  counts.warp_instructions = static_cast<std::uint64_t>(std::count_if(
      log.issues.begin(), log.issues.end(), [&](auto at) { return at >= from && at < to; }));
  for (std::uint64_t cycle = from; cycle < to; ++cycle) {
    const std::uint64_t at = cycle - log.begin;
    if (at < log.warps.size()) counts.warp_cycles += log.warps[at];
  }
  return counts;
}

/// Start-up, steady state and tail of launch `number`, of all cores.
struct Parts {
  PartCounts startup, steady, tail;
};

Parts counted(const std::vector<std::vector<CoreLog>>& logs, std::size_t number) {
  std::uint64_t last_start = 0;
  for (const auto& core : logs) {
    for (const std::uint64_t start : core[number].starts) last_start = std::max(last_start, start);
  }
  Parts parts;
  for (const auto& core : logs) {
    const CoreLog& log = core[number];
    const std::uint64_t full = std::min(full_from(log), last_start);
    parts.startup += between(log, log.begin, full);
    parts.steady += between(log, full, last_start);
    parts.tail += between(log, last_start, log.end);
  }
  return parts;
}

void expect_equal(const PartCounts& found, const PartCounts& expected, const std::string& what) {
  EXPECT_EQ(found.cycles, expected.cycles) << what;
  EXPECT_EQ(found.warp_instructions, expected.warp_instructions) << what;
  EXPECT_EQ(found.warp_cycles, expected.warp_cycles) << what;
}

const PartCounts& part(const LaunchPartCounts& parts, LaunchPart which) {
  return parts[static_cast<std::size_t>(which)];
}

class PartsOfLaunches : public testing::TestWithParam<std::string> {};

TEST_P(PartsOfLaunches, AreThoseOfIssuesAndBlocks) {
  for (const unsigned blocks : {5U, 16U, 17U, 70U}) {
    GpuRun run;
    run.config.cores = 2;
    run.scheduler = GetParam();
    run.shape = {{blocks, 1, 1}, {64, 1, 1}};
    run.buffer_bytes = 16384;
    run.launches = 2;
    std::vector<std::vector<CoreLog>> logs(run.config.cores);
    run.options.observe = [&](std::uint32_t core) {
      return std::make_unique<CoreWatch>(logs[core]);
    };
    run.options.block_scheduler = [&](std::uint32_t cores, std::uint64_t latency) {
      return std::make_unique<BlockWatch>(cores, latency, logs);
    };
    run.run(kBusyKernel);
    Parts sum;
    for (unsigned launch = 0; launch < 2; ++launch) {
      const Parts expected = counted(logs, launch);
      const LaunchPartCounts& found = run.statistics.kernels[launch].parts;
      const std::string what = std::to_string(blocks) + " blocks, launch " + std::to_string(launch);
      expect_equal(part(found, LaunchPart::startup), expected.startup, what + ": start-up");
      expect_equal(steady_state(found), expected.steady, what + ": steady state");
      expect_equal(part(found, LaunchPart::tail), expected.tail, what + ": tail");
      EXPECT_EQ(expected.steady.cycles > 0, blocks > 16) << what;
      sum.startup += expected.startup;
      sum.steady += expected.steady;
      sum.tail += expected.tail;
    }
    const LaunchPartCounts& cores = run.statistics.cores.parts;
    expect_equal(part(cores, LaunchPart::startup), sum.startup, "start-up of the cores");
    expect_equal(steady_state(cores), sum.steady, "steady state of the cores");
    expect_equal(part(cores, LaunchPart::tail), sum.tail, "tail of the cores");
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, PartsOfLaunches,
                         testing::Values("single:rr", "single:gto", "two-level:paws"));

/// One core, `blocks` blocks of a warp that do the same.
GpuStatistics alike(unsigned blocks) {
  GpuRun run;
  run.scheduler = "single:rr";
  run.shape = {{blocks, 1, 1}, {32, 1, 1}};
  run.run(repeat(40, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) + "ret;");
  return run.statistics;
}

TEST(PartsOfALaunch, ACoreFillsByABlockPerCycle) {
  const LaunchPartCounts many = alike(40).cores.parts;
  EXPECT_EQ(part(many, LaunchPart::startup).cycles, kBlocksOfACore - 1U);
  // The last block that fits is the last of the grid: the core is full, and no block waits.
  const LaunchPartCounts one_round = alike(kBlocksOfACore).cores.parts;
  EXPECT_EQ(part(one_round, LaunchPart::startup).cycles, kBlocksOfACore - 1U);
  EXPECT_EQ(steady_state(one_round), PartCounts{});
  const LaunchPartCounts few = alike(3).cores.parts;
  EXPECT_EQ(part(few, LaunchPart::startup).cycles, 2U);
  EXPECT_EQ(steady_state(few), PartCounts{});
}

TEST(PartsOfALaunch, TheFirstRoundEndsWithItsLastBlock) {
  // All blocks of a round end before the distributor knows of it and sends one more.
  const LaunchPartCounts two = alike(kBlocksOfACore + 1).cores.parts;
  EXPECT_EQ(part(two, LaunchPart::first_round).warp_instructions,
            part(two, LaunchPart::tail).warp_instructions * kBlocksOfACore);
  EXPECT_EQ(part(two, LaunchPart::later_rounds).warp_instructions, 0U);
  // However many rounds follow, the first one is the same.
  const LaunchPartCounts five = alike(5 * kBlocksOfACore).cores.parts;
  EXPECT_EQ(part(five, LaunchPart::first_round), part(two, LaunchPart::first_round));
  EXPECT_GT(part(five, LaunchPart::later_rounds).warp_instructions,
            2 * part(five, LaunchPart::first_round).warp_instructions);
}

}  // namespace
}  // namespace paws
