// SPDX-License-Identifier: MIT
// docs/evidence/starvation.md, "What is not promised": a warp of the collector waits as long as a
// launch comes in every cycle, and is admitted in the first cycle without one. In golden model and
// RTL, for every sorter, policy and age limit of the matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine_registry.h"
#include "engine/lockstep/lockstep.h"
#include "tb/random/subjects.h"

namespace paws {
namespace {

/// Three slots in rotation suffice: launched in t, promoted in t+1, out with its exit in t+2, and
/// launched again in t+3.
constexpr WarpId kRotation = 3;
/// The warp that is held back.
constexpr WarpId kHeld = 0;

/// Launches in every cycle while `launching`; what is in ready issues its exit.
class Rotation {
 public:
  explicit Rotation(const Subject& subject)
      : lockstep_(make_lockstep(make_model(subject.config),
                                make_engine(subject.engine, subject.config),
                                "ctest --test-dir build -R HeldCollector")) {}

  /// The warp kHeld is launched, promoted, waits for a long operation, and wakes: after the last
  /// of these cycles it is in the collector, and the rotation in its course.
  void begin() {
    step(/*launching=*/false, {.launch_valid = true, .launch_warp = kHeld});
    step(false, {});
    const SchedulerInputs waiting{.waits = bit(kHeld), .long_outstanding = bit(kHeld)};
    step(false, waiting);
    for (unsigned i = 0; i < kRotation; ++i) step(true, waiting);
    step(true, {});
  }

  void step(bool launching, SchedulerInputs inputs) {
    inputs.issue_en = true;
    for (const WarpId warp : now().ready) {
      if (warp != kHeld) inputs.issuable |= bit(warp);
    }
    inputs.exits = inputs.issuable;
    if (launching) {
      inputs.launch_valid = true;
      inputs.launch_warp = 1 + next_;
      next_ = (next_ + 1) % kRotation;
    }
    issues_ += lockstep_->decide(inputs).issue_valid ? 1 : 0;
    lockstep_->commit();
  }

  [[nodiscard]] QueueSnapshot now() const { return lockstep_->snapshot(); }
  [[nodiscard]] unsigned issues() const { return issues_; }

 private:
  static WarpMask bit(WarpId warp) { return WarpMask{1} << warp; }

  std::unique_ptr<Scheduler> lockstep_;
  WarpId next_ = 0;  ///< of the rotation
  unsigned issues_ = 0;
};

/// The queues at the end of each cycle of a round.
constexpr std::array<const char*, kRotation> kRound{
    "ready [1] active [2] collector [0] pending [] last issued none",
    "ready [2] active [3] collector [0] pending [] last issued none",
    "ready [3] active [1] collector [0] pending [] last issued none"};

class HeldCollector : public testing::TestWithParam<Subject> {};

TEST_P(HeldCollector, WaitsAsLongAsLaunchesComeInEveryCycle) {
  const SchedulerConfig& config = GetParam().config;
  Rotation rotation(GetParam());
  rotation.begin();
  EXPECT_EQ(to_string(rotation.now()), kRound.back());

  // Six times as long as a warp of active waits at most under the age limit, in whole rounds.
  const unsigned active = std::max(1U, config.warps - config.ready);
  const unsigned bound = 2 * active * std::max(config.age_limit, 2U);
  const unsigned cycles = 2 * bound * kRotation;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    rotation.step(true, {});
    ASSERT_EQ(to_string(rotation.now()), kRound.at(cycle % kRound.size())) << "cycle " << cycle;
  }
  EXPECT_GE(rotation.issues(), cycles);

  rotation.step(false, {});
  EXPECT_EQ(to_string(rotation.now()),
            "ready [1] active [0] collector [] pending [] last issued none");
  rotation.step(false, {});
  EXPECT_EQ(to_string(rotation.now()),
            "ready [0] active [] collector [] pending [] last issued none");
}

/// In a ready queue of one a warp enters in every other cycle alone, and launches cannot last.
std::vector<Subject> two_level_subjects() {
  std::vector<Subject> all = subjects(standard_engines());
  const std::vector<Subject> matrix = subjects(matrix_engines());
  all.insert(all.end(), matrix.begin(), matrix.end());
  std::erase_if(all, [](const Subject& subject) {
    return subject.config.level != Level::two_level || subject.config.ready < 2 ||
           !subject.engine.parameters.checked;
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Matrix, HeldCollector, testing::ValuesIn(two_level_subjects()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace paws
