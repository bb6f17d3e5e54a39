// SPDX-License-Identifier: MIT
#include "sim/cuda/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/support/error.h"

namespace paws::cuda {
namespace {

TEST(SamplePlan, TimesTheFirstLaunchesAndThenEverySoManyth) {
  const SamplePlan plan("3,4");
  std::vector<std::uint64_t> timed;
  for (std::uint64_t number = 1; number <= 16; ++number) {
    if (plan.times(number)) timed.push_back(number);
  }
  EXPECT_EQ(timed, (std::vector<std::uint64_t>{1, 2, 3, 7, 11, 15}));
}

TEST(SamplePlan, WhatItIsNot) {
  for (const char* text : {"", "4", "4,", ",4", "2,4", "4,0", "4,5,6", "4, 5", "x,4", "-4,5",
                           "99999999999999999999,1"}) {
    try {
      const SamplePlan plan(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), std::string("--sample-launches ") + text +
                                  ": expected FIRST,EVERY, such as 4,10, with FIRST from 3 and "
                                  "EVERY from 1 on");
    }
  }
}

TEST(LaunchSampler, CountsEachKindForItself) {
  LaunchSampler sampler(SamplePlan("3,10"));
  const LaunchKind small{"k", {1, 1, 1}, {32, 1, 1}, 0};
  LaunchKind shared = small;
  shared.dynamic_shared = 16;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(sampler.times(small));
  EXPECT_FALSE(sampler.times(small));
  EXPECT_TRUE(sampler.times(shared));
  sampler.timed(small, 100);
  sampler.timed(small, 200);
  sampler.timed(shared, 7);
  EXPECT_EQ(sampler.mean(small), 150);
  EXPECT_EQ(sampler.mean(shared), 7);
}

TEST(SampledCycles, OfLaunchesThatAreAllTimedAreExact) {
  const CyclesEstimate all = estimate({{true, 50, 9}, {true, 70, 9}});
  EXPECT_EQ(all.cycles, 120);
  EXPECT_EQ(all.bound, 0);
}

TEST(SampledCycles, OfUntimedLaunchesAreTheMeanBehindTheFirst) {
  // Samples 100 and 110: mean 105, variance 50; three launches are to be predicted from two.
  const CyclesEstimate part =
      estimate({{true, 900, 5}, {true, 100, 5}, {true, 110, 5}, {}, {}, {false, 0, 5}});
  EXPECT_EQ(part.launches, 6U);
  EXPECT_EQ(part.timed, 3U);
  EXPECT_EQ(part.timed_cycles, 1110U);
  EXPECT_DOUBLE_EQ(part.cycles, 1110 + 3 * 105);
  EXPECT_NEAR(part.bound, 12.706 * std::sqrt(50 * (3 + 9 / 2.0)), 1e-9);
}

TEST(SampledCycles, FollowInstructionsWhereFourSamplesShowHow) {
  // 1000 cycles and 2 per instruction.
  std::vector<SampledLaunch> launches{{true, 5000, 100}};
  for (const std::uint64_t instructions : {100, 200, 300, 400}) {
    launches.push_back({true, 1000 + 2 * instructions, instructions});
  }
  launches.push_back({false, 0, 250});
  launches.push_back({false, 0, 500});
  const CyclesEstimate part = estimate(launches);
  EXPECT_NEAR(part.cycles, 5000 + 4000 + 2000 + 1500 + 2000, 1e-6);
  EXPECT_NEAR(part.bound, 0, 1e-3);
  // Four samples that do not lie on the line: residuals 10, -10, -10, 10, so 400 over 2 degrees of
  // freedom; squares of the distances from the mean of instructions 50000, that of the untimed 250.
  for (const std::size_t i : {1U, 4U}) launches[i].cycles += 10;
  for (const std::size_t i : {2U, 3U}) launches[i].cycles -= 10;
  const double variance = 200 * (2 + 4 / 4.0 + 250.0 * 250.0 / 50000);
  EXPECT_NEAR(estimate(launches).bound, 4.303 * std::sqrt(variance), 1e-6);
}

TEST(SampledCycles, OfAReportAreByKernelAndShape) {
  const auto entry = [](const char* kernel, unsigned blocks, bool timed, unsigned cycles) {
    nlohmann::json json{{"kernel", kernel},    {"grid", {blocks, 1, 1}},
                        {"block", {64, 1, 1}}, {"dynamic_shared_bytes", 0},
                        {"timed", timed},      {"warp_instructions", 10}};
    if (timed) json["cycles"] = cycles;
    return json;
  };
  std::vector<nlohmann::json> report;
  for (const char* kernel : {"a", "b"}) {
    for (const unsigned cycles : {10, 20, 40}) report.push_back(entry(kernel, 1, true, cycles));
    report.push_back(entry(kernel, 1, false, 0));
  }
  report.push_back(entry("a", 2, true, 1000));
  const SampledKinds sampled(report);
  ASSERT_EQ(sampled.kinds.size(), 3U);
  EXPECT_EQ(sampled.kinds[0].second.cycles, 100);
  EXPECT_EQ(sampled.kinds[2].first.grid[0], 2U);
  EXPECT_EQ(sampled.kinds[2].second.cycles, 1000);
  EXPECT_EQ(sampled.all.launches, 9U);
  EXPECT_EQ(sampled.all.timed, 7U);
  EXPECT_EQ(sampled.all.cycles, 1200);
  EXPECT_NEAR(sampled.all.bound, std::sqrt(2.0) * sampled.kinds[0].second.bound, 1e-9);
  EXPECT_GT(sampled.all.bound, 0);
}

}  // namespace
}  // namespace paws::cuda
