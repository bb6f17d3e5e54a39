// SPDX-License-Identifier: MIT
// What the schedulers of one core see and do, cycle by cycle, and what each issue was.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/exec/executable.h"
#include "sim/tests/gpu/support.h"

namespace paws {

/// One scheduler in one cycle; `queues` are those from which it decided.
struct PortCycle {
  SchedulerInputs inputs;
  SchedulerOutputs outputs;
  QueueSnapshot queues;
};

/// An instruction that issued. `warp` is the core's slot: of the first block, the warp's number.
struct Issue {
  std::uint64_t cycle = 0;
  std::uint32_t warp = 0;
  std::uint32_t pc = 0;
  ir::Op op{};
  bool exits = false;  ///< what the scheduler was told: this ends the warp
  bool ended = false;  ///< whether the warp has ended with it
};

/// Cycles [first, second) in which a level was set.
using Spans = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// A kernel launch on one core in which no cycle is skipped.
struct PortRecording {
  unsigned schedulers = 0;
  std::vector<std::vector<PortCycle>> cycles;  ///< by scheduler, then by cycle from 0
  std::vector<Issue> issues;

  [[nodiscard]] const PortCycle& at(std::uint32_t warp, std::uint64_t cycle) const {
    return cycles.at(warp % schedulers).at(cycle);
  }
  [[nodiscard]] WarpId slot(std::uint32_t warp) const { return warp / schedulers; }

  /// When `level` of the warp's scheduler was set for it.
  [[nodiscard]] Spans spans(WarpMask SchedulerInputs::* level, std::uint32_t warp) const {
    Spans found;
    bool before = false;
    const std::vector<PortCycle>& seen = cycles.at(warp % schedulers);
    for (std::uint64_t cycle = 0; cycle <= seen.size(); ++cycle) {
      const bool now = cycle < seen.size() && (seen[cycle].inputs.*level >> slot(warp) & 1U) != 0;
      if (now && !before) found.emplace_back(cycle, 0);
      if (!now && before) found.back().second = cycle;
      before = now;
    }
    return found;
  }

  /// The last of them, from 0 to 0 if the level was never set.
  [[nodiscard]] Spans::value_type last_span(WarpMask SchedulerInputs::* level,
                                            std::uint32_t warp) const {
    const Spans found = spans(level, warp);
    return found.empty() ? Spans::value_type{} : found.back();
  }

  /// Where the warp stands before the edge that ends `cycle`: "" when its slot is free.
  [[nodiscard]] std::string place(std::uint32_t warp, std::uint64_t cycle) const {
    const QueueSnapshot& queues = at(warp, cycle).queues;
    auto in = [id = slot(warp)](const std::vector<WarpId>& queue) {
      return std::find(queue.begin(), queue.end(), id) != queue.end();
    };
    if (in(queues.ready)) return "ready";
    if (in(queues.active)) return "active";
    if (in(queues.collector)) return "collector";
    return (queues.pending >> slot(warp) & 1U) != 0 ? "pending" : "";
  }

  /// The `number`-th issue of an `op` by the warp, from 0.
  [[nodiscard]] const Issue& issue(std::uint32_t warp, ir::Op op, unsigned number = 0) const {
    for (const Issue& each : issues) {
      if (each.warp == warp && each.op == op && number-- == 0) return each;
    }
    throw std::out_of_range("the warp has not issued so many of these");
  }
};

/// Writes a PortRecording.
class PortRecorder final : public core::CoreObserver {
 public:
  explicit PortRecorder(PortRecording& recording) : recording_(recording) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t /*cycle*/) override {
    core_ = &core;
    kernel_ = running.only().timed;
    recording_ = {};
    recording_.schedulers = core.schedulers();
    recording_.cycles.resize(core.schedulers());
  }
  void decided(const core::SchedulerView& view) override {
    recording_.cycles[view.number].push_back(
        {*view.inputs, *view.outputs, view.scheduler->snapshot()});
  }
  void issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) override {
    const WarpMask exits = recording_.at(warp, cycle).inputs.exits;
    recording_.issues.push_back({cycle, warp, pc, kernel_->kernel().code[pc].op,
                                 (exits >> recording_.slot(warp) & 1U) != 0, false});
  }
  void stepped(std::uint64_t cycle) override {
    for (auto issue = recording_.issues.rbegin();
         issue != recording_.issues.rend() && issue->cycle == cycle; ++issue) {
      issue->ended = !core_->view(issue->warp).live;
    }
  }
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t /*cycle*/) override {}

 private:
  PortRecording& recording_;
  const core::Core* core_ = nullptr;
  const core::TimedKernel* kernel_ = nullptr;
};

/// Runs `body` and returns what the ports of the only core showed. A run that fails is a failure of
/// the test and has its recording, too: the levels say why.
inline PortRecording record(GpuRun& run, const std::string& body) {
  PortRecording recording;
  run.options.skip_idle_cycles = false;
  run.options.observe = [&recording](std::uint32_t) {
    return std::make_unique<PortRecorder>(recording);
  };
  run.options.max_cycles = 50'000;
  try {
    run.run(body);
  } catch (const InputError& error) {
    ADD_FAILURE() << error.what();
  }
  return recording;
}

}  // namespace paws
