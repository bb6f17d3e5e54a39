// SPDX-License-Identifier: MIT
// A core alone: what it executes are scripts, as a recorded trace would give them, and its issue
// filter writes down what it is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sim/core/scoreboard_core.h"
#include "sim/memory/memory_system.h"
#include "sim/tests/core/scripted_block.h"
#include "sim/tests/core/scripted_kernel.h"

namespace paws::core {
namespace {

/// Two warps: the first loads twice, the second once and with eight lanes; they meet at the end.
ScriptedBlock::Scripts two_warps() {
  constexpr std::uint64_t kFirst = 0x1000;
  constexpr std::uint64_t kSecond = 0x2000;
  return {{{kAdd},
           {kLoad, ~0U, kFirst},
           {kUse},
           {kBranch},
           {kAdd},
           {kLoad, ~0U, kSecond},
           {kUse},
           {kBranch},
           {kBarrier, ~0U, 0, true},
           {kExit}},
          {{kAdd}, {kLoad, 0xff, kFirst}, {kUse}, {kBranch}, {kBarrier, ~0U, 0, true}, {kExit}}};
}

/// Writes down what it is told. Holds nothing back, but may ask for a call.
class FilterRecord final : public IssueFilter {
 public:
  struct Log {
    std::vector<std::string> events;
    std::vector<std::uint64_t> advanced;
    std::vector<L1Access> accesses;
  };

  FilterRecord(Log& log, std::uint64_t wake) : log_(log), wake_(wake) {}

  void begin(const Core& core, const RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {
    core_ = &core;
  }
  void block_started(std::uint64_t cycle, const BlockTable::Slot& slot) override {
    note("start", cycle, slot.block->index());
  }
  void block_ended(std::uint64_t cycle, const BlockTable::Slot& slot) override {
    note("end", cycle, slot.block->index());
  }
  void issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) override {
    if (pc == kExit) note("exit", cycle, warp);
  }
  void l1_accessed(const L1Access& access) override { log_.accesses.push_back(access); }
  void advance(std::uint64_t cycle) override {
    EXPECT_TRUE(log_.advanced.empty() || log_.advanced.back() < cycle);
    EXPECT_EQ(core_->statistics().cycles(), cycle) << "all cycles before, and no more";
    log_.advanced.push_back(cycle);
  }
  [[nodiscard]] WarpMask admit(unsigned /*scheduler*/, WarpMask issuable) const override {
    EXPECT_NE(issuable, 0U);
    return issuable;
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t cycle) const override {
    return cycle < wake_ ? wake_ : UINT64_MAX;
  }

 private:
  void note(const std::string& what, std::uint64_t cycle, std::uint64_t number) {
    EXPECT_EQ(core_->now(), cycle);
    log_.events.push_back(what + " " + std::to_string(number));
  }

  Log& log_;
  std::uint64_t wake_;
  const Core* core_ = nullptr;
};

class CoreTest : public testing::Test {
 protected:
  CoreTest() {
    config_.cores = 1;
    scheduler_.warps = config_.warps_per_scheduler();
    timed_.emplace(kernel_, config_, kCodeBase);
  }

  /// Runs `blocks` blocks, at most two at a time, to their end; returns what the core counted.
  CoreStatistics run(const ScriptedBlock::Scripts& scripts, unsigned blocks, bool skip,
                     std::unique_ptr<IssueFilter> filter = {}) {
    issues_.clear();
    memory::MemorySystem memory(config_);
    ScoreboardCore core(config_, scheduler_, make_model, 0, memory.port(0), {}, std::move(filter));
    RunningKernels running;
    running.skip_idle_cycles = skip;
    RunningKernel& launch = running.launches.emplace_back();
    launch.timed = &*timed_;
    launch.needs[Resource::block_slots] = 1;
    launch.needs[Resource::warps] = scripts.size();
    launch.needs[Resource::shared_memory] = config_.core.shared_bytes / 2;
    launch.make_block = [&](std::uint32_t number) {
      EXPECT_EQ(number, 0U);
      return std::make_unique<ScriptedBlock>(scripts, issues_);
    };
    core.begin(running, 0);
    unsigned started = 0;
    std::uint64_t start = 0;
    const auto hand_out = [&](std::uint64_t cycle) {
      if (started == blocks) return;
      start = std::max(start + 1, cycle);
      core.add_block(0, started++, start);
    };
    hand_out(0);
    hand_out(0);
    for (std::uint64_t cycle = 0; started < blocks || !core.idle(); ++cycle) {
      core.run(cycle, cycle + 1);
      memory.exchange();
      memory.advance(cycle + 1);
      memory.exchange();
      for (std::size_t i = 0; i < core.freed().size(); ++i) hand_out(cycle + 1);
      core.freed().clear();
      stuck_ = core.stuck_warp();
      if (cycle > 20'000) break;
    }
    if (core.idle()) core.end(core.idle_since() + 1);
    return core.statistics();
  }

  /// The cycles in which `warp` of block 0 issued.
  [[nodiscard]] std::vector<std::uint64_t> cycles_of(unsigned warp) const {
    std::vector<std::uint64_t> cycles;
    for (const ScriptIssue& issue : issues_) {
      if (issue.block == 0 && issue.warp == warp) cycles.push_back(issue.cycle);
    }
    return cycles;
  }

  GpuConfig config_ = load_gpu("m2090");
  SchedulerConfig scheduler_;
  ir::Kernel kernel_ = make_kernel();
  std::optional<TimedKernel> timed_;
  std::vector<ScriptIssue> issues_;
  std::optional<std::string> stuck_;
};

TEST_F(CoreTest, ExecutesWhatStandsBehindTheInterface) {
  const ScriptedBlock::Scripts scripts = two_warps();
  const CoreStatistics statistics = run(scripts, 5, true);
  std::map<std::pair<std::uint64_t, unsigned>, std::vector<std::uint32_t>> issued;
  for (const ScriptIssue& issue : issues_) issued[{issue.block, issue.warp}].push_back(issue.pc);
  EXPECT_EQ(issued.size(), 10U);
  for (const auto& [warp, pcs] : issued) {
    std::vector<std::uint32_t> expected;
    for (const ScriptStep& step : scripts[warp.second]) expected.push_back(step.pc);
    EXPECT_EQ(pcs, expected) << "block " << warp.first << ", warp " << warp.second;
  }
  EXPECT_EQ(statistics.blocks, 5U);
  EXPECT_EQ(statistics.executed, 5U * 16);
  EXPECT_EQ(statistics.warp_instructions(), 5U * 16);
  EXPECT_EQ(statistics.lanes[8], 5U) << "the load of the second warp";
  EXPECT_EQ(statistics.l1_accesses, 5U * 3);
  EXPECT_FALSE(stuck_.has_value());
}

TEST_F(CoreTest, ItsTimingFollowsTheOutcomes) {
  run(two_warps(), 1, true);
  const std::vector<std::uint64_t> first = cycles_of(0);
  const std::vector<std::uint64_t> second = cycles_of(1);
  ASSERT_EQ(first.size(), 10U);
  ASSERT_EQ(second.size(), 6U);
  const unsigned load = LoadStoreUnit::shortest_load(config_);
  EXPECT_GT(first[2], first[1] + load) << "the first line comes from DRAM";
  EXPECT_GT(first[6], first[5] + load) << "another address";
  EXPECT_GE(first[4], first[3] + config_.core.branch_latency) << "nothing issues behind a branch";
  EXPECT_GT(second[5], first[8]) << "the barrier lets no warp go before both are there";
  EXPECT_LT(second[4], first[5]) << "the second warp comes there early";
}

TEST_F(CoreTest, SkippedCyclesChangeNothing) {
  const CoreStatistics skipping = run(two_warps(), 7, true);
  const std::vector<ScriptIssue> issues = issues_;
  EXPECT_EQ(run(two_warps(), 7, false), skipping);
  EXPECT_EQ(issues_, issues);
}

TEST_F(CoreTest, AStuckScriptIsNamed) {
  // The first warp waits at a barrier for a second one that spins.
  ScriptedBlock::Scripts scripts{{{kBarrier, ~0U, 0, true}, {kExit}}, {}};
  for (unsigned i = 0; i < 20'000; ++i) scripts[1].push_back({kBranch});
  run(scripts, 1, true);
  ASSERT_TRUE(stuck_.has_value());
  EXPECT_NE(stuck_->find("14: kernel 'scripted', block (0,0,0), warp 0 stands at a barrier"),
            std::string::npos)
      << *stuck_;
}

TEST_F(CoreTest, AFilterLearnsWhatHappens) {
  FilterRecord::Log log;
  const CoreStatistics statistics =
      run(two_warps(), 3, true, std::make_unique<FilterRecord>(log, 0));
  EXPECT_EQ(statistics, run(two_warps(), 3, true)) << "a filter that holds nothing back";
  ASSERT_EQ(log.events.size(), 3U + 3 + 6);
  EXPECT_EQ(log.events[0], "start 0");
  EXPECT_EQ(log.events[1], "start 1");
  EXPECT_EQ(log.events.back(), "end 2");
  for (const std::string block : {"0", "1", "2"}) {
    const auto started = std::find(log.events.begin(), log.events.end(), "start " + block);
    const auto ended = std::find(log.events.begin(), log.events.end(), "end " + block);
    EXPECT_LT(started, ended) << "block " << block;
    EXPECT_GE(std::count_if(started, ended, [](const std::string& e) { return e[1] == 'x'; }), 2);
  }
  ASSERT_EQ(log.accesses.size(), 9U);
  EXPECT_EQ(log.accesses[0].result, memory::TagArray::Result::miss);
  EXPECT_EQ(log.accesses[0].line, 0x1000U);
  EXPECT_EQ(log.accesses[1].result, memory::TagArray::Result::pending);
  EXPECT_EQ(log.accesses[1].owner, log.accesses[0].warp);
  EXPECT_NE(log.accesses[1].warp, log.accesses[0].warp);
}

TEST_F(CoreTest, AFilterIsCalledInTheCycleThatItNames) {
  FilterRecord::Log log;
  run(two_warps(), 1, true, std::make_unique<FilterRecord>(log, 300));
  // Between the first loads' departure and their return nothing else happens.
  EXPECT_TRUE(std::binary_search(log.advanced.begin(), log.advanced.end(), 300U));
  FilterRecord::Log plain;
  run(two_warps(), 1, true, std::make_unique<FilterRecord>(plain, 0));
  EXPECT_FALSE(std::binary_search(plain.advanced.begin(), plain.advanced.end(), 300U))
      << "else the test shows nothing";
  EXPECT_EQ(log.advanced.size(), plain.advanced.size() + 1);
}

}  // namespace
}  // namespace paws::core
