// docs/starvation.md, "What is not promised": a warp of the collector waits as long as a launch
// comes in every cycle, and is admitted in the first cycle without one. In golden model and RTL.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <tuple>

#include "tb/lockstep/lockstep.h"

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
  explicit Rotation(const SchedulerConfig& config)
      : lockstep_(make_lockstep(config, "ctest --test-dir build -R HeldCollector")) {}

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

class HeldCollector : public testing::TestWithParam<std::tuple<const char*, unsigned>> {};

TEST_P(HeldCollector, WaitsAsLongAsLaunchesComeInEveryCycle) {
  SchedulerConfig config;
  config.policy = std::get<0>(GetParam());
  config.age_limit = std::get<1>(GetParam());
  Rotation rotation(config);
  rotation.begin();
  EXPECT_EQ(to_string(rotation.now()), kRound.back());

  // Longer than any warp of active waits under the age limit.
  const unsigned active = config.warps - config.ready;
  const unsigned bound = 2 * active * std::max(config.age_limit, 1U);
  for (unsigned cycle = 0; cycle < 2 * bound; ++cycle) {
    rotation.step(true, {});
    ASSERT_EQ(to_string(rotation.now()), kRound.at(cycle % kRound.size())) << "cycle " << cycle;
  }
  EXPECT_GE(rotation.issues(), 2 * bound);

  rotation.step(false, {});
  EXPECT_EQ(to_string(rotation.now()),
            "ready [1] active [0] collector [] pending [] last issued none");
  rotation.step(false, {});
  EXPECT_EQ(to_string(rotation.now()),
            "ready [0] active [] collector [] pending [] last issued none");
}

INSTANTIATE_TEST_SUITE_P(TwoLevel, HeldCollector,
                         testing::Combine(testing::Values("rr", "gto", "paws"),
                                          testing::Values(0U, 64U)),
                         [](const auto& test) {
                           const unsigned limit = std::get<1>(test.param);
                           return std::string(std::get<0>(test.param)) +
                                  (limit == 0 ? "" : "_limit" + std::to_string(limit));
                         });

}  // namespace
}  // namespace paws
