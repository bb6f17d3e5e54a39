// SPDX-License-Identifier: MIT
// Blocks of two launches in one core at a time: other kernels, other needs, other shapes.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/occupancy.h"
#include "sim/core/scoreboard_core.h"
#include "sim/memory/memory_system.h"
#include "sim/tests/core/scripted_block.h"
#include "sim/tests/core/scripted_kernel.h"

namespace paws::core {
namespace {

constexpr std::array<unsigned, 2> kPhases{100, 40};

/// The slots in which warps of each launch were seen, and cycles with warps of both.
struct Seen {
  std::array<std::set<std::uint32_t>, 2> warps;
  unsigned together = 0;
};

/// Sees to it that a warp shows its scheduler the phase of its own kernel.
class PhaseCheck final : public CoreObserver {
 public:
  explicit PhaseCheck(Seen& seen) : seen_(seen) {}

  void begin(const Core& core, const RunningKernels& running, std::uint64_t /*cycle*/) override {
    core_ = &core;
    EXPECT_THROW((void)running.only(), std::logic_error) << "there are two";
  }
  void decided(const SchedulerView& view) override {
    const WarpSlots slots(core_->schedulers());
    for (std::uint32_t warp = view.number; warp < core_->warps(); warp += core_->schedulers()) {
      const WarpView at = core_->view(warp);
      if (!at.live) continue;
      seen_.warps.at(at.launch).insert(warp);
      EXPECT_EQ(view.inputs->phase[slots.local(warp)], kPhases.at(at.launch)) << "warp " << warp;
    }
  }
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void stepped(std::uint64_t /*cycle*/) override {
    std::array<unsigned, 2> live{};
    for (std::uint32_t warp = 0; warp < core_->warps(); ++warp) {
      const WarpView at = core_->view(warp);
      if (at.live) ++live.at(at.launch);
    }
    if (live[0] > 0 && live[1] > 0) ++seen_.together;
  }
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t /*cycle*/) override {}

 private:
  Seen& seen_;
  const Core* core_ = nullptr;
};

class CoreLaunches : public testing::Test {
 protected:
  struct Result {
    CoreStatistics statistics;
    std::array<LaunchCounts, 2> counts;
    std::array<std::vector<ScriptIssue>, 2> issues;
    Resources least;  ///< that was free at a time
    Seen seen;
  };

  CoreLaunches() {
    config_.cores = 1;
    scheduler_.warps = config_.warps_per_scheduler();
    scheduler_.level = Level::two_level;
    config_.scheduler.remaining_distance = false;
    for (unsigned i = 0; i < 2; ++i) {
      timed_.emplace_back(kernels_[i], config_, kCodeBase + std::uint64_t{i} * 4096);
      needs_[i][Resource::block_slots] = 1;
      needs_[i][Resource::warps] = scripts_[i].size();
      needs_[i][Resource::threads] = scripts_[i].size() * ir::kWarpSize;
    }
    // Registers for four blocks of the first launch, or eight of the second.
    const std::uint64_t registers = config_.frontend.register_file.registers;
    needs_[0][Resource::registers] = registers / 4;
    needs_[1][Resource::registers] = registers / 8;
  }

  /// So many blocks of each launch, in turn, each as soon as there is room.
  Result run(std::array<unsigned, 2> blocks, bool skip = true) {
    Result result;
    memory::MemorySystem memory(config_);
    ScoreboardCore core(config_, scheduler_, make_model, 0, memory.port(0),
                        std::make_unique<PhaseCheck>(result.seen));
    RunningKernels running;
    running.skip_idle_cycles = skip;
    for (unsigned i = 0; i < 2; ++i) {
      running.launches.push_back({&timed_[i], needs_[i], [this, i, &result](std::uint32_t) {
                                    return std::make_unique<ScriptedBlock>(scripts_[i],
                                                                           result.issues[i]);
                                  }});
    }
    core.begin(running, 0);
    result.least = core.free();
    std::array<unsigned, 2> started{};
    unsigned turn = 0;
    for (std::uint64_t cycle = 0; started != blocks || !core.idle(); ++cycle) {
      core.run(cycle, cycle + 1);
      memory.exchange();
      memory.advance(cycle + 1);
      memory.exchange();
      for (const Resource resource : kResources) {
        result.least[resource] = std::min(result.least[resource], core.free()[resource]);
      }
      for (unsigned i = 0; i < 2; ++i) {
        const unsigned launch = (turn + i) % 2;
        if (started[launch] == blocks[launch] || !core.free().hold(needs_[launch])) continue;
        core.add_block(launch, started[launch]++, cycle + 1);
        turn = launch + 1;
        break;
      }
      stuck_ = core.stuck_warp();
      if (cycle > 50'000) return result;
    }
    EXPECT_EQ(core.free(), core_resources(config_)) << "all is given back";
    core.end(core.idle_since() + 1);
    result.statistics = core.statistics();
    for (unsigned i = 0; i < 2; ++i) result.counts[i] = core.counts(i);
    return result;
  }

  GpuConfig config_ = load_gpu("m2090");
  SchedulerConfig scheduler_;
  std::array<ir::Kernel, 2> kernels_{make_kernel("first", kPhases[0]),
                                     make_kernel("second", kPhases[1])};
  /// Two warps that load and meet, three that compute, one of them with eight lanes.
  std::array<ScriptedBlock::Scripts, 2> scripts_{
      ScriptedBlock::Scripts{
          {{kLoad, ~0U, 0x1000}, {kUse}, {kBarrier, ~0U, 0, true}, {kAdd}, {kExit}},
          {{kAdd}, {kBarrier, ~0U, 0, true}, {kLoad, ~0U, 0x2000}, {kUse}, {kExit}}},
      ScriptedBlock::Scripts{{{kAdd}, {kBranch}, {kAdd}, {kAdd}, {kExit}},
                             {{kAdd, 0xff}, {kAdd}, {kExit}},
                             {{kAdd}, {kBranch}, {kLoad, ~0U, 0x1000}, {kUse}, {kExit}}}};
  std::vector<TimedKernel> timed_;
  std::array<Resources, 2> needs_;
  std::optional<std::string> stuck_;
};

TEST_F(CoreLaunches, EveryWarpRunsItsOwnKernel) {
  const Result both = run({20, 20});
  for (unsigned launch = 0; launch < 2; ++launch) {
    std::map<std::pair<std::uint64_t, unsigned>, std::vector<std::uint32_t>> issued;
    for (const ScriptIssue& issue : both.issues[launch]) {
      issued[{issue.block, issue.warp}].push_back(issue.pc);
    }
    EXPECT_EQ(issued.size(), 20 * scripts_[launch].size());
    for (const auto& [warp, pcs] : issued) {
      std::vector<std::uint32_t> expected;
      for (const ScriptStep& step : scripts_[launch][warp.second]) expected.push_back(step.pc);
      EXPECT_EQ(pcs, expected) << "launch " << launch << ", block " << warp.first;
    }
  }
  EXPECT_GT(both.seen.together, 100U) << "cycles with warps of both";
  std::vector<std::uint32_t> shared;
  std::set_intersection(both.seen.warps[0].begin(), both.seen.warps[0].end(),
                        both.seen.warps[1].begin(), both.seen.warps[1].end(),
                        std::back_inserter(shared));
  EXPECT_FALSE(shared.empty()) << "warp slots go from one launch to the other";
  EXPECT_FALSE(stuck_.has_value());
}

TEST_F(CoreLaunches, ResourcesAreShared) {
  const std::uint64_t registers = config_.frontend.register_file.registers;
  EXPECT_EQ(run({20, 0}).least[Resource::registers], 0U) << "four of the first fill it";
  EXPECT_EQ(run({0, 20}).least[Resource::registers], 0U) << "eight of the second do";
  const Result both = run({20, 20});
  EXPECT_EQ(both.least[Resource::registers], 0U);
  needs_[1][Resource::registers] = registers / 8 + config_.frontend.register_file.granule;
  EXPECT_EQ(run({1, 20}).least[Resource::registers],
            registers - registers / 4 - 5 * needs_[1][Resource::registers])
      << "five of the second beside one of the first";
}

TEST_F(CoreLaunches, TailsOfBlocksAreFromTheExitsOn) {
  const Result result = run({20, 0});  // no block is said to be the last, so all of them count
  std::map<std::uint64_t, std::vector<std::uint64_t>> exits;
  for (const ScriptIssue& issue : result.issues[0]) {
    if (issue.pc == kExit) exits[issue.block].push_back(issue.cycle);
  }
  std::uint64_t between = 0;
  for (const auto& [block, cycles] : exits) between += cycles.at(1) - cycles.at(0);
  const BlockTailCounts& tails = result.statistics.tails;
  EXPECT_EQ(tails.blocks, 20U);
  EXPECT_GT(between, 0U);
  EXPECT_EQ(2 * tails.tail_cycles - tails.lost_warp_cycles, between) << "two warps in each block";
  EXPECT_GE(tails.tail_cycles, between);
  EXPECT_GT(tails.warp_slot_cycles, result.statistics.warp_cycles);
}

TEST_F(CoreLaunches, CountsAreThoseOfTheLaunch) {
  const Result both = run({7, 9});
  const CoreStatistics& all = both.statistics;
  EXPECT_EQ(both.counts[0].blocks, 7U);
  EXPECT_EQ(both.counts[1].blocks, 9U);
  EXPECT_EQ(both.counts[0].warp_instructions, 7U * 10);
  EXPECT_EQ(both.counts[0].thread_instructions, 7U * 10 * 32);
  EXPECT_EQ(both.counts[1].warp_instructions, 9U * 13);
  EXPECT_EQ(both.counts[1].thread_instructions, 9U * (12 * 32 + 8));
  EXPECT_EQ(both.counts[0].warp_cycles + both.counts[1].warp_cycles, all.warp_cycles);
  EXPECT_GT(both.counts[1].warp_cycles, 0U);
  for (const LaunchCounts& counts : both.counts) {
    EXPECT_LE(counts.active_cycles, all.active_cycles());
    EXPECT_GE(counts.warp_cycles, counts.active_cycles);
  }
  EXPECT_GE(both.counts[0].active_cycles + both.counts[1].active_cycles, all.active_cycles());
  // Alone each is active whenever the core is.
  const Result alone = run({7, 0});
  EXPECT_EQ(alone.counts[0].active_cycles, alone.statistics.active_cycles());
  EXPECT_EQ(alone.counts[0].warp_cycles, alone.statistics.warp_cycles);
  // The other one has nothing but its share of the time.
  LaunchCounts nothing;
  for (unsigned i = 0; i < kLaunchParts; ++i) {
    nothing.parts[i].cycles = alone.statistics.parts[i].cycles;
  }
  EXPECT_EQ(alone.counts[1], nothing);
}

TEST_F(CoreLaunches, CodeOfTwoKernelsIsTwoLines) {
  const std::uint64_t first = run({1, 0}).statistics.icache_misses;
  const std::uint64_t second = run({0, 1}).statistics.icache_misses;
  EXPECT_EQ(first, 1U);
  EXPECT_EQ(run({1, 1}).statistics.icache_misses, first + second);
}

TEST_F(CoreLaunches, SkippedCyclesChangeNothing) {
  const Result skipping = run({6, 11});
  const Result stepping = run({6, 11}, false);
  EXPECT_EQ(skipping.statistics, stepping.statistics);
  EXPECT_EQ(skipping.counts, stepping.counts);
  EXPECT_EQ(skipping.issues, stepping.issues);
}

TEST_F(CoreLaunches, ABlockWithoutRoomIsRefused) {
  memory::MemorySystem memory(config_);
  ScoreboardCore core(config_, scheduler_, make_model, 0, memory.port(0));
  RunningKernels running;
  std::vector<ScriptIssue> issues;
  for (unsigned i = 0; i < 2; ++i) {
    running.launches.push_back({&timed_[i], needs_[i], [this, i, &issues](std::uint32_t) {
                                  return std::make_unique<ScriptedBlock>(scripts_[i], issues);
                                }});
  }
  core.begin(running, 0);
  for (unsigned block = 0; block < 3; ++block) core.add_block(0, block, block);
  for (unsigned block = 0; block < 3; ++block) core.add_block(1, block, 3 + block);
  EXPECT_NO_THROW(core.run(5, 5));
  EXPECT_THROW(core.run(6, 6), std::logic_error) << "registers for two of the second are left";
}

TEST_F(CoreLaunches, AStuckWarpIsThatOfItsKernel) {
  scripts_[1] = {{{kBarrier, ~0U, 0, true}, {kExit}}, {}, {{kExit}}};
  for (unsigned i = 0; i < 50'000; ++i) scripts_[1][1].push_back({kBranch});
  run({1, 1});
  ASSERT_TRUE(stuck_.has_value());
  EXPECT_NE(stuck_->find("kernel 'second', block (0,0,0), warp 0 stands at a barrier"),
            std::string::npos)
      << *stuck_;
}

}  // namespace
}  // namespace paws::core
