// What the core tells its schedulers: when a warp waits, and the phase of its next instruction,
// with the keys scheduler.branch_demotes and scheduler.remaining_distance.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
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

/// One warp whose second phase begins with what it has loaded: the phase that the scheduler sees
/// in each of its issues.
std::vector<unsigned> phases_seen(const std::string& setting) {
  std::vector<unsigned> phases;
  GpuRun run;
  run.shape.block = {32, 1, 1};
  set_key(run.config, setting);
  run.factory = [&phases](const SchedulerConfig& config) {
    return std::make_unique<Noting>(make_model(config), phases);
  };
  run.run("ld.volatile.global.u32 %r1, [%rd0];\n" +
          repeat(6, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) +
          "st.global.u32 [%rd0], %r1;\nret;");
  return phases;
}

TEST(PhaseOfTheNext, WithoutRemainingDistanceAPhaseHasOneLength) {
  const std::vector<unsigned> lengths = phases_seen("scheduler.remaining_distance=false");
  EXPECT_EQ(std::set<unsigned>(lengths.begin(), lengths.end()).size(), 2U);
}

TEST(PhaseOfTheNext, RemainingDistanceFallsFromThePhaseLengthOn) {
  const std::vector<unsigned> lengths = phases_seen("scheduler.remaining_distance=false");
  const std::vector<unsigned> distances = phases_seen("scheduler.remaining_distance=true");
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

TEST(Waits, WhatNobodyReadsIsNotWaitedFor) {
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
