// SPDX-License-Identifier: MIT
#include "sim/stats/estimate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace paws {
namespace {

TEST(Estimate, OfAMeanIsByStudentsT) {
  // Deviation 2 of three samples: half the interval is 4.303 * 2 / sqrt(3).
  const Estimate estimate = mean_of({8, 10, 12});
  EXPECT_DOUBLE_EQ(estimate.mean, 10);
  EXPECT_NEAR(estimate.high - 10, 4.96868, 1e-5);
  EXPECT_NEAR(10 - estimate.low, 4.96868, 1e-5);
  EXPECT_TRUE(estimate.contains(6));
  EXPECT_FALSE(estimate.contains(5));
  EXPECT_FALSE(estimate.contains(15));
}

TEST(Estimate, OfRatiosIsThatOfTheirLogarithms) {
  const Estimate estimate = mean_ratio_of({0.5, 2});
  EXPECT_DOUBLE_EQ(estimate.mean, 1);
  EXPECT_NEAR(estimate.high, std::exp(12.706 * std::log(2)), 1e-3 * estimate.high);
  EXPECT_DOUBLE_EQ(estimate.low * estimate.high, 1);
}

TEST(Estimate, TakesTheQuantileOfTheNextLowerFreedom) {
  const auto half = [](int samples) {  // of as many with the variance 1
    std::vector<double> alternating;
    for (int i = 0; i < samples; ++i) alternating.push_back(i % 2 == 0 ? 1 : -1);
    return mean_of(alternating).high * std::sqrt(samples - 1);
  };
  EXPECT_NEAR(half(12), 2.228, 1e-9);  // 11: 10
  EXPECT_NEAR(half(90), 1.990, 1e-9);  // 89: 80
  EXPECT_NEAR(half(1000), 1.980, 1e-9);
}

TEST(Estimate, OfEqualSamplesIsAPoint) {
  const Estimate estimate = mean_of({3, 3});
  EXPECT_EQ(estimate.low, 3);
  EXPECT_EQ(estimate.high, 3);
}

}  // namespace
}  // namespace paws
