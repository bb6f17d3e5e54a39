// SPDX-License-Identifier: MIT
// A small kernel, recorded.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/tests/gpu/support.h"
#include "sim/tests/support/temporary_folder.h"
#include "sim/trace/decision_trace.h"
#include "sim/trace/recorder.h"

namespace paws::trace {

/// Keeps everything.
class Collected : public Sink {
 public:
  struct Skip {
    std::uint64_t from, to;
  };
  struct End {
    std::uint64_t cycle;
  };
  using Event = std::variant<LaunchInfo, CoreStep, Skip, End>;

  void begin(const LaunchInfo& launch) override { events.emplace_back(launch); }
  void step(const CoreStep& step) override { events.emplace_back(step); }
  void skipped(std::uint64_t from, std::uint64_t to) override {
    events.emplace_back(Skip{from, to});
  }
  void end(std::uint64_t cycle) override { events.emplace_back(End{cycle}); }

  std::vector<Event> events;
};

class TraceTest : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_ / name).string();
  }

  /// Two launches of the kernel; 20 blocks of two warps on two cores.
  static GpuRun busy(const std::string& scheduler) {
    GpuRun run;
    run.config.cores = 2;
    run.scheduler = scheduler;
    run.shape.grid = {40, 1, 1};
    run.shape.block = {64, 1, 1};
    run.buffer_bytes = 16384;
    run.launches = 2;
    return run;
  }

  static RunInfo info(const GpuRun& run) {
    RunInfo info;
    info.workload = "busy";
    info.gpu = run.config.name;
    info.engine = "model";
    info.scheduler = scheduler_config(run.config, run.scheduler);
    info.cores = run.config.cores;
    info.schedulers = run.config.core.schedulers;
    info.issue_interval = run.config.core.issue_interval;
    return info;
  }

  /// Runs with every core watched by what `sink` gives for it.
  static void watch(GpuRun run, const std::function<std::vector<Sink*>(std::uint32_t core)>& sink) {
    run.options.observe = [&sink](std::uint32_t core) -> std::unique_ptr<core::CoreObserver> {
      return std::make_unique<Recorder>(sink(core));
    };
    run.run(kBusyKernel);
  }

  /// The cycle of core 0's 200th issue: whatever the GPU's latencies, warps are at work then.
  static std::uint64_t busy_cycle(const GpuRun& run) {
    Collected seen;
    watch(run, [&seen](std::uint32_t core) {
      return core == 0 ? std::vector<Sink*>{&seen} : std::vector<Sink*>{};
    });
    unsigned issues = 0;
    for (const Collected::Event& event : seen.events) {
      const auto* step = std::get_if<CoreStep>(&event);
      if (step == nullptr) continue;
      for (const SchedulerStep& scheduler : step->schedulers) {
        issues += scheduler.outputs.issue_valid ? 1 : 0;
      }
      if (issues >= 200) return step->cycle;
    }
    return 0;
  }

  /// Records all cores; the path.
  std::string record(const GpuRun& run, const std::string& name, bool detail = false) {
    RunInfo recorded = info(run);
    recorded.detail = detail;
    std::vector<std::uint32_t> cores;
    for (std::uint32_t core = 0; core < run.config.cores; ++core) cores.push_back(core);
    DecisionWriter writer(file(name), recorded, cores);
    watch(run, [&writer](std::uint32_t core) { return std::vector<Sink*>{&writer.sink(core)}; });
    writer.finish(std::nullopt);
    return file(name);
  }

  const TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Writes the events of core 0 of `from` to `to` after `change` has seen each step.
inline void rewrite(const std::string& from, const std::string& to,
                    const std::function<void(CoreStep&)>& change) {
  const DecisionReader reader(from);
  Collected events;
  reader.read(0, events);
  DecisionWriter writer(to, reader.run(), {0});
  Sink& sink = writer.sink(0);
  for (Collected::Event& event : events.events) {
    if (auto* launch = std::get_if<LaunchInfo>(&event)) sink.begin(*launch);
    if (auto* skip = std::get_if<Collected::Skip>(&event)) sink.skipped(skip->from, skip->to);
    if (auto* end = std::get_if<Collected::End>(&event)) sink.end(end->cycle);
    if (auto* step = std::get_if<CoreStep>(&event)) {
      change(*step);
      sink.step(*step);
    }
  }
  writer.finish(std::nullopt);
}

}  // namespace paws::trace
