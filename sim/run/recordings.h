// SPDX-License-Identifier: MIT
// What a simulation records of itself, in files: decisions, timeline, waves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/simulation.h"
#include "sim/trace/decision_trace.h"
#include "sim/trace/recorder.h"
#include "sim/trace/timeline.h"
#include "sim/trace/wave.h"

namespace paws {

struct RecordingRequest {
  std::string decisions;             ///< file, empty: none
  std::string timeline;              ///< file, empty: none
  std::string wave;                  ///< file, empty: none; needs a single core
  trace::CycleRange range;           ///< of timeline and wave
  std::vector<std::uint32_t> cores;  ///< that are recorded, ascending
  std::string subject = {};          ///< what runs, if it is no workload
};

/// What traces say of the run that `request` asks for, or of the CUDA `program` that is run with
/// its settings. Throws InputError when it names nothing.
trace::RunInfo run_info(const SimulationRequest& request, const std::string& program = {});

/// Throws InputError for a scheduler whose decisions do not follow from what is recorded.
void check_recordable(const SchedulerConfig& scheduler);

/// The recordings of one simulation, or the timelines of several.
class Recordings {
 public:
  /// Opens the files that `recording` names and makes `simulations`, of one workload, watch the
  /// cores. Without a file it does neither. Must outlive the simulations. Throws InputError when
  /// the workload or a file is bad, std::invalid_argument for waves of no or several cores, and for
  /// anything but a timeline of several simulations.
  Recordings(RecordingRequest recording, std::span<SimulationRequest> simulations);
  Recordings(RecordingRequest recording, SimulationRequest& simulation)
      : Recordings(std::move(recording), std::span(&simulation, 1)) {}
  Recordings(const Recordings&) = delete;  // the simulation's observers point to it
  Recordings& operator=(const Recordings&) = delete;

  /// Completes the files of a simulation that has ended early, because of `error`.
  void fail(const std::string& error);
  /// Completes the files of whole runs, the longest of which has `cycles`. Timeline and waves of
  /// which it has no cycle are left out. Throws InputError for these when the others are written.
  void finish(std::uint64_t cycles);

 private:
  [[nodiscard]] std::unique_ptr<core::CoreObserver> observe(std::uint32_t core, std::size_t run);

  RecordingRequest recording_;
  std::unique_ptr<trace::DecisionWriter> decisions_;
  std::unique_ptr<trace::TimelineWriter> timeline_;
  std::unique_ptr<trace::WaveWriter> wave_;
};

}  // namespace paws
