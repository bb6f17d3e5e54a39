// SPDX-License-Identifier: MIT
// paws replay: a decision trace into an engine, without the GPU.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "model/scheduler.h"
#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/say.h"
#include "sim/run/engine.h"
#include "sim/run/reproduce.h"
#include "sim/support/error.h"
#include "sim/trace/decision_trace.h"
#include "sim/trace/replay.h"
#include "sim/trace/timeline.h"
#include "sim/trace/wave.h"

namespace paws::cli {
namespace {

struct ReplayArguments {
  std::string file;
  std::string engine = "rtl";
  std::optional<std::string> scheduler;
  std::optional<std::uint32_t> core;
  std::string timeline, wave;
  trace::CycleRange range;
};

/// The recorded scheduler with the policy that is asked for.
SchedulerConfig scheduler_of(const trace::RunInfo& run, const std::string& name) {
  SchedulerConfig config = run.scheduler;
  if (const auto wrong = set_scheduler_name(config, name)) throw InputError(*wrong);
  if (config == run.scheduler) return config;
  if (config.level != Level::single || run.scheduler.level != Level::single) {
    throw InputError(
        fmt::format("--scheduler {}: only one single-level policy can be put in another's place, "
                    "for the queues of a two-level scheduler hold what it decided before; run the "
                    "workload under both and use paws diff",
                    name));
  }
  return config;
}

/// What the engine found, where that is in the recording, and what draws it.
std::string located(const std::exception& found, const trace::Replay& replay, std::uint32_t core,
                    const std::string& file) {
  constexpr std::uint64_t kBefore = 100;  // cycles
  constexpr std::uint64_t kBehind = 10;
  return fmt::format(
      "{}\nrecorded in {}\nwaves: build/paws replay {} --core {} --wave mismatch.fst --from {} "
      "--to {}",
      found.what(), replay.place(), shell_word(file), core,
      replay.cycle() - std::min(replay.cycle(), kBefore), replay.cycle() + kBehind);
}

trace::ReplayResult replay_core(const trace::DecisionReader& reader, std::uint32_t core,
                                const SchedulerConfig& config,
                                const core::SchedulerFactory& factory) {
  trace::Replay replay(reader.run(), core, config, factory);
  trace::Decoder decoder = reader.open(core);
  try {
    while (!replay.done() && decoder.next(replay)) {
    }
    return replay.finish();
  } catch (const LockstepMismatch& mismatch) {
    throw CheckError(located(mismatch, replay, core, reader.path()));
  } catch (const ContractViolation& violation) {
    throw CheckError(located(violation, replay, core, reader.path()));
  }
}

/// Timeline and waves of what was recorded, as the run itself could have written them. Waves that
/// end because the RTL decides otherwise are kept: that cycle is their last.
void draw(const trace::DecisionReader& reader, const ReplayArguments& arguments,
          const std::vector<std::uint32_t>& cores) {
  const trace::CycleRange& range = arguments.range;
  if (range.from > range.to) throw InputError("--from is behind --to");
  if (!arguments.wave.empty()) {
    if (cores.size() > 1) throw InputError("--wave shows one core: name it with --core");
    trace::WaveWriter wave(arguments.wave, reader.run(), range.from, range.to);
    trace::Decoder decoder = reader.open(cores.front());
    try {
      while (!wave.done() && decoder.next(wave)) {
      }
    } catch (const CheckError&) {
      wave.finish();
      throw;
    }
    if (!wave.finish()) trace::check_window(range, decoder.cycles());
  }
  if (!arguments.timeline.empty()) {
    trace::TimelineWriter timeline(arguments.timeline, {reader.run()}, cores, range);
    for (std::size_t i = 0; i < cores.size(); ++i) {
      trace::Decoder decoder = reader.open(cores[i]);
      while (decoder.next(timeline.sink(i))) {
      }
      trace::check_window(range, decoder.cycles());
    }
    timeline.finish();
  }
}

int replay(const CLI::App& command, const ReplayArguments& arguments) {
  refuse_without(command, {"--timeline", "--wave"}, {"--from", "--to"});
  const trace::DecisionReader reader(arguments.file);
  const trace::RunInfo& run = reader.run();
  const std::string recorded = scheduler_name(run.scheduler);
  const SchedulerConfig config = scheduler_of(run, arguments.scheduler.value_or(recorded));
  const bool other = config != run.scheduler;
  const core::SchedulerFactory factory = engine_factory(
      arguments.engine, config, mismatch_command(arguments.file, scheduler_name(config)));
  const std::vector<std::uint32_t> cores =
      arguments.core ? std::vector<std::uint32_t>{*arguments.core} : reader.cores();
  draw(reader, arguments, cores);
  trace::ReplayResult total;
  for (const std::uint32_t core : cores) {
    total += replay_core(reader, core, config, factory);
    if (total.mismatch) break;
  }

  say("workload                 {}\n", run.workload);
  say("recorded                 {}, engine {}\n", recorded, run.engine);
  say("replayed                 {}, engine {}\n", scheduler_name(config), arguments.engine);
  say("core cycles              {}\n", total.cycles);
  say("scheduler cycles decided {}\n", total.scheduler_cycles);
  say("issues                   {}\n", total.issues);
  if (other) {
    say("would decide otherwise   {} ({:.1f} % of the issues)\n", total.different,
        total.issues == 0
            ? 0.0
            : 100 * static_cast<double>(total.different) / static_cast<double>(total.issues));
  }
  say("scheduler cycles/second  {:.0f}\n",
      total.seconds > 0 ? static_cast<double>(total.scheduler_cycles) / total.seconds : 0.0);
  if (total.mismatch) throw CheckError(*total.mismatch);
  if (!other) say("every decision           as recorded\n");
  return 0;
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("replay", "Replay a decision trace into an engine, without the GPU");
  auto arguments = std::make_shared<ReplayArguments>();
  command->add_option("file", arguments->file, "decision trace (paws run --decisions)")->required();
  command
      ->add_option("--engine", arguments->engine,
                   fmt::format("what decides: {}", fmt::join(engine_names(), ", ")))
      ->capture_default_str();
  command->add_option("--scheduler", arguments->scheduler,
                      "another single-level policy: how often it would decide otherwise");
  command->add_option("--core", arguments->core, "one of the recorded cores; default all")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()));
  command->add_option("--timeline", arguments->timeline,
                      "write a timeline of the warps for ui.perfetto.dev or chrome://tracing");
  command->add_option("--wave", arguments->wave,
                      "write waves, FILE.fst, and a save file for GTKWave");
  command->add_option("--from", arguments->range.from, "first cycle of timeline and wave")
      ->check(whole_number(0));
  command->add_option("--to", arguments->range.to, "last cycle of timeline and wave")
      ->check(whole_number(0));
  command->callback([command, arguments, &status] { status = replay(*command, *arguments); });
}

}  // namespace paws::cli
