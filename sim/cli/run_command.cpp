// SPDX-License-Identifier: MIT
// paws run: one workload, one scheduler.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <thread>

#include "model/scheduler.h"
#include "sim/cli/check_report.h"
#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output_file.h"
#include "sim/cli/profile_option.h"
#include "sim/cli/report_option.h"
#include "sim/cli/say.h"
#include "sim/cli/traces.h"
#include "sim/cli/warnings.h"
#include "sim/run/profile_json.h"
#include "sim/run/progress.h"
#include "sim/run/result_fields.h"
#include "sim/run/subject.h"
#include "sim/stats/statistics_table.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

struct RunArguments {
  SimulationRequest request;
  TraceArguments traces;
  std::string json;
  bool stats = false;  ///< print every statistic
  std::string sample;  ///< file
  observe::SampleSettings sampling;
  ProfileArguments profile;
  std::string report;  ///< file
  bool print = true;   ///< what kernels print
};

/// What can be wrong with the options together. Throws InputError.
void check_options(const CLI::App& command, const RunArguments& arguments) {
  const SimulationRequest& request = arguments.request;
  const GpuConfig config = gpu_of(request);
  if (!request.timing) {
    check_untimed_options(command, "--timing off");
  } else {
    refuse(command, {"--max-instructions"}, "without --timing off: --max-cycles is the limit");
    refuse(command, {"--steps"}, "without --timing off");
    check_machine_options(command, config, {request.scheduler});
    check_profile_option(arguments.profile, config);
    check_report_option(arguments.report, config);
  }
  check_trace_options(command);
  if (is_trace_subject(request.workload)) {
    refuse(command, {"--printf"}, "with a trace of machine code, whose kernels print nothing");
  }
  if (arguments.sampling.core.value_or(0) >= config.cores) {
    throw InputError(fmt::format("--sample-core {}: the GPU has cores 0 to {}",
                                 *arguments.sampling.core, config.cores - 1));
  }
}

/// A line for each limit that has been found, the first few of them.
std::string block_limits(const GpuStatistics& statistics) {
  constexpr std::size_t kShown = 8;
  std::string text;
  std::size_t number = 0;
  for (std::size_t launch = 0; launch < statistics.kernels.size(); ++launch) {
    for (const BlockLimit& limit : statistics.kernels[launch].limits) {
      if (++number > kShown) continue;
      text += fmt::format("  launch {:<10} {} blocks per core from cycle {} on{}\n", launch + 1,
                          limit.limit, limit.cycle,
                          limit.core ? fmt::format(", found by core {}", *limit.core) : "");
    }
  }
  if (number > kShown) text += fmt::format("  and {} more (--json)\n", number - kShown);
  return text;
}

/// What the lines below it do not say.
void print_provenance(const Provenance& made_by) {
  say("made by             paws {}, commit {}\n", made_by.version, made_by.commit);
  for (const auto& [name, value] : {std::pair{"settings", made_by.settings},
                                    {"size", made_by.size},
                                    {"defines", made_by.defines},
                                    {"seed", made_by.seed}}) {
    if (!value.empty()) say("{:<20}{}\n", name, value);
  }
}

/// With what was counted beside the statistics.
nlohmann::json saved(const SimulationResult& result) {
  nlohmann::json json = to_json(result);
  if (result.profile) json["profile"] = to_json(*result.profile);
  if (result.warps) json["warps"] = to_json(*result.warps);
  return json;
}

const char* verdict(const SimulationResult& result) {
  if (result.trace) return "not checked: trace";
  if (!result.verified) return "not checked (the launch description expects nothing)";
  return *result.verified ? "PASS" : "FAIL";
}

/// Simulates; what was recorded and found until then is kept and told if the simulation fails.
SimulationResult recorded(SimulationRequest request, Recordings& recordings,
                          LaunchProgressLine& progress) {
  sanitize::Report found;
  request.found_before_failure = &found;
  SimulationResult result;
  try {
    result = simulate(request);
  } catch (const std::exception& error) {
    recordings.fail(error.what());
    progress.clear();
    print_findings(found);
    throw;
  }
  return result;
}

int run(const CLI::App& command, RunArguments& arguments) {
  note_interrupts();
  check_options(command, arguments);
  if (!arguments.json.empty()) check_writable(arguments.json);
  if (!arguments.sample.empty()) {
    check_writable(arguments.sample);
    arguments.request.samples = arguments.sampling;
  }
  arguments.request.profile = arguments.profile.asked || !arguments.report.empty();
  // A saved run is to have what its page shows (`paws report`); there is none of barrels.
  const bool shown =
      !arguments.json.empty() && !arguments.sample.empty() && !gpu_of(arguments.request).barrel();
  arguments.request.warps = !arguments.report.empty() || shown;
  Recordings recordings(recording_of(arguments.traces, arguments.request), arguments.request);
  arguments.request.options.interrupted = interrupted;
  arguments.request.warn = warn;
  LaunchProgressLine progress;
  if (arguments.print) {
    arguments.request.print = [&progress](std::string_view text) {
      progress.clear();
      put(stdout, std::string(text));
    };
  }
  arguments.request.progress = [&](std::uint64_t launch, const std::string& kernel) {
    progress.begin(launch, kernel, arguments.request.timing);
  };
  arguments.request.options.progress = [&](std::uint64_t cycles, std::uint64_t finished,
                                           std::uint64_t blocks) {
    progress.report(cycles, finished, blocks);
  };
  const SimulationResult result = recorded(arguments.request, recordings, progress);
  progress.clear();

  const GpuStatistics& statistics = result.statistics;
  say("workload            {}\n", result.workload);
  print_provenance(result.made_by);
  if (result.timed) {
    say("gpu                 {}\n", result.gpu);
    say("scheduler           {}\n", result.scheduler);
    for (const auto& [name, value] : result.policy_parameters) {
      say("{:<20}{}\n", "policy." + name, value);
    }
    say("engine              {}\n", result.engine);
    say("block scheduler     {}\n{}", result.blocks, block_limits(statistics));
    say("throttle            {}\n", result.throttle);
    say("thread blocks       {}\n", statistics.cores.blocks);
    say("cycles              {}\n", statistics.cycles);
    say("IPC                 {:.2f}\n", statistics.ipc());
    say("scheduler idle      {:.1f} %\n", 100 * statistics.cores.idle_fraction());
  }
  say("kernel launches     {}\n", result.launches);
  for (const KernelOccupancy& kernel : result.kernels) {
    say("kernel              {}{}\n", kernel.kernel,
        kernel.module.empty() ? "" : fmt::format(", module {}", kernel.module));
    if (!result.timed) continue;
    say("  blocks per core   {}, of {} threads; limit: {}\n", kernel.occupancy.blocks,
        kernel.threads, kernel.occupancy.limit);
    say("  per thread        {} registers{}; per block {} bytes of shared memory\n",
        kernel.registers.held,
        kernel.registers.spilled == 0
            ? ""
            : fmt::format(", {} more spilled (bound: {})", kernel.registers.spilled,
                          kernel.registers.bound),
        kernel.shared_bytes);
  }
  say("thread instructions {}\n", result.thread_instructions);
  say("warp instructions   {}\n", result.warp_instructions);
  say("results             {}\n", verdict(result));
  if (result.check) say("check               {}\n", summary(*result.check));
  say("host seconds        {:.2f}\n", result.host_seconds);
  say("{} {:.0f}\n", result.timed ? "core-cycles/second " : "instructions/second", result.rate());
  if (arguments.stats) say("\n{}", listing({statistics, result.host_seconds}));
  if (result.check) print_findings(*result.check);
  for (const std::string& message : result.messages) say(stderr, "paws: {}\n", message);
  write_all({[&] {
               if (!arguments.json.empty()) write_json(arguments.json, saved(result));
             },
             [&] {
               if (arguments.sample.empty()) return;
               write_table(arguments.sample, with_provenance(result.samples, result.made_by));
             },
             [&] { recordings.finish(result.statistics.cycles); },
             [&] {
               if (!result.profile) return;
               give_profile(arguments.profile,
                            {{result.workload, result.scheduler, *result.profile}}, result.made_by);
             },
             [&] {
               if (arguments.report.empty()) return;
               give_report(arguments.report, {reported(result)}, gpu_of(arguments.request),
                           result.made_by);
             }});
  return result.verified.value_or(true) && (!result.check || result.check->clean()) ? 0 : 1;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("run", "Run one workload under one scheduler");
  auto arguments = std::make_shared<RunArguments>();
  arguments->request.options.threads = std::max(1U, std::thread::hardware_concurrency());
  command
      ->add_option("workload", arguments->request.workload,
                   "name of a workload (paws list), or path of a launch description or of a trace "
                   "of machine code")
      ->required();
  command
      ->add_option("--scheduler", arguments->request.scheduler,
                   fmt::format("one of {}", fmt::join(scheduler_names(), ", ")))
      ->capture_default_str();
  add_simulation_options(*command, arguments->request);
  add_trace_options(*command, arguments->traces);
  add_choice(*command, "--timing", "on", "off", arguments->request.timing,
             "off: execute for the values alone, no scheduler and no cycles");
  add_untimed_options(*command, arguments->request);
  add_printf_option(*command, arguments->print);
  command->add_option("--write-trace", arguments->request.write_traces,
                      "write what the kernels execute to this folder, as traces of machine code "
                      "(docs/guide/sass_traces.md)");
  command->add_option("--json", arguments->json, "write the result to this file");
  command->add_flag("--stats", arguments->stats,
                    "print every statistic, as GPGPU-Sim does (paws list --statistics)");
  auto* sample = command->add_option(
      "--sample", arguments->sample,
      "write warps per phase, instructions in flight and more over time to this file (CSV)");
  command->add_option("--interval", arguments->sampling.interval, "core cycles between two samples")
      ->capture_default_str()
      ->check(whole_number(1))
      ->needs(sample);
  command->add_option("--sample-core", arguments->sampling.core, "sample this core alone")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()))
      ->needs(sample);
  add_profile_option(*command, arguments->profile);
  add_report_option(*command, arguments->report);
  command->callback([command, arguments, &status] { status = run(*command, *arguments); });
}

}  // namespace paws::cli
