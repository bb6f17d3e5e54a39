// SPDX-License-Identifier: MIT
#include "sim/throttle/throttles.h"

#include <gtest/gtest.h>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

std::string error(const std::string& name) {
  return error_of([&name] { throttle_factory(name, small_gpu()); });
}

GpuRun run_under(const std::string& name, const std::function<void(GpuRun&)>& set = {}) {
  GpuRun run;
  run.config.cores = 2;
  run.config.l1.bytes = 2048;
  run.config.l1.ways = 4;
  run.scheduler = "single:gto";
  run.shape = {{30, 1, 1}, {64, 1, 1}};
  run.buffer_bytes = 16384;
  run.launches = 2;
  run.options.filter = throttle_factory(name, run.config);
  if (set) set(run);
  run.run(kBusyKernel);
  return run;
}

TEST(Throttles, EveryOneOfTheListCanBeMade) {
  for (const NamedChoice& throttle : throttles()) {
    const std::string name = throttle.name + (throttle.parameter.empty() ? "" : ":3");
    const auto factory = throttle_factory(name, small_gpu());
    EXPECT_EQ(static_cast<bool>(factory), throttle.name != kNoThrottle);
    if (factory) {
      EXPECT_NE(factory(0), nullptr) << name;
    }
  }
  EXPECT_EQ(throttles().front().name, kNoThrottle);
}

TEST(Throttles, AWrongNameOrParameterIsTold) {
  EXPECT_EQ(error("cws"), "unknown throttle 'cws' (throttles: none, swl:N, ccws, dyncta)");
  for (const char* name : {"swl", "swl:", "swl:0", "swl:x", "swl:2,3", "swl:-1"}) {
    EXPECT_EQ(error(name),
              std::string("--throttle ") + name + ": expected swl:N, whole numbers from 1 on");
  }
}

TEST(Throttles, WindowsThreadsAndSkippingChangeNothing) {
  for (const char* name : {"swl:1", "swl:3", "ccws"}) {
    const GpuRun reference = run_under(name);
    for (const unsigned window : {1U, 7U}) {
      const GpuRun run = run_under(name, [window](GpuRun& set) {
        set.options.longest_window = window;
        set.options.threads = 2;
        set.options.skip_idle_cycles = window != 1;
      });
      EXPECT_EQ(run.statistics.cycles, reference.statistics.cycles) << name << ", " << window;
      EXPECT_EQ(run.statistics.cores, reference.statistics.cores) << name << ", " << window;
      EXPECT_EQ(run.words, reference.words) << name << ", " << window;
    }
  }
}

TEST(Throttles, ChangeCyclesAndNoResult) {
  const GpuRun free = run_under(kNoThrottle);
  for (const char* name : {"swl:1", "ccws"}) {
    const GpuRun run = run_under(name);
    EXPECT_NE(run.statistics.cycles, free.statistics.cycles) << name;
    EXPECT_EQ(run.statistics.cores.warp_instructions(), free.statistics.cores.warp_instructions())
        << name;
  }
}

}  // namespace
}  // namespace paws
