// Golden model and RTL in lockstep under random hosts: every engine of the matrix with assertions,
// every policy.
#include <gtest/gtest.h>

#include <iostream>
#include <numeric>

#include "tb/engine/engine_registry.h"
#include "tb/lockstep/lockstep.h"
#include "tb/random/drive.h"

namespace paws {
namespace {

/// Per engine and policy. With the matrix as it is, over two million cycles in all.
constexpr std::uint64_t kCycles = 36'000;

struct Subject {
  BuiltEngine engine;
  SchedulerConfig config;
};

std::string name_of(const Subject& subject) {
  return engine_name(subject.engine.parameters) + "_" + subject.config.policy;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const auto engines : {standard_engines(), matrix_engines()}) {
    for (const BuiltEngine& engine : engines) {
      const EngineParameters& parameters = engine.parameters;
      if (!parameters.checked) continue;
      for (const char* policy : {"rr", "gto", "paws", "oldest"}) {
        if (parameters.level == Level::two_level && std::string(policy) == "oldest") continue;
        all.push_back({engine,
                       {parameters.level, policy, parameters.warps,
                        parameters.ready != 0 ? parameters.ready : 1, parameters.phase_bits,
                        parameters.tie_by_arrival && std::string(policy) == "paws"}});
      }
    }
  }
  return all;
}

// For GoogleTest, which would print bytes.
void PrintTo(const Subject& subject, std::ostream* out) { *out << name_of(subject); }

class RandomLockstep : public testing::TestWithParam<Subject> {};

TEST_P(RandomLockstep, AgreesInEveryCycle) {
  const Subject& subject = GetParam();
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run);
  std::cout << reproduce << '\n';
  const auto lockstep = make_lockstep(make_model(subject.config),
                                      make_engine(subject.engine, subject.config), reproduce);
  EventCounts counts(subject.config);
  drive_all_scenarios(*lockstep, run, name_of(subject), &counts);
  if (run.cycles < kCycles) return;  // too short a run need not meet everything
  for (const std::string& situation : counts.missing()) {
    ADD_FAILURE() << "the stimulus never met: " << situation;
  }
}

INSTANTIATE_TEST_SUITE_P(Matrix, RandomLockstep, testing::ValuesIn(subjects()),
                         [](const auto& subject) { return name_of(subject.param); });

// The promise of the ordinary run, kept when somebody trims the matrix or the cycles.
TEST(RandomLockstepSize, IsTwoMillionCyclesInAnOrdinaryRun) {
  EXPECT_GE(subjects().size() * kCycles, 2'000'000U);
}

}  // namespace
}  // namespace paws
