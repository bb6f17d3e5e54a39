// SPDX-License-Identifier: MIT
#include "sim/cli/traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/cli/command_line.h"
#include "sim/cli/options.h"
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

}  // namespace

void add_timeline_options(CLI::App& command, TraceArguments& arguments) {
  command.add_option("--timeline", arguments.timeline,
                     "write a timeline of the warps for ui.perfetto.dev or chrome://tracing");
  command.add_option("--from", arguments.range.from, "first cycle of timeline and wave")
      ->check(whole_number(0));
  command.add_option("--to", arguments.range.to, "last cycle of timeline and wave")
      ->check(whole_number(0));
  command
      .add_option("--trace-core", arguments.cores,
                  "cores that are recorded: numbers separated by commas, or all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
}

void add_trace_options(CLI::App& command, TraceArguments& arguments) {
  command.add_option(
      "--decisions", arguments.decisions,
      "record the schedulers' inputs and decisions in this file (docs/guide/traces.md)");
  command.add_option(
      "--wave", arguments.wave,
      "write waves of the schedulers' RTL and of the core, FILE.fst, and a save file "
      "for GTKWave");
  add_timeline_options(command, arguments);
}

void check_trace_options(const CLI::App& command) {
  refuse_without(command, {"--timeline", "--wave"}, {"--from", "--to"});
  refuse_without(command, {"--decisions", "--timeline", "--wave"}, {"--trace-core"});
}

RecordingRequest recording_of(const TraceArguments& arguments, const SimulationRequest& request) {
  const trace::CycleRange& range = arguments.range;
  const bool draws = !arguments.timeline.empty() || !arguments.wave.empty();
  RecordingRequest recording{arguments.decisions, arguments.timeline, arguments.wave, range, {}};
  if (arguments.decisions.empty() && !draws) return recording;
  recording.cores = cores_of(arguments.cores, gpu_of(request).cores);
  if (range.from > range.to) throw InputError("--from is behind --to");
  if (!arguments.wave.empty() && recording.cores.size() > 1) {
    throw InputError("--wave shows one core: name it with --trace-core");
  }
  return recording;
}

}  // namespace paws::cli
