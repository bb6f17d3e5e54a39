// SPDX-License-Identifier: MIT
// Adaptive scheduling on a small GPU.
#include "sim/adapt/adaptations.h"

#include <gtest/gtest.h>

#include "model/switching.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

GpuRun run_under(const std::string& name, const std::string& scheduler,
                 const std::function<void(GpuRun&)>& set = {}) {
  GpuRun run;
  run.config.cores = 5;
  run.config.adapt.epoch = 100;
  run.config.adapt.pattern_epoch = 60;
  run.config.adapt.hysteresis = 0;
  run.config.adapt.group = 8;
  run.config.adapt.threshold = 1;
  run.config.scheduler.ready = 3;
  run.scheduler = scheduler;
  run.shape = {{90, 1, 1}, {64, 1, 1}};
  run.buffer_bytes = 65536;
  run.launches = 2;
  if (set) set(run);
  run.options.adaptation =
      adaptation_factory(name, run.config, scheduler_config(run.config, scheduler));
  if (run.options.adaptation) run.factory = make_switching;
  run.run(kBusyKernel);
  return run;
}

TEST(Adaptations, WindowsThreadsAndSkippingChangeNothing) {
  for (const NamedChoice& adaptation : adaptations()) {
    for (const char* scheduler : {"single:gto", "two-level:rr"}) {
      const GpuRun reference = run_under(adaptation.name, scheduler);
      for (const unsigned window : {1U, 7U}) {
        const GpuRun run = run_under(adaptation.name, scheduler, [window](GpuRun& set) {
          set.options.longest_window = window;
          set.options.threads = 2;
          set.options.skip_idle_cycles = window != 1;
        });
        EXPECT_EQ(run.statistics.cycles, reference.statistics.cycles)
            << adaptation.name << ", " << scheduler << ", " << window;
        EXPECT_EQ(run.statistics.cores, reference.statistics.cores)
            << adaptation.name << ", " << scheduler << ", " << window;
      }
    }
  }
}

TEST(Adaptations, TheyChangePolicies) {
  for (const char* name : {"duel", "random", "duel-swapped"}) {
    EXPECT_GT(run_under(name, "single:gto").statistics.cores.adapt.switches, 0U) << name;
  }
}

/// A pattern whose threshold no balance passes, and a duel without leaders for RR.
TEST(Adaptations, WhatNeverFiresIsTheStaticPolicy) {
  for (const char* scheduler : {"single:gto", "two-level:gto"}) {
    const GpuRun fixed = run_under("none", scheduler);
    for (const char* name : {"pattern", "duel"}) {
      GpuRun adapted = run_under(name, scheduler, [](GpuRun& set) {
        set.config.adapt.threshold = 64;
        set.config.adapt.group = 64;
      });
      EXPECT_EQ(adapted.statistics.cycles, fixed.statistics.cycles) << name << ", " << scheduler;
      EXPECT_EQ(adapted.statistics.cores.adapt.switches, 0U) << name << ", " << scheduler;
      adapted.statistics.cores.adapt = {};
      EXPECT_EQ(adapted.statistics.cores, fixed.statistics.cores) << name << ", " << scheduler;
    }
  }
}

TEST(Adaptations, AWrongNameOrSchedulerIsTold) {
  const auto error = [](const std::string& name, const std::string& scheduler) {
    return error_of([&] {
      const GpuConfig config = small_gpu();
      adaptation_factory(name, config, scheduler_config(config, scheduler));
    });
  };
  EXPECT_EQ(error("dual", "single:gto"),
            "unknown adaptation 'dual' (adaptations: none, duel, pattern, ipaws, random, "
            "duel-swapped, pattern-swapped)");
  EXPECT_EQ(error("duel", "single:paws"),
            "--adapt duel: single:paws does not change its policy: RR and GTO do");
}

}  // namespace
}  // namespace paws
