// SPDX-License-Identifier: MIT
#include "sim/run/recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/run/subject.h"
#include "sim/support/error.h"

namespace paws {

trace::RunInfo run_info(const SimulationRequest& request, const std::string& program) {
  const GpuConfig config = gpu_of(request);
  const SubjectName subject =
      program.empty() ? name_of_subject(request) : SubjectName{program, std::nullopt};
  trace::RunInfo run;
  run.workload = subject.name;
  run.gpu = config.name;
  run.settings = request.settings;
  run.engine = request.engine;
  run.seed = subject.seed.value_or(0);
  for (const auto& [name, value] : provenance_of(request, subject.name, subject.seed).fields()) {
    run.made_by[name] = value;
  }
  run.scheduler = scheduler_config(config, request.scheduler);
  run.cores = config.cores;
  run.schedulers = config.core.schedulers;
  run.issue_interval = config.core.issue_interval;
  return run;
}

void check_recordable(const SchedulerConfig& scheduler) {
  if (scheduler.affinity == Affinity::none) return;
  throw InputError(
      fmt::format("scheduler.affinity is {}: decision traces and waves do not hold the blocks "
                  "of warps that its scheduler looks at",
                  name_of(scheduler.affinity)));
}

Recordings::Recordings(RecordingRequest recording, std::span<SimulationRequest> simulations)
    : recording_(std::move(recording)) {
  const RecordingRequest& files = recording_;
  const bool choices = !files.decisions.empty() || !files.wave.empty();
  if (!choices && files.timeline.empty()) return;
  if (!files.wave.empty() && files.cores.size() != 1) {
    throw std::invalid_argument("waves show one core");
  }
  if (choices && simulations.size() != 1) {
    throw std::invalid_argument("decisions and waves are of one simulation");
  }
  std::vector<trace::RunInfo> runs;
  for (const SimulationRequest& simulation : simulations) {
    runs.push_back(run_info(simulation, files.subject));
  }
  const trace::RunInfo& run = runs.front();
  if (choices) check_recordable(run.scheduler);
  if (!files.decisions.empty()) {
    decisions_ = std::make_unique<trace::DecisionWriter>(files.decisions, run, files.cores);
  }
  if (!files.timeline.empty()) {
    timeline_ =
        std::make_unique<trace::TimelineWriter>(files.timeline, runs, files.cores, files.range);
  }
  if (!files.wave.empty()) {
    wave_ = std::make_unique<trace::WaveWriter>(files.wave, run, files.range.from, files.range.to);
  }
  for (std::size_t i = 0; i < simulations.size(); ++i) {
    simulations[i].options.observe = [this, i](std::uint32_t core) { return observe(core, i); };
  }
}

std::unique_ptr<core::CoreObserver> Recordings::observe(std::uint32_t core, std::size_t run) {
  const std::vector<std::uint32_t>& cores = recording_.cores;
  const auto found = std::find(cores.begin(), cores.end(), core);
  if (found == cores.end()) return nullptr;
  const auto index = static_cast<std::size_t>(found - cores.begin());
  std::vector<trace::Sink*> sinks;
  if (decisions_) sinks.push_back(&decisions_->sink(index));
  if (timeline_) sinks.push_back(&timeline_->sink(index, run));
  if (wave_) sinks.push_back(wave_.get());
  return std::make_unique<trace::Recorder>(std::move(sinks));
}

void Recordings::fail(const std::string& error) {
  if (decisions_) decisions_->finish(error);
  if (timeline_) timeline_->finish();
  if (wave_) static_cast<void>(wave_->finish());
}

void Recordings::finish(std::uint64_t cycles) {
  if (decisions_) decisions_->finish(std::nullopt);
  if (!timeline_ && !wave_) return;
  trace::check_window(recording_.range, cycles);
  if (timeline_) timeline_->finish();
  if (wave_) static_cast<void>(wave_->finish());
}

}  // namespace paws
