// SPDX-License-Identifier: MIT
#include "sim/cuda/options.h"

#include <gtest/gtest.h>

#include "sim/support/error.h"

namespace paws::cuda {
namespace {

TEST(LaunchSelection, NumbersAndRanges) {
  const LaunchSelection some("3,10-12,50-");
  for (const std::uint64_t launch : {3, 10, 12, 50, 1000}) EXPECT_TRUE(some.holds(launch));
  for (const std::uint64_t launch : {1, 4, 9, 13, 49}) EXPECT_FALSE(some.holds(launch));
  EXPECT_TRUE(LaunchSelection().holds(1));
}

TEST(LaunchSelection, WhatItIsNot) {
  for (const char* text : {"", "0", "x", "3,", "5-3", "1-2-3", "-3", "3 4"}) {
    EXPECT_THROW(LaunchSelection{text}, InputError) << text;
  }
}

TEST(CudaOptions, ComeBackAsTheyWere) {
  // Every field differs from its default.
  CudaOptions options;
  options.request.gpu = "c2050";
  options.request.engine = "model";
  options.request.blocks = "a";
  options.request.throttle = "b";
  options.request.options.threads = 1000;
  options.request.check = true;
  options.request.queues = true;
  options.request.profile = true;
  options.request.warps = true;
  options.recording.timeline = "t.json";
  options.recording.range = {5, 50};
  options.recording.cores = {1, 2};
  options.request.max_instructions = 456;
  options.request.scheduler = "single:gto";
  options.request.settings = {"l1.latency=50", "core.warps=32"};
  options.request.max_cycles = 123;
  options.request.timing = false;
  options.print = false;
  options.tolerate = true;
  options.simulated_time = true;
  options.timed = LaunchSelection("2-4");
  options.sample = SamplePlan("3,20");
  options.blocks = SamplePlan("4,30", "--sample-blocks");
  options.captured = LaunchSelection("7");
  options.reports = "/tmp/a folder";
  options.captures = "/tmp/another";
  const CudaOptions back = options_from(to_text(options));
  EXPECT_EQ(back.request.gpu, "c2050");
  EXPECT_EQ(back.request.scheduler, "single:gto");
  EXPECT_EQ(back.request.settings, options.request.settings);
  EXPECT_EQ(back.request.max_cycles, 123U);
  EXPECT_EQ(back.request.max_instructions, 456U);
  EXPECT_EQ(back.request.engine, "model");
  EXPECT_EQ(back.request.blocks, "a");
  EXPECT_EQ(back.request.throttle, "b");
  EXPECT_EQ(back.request.options.threads, 1000U);
  EXPECT_TRUE(back.request.check);
  EXPECT_TRUE(back.request.queues);
  EXPECT_TRUE(back.request.profile);
  EXPECT_TRUE(back.request.warps);
  EXPECT_EQ(back.recording.timeline, "t.json");
  EXPECT_EQ(back.recording.range.from, 5U);
  EXPECT_EQ(back.recording.range.to, 50U);
  EXPECT_EQ(back.recording.cores, options.recording.cores);
  EXPECT_FALSE(back.request.timing);
  EXPECT_FALSE(back.print);
  EXPECT_TRUE(back.tolerate);
  EXPECT_TRUE(back.simulated_time);
  EXPECT_FALSE(back.timed.holds(1));
  EXPECT_TRUE(back.timed.holds(4));
  ASSERT_TRUE(back.sample);
  EXPECT_EQ(back.sample->text(), "3,20");
  ASSERT_TRUE(back.blocks);
  EXPECT_EQ(back.blocks->text(), "4,30");
  EXPECT_FALSE(back.captured.holds(6));
  EXPECT_TRUE(back.captured.holds(7));
  EXPECT_EQ(back.reports, "/tmp/a folder");
  EXPECT_EQ(back.captures, "/tmp/another");
  EXPECT_EQ(to_text(back), to_text(options));
  EXPECT_FALSE(options_from("{}").request.max_instructions.has_value());
  EXPECT_THROW(options_from("{"), InputError);
}

}  // namespace
}  // namespace paws::cuda
