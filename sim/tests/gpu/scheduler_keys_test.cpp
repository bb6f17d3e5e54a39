// What the keys scheduler.remaining_distance and scheduler.branch_demotes do at the scheduler's
// ports.

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

TEST(SchedulerKeys, WithoutRemainingDistanceAPhaseHasOneLength) {
  const std::vector<unsigned> lengths = phases_seen("scheduler.remaining_distance=false");
  EXPECT_EQ(std::set<unsigned>(lengths.begin(), lengths.end()).size(), 2U);
}

TEST(SchedulerKeys, RemainingDistanceFallsFromThePhaseLengthOn) {
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

/// Four warps of `branches` branches each, and no long operation.
QueueStatistics queues_of(const std::string& setting, unsigned branches) {
  observe::QueueWatch queues{1};
  GpuRun run;
  run.shape.block = {4 * 32, 1, 1};
  set_key(run.config, setting);
  run.options.observe = [&queues](std::uint32_t core) { return queues.observer(core); };
  run.run("setp.lt.u32 %p1, %r0, 64;\n" +
          repeat(branches,
                 [](unsigned i) {
                   return fmt::format("@%p1 bra L{0};\nadd.u32 %r1, %r1, 1;\nL{0}:", i);
                 }) +
          "st.global.u32 [%rd0], %r1;\nret;");
  return queues.total();
}

TEST(SchedulerKeys, WithoutBranchDemotesABranchKeepsItsReadyEntry) {
  EXPECT_EQ(queues_of("scheduler.branch_demotes=false", 5).demotions, 0U);
}

TEST(SchedulerKeys, WithBranchDemotesEveryBranchLeavesReadyOnce) {
  const QueueStatistics queues = queues_of("scheduler.branch_demotes=true", 5);
  EXPECT_EQ(queues.demotions, 4U * 5U);
  EXPECT_EQ(queues.wakes, 4U * 5U);
  EXPECT_EQ(queues.promotions, 4U + 4U * 5U);
}

}  // namespace
}  // namespace paws
