// SPDX-License-Identifier: MIT
#include "sim/throttle/lost_locality_score.h"

#include <gtest/gtest.h>

namespace paws::throttle {
namespace {

TEST(LostLocalityScore, FallsByOnePerCycleToItsBase) {
  LostLocalityScore score;
  EXPECT_EQ(score.in(7), 100U);
  score.set(10, 150);
  EXPECT_EQ(score.in(10), 150U);
  EXPECT_EQ(score.in(30), 130U);
  EXPECT_EQ(score.in(60), 100U);
  EXPECT_EQ(score.in(1000), 100U);
}

TEST(LostLocalityScore, IsSetAnewAndNeverBelowItsBase) {
  LostLocalityScore score;
  score.set(10, 500);
  score.set(20, 200);
  EXPECT_EQ(score.in(20), 200U) << "not what is left of 500";
  score.set(30, 5);
  EXPECT_EQ(score.in(30), 100U);
}

}  // namespace
}  // namespace paws::throttle
