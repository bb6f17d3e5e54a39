// SPDX-License-Identifier: MIT
// Worked examples of the duel between cores.
#include "sim/adapt/duel.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace paws::adapt {
namespace {

constexpr SwitchedPolicy kRr = SwitchedPolicy::rr;
constexpr SwitchedPolicy kGto = SwitchedPolicy::gto;

/// Eight cores: 0 leads for GTO, 4 for RR.
class DuelTest : public testing::Test {
 protected:
  DuelTest()
      : DuelTest(
            AdaptSettings{.step = 256, .hysteresis = 64, .saturated = 2, .probe = 3, .group = 8},
            false) {}
  DuelTest(const AdaptSettings& settings, bool swapped)
      : duel_({settings, 8, 10, kGto, swapped}), cores_(8, core::CoreActivity{0, 4}) {
    for (std::uint32_t i = 0; i < 8; ++i) controls_.push_back(duel_.control(i));
    duel_.begin(this, 1000, cores_);
  }

  /// One epoch in which the leaders issue so much.
  void epoch(std::uint64_t gto, std::uint64_t rr) {
    cores_[0].issues += gto;
    cores_[4].issues += rr;
    duel_.end_epoch(cores_);
  }

  Duel duel_;
  std::vector<core::CoreActivity> cores_;
  std::vector<std::unique_ptr<core::PolicyControl>> controls_;
};

TEST_F(DuelTest, FollowersGoByTheBetterLeaders) {
  EXPECT_EQ(duel_.policy(0), kGto);
  EXPECT_EQ(duel_.policy(4), kRr);
  EXPECT_EQ(duel_.policy(1), kGto);
  epoch(100, 101);
  EXPECT_EQ(duel_.selector(), 256);
  EXPECT_EQ(duel_.policy(1), kRr);
  epoch(100, 100);
  EXPECT_EQ(duel_.selector(), 256);
  epoch(101, 100);
  EXPECT_EQ(duel_.policy(1), kRr);  // 0: within the hysteresis
  epoch(101, 100);
  EXPECT_EQ(duel_.policy(1), kGto);
}

TEST_F(DuelTest, AnOrderTakesTheLatency) {
  epoch(100, 101);
  const std::uint64_t end = 1000 + AdaptSettings{}.epoch;
  controls_[1]->advance(end + 9);
  EXPECT_EQ(controls_[1]->policy(0), kGto);
  EXPECT_EQ(controls_[1]->next_change(end + 9), end + 10);
  controls_[1]->advance(end + 10);
  EXPECT_EQ(controls_[1]->policy(0), kRr);
}

TEST_F(DuelTest, LosingLeadersRestAndProbe) {
  epoch(100, 101);
  epoch(100, 101);
  EXPECT_EQ(duel_.selector(), Duel::kSelectorMost);
  EXPECT_EQ(duel_.policy(0), kGto);
  epoch(100, 101);
  EXPECT_EQ(duel_.policy(0), kRr);  // two epochs at the end
  epoch(0, 0);
  EXPECT_EQ(duel_.policy(0), kRr);
  epoch(0, 0);
  EXPECT_EQ(duel_.policy(0), kGto);  // the probe, in the third epoch
  epoch(101, 100);
  EXPECT_EQ(duel_.selector(), Duel::kSelectorMost - 256);
  EXPECT_EQ(duel_.policy(0), kGto);  // leads again
}

TEST_F(DuelTest, ALeaderWithoutWarpsDoesNotCount) {
  cores_[0].live_warps = 0;
  epoch(0, 100);
  EXPECT_EQ(duel_.selector(), 0);
}

TEST_F(DuelTest, TheNextLaunchOfTheKernelBeginsWithTheWinner) {
  epoch(100, 101);
  const int other = 0;
  duel_.begin(&other, 50'000, cores_);
  EXPECT_EQ(duel_.policy(1), kGto);
  duel_.begin(this, 90'000, cores_);
  EXPECT_EQ(duel_.policy(1), kRr);
  EXPECT_EQ(duel_.selector(), 0);
}

class SwappedDuelTest : public DuelTest {
 protected:
  SwappedDuelTest() : DuelTest(AdaptSettings{.step = 256, .hysteresis = 64, .group = 8}, true) {}
};

TEST_F(SwappedDuelTest, FewerIssuesWin) {
  epoch(100, 101);
  EXPECT_EQ(duel_.selector(), -256);
}

}  // namespace
}  // namespace paws::adapt
