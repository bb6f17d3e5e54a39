// SPDX-License-Identifier: MIT
// What the core tells its schedulers: in which order warps are launched, what they may share, when
// a warp waits, and the phase of its next instruction, with the keys scheduler.branch_demotes,
// scheduler.remaining_distance and scheduler.key_source.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/observe/queue_observer.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// The golden model; notes the phase of slot 0 whenever it issues.
class Noting final : public Scheduler {
 public:
  Noting(std::unique_ptr<Scheduler> model, std::vector<unsigned>& phases)
      : model_(std::move(model)), phases_(phases) {}

  [[nodiscard]] const SchedulerConfig& config() const override { return model_->config(); }
  void reset() override { model_->reset(); }
  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    phase_ = inputs.phase[0];
    outputs_ = model_->decide(inputs);
    return outputs_;
  }
  void commit() override {
    if (outputs_.issue_valid) phases_.push_back(phase_);
    model_->commit();
  }
  [[nodiscard]] QueueSnapshot snapshot() const override { return model_->snapshot(); }

 private:
  std::unique_ptr<Scheduler> model_;
  std::vector<unsigned>& phases_;
  unsigned phase_ = 0;
  SchedulerOutputs outputs_;
};

/// A warp whose second phase begins with what it has loaded.
std::string load_and_use() {
  return "ld.volatile.global.u32 %r1, [%rd0];\n" +
         repeat(6, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; });
}

/// The phase that the scheduler sees in each issue of a single warp.
std::vector<unsigned> phases_seen(const std::string& setting, const std::string& body) {
  std::vector<unsigned> phases;
  GpuRun run;
  run.shape.block = {32, 1, 1};
  set_key(run.config, setting);
  run.factory = [&phases](const SchedulerConfig& config) {
    return std::make_unique<Noting>(make_model(config), phases);
  };
  run.run(body + "st.global.u32 [%rd0], %r1;\nret;");
  return phases;
}

TEST(PhaseOfTheNext, WithoutRemainingDistanceAPhaseHasOneLength) {
  const std::vector<unsigned> lengths =
      phases_seen("scheduler.remaining_distance=false", load_and_use());
  EXPECT_EQ(std::set<unsigned>(lengths.begin(), lengths.end()).size(), 2U);
}

TEST(PhaseOfTheNext, RemainingDistanceFallsFromThePhaseLengthOn) {
  const std::vector<unsigned> lengths =
      phases_seen("scheduler.remaining_distance=false", load_and_use());
  const std::vector<unsigned> distances =
      phases_seen("scheduler.remaining_distance=true", load_and_use());
  ASSERT_EQ(distances.size(), lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const bool first = i == 0 || lengths[i] != lengths[i - 1];
    if (first) {
      EXPECT_EQ(distances[i], lengths[i]) << "instruction " << i;
    } else {
      EXPECT_LT(distances[i], distances[i - 1]) << "instruction " << i;
    }
  }
}

TEST(PhaseOfTheNext, LearnedLengthsAreInstructionsBetweenWaits) {
  // The phase from the first add to the next load is learned when it begins again.
  const std::vector<unsigned> lengths =
      phases_seen("scheduler.key_source=4",
                  "mov.u32 %r2, 0;\nLOOP:\n" + load_and_use() +
                      "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p0, %r2, 4;\n@%p0 bra LOOP;\n");
  const std::set<unsigned> seen(lengths.begin(), lengths.end());
  // Six additions, the counter, its comparison, the branch and the load.
  EXPECT_EQ(seen, (std::set<unsigned>{0, 10}));
  EXPECT_EQ(std::ranges::count(lengths, 10U), 2) << "of four rounds the last two know";
}

struct WarpLaunch {
  std::uint64_t cycle = 0;
  WarpId slot = 0;
  unsigned phase = 0;        ///< length given with the launch
  unsigned first_issue = 0;  ///< length of the phase of the first instruction, in its issue
};

/// Notes the warp launches of the two schedulers of one core.
class WarpLaunchWatch final : public core::CoreObserver {
 public:
  explicit WarpLaunchWatch(std::array<std::vector<WarpLaunch>, 2>& launches)
      : launches_(launches) {}

  void begin(const core::Core& /*core*/, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {}
  void decided(const core::SchedulerView& view) override {
    std::vector<WarpLaunch>& launches = launches_.at(view.number);
    const SchedulerInputs& inputs = *view.inputs;
    if (view.outputs->issue_valid) {
      const WarpId slot = view.outputs->issue_warp;
      if (const auto fresh = not_issued_.extract({view.number, slot})) {
        launches[fresh.mapped()].first_issue = inputs.phase[slot];
      }
    }
    if (inputs.launch_valid) {
      const WarpId slot = inputs.launch_warp;
      not_issued_[{view.number, slot}] = launches.size();
      launches.push_back({view.cycle, slot, inputs.phase[slot]});
    }
  }
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t /*cycle*/) override {}

 private:
  std::array<std::vector<WarpLaunch>, 2>& launches_;
  std::map<std::pair<unsigned, WarpId>, std::size_t> not_issued_;  ///< to the index of the launch
};

TEST(Launches, AreInWarpOrderOnePerCycleWithTheLengthOfTheFirstPhase) {
  constexpr unsigned kBlocks = 10;   // six of eight warps fit a core
  constexpr unsigned kOfABlock = 4;  // per scheduler
  std::array<std::vector<WarpLaunch>, 2> launches;
  GpuRun run;
  run.shape.grid = {kBlocks, 1, 1};
  run.shape.block = {2 * kOfABlock * 32, 1, 1};
  run.options.observe = [&launches](std::uint32_t) {
    return std::make_unique<WarpLaunchWatch>(launches);
  };
  run.run("ld.volatile.global.u32 %r1, [%rd0];\n" +
          repeat(20, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) + "ret;");
  for (const std::vector<WarpLaunch>& of_one : launches) {
    ASSERT_EQ(of_one.size(), kBlocks * kOfABlock);
    for (std::size_t i = 0; i < of_one.size(); ++i) {
      EXPECT_EQ(of_one[i].slot % kOfABlock, i % kOfABlock) << "launch " << i;
      EXPECT_EQ(of_one[i].phase, of_one[i].first_issue) << "launch " << i;
      EXPECT_GT(of_one[i].phase, 0U);
      if (i % kOfABlock == 0) continue;
      EXPECT_EQ(of_one[i].slot, of_one[i - 1].slot + 1) << "launch " << i;
      EXPECT_EQ(of_one[i].cycle, of_one[i - 1].cycle + 1) << "launch " << i;
    }
  }
}

/// Counts the issues to units that schedulers share, and notes cycles in which there were several.
class SharedUnitWatch final : public core::CoreObserver {
 public:
  SharedUnitWatch(unsigned& issues, std::set<std::uint64_t>& clashes)
      : issues_(issues), clashes_(clashes) {}

  void begin(const core::Core& /*core*/, const core::RunningKernels& running,
             std::uint64_t /*cycle*/) override {
    kernel_ = running.only().timed;
  }
  void decided(const core::SchedulerView& /*view*/) override {}
  void issued(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t pc) override {
    if ((*kernel_)[pc].unit == core::Unit::alu) return;
    ++issues_;
    if (last_ == cycle) clashes_.insert(cycle);
    last_ = cycle;
  }
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t /*cycle*/) override {}

 private:
  const core::TimedKernel* kernel_ = nullptr;
  std::optional<std::uint64_t> last_;
  unsigned& issues_;
  std::set<std::uint64_t>& clashes_;
};

TEST(SharedUnits, AreNeverGivenToTwoSchedulersInOneCycle) {
  constexpr unsigned kEach = 20;
  for (const char* schedulers : {"core.schedulers=2", "core.schedulers=3"}) {
    unsigned issues = 0;
    std::set<std::uint64_t> clashes;
    GpuRun run;
    for (const char* setting : {schedulers, "core.issue_interval=1", "core.sfu_interval=1"}) {
      set_key(run.config, setting);
    }
    run.shape.block = {12 * 32, 1, 1};
    run.options.observe = [&](std::uint32_t) {
      return std::make_unique<SharedUnitWatch>(issues, clashes);
    };
    run.run(repeat(kEach, [](unsigned i) { return fmt::format("ex2.approx.f32 %f{}, %f99;", i); }) +
            repeat(kEach, [](unsigned i) { return fmt::format("add.f32 %f98, %f98, %f{};", i); }) +
            "cvt.rzi.u32.f32 %r1, %f98;\nst.global.u32 [%rd0], %r1;\nret;");
    EXPECT_GE(issues, 12 * kEach) << schedulers;
    EXPECT_EQ(clashes, std::set<std::uint64_t>{}) << schedulers;
  }
}

constexpr unsigned kWarps = 4;

/// What the queues of one core did in a block of kWarps warps that do `body`, and store %r1. A
/// warp that waits leaves ready: a demotion.
QueueStatistics queues_of(GpuRun run, const std::string& body) {
  observe::QueueWatch queues{1};
  run.shape.block = {kWarps * 32, 1, 1};
  run.options.observe = [&queues](std::uint32_t core) { return queues.observer(core); };
  run.run(body + "\nst.global.u32 [%rd0], %r1;\nret;");
  return queues.total();
}

TEST(Waits, ShortLatenciesFullUnitsAndEmptyBuffersAreNoWaiting) {
  GpuRun run;
  run.config.icache.bytes = 2048;  // misses
  const std::string body =
      "mov.u32 %r2, shared_words;\nst.shared.u32 [%r2], %r0;\nld.shared.u32 %r1, [%r2];\n" +
      repeat(20, [](unsigned) { return "ex2.approx.f32 %f1, %f1;"; }) +
      "cvt.rzi.u32.f32 %r3, %f1;\nadd.u32 %r1, %r1, %r3;\n" +
      repeat(600, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; });
  EXPECT_EQ(queues_of(run, body).demotions, 0U);
}

TEST(Waits, AnOperandOfALongOperationIsWaitedFor) {
  EXPECT_EQ(queues_of({}, "ld.volatile.global.u32 %r1, [%rd0];").demotions, kWarps) << "read";
  EXPECT_EQ(queues_of({}, "atom.global.add.u32 %r1, [%rd0], 1;").demotions, kWarps) << "read";
}

TEST(Waits, WhatIsNeverReadIsNotWaitedFor) {
  EXPECT_EQ(queues_of({}, "ld.volatile.global.u32 %r2, [%rd0];").demotions, 0U);
  EXPECT_EQ(queues_of({}, "red.global.add.u32 [%rd0], 1;").demotions, 0U);
}

TEST(Waits, AWarpAtABarrierWaitsButForTheLastToArrive) {
  EXPECT_EQ(queues_of({}, "bar.sync 0;").demotions, kWarps - 1);
}

constexpr unsigned kBranches = 5;
const std::string& branches() {
  static const std::string text =
      "setp.lt.u32 %p1, %r0, 64;\n" + repeat(kBranches, [](unsigned i) {
        return fmt::format("@%p1 bra L{0};\nadd.u32 %r1, %r1, 1;\nL{0}:", i);
      });
  return text;
}

TEST(Waits, ABranchIsWaitedForWithBranchDemotesAlone) {
  GpuRun run;
  EXPECT_EQ(queues_of(run, branches()).demotions, 0U);
  set_key(run.config, "scheduler.branch_demotes=true");
  const QueueStatistics queues = queues_of(run, branches());
  EXPECT_EQ(queues.demotions, kWarps * kBranches);
  EXPECT_EQ(queues.wakes, kWarps * kBranches);
  EXPECT_EQ(queues.promotions, kWarps + kWarps * kBranches);
}

}  // namespace
}  // namespace paws
