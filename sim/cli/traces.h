// SPDX-License-Identifier: MIT
// What a run records of itself: the options, and the files that come of them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/simulation.h"
#include "sim/trace/decision_trace.h"
#include "sim/trace/recorder.h"
#include "sim/trace/timeline.h"
#include "sim/trace/wave.h"

namespace paws::cli {

struct TraceArguments {
  std::string decisions;                ///< file, empty: none
  std::string timeline;                 ///< file, empty: none
  std::string wave;                     ///< file, empty: none
  trace::CycleRange range;              ///< of timeline and wave
  std::vector<std::string> cores{"0"};  ///< numbers, or "all"
};

/// Adds --decisions, --timeline, --wave, --trace-core, --from, --to to `command`. `arguments` must
/// outlive it.
void add_trace_options(CLI::App& command, TraceArguments& arguments);

/// The recordings of one simulation.
class Traces {
 public:
  /// Everything that can be wrong with the request or the files is said here (InputError), before
  /// the simulation. Makes `request` watch its cores; must outlive the simulation.
  Traces(const TraceArguments& arguments, SimulationRequest& request);

  /// Completes the files; `error` is why the simulation ended early, if it did.
  void finish(const std::optional<std::string>& error);

 private:
  [[nodiscard]] std::unique_ptr<core::CoreObserver> observe(std::uint32_t core);

  std::vector<std::uint32_t> cores_;
  std::unique_ptr<trace::DecisionWriter> decisions_;
  std::unique_ptr<trace::TimelineWriter> timeline_;
  std::unique_ptr<trace::WaveWriter> wave_;
};

}  // namespace paws::cli
