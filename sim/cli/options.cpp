// SPDX-License-Identifier: MIT
#include "sim/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/cli/command_line.h"
#include "sim/cli/version.h"
#include "sim/run/engine.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

constexpr unsigned kMostThreads = 1024;

void define(SimulationRequest& request, const std::string& text) {
  const std::size_t equals = text.find('=');
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const char* const begin = equals == std::string::npos ? end : text.data() + equals + 1;
  const auto [at, error] = std::from_chars(begin, end, value);
  if (equals == std::string::npos || equals == 0 || error != std::errc{} || at != end) {
    throw InputError(fmt::format("--define {}: expected name=integer", text));
  }
  request.load.variables[text.substr(0, equals)] = value;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const bool bounded = most != std::numeric_limits<std::uint64_t>::max();
  const std::string range =
      fmt::format("{} to {}", least, bounded ? std::to_string(most) : "2^64-1");
  const auto check = [=](std::string& text) -> std::string {
    const bool hexadecimal = text.starts_with("0x");
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + (hexadecimal ? 2 : 0), end, value,
                                             hexadecimal ? 16 : 10);  // NOLINT(*-magic-numbers)
    if (error != std::errc{} || at != end || value < least || value > most) {
      return fmt::format("'{}' is not a whole number from {}", text, range);
    }
    text = std::to_string(value);  // CLI11 would take "010" for octal
    return {};
  };
  return {check, range};
}

void add_choice(CLI::App& command, const std::string& name, const std::string& yes,
                const std::string& no, bool& value, const std::string& description) {
  command
      .add_option_function<std::string>(
          name,
          [=, &value](const std::string& word) {
            if (word != yes && word != no) {
              throw InputError(fmt::format("{} {}: expected {} or {}", name, word, yes, no));
            }
            value = word == yes;
          },
          description)
      ->default_str(value ? yes : no);
}

void add_machine_options(CLI::App& command, SimulationRequest& request) {
  request.commit = built_from();
  command.add_option("--gpu", request.gpu, "GPU preset or configuration file (TOML)")
      ->capture_default_str();
  command
      .add_option("--engine", request.engine,
                  fmt::format("what decides: {}", fmt::join(engine_names(), ", ")))
      ->capture_default_str();
  command
      .add_option("--blocks", request.blocks,
                  "block scheduler: which thread blocks a core gets, and how many (paws list)")
      ->capture_default_str();
  command
      .add_option("--throttle", request.throttle,
                  "what holds warps back from issue, under every scheduler (paws list)")
      ->capture_default_str();
  command
      .add_option(
          "--set", request.settings,
          "change a key of the GPU configuration, key=value, of bytes also 16K or 2M; may be "
          "repeated")
      ->allow_extra_args(false);
  command.add_flag(
      "--check", request.check,
      "find uninitialised shared memory, races between warps on it, undefined shuffles, "
      "divergent barriers and integer division by zero (docs/guide/check.md; slower)");
  command.add_flag("--queues", request.queues, "watch the queues of two-level schedulers (slower)");
  command
      .add_option("--max-cycles", request.max_cycles,
                  "cycles after which a kernel launch is taken to spin for ever, instead of the "
                  "launch description's")
      ->default_str(std::to_string(request.options.max_cycles))
      ->check(whole_number(1));
  command
      .add_option(
          "--threads", request.options.threads,
          "host threads of a simulation, with timing at most one per core of the GPU; changes no "
          "result")
      ->capture_default_str()
      ->check(whole_number(1, kMostThreads));
}

void check_machine_options(const CLI::App& command, const GpuConfig& config,
                           const std::vector<std::string>& schedulers) {
  refuse_without(command, {"--stats", "--json", "--csv"}, {"--queues"});
  const bool queues = std::any_of(schedulers.begin(), schedulers.end(), [&](const auto& name) {
    return scheduler_config(config, name).level == Level::two_level;
  });
  if (!queues) {
    refuse(command, {"--queues"},
           fmt::format("with {}, which has no queues: two-level schedulers have",
                       fmt::join(schedulers, ", ")));
  }
}

void check_untimed_options(const CLI::App& command, const std::string& mode) {
  refuse(command, {"--max-cycles"},
         fmt::format("with {}, which counts no cycles: --max-instructions is the limit", mode));
  refuse(command,
         {"--scheduler", "--engine", "--blocks", "--throttle", "--queues", "--launches",
          "--sample-launches", "--sample-blocks", "--stats", "--sample", "--profile", "--report",
          "--decisions", "--timeline", "--wave", "--trace-core", "--from", "--to", "--host-time"},
         fmt::format("with {}, which runs kernels for their values alone", mode));
}

void add_untimed_options(CLI::App& command, SimulationRequest& request) {
  command
      .add_option("--max-instructions", request.max_instructions,
                  "warp instructions after which a kernel launch without timing is taken to spin "
                  "for ever")
      ->default_str(std::to_string(exec::FunctionalRunner::kDefaultMaxInstructions))
      ->check(whole_number(1));
  add_choice(command, "--steps", "many", "one", request.quick,
             "without timing: whether a warp executes many instructions at a time or one; the "
             "values are the same");
}

void add_printf_option(CLI::App& command, bool& shown) {
  add_choice(command, "--printf", "show", "drop", shown,
             "what kernels print (printf): show it on stdout, in order of issue, or drop it");
}

void add_simulation_options(CLI::App& command, SimulationRequest& request) {
  add_machine_options(command, request);
  command.add_option("--size", request.load.size,
                     "a named size of the launch description, for example full");
  command
      .add_option_function<std::vector<std::string>>(
          "--define",
          [&request](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) define(request, text);
          },
          "change a size variable of the launch description, name=integer; may be repeated")
      ->allow_extra_args(false);
  command
      .add_option("--ptx", request.load.ptx,
                  "PTX file instead of the launch description's; of several modules, MODULE=FILE, "
                  "may be repeated")
      ->allow_extra_args(false);
  command.add_option("--seed", request.load.seed, "seed of random buffers")->check(whole_number(0));
}

void add_compile_options(CLI::App& command, std::string& word, std::string& kernel,
                         SimulationRequest& request) {
  command
      .add_option(
          "file", word,
          "PTX file, name of a workload (paws list), or path of a launch description or of a trace "
          "of machine code")
      ->required();
  command.add_option("--kernel", kernel, "only this kernel; others need not be supported");
  command.add_option("--gpu", request.gpu, "whose latencies and phase rule: preset or file")
      ->capture_default_str();
  command.add_option("--set", request.settings, "change a key, key=value")->allow_extra_args(false);
}

}  // namespace paws::cli
