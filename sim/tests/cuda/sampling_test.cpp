// SPDX-License-Identifier: MIT
#include "sim/cuda/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/support/error.h"

namespace paws::cuda {
namespace {

TEST(SamplePlan, TimesTheFirstLaunchesAndOneOfEverySoMany) {
  const SamplePlan plan("3,7");
  for (std::uint64_t number = 1; number <= 3; ++number) {
    EXPECT_TRUE(plan.is_first(number));
    EXPECT_FALSE(plan.is_sample(number));
  }
  std::set<std::uint64_t> places;
  for (std::uint64_t part = 0; part < 100; ++part) {
    std::vector<std::uint64_t> samples;
    for (std::uint64_t place = 0; place < 7; ++place) {
      const std::uint64_t number = 4 + 7 * part + place;
      EXPECT_FALSE(plan.is_first(number));
      if (plan.is_sample(number)) samples.push_back(place);
      EXPECT_EQ(plan.times(number), plan.is_sample(number));
    }
    ASSERT_EQ(samples.size(), 1U);
    places.insert(samples.front());
  }
  EXPECT_EQ(places.size(), 7U);
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
  for (const std::uint64_t cycles : {900, 100, 200}) {
    EXPECT_TRUE(sampler.times(small));
    sampler.timed(small, cycles);
  }
  EXPECT_EQ(sampler.mean(small), 150);
  for (const std::uint64_t cycles : {900, 7}) {
    EXPECT_TRUE(sampler.times(shared));
    sampler.timed(shared, cycles);
  }
  EXPECT_EQ(sampler.mean(shared), 7);
  unsigned timed = 0;
  for (int i = 0; i < 1000; ++i) timed += sampler.times(small) ? 1 : 0;
  EXPECT_EQ(timed, 100U);
}

/// Launches of a kind as `plan` times them.
std::vector<SampledLaunch> as_timed(std::vector<SampledLaunch> launches, const SamplePlan& plan) {
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].timed = plan.times(i + 1);
    if (!launches[i].timed) launches[i].cycles = 0;
  }
  return launches;
}

TEST(SampledCycles, OfLaunchesThatAreAllTimedAreExact) {
  const CyclesEstimate all = estimate({{true, 50, 9}, {true, 70, 9}}, SamplePlan("3,10"));
  EXPECT_EQ(all.cycles, 120);
  EXPECT_EQ(all.bound, 0);
}

TEST(SampledCycles, OfOthersAreTheMeanOfTheSamples) {
  // One part of ten behind the first: its sample is 120; the mean of 100, 110 and 120 is 110, the
  // variance 100; nine launches are to be predicted from three.
  const SamplePlan plan("3,10");
  std::vector<SampledLaunch> launches(13, {true, 120, 5});
  launches[0].cycles = 900;
  launches[1].cycles = 100;
  launches[2].cycles = 110;
  const CyclesEstimate part = estimate(as_timed(launches, plan), plan);
  EXPECT_EQ(part.launches, 13U);
  EXPECT_EQ(part.timed, 4U);
  EXPECT_DOUBLE_EQ(part.cycles, 900 + 100 + 110 + 120 + 9 * 110);
  EXPECT_NEAR(part.bound, 4.303 * std::sqrt(100 * (9 + 81 / 3.0)), 1e-9);
}

TEST(SampledCycles, OfEnoughSamplesLeaveTheFirstLaunchesOut) {
  const SamplePlan plan("3,4");
  std::vector<SampledLaunch> launches(3 + 8 * 4, {true, 200, 5});
  for (std::size_t i = 0; i < 3; ++i) launches[i].cycles = 1000;
  const CyclesEstimate part = estimate(as_timed(launches, plan), plan);
  EXPECT_DOUBLE_EQ(part.cycles, 3 * 1000 + 32 * 200);
  EXPECT_EQ(part.bound, 0);
}

TEST(SampledCycles, FollowInstructionsWhereSamplesShowHow) {
  // 1000 cycles and 2 per instruction.
  const SamplePlan plan("3,4");
  std::vector<SampledLaunch> launches;
  double sum = 0;
  for (std::uint64_t i = 0; i < 3 + 8 * 4; ++i) {
    launches.push_back({true, 1000 + 2 * (100 + i * i), 100 + i * i});
    sum += static_cast<double>(launches.back().cycles);
  }
  const CyclesEstimate exact = estimate(as_timed(launches, plan), plan);
  EXPECT_NEAR(exact.cycles, sum, 1e-6);
  EXPECT_NEAR(exact.bound, 0, 1e-3);
  launches.back().cycles += 500;
  launches[launches.size() - 2].cycles += 500;
  launches[launches.size() - 3].cycles += 500;
  launches[launches.size() - 4].cycles += 500;  // one of them is a sample
  EXPECT_GT(estimate(as_timed(launches, plan), plan).bound, 500);
}

TEST(SampledCycles, OfEqualInstructionsMakeNoLine) {
  // A mean of eleven such numbers is not exact.
  const SamplePlan plan("3,2");
  std::vector<SampledLaunch> launches(3 + 11 * 2, {true, 0, 68950});
  for (std::size_t i = 0; i < launches.size(); ++i) launches[i].cycles = 1000 + i % 7;
  launches.push_back({false, 0, 6895});
  const CyclesEstimate part = estimate(launches, plan);
  EXPECT_NEAR(part.cycles, 25 * 1003 + 550, 100);
  EXPECT_NEAR(part.bound, 450, 100);
}

TEST(SampledCycles, AreBetweenMeanAndProportionWhereNoSampleShowsHow) {
  // Samples of 10 instructions and 100 cycles. Of the nine others one has twice the instructions:
  // 100 cycles by the mean, 200 in proportion.
  const SamplePlan plan("3,10");
  std::vector<SampledLaunch> launches(13, {true, 100, 10});
  for (std::size_t i = 3; i < launches.size(); ++i) {
    if (plan.is_sample(i + 1)) continue;
    launches[i].warp_instructions = 20;
    break;
  }
  const CyclesEstimate part = estimate(as_timed(launches, plan), plan);
  EXPECT_DOUBLE_EQ(part.cycles, 4 * 100 + 8 * 100 + 150);
  EXPECT_DOUBLE_EQ(part.bound, 50);
}

TEST(SampledCycles, OfAReportAreByKernelAndShape) {
  const auto entry = [](const char* kernel, unsigned blocks, bool timed, unsigned cycles) {
    nlohmann::json json{{"kernel", kernel},    {"grid", {blocks, 1, 1}},
                        {"block", {64, 1, 1}}, {"dynamic_shared_bytes", 0},
                        {"timed", timed},      {"warp_instructions", 10}};
    if (timed) json["cycles"] = cycles;
    return json;
  };
  const SamplePlan plan("3,10");
  std::vector<nlohmann::json> report;
  for (const char* kernel : {"a", "b"}) {
    for (const unsigned cycles : {10, 20, 40}) report.push_back(entry(kernel, 1, true, cycles));
    for (int i = 0; i < 10; ++i) report.push_back(entry(kernel, 1, plan.is_sample(4 + i), 30));
  }
  report.push_back(entry("a", 2, true, 1000));
  const SampledKinds sampled(report, plan);
  ASSERT_EQ(sampled.kinds.size(), 3U);
  EXPECT_EQ(sampled.kinds[0].second.cycles, 10 + 20 + 40 + 30 + 9 * 30);
  EXPECT_EQ(sampled.kinds[2].first.grid[0], 2U);
  EXPECT_EQ(sampled.kinds[2].second.cycles, 1000);
  EXPECT_EQ(sampled.all.launches, 27U);
  EXPECT_EQ(sampled.all.timed, 9U);
  EXPECT_EQ(sampled.all.cycles, 2 * 370 + 1000);
  EXPECT_NEAR(sampled.all.bound, std::sqrt(2.0) * sampled.kinds[0].second.bound, 1e-9);
  EXPECT_GT(sampled.all.bound, 0);
}

/// Waves as `plan` times them: of 100 instructions and `of(number)` cycles.
std::vector<Wave> as_timed(std::uint64_t count, const SamplePlan& plan,
                           const std::function<std::uint64_t(std::uint64_t number)>& of) {
  std::vector<Wave> waves;
  for (std::uint64_t number = 1; number <= count; ++number) {
    const bool timed = plan.times_wave(number, count);
    waves.push_back({timed, timed ? of(number) : 0, 100});
  }
  return waves;
}

TEST(SampledWaves, AreChosenAsLaunchesAreAndThoseInFrontAndTheLastTwo) {
  const SamplePlan plan("3,5");
  EXPECT_EQ(plan.fewest_waves(), 20U);
  unsigned samples = 0;
  for (std::uint64_t wave = 1; wave <= 20; ++wave) {
    EXPECT_EQ(plan.times_wave(wave, 20), plan.times(wave) || plan.is_sample(wave + 1) || wave >= 19)
        << wave;
    samples += plan.is_sample(wave) && wave < 20 ? 1 : 0;
  }
  EXPECT_EQ(samples, 3U);
}

TEST(SampledWaves, CountTheFirstOnesTheSamplesAndTheLastOneAsTheyAre) {
  const SamplePlan plan("3,4");
  const std::uint64_t count = 3 + 8 * 4 + 2;
  const auto cycles = [&](std::uint64_t number) -> std::uint64_t {
    if (number == count) return 700;
    return number <= 3 ? 1000 : 200;
  };
  const CyclesEstimate all = estimate_waves(as_timed(count, plan, cycles), plan);
  EXPECT_EQ(all.launches, count);
  EXPECT_DOUBLE_EQ(all.cycles, 3 * 1000 + 33 * 200 + 700);
  EXPECT_EQ(all.bound, 0);
}

TEST(SampledWaves, OfColdCachesMakeTheBoundWider) {
  // What warms the caches takes 10 % longer than the samples.
  const SamplePlan plan("3,4");
  const std::uint64_t count = 3 + 8 * 4 + 2;
  double predicted = 0;
  for (std::uint64_t number = 4; number < count; ++number) predicted += !plan.is_sample(number);
  const auto cycles = [&](std::uint64_t number) -> std::uint64_t {
    const bool warms = !plan.is_first(number) && !plan.is_sample(number) && number < count;
    return warms && !plan.times_wave(number - 1, count) ? 220 : 200;
  };
  const CyclesEstimate all = estimate_waves(as_timed(count, plan, cycles), plan);
  EXPECT_DOUBLE_EQ(all.cycles, 200.0 * static_cast<double>(count));
  EXPECT_NEAR(all.bound, predicted * 20, 1e-6);
}

TEST(SampledWaves, OfAReportAreByKernelAndShape) {
  const auto entry = [](const char* kernel, unsigned cycles) {
    return nlohmann::json{{"kernel", kernel},          {"grid", {9, 1, 1}}, {"block", {64, 1, 1}},
                          {"dynamic_shared_bytes", 0}, {"timed", true},     {"cycles", cycles}};
  };
  std::vector<nlohmann::json> report{entry("a", 30), entry("a", 40), entry("b", 50), entry("c", 60),
                                     entry("c", 0)};
  for (const std::size_t i : {0, 1, 3}) {
    report[i]["sampled"] = {{"waves", 20}, {"timed", 5}, {"cycles", 1000.0}, {"bound", 30.0}};
  }
  report[2]["whole"] = "it is short";
  report[4]["timed"] = false;
  const SampledBlockKinds sampled(report);
  ASSERT_EQ(sampled.kinds.size(), 3U);
  const CyclesEstimate& first = sampled.kinds[0].estimate;
  EXPECT_EQ(first.launches, 40U);
  EXPECT_EQ(first.timed, 10U);
  EXPECT_EQ(first.timed_cycles, 70U);
  EXPECT_EQ(first.cycles, 2000);
  EXPECT_EQ(first.bound, 60);
  EXPECT_EQ(sampled.kinds[0].whole, "");
  EXPECT_EQ(sampled.kinds[1].whole, "it is short");
  EXPECT_EQ(sampled.kinds[1].estimate.launches, 0U);
  EXPECT_EQ(sampled.kinds[1].estimate.cycles, 50);
  EXPECT_EQ(sampled.all.cycles, 3050);
  EXPECT_DOUBLE_EQ(sampled.all.bound, std::hypot(60, 30));
}

TEST(SampledWaves, WhyALaunchIsTimedAsAWhole) {
  const SamplePlan plan("3,5");
  ir::Kernel kernel;
  kernel.file = "k.ptx";
  kernel.code.resize(2);
  const auto why = [&](const std::function<void(ir::Instruction&)>& change) {
    ir::Kernel changed = kernel;
    changed.code[1].line = 8;
    change(changed.code[1]);
    return why_whole(changed, 20, plan);
  };
  EXPECT_EQ(why_whole(kernel, 20, plan), "");
  EXPECT_EQ(why_whole(kernel, 19, plan), "it has 19 waves of blocks, fewer than 20");
  ir::Kernel cooperative = kernel;
  cooperative.cooperative = true;
  EXPECT_EQ(why_whole(cooperative, 20, plan),
            "its blocks wait for each other: it is a cooperative launch");
  const std::string orders =
      "its blocks may wait for each other: it orders accesses to memory "
      "(k.ptx:8)";
  EXPECT_EQ(why([](auto& in) { in.op = ir::Op::membar; }), orders);
  for (const ir::Space space : {ir::Space::global, ir::Space::generic}) {
    EXPECT_EQ(why([space](auto& in) { in.space = space, in.volatile_access = true; }), orders);
    EXPECT_EQ(why([space](auto& in) { in.space = space, in.orders = true; }), orders);
  }
  EXPECT_EQ(why([](auto& in) { in.space = ir::Space::shared, in.volatile_access = true; }), "");
  EXPECT_EQ(why([](auto& in) { in.op = ir::Op::copy_bulk; }), "it copies in bulk (k.ptx:8)");
  for (const auto clock : {ir::Special::clock, ir::Special::clock_hi, ir::Special::clock64,
                           ir::Special::globaltimer}) {
    EXPECT_EQ(why([clock](auto& in) {
                in.src[1].kind = ir::Operand::Kind::special;
                in.src[1].special = clock;
              }),
              "it reads a clock (k.ptx:8)");
  }
}

}  // namespace
}  // namespace paws::cuda
