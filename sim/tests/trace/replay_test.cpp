// SPDX-License-Identifier: MIT
// Replay into every engine, and the comparison of two recordings.

#include "sim/trace/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/tests/trace/support.h"
#include "sim/trace/diff.h"

namespace paws::trace {
namespace {

ReplayResult replay(const std::string& path, const EngineFactory& factory,
                    const std::string& scheduler = "") {
  const DecisionReader reader(path);
  SchedulerConfig config = reader.run().scheduler;
  if (!scheduler.empty()) set_scheduler_name(config, scheduler);
  Replay replay(reader.run(), 0, config, factory);
  reader.read(0, replay);
  return replay.finish();
}

/// Changes the 200th issue; where it was.
struct Tampered {
  std::uint64_t cycle = 0;
  unsigned scheduler = 0;
};
Tampered tamper(const std::string& from, const std::string& to) {
  Tampered where;
  unsigned issues = 0;
  rewrite(from, to, [&](CoreStep& step) {
    for (unsigned s = 0; s < step.schedulers.size(); ++s) {
      SchedulerOutputs& outputs = step.schedulers[s].outputs;
      if (!outputs.issue_valid || ++issues != 200) continue;
      outputs.issue_warp = (outputs.issue_warp + 1) % 24;
      where = {step.cycle, s};
    }
  });
  return where;
}

class EveryReplay : public TraceTest, public testing::WithParamInterface<std::string> {};

TEST_P(EveryReplay, DecidesAsRecordedOnEveryEngine) {
  const std::string path = record(busy(GetParam()), "t");
  const ReplayResult model = replay(path, make_model);
  EXPECT_FALSE(model.mismatch) << *model.mismatch;
  EXPECT_GT(model.issues, 1000U);
  EXPECT_GT(model.scheduler_cycles, model.issues);
  EXPECT_GT(model.cycles, 0U);
  for (const EngineFactory& factory :
       {EngineFactory([](const SchedulerConfig& config) { return make_rtl(config); }),
        EngineFactory(
            [](const SchedulerConfig& config) { return make_lockstep(config, "none"); })}) {
    const ReplayResult other = replay(path, factory);
    EXPECT_FALSE(other.mismatch) << *other.mismatch;
    EXPECT_EQ(other.scheduler_cycles, model.scheduler_cycles);
    EXPECT_EQ(other.issues, model.issues);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, EveryReplay, testing::ValuesIn(rtl_scheduler_names()));

using ReplayTest = TraceTest;

TEST_F(ReplayTest, NamesTheCycleOfATamperedDecision) {
  const std::string path = record(busy("two-level:paws"), "t");
  const Tampered where = tamper(path, file("tampered"));
  ASSERT_GT(where.cycle, 0U);
  const ReplayResult result = replay(file("tampered"), make_model);
  ASSERT_TRUE(result.mismatch);
  EXPECT_NE(result.mismatch->find(fmt::format("in cycle {}, core 0, scheduler {}, launch 0 (test)",
                                              where.cycle, where.scheduler)),
            std::string::npos)
      << *result.mismatch;
  for (const char* word : {"recorded", "replayed", "issuable", "queues", "ready ["}) {
    EXPECT_NE(result.mismatch->find(word), std::string::npos) << *result.mismatch;
  }
}

TEST_F(ReplayTest, KeepsTheOrderOfWakes) {
  GpuRun run = busy("two-level:rr");
  run.config.cores = 1;  // slots are used again, so that they are not in the order of age
  run.config.scheduler.wake_oldest = true;
  const std::string path = record(run, "t");
  EXPECT_FALSE(replay(path, make_model).mismatch);
  const ReplayResult by_slot = replay(path, [](SchedulerConfig config) {
    config.wake_oldest = false;
    return make_model(config);
  });
  EXPECT_TRUE(by_slot.mismatch);
}

TEST_F(ReplayTest, CountsWhatAnotherSingleLevelPolicyWouldDecide) {
  GpuRun run = busy("single:gto");
  run.shape.block = {128, 1, 1};  // two warps per scheduler, for SCA to alternate
  const std::string path = record(run, "t");
  const ReplayResult same = replay(path, make_model, "single:gto");
  EXPECT_EQ(same.different, 0U);
  for (const char* scheduler : {"single:oldest", "single:sca", "single:tlv"}) {
    const ReplayResult other = replay(path, make_model, scheduler);
    EXPECT_FALSE(other.mismatch) << scheduler;
    EXPECT_GT(other.different, 0U) << scheduler;
    EXPECT_LT(other.different, other.issues) << scheduler;
  }
}

TEST_F(ReplayTest, EveryPolicyOfTheModelDecidesAsRecorded) {
  for (const std::string& scheduler : scheduler_names()) {
    const std::string path = record(busy(scheduler), "t");
    const ReplayResult result = replay(path, make_model);
    EXPECT_FALSE(result.mismatch) << *result.mismatch;
    EXPECT_GT(result.issues, 1000U) << scheduler;
  }
}

using Diff = TraceTest;

DiffResult diff_files(const std::string& a, const std::string& b) {
  return diff(DecisionReader(a), DecisionReader(b), 0);
}

TEST_F(Diff, EqualRunsDoNotPart) {
  const std::string path = record(busy("two-level:paws"), "t");
  const DiffResult result = diff_files(path, path);
  EXPECT_FALSE(result.parting) << *result.parting;
  EXPECT_EQ(result.different, 0U);
  EXPECT_EQ(result.compared, 2 * result.a_cycles);
}

TEST_F(Diff, AnotherPolicyPartsByADecision) {
  const std::string rr = record(busy("two-level:rr"), "rr");
  const std::string paws = record(busy("two-level:paws"), "paws");
  const DiffResult result = diff_files(rr, paws);
  ASSERT_TRUE(result.parting);
  for (const char* words : {"from the same inputs, another decision", "ready [",
                            "the queues parted in cycle", "two-level:rr", "two-level:paws"}) {
    EXPECT_NE(result.parting->find(words), std::string::npos) << words << *result.parting;
  }
  EXPECT_GT(result.different, 0U);
}

TEST_F(Diff, SaysThatInputsPartFirst) {
  const std::string path = record(busy("single:gto"), "t");
  std::uint64_t cycle = 0;
  unsigned steps = 0;
  rewrite(path, file("u"), [&](CoreStep& step) {
    SchedulerInputs& inputs = step.schedulers[1].inputs;
    if (cycle != 0 || ++steps < 300 || inputs.long_outstanding == 0) return;
    inputs.long_outstanding &= inputs.long_outstanding - 1;
    cycle = step.cycle;
  });
  ASSERT_GT(cycle, 0U);
  const DiffResult result = diff_files(path, file("u"));
  ASSERT_TRUE(result.parting);
  EXPECT_NE(result.parting->find(fmt::format(
                "scheduler 1, cycle {}: the inputs part first, long_outstanding of", cycle)),
            std::string::npos)
      << *result.parting;
  EXPECT_EQ(result.different, 0U);
}

TEST_F(Diff, ShorterRunsAndTamperedDecisionsShow) {
  const std::string path = record(busy("single:rr"), "t");
  const Tampered where = tamper(path, file("u"));
  const DiffResult tampered = diff_files(path, file("u"));
  ASSERT_TRUE(tampered.parting);
  EXPECT_NE(tampered.parting->find(fmt::format("scheduler {}, cycle {}: from the same inputs",
                                               where.scheduler, where.cycle)),
            std::string::npos)
      << *tampered.parting;
  EXPECT_EQ(tampered.different, 1U);

  GpuRun once = busy("single:rr");
  once.launches = 1;
  const DiffResult shorter = diff_files(path, record(once, "v"));
  ASSERT_TRUE(shorter.parting);
  EXPECT_NE(shorter.parting->find("has a launch more"), std::string::npos) << *shorter.parting;
}

}  // namespace
}  // namespace paws::trace
