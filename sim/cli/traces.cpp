// SPDX-License-Identifier: MIT
#include "sim/cli/traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/cli/compile.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

std::vector<std::uint32_t> cores_of(const std::vector<std::string>& words, unsigned cores) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& word : words) {
    if (word == "all") {
      for (std::uint32_t core = 0; core < cores; ++core) numbers.push_back(core);
      continue;
    }
    std::uint32_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc{} || at != end) {
      throw InputError(fmt::format("--trace-core {}: expected the number of a core, or all", word));
    }
    if (number >= cores) {
      throw InputError(fmt::format("--trace-core {}: the GPU has {} cores", word, cores));
    }
    numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

trace::RunInfo run_info(const SimulationRequest& request, const GpuConfig& config) {
  const Workload workload = named_workload(request.workload, request.load);
  trace::RunInfo run;
  run.workload = workload.name;
  run.gpu = config.name;
  run.settings = request.settings;
  run.engine = request.engine;
  run.seed = workload.seed;
  run.scheduler = scheduler_config(config, request.scheduler);
  run.cores = config.cores;
  run.schedulers = config.core.schedulers;
  run.issue_interval = config.core.issue_interval;
  return run;
}

}  // namespace

void add_trace_options(CLI::App& command, TraceArguments& arguments) {
  command.add_option("--decisions", arguments.decisions,
                     "record the schedulers' inputs and decisions in this file (docs/traces.md)");
  command.add_option("--timeline", arguments.timeline,
                     "write a timeline of the warps for ui.perfetto.dev or chrome://tracing");
  command.add_option(
      "--wave", arguments.wave,
      "write waves of the schedulers' RTL and of the core, FILE.fst, and a save file "
      "for GTKWave");
  command.add_option("--from", arguments.range.from, "first cycle of timeline and wave");
  command.add_option("--to", arguments.range.to, "last cycle of timeline and wave");
  command
      .add_option("--trace-core", arguments.cores,
                  "cores that are recorded: numbers separated by commas, or all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
}

Traces::Traces(const TraceArguments& arguments, SimulationRequest& request) {
  const trace::CycleRange& range = arguments.range;
  const bool draws = !arguments.timeline.empty() || !arguments.wave.empty();
  if (!draws && (range.from != trace::CycleRange{}.from || range.to != trace::CycleRange{}.to)) {
    throw InputError("--from and --to belong to --timeline or --wave");
  }
  if (arguments.decisions.empty() && !draws) return;
  const GpuConfig config = gpu_of(request);
  cores_ = cores_of(arguments.cores, config.cores);
  const trace::RunInfo run = run_info(request, config);
  if (range.from > range.to) throw InputError("--from is behind --to");
  if (!arguments.decisions.empty()) {
    decisions_ = std::make_unique<trace::DecisionWriter>(arguments.decisions, run, cores_);
  }
  if (!arguments.timeline.empty()) {
    timeline_ =
        std::make_unique<trace::TimelineWriter>(arguments.timeline, run, cores_, arguments.range);
  }
  if (!arguments.wave.empty()) {
    if (cores_.size() > 1) throw InputError("--wave shows one core: name it with --trace-core");
    wave_ = std::make_unique<trace::WaveWriter>(arguments.wave, run, arguments.range.from,
                                                arguments.range.to);
  }
  request.options.observe = [this](std::uint32_t core) { return observe(core); };
}

std::unique_ptr<core::CoreObserver> Traces::observe(std::uint32_t core) {
  const auto found = std::find(cores_.begin(), cores_.end(), core);
  if (found == cores_.end()) return nullptr;
  const auto index = static_cast<std::size_t>(found - cores_.begin());
  std::vector<trace::Sink*> sinks;
  if (decisions_) sinks.push_back(&decisions_->sink(index));
  if (timeline_) sinks.push_back(&timeline_->sink(index));
  if (wave_) sinks.push_back(wave_.get());
  return std::make_unique<trace::Recorder>(std::move(sinks));
}

void Traces::finish(const std::optional<std::string>& error) {
  if (decisions_) decisions_->finish(error);
  if (timeline_) timeline_->finish();
  if (wave_ && !wave_->finish()) {
    fmt::print(stderr, "paws: the run has no cycle of those that --wave is to show\n");
  }
}

}  // namespace paws::cli
