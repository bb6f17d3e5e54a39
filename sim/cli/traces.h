// SPDX-License-Identifier: MIT
// The options that say what a run records of itself.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/run/recordings.h"

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

/// The same without --decisions and --wave.
void add_timeline_options(CLI::App& command, TraceArguments& arguments);

/// Throws InputError for one of these options that means nothing without another.
void check_trace_options(const CLI::App& command);

/// What the options ask for. Throws InputError when they contradict each other or name a core that
/// the GPU does not have.
RecordingRequest recording_of(const TraceArguments& arguments, const SimulationRequest& request);

}  // namespace paws::cli
