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

}  // namespace
}  // namespace paws
