// SPDX-License-Identifier: MIT
// Golden model and RTL in lockstep under random hosts: every engine of the matrix, every policy.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "engine/engine_registry.h"
#include "engine/lockstep/lockstep.h"
#include "model/registry.h"
#include "tb/random/drive.h"
#include "tb/random/failure.h"
#include "tb/random/subjects.h"

namespace paws {
namespace {

/// Per engine and policy. With the matrix as it is, over thirty million cycles in all.
constexpr std::uint64_t kCycles = 70'000;

std::vector<Subject> all_subjects() {
  std::vector<Subject> all = subjects(standard_engines());
  const std::vector<Subject> matrix = subjects(matrix_engines());
  all.insert(all.end(), matrix.begin(), matrix.end());
  return all;
}

class RandomLockstep : public testing::TestWithParam<Subject> {};

TEST_P(RandomLockstep, AgreesInEveryCycle) {
  const Subject& subject = GetParam();
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run);
  std::cout << reproduce << '\n';
  // Engines without assertions put off the clock edge until the queues are read: outputs alone
  // are compared, so that they run as in the simulator.
  const LockstepOptions options{.outputs_only = !subject.engine.parameters.checked};
  const auto lockstep = make_lockstep(
      make_model(subject.config), make_engine(subject.engine, subject.config), reproduce, options);
  EventCounts counts(subject.config, subject.engine.parameters.late_exit);
  try {
    drive_all_scenarios(*lockstep, run, name_of(subject), &counts,
                        host_options(subject.engine.parameters));
  } catch (const std::runtime_error& difference) {
    FAIL() << difference.what() << '\n'
           << keep_failure({subject.config, subject.engine.parameters, run}, difference.what());
  }
  if (run.cycles < kCycles) return;  // too short a run need not meet everything
  for (const std::string& situation : counts.missing()) {
    ADD_FAILURE() << "the stimulus never met: " << situation;
  }
}

INSTANTIATE_TEST_SUITE_P(Matrix, RandomLockstep, testing::ValuesIn(all_subjects()),
                         [](const auto& subject) { return name_of(subject.param); });

// What model/policies.toml says to be in the RTL: at random among all of its level, and built
// alone.
TEST(RandomLockstepSubjects, HaveEveryPolicyOfTheRtl) {
  const std::vector<Subject> all = all_subjects();
  for (const Policy& policy : policies()) {
    if (!policy.in_rtl()) continue;
    const auto runs = [&policy, &all](unsigned built) {
      return std::ranges::any_of(all, [&policy, built](const Subject& subject) {
        return subject.config.level == policy.level && subject.config.policy == policy.name &&
               subject.engine.parameters.policies == built;  // 0: the module is the policy
      });
    };
    SchedulerConfig config;
    config.level = policy.level;
    config.policy = policy.name;
    const unsigned all_built = policies_with(config);
    EXPECT_TRUE(runs(all_built) && runs(policy.rtl_code ? 1U << *policy.rtl_code : all_built))
        << "engine/matrix.cmake: no lockstep of "
        << (policy.level == Level::single ? "single:" : "two-level:") << policy.name
        << " in an engine with every policy, or with it alone";
  }
}

// The promise of the ordinary run, kept when the matrix or the cycles are cut.
TEST(RandomLockstepSize, IsTwoMillionCyclesInAnOrdinaryRun) {
  EXPECT_GE(all_subjects().size() * kCycles, 2'000'000U);
}

}  // namespace
}  // namespace paws
