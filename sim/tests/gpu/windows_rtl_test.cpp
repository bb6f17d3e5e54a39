// SPDX-License-Identifier: MIT
// As windows_test.cpp, with the verilated RTL deciding.
#include <gtest/gtest.h>

#include "engine/rtl_engine.h"
#include "sim/tests/gpu/races.h"

namespace paws {
namespace {

TEST(Windows, ChangeNothingOnTheRtl) {
  GpuRun run = racy(3);
  run.factory = [](const SchedulerConfig& config) { return make_rtl(config); };
  expect_no_difference(run, kRacyKernel, "rtl");
}

TEST(Windows, RtlAndModelTakeTheSameCyclesToStartBlocks) {
  GpuRun run = racy(3);
  run.config.core.launch_interval = 2;
  run.config.distributor.interval = 5;
  run.config.distributor.start_latency = 300;
  run.config.l1.store_keeps = true;
  run.config.l1.tag_banks = 4;
  GpuRun model = run;
  run.factory = [](const SchedulerConfig& config) { return make_rtl(config); };
  run.run(kRacyKernel);
  model.run(kRacyKernel);
  expect_same(run, model, "rtl");
}

}  // namespace
}  // namespace paws
