// SPDX-License-Identifier: MIT
// paws explain: why a warp was chosen, in sentences or as a page.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output_file.h"
#include "sim/cli/say.h"
#include "sim/cli/warnings.h"
#include "sim/explain/page.h"
#include "sim/explain/text.h"
#include "sim/run/recordings.h"
#include "sim/support/error.h"
#include "sim/support/list.h"
#include "sim/trace/decision_trace.h"

namespace paws::cli {
namespace {

using explain::Scene;
using explain::Scenes;

constexpr std::uint64_t kPageCycles = 1000;  // without --to

struct ExplainArguments {
  std::vector<std::string> subjects;  ///< a workload, or decision traces
  SimulationRequest request;
  std::vector<std::string> schedulers{"single:rr", "single:gto", "single:paws"};
  std::optional<std::uint32_t> core;
  std::uint32_t number = 0;  ///< of the core's schedulers
  std::optional<std::uint64_t> cycle, from, to;
  std::optional<std::uint32_t> warp;
  std::string html;  ///< file, empty: text
};

/// What is explained: a run that is recorded, or one that is still to be made.
class Run {
 public:
  explicit Run(const std::string& path)
      : reader_(std::make_unique<trace::DecisionReader>(path)), info_(reader_->run()) {}
  explicit Run(SimulationRequest request)
      : request_(std::move(request)), info_(run_info(request_)) {
    check_recordable(info_.scheduler);
  }

  [[nodiscard]] const trace::RunInfo& info() const { return info_; }
  [[nodiscard]] std::uint32_t first_core() const { return reader_ ? reader_->cores().front() : 0; }

  /// Passes the events of `core` to `scenes`, as long as it wants some.
  void read(std::uint32_t core, Scenes& scenes) {
    if (reader_) {
      trace::Decoder decoder = reader_->open(core);
      while (!scenes.done() && decoder.next(scenes)) {
      }
    } else {
      simulate_until_done(core, scenes);
    }
    scenes.finish();
  }

 private:
  void simulate_until_done(std::uint32_t core, Scenes& scenes) {
    note_interrupts();
    request_.options.observe = [&, core](std::uint32_t other) {
      return other == core ? std::make_unique<trace::Recorder>(std::vector<trace::Sink*>{&scenes})
                           : nullptr;
    };
    request_.options.interrupted = [&] { return scenes.done() || interrupted(); };
    request_.warn = warn;
    try {
      simulate(request_);
    } catch (const Interrupted&) {
      if (interrupted()) throw;
    }
  }

  std::unique_ptr<trace::DecisionReader> reader_;
  SimulationRequest request_;
  trace::RunInfo info_;
};

std::string facts_of(const trace::RunInfo& run) {
  std::string facts = fmt::format("{}, gpu {}", run.workload, run.gpu);
  for (const std::string& setting : run.settings) add_item(facts, setting);
  return facts;
}

/// The cycles asked for. Throws InputError.
trace::CycleRange range_of(const CLI::App& command, const ExplainArguments& arguments) {
  trace::CycleRange range;
  if (arguments.cycle) {
    refuse(command, {"--from", "--to"}, "with --cycle");
    return {*arguments.cycle, *arguments.cycle};
  }
  range.from = arguments.from.value_or(0);
  range.to = arguments.to.value_or(range.to);
  if (range.from > range.to) throw InputError("--from is behind --to");
  if (arguments.html.empty()) {
    if (!arguments.from && !arguments.to && !arguments.warp) {
      throw InputError("say what to explain: --cycle, --from and --to, --warp, or --html");
    }
    return range;
  }
  if (!arguments.to) range.to = range.from + std::min(kPageCycles - 1, range.to - range.from);
  if (range.to - range.from >= explain::kMostCycles) {
    throw InputError(fmt::format("--from {} --to {}: a page holds at most {} cycles", range.from,
                                 range.to, explain::kMostCycles));
  }
  return range;
}

/// Throws InputError for options that mean nothing together.
void check_options(const CLI::App& command, const ExplainArguments& arguments, bool recorded) {
  if (arguments.html.empty()) {
    refuse(command, {"--schedulers"}, "without --html: text has one --scheduler");
  } else {
    refuse(command, {"--scheduler"}, "with --html: a page has --schedulers");
    refuse(command, {"--cycle", "--warp"}, "with --html: a page has --from and --to");
  }
  if (recorded) {
    refuse(command,
           {"--scheduler", "--schedulers", "--gpu", "--engine", "--blocks", "--throttle", "--set",
            "--check", "--queues", "--max-cycles", "--threads", "--size", "--define", "--ptx",
            "--seed"},
           "with a decision trace, whose run is over");
  }
  refuse(command, {"--check", "--queues"}, "with explain, which shows decisions alone");
}

/// The runs to explain, one unless a page is asked for. Throws InputError.
std::vector<Run> runs_of(const CLI::App& command, const ExplainArguments& arguments) {
  const std::vector<std::string>& subjects = arguments.subjects;
  const auto traces = std::count_if(subjects.begin(), subjects.end(), trace::is_decision_trace);
  check_options(command, arguments, traces != 0);
  std::vector<Run> runs;
  if (traces != 0) {
    for (const std::string& path : subjects) runs.emplace_back(path);
    if (runs.size() > 1 && arguments.html.empty()) {
      throw InputError("several decision traces need --html: text has one");
    }
    return runs;
  }
  if (subjects.size() > 1) {
    throw InputError(subjects[1], "is a second workload: one is explained at a time");
  }
  SimulationRequest request = arguments.request;
  request.workload = subjects.front();
  if (arguments.html.empty()) {
    runs.emplace_back(request);
    return runs;
  }
  for (const std::string& scheduler : arguments.schedulers) {
    request.scheduler = scheduler;
    runs.emplace_back(request);
  }
  return runs;
}

std::uint32_t core_of(const ExplainArguments& arguments, const Run& run) {
  const trace::RunInfo& info = run.info();
  const std::uint32_t core = arguments.core.value_or(run.first_core());
  if (core >= info.cores) {
    throw InputError(fmt::format("--core {}: the GPU has cores 0 to {}", core, info.cores - 1));
  }
  if (arguments.number >= info.schedulers) {
    throw InputError(fmt::format("--scheduler-of-core {}: a core has {} schedulers",
                                 arguments.number, info.schedulers));
  }
  if (arguments.warp.value_or(0) >= info.scheduler.warps) {
    throw InputError(fmt::format("--warp {}: a scheduler has warp slots 0 to {}", *arguments.warp,
                                 info.scheduler.warps - 1));
  }
  return core;
}

[[noreturn]] void no_such_cycle(const trace::CycleRange& range, std::uint64_t cycles) {
  throw InputError(fmt::format("cycle {}: {}", range.from,
                               range.from < cycles
                                   ? "no launch runs on the core"
                                   : fmt::format("there are {}, numbered from 0", cycles)));
}

void say_in_words(const ExplainArguments& arguments, const trace::CycleRange& range, Run& run) {
  const SchedulerConfig& config = run.info().scheduler;
  const std::uint32_t core = core_of(arguments, run);
  bool begun = false;
  std::string launch;
  const auto say_launch = [&](const Scene& scene) {
    if (!begun) {
      say("{}, {}, scheduler {} of core {}\nRule: {}\n", facts_of(run.info()),
          scheduler_name(config), arguments.number, core, explain::sentences_of(config));
    }
    begun = true;
    if (scene.launch != launch) say("\n{}\n", scene.launch);
    launch = scene.launch;
  };
  explain::WarpStory story(config, arguments.warp.value_or(0),
                           [](const std::string& line) { say("{}", line); });
  Scenes scenes(run.info(), arguments.number, range,
                [&](std::uint64_t from, std::uint64_t to, const Scene& scene) {
                  if (scene.launch != launch) story.finish();
                  say_launch(scene);
                  if (arguments.warp) {
                    story.take(from, to, scene);
                  } else {
                    say("{}", explain::in_words(scene, config, from, to));
                  }
                });
  run.read(core, scenes);
  story.finish();
  if (!begun) no_such_cycle(range, scenes.cycles());
}

void write_page(const ExplainArguments& arguments, const trace::CycleRange& range,
                std::vector<Run>& runs) {
  check_writable(arguments.html);
  std::vector<std::uint32_t> cores;
  cores.reserve(runs.size());
  for (const Run& run : runs) cores.push_back(core_of(arguments, run));
  std::vector<explain::Column> columns;
  std::set<std::string> facts;
  std::uint64_t first = range.to;
  std::uint64_t last = 0;
  std::uint64_t cycles = 0;
  bool empty = true;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    explain::Column& column = columns.emplace_back(runs[i].info());
    facts.insert(fmt::format("{}; scheduler {} of core {}", facts_of(runs[i].info()),
                             arguments.number, cores[i]));
    Scenes scenes(runs[i].info(), arguments.number, range,
                  [&](std::uint64_t from, std::uint64_t to, const Scene& scene) {
                    empty = false;
                    first = std::min(first, from);
                    last = std::max(last, to);
                    column.take(from, to, scene);
                  });
    runs[i].read(cores[i], scenes);
    cycles = std::max(cycles, scenes.cycles());
  }
  if (empty) no_such_cycle(range, cycles);
  write_file(arguments.html,
             explain::to_html("Why this warp? " + runs.front().info().workload,
                              fmt::format("{}", fmt::join(facts, " | ")), {first, last}, columns));
}

int explain_runs(const CLI::App& command, const ExplainArguments& arguments) {
  std::vector<Run> runs = runs_of(command, arguments);
  const trace::CycleRange range = range_of(command, arguments);
  if (arguments.html.empty()) {
    say_in_words(arguments, range, runs.front());
  } else {
    write_page(arguments, range, runs);
  }
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("explain", "Say why a warp was chosen, cycle by cycle");
  auto arguments = std::make_shared<ExplainArguments>();
  arguments->request.options.threads = std::max(1U, std::thread::hardware_concurrency());
  const CLI::Validator number = whole_number(0, std::numeric_limits<std::uint32_t>::max());
  command
      ->add_option("subject", arguments->subjects,
                   "name of a workload (paws list), path of a launch description or of a trace of "
                   "machine code; or a decision trace (paws run --decisions), of a page several")
      ->required();
  command->add_option("--cycle", arguments->cycle, "one cycle")->check(whole_number(0));
  command->add_option("--from", arguments->from, "first cycle")->check(whole_number(0));
  command
      ->add_option("--to", arguments->to,
                   fmt::format("last cycle; of a page, default {} cycles in all, at most {}",
                               kPageCycles, explain::kMostCycles))
      ->check(whole_number(0));
  command->add_option("--warp", arguments->warp, "only what this warp slot does, and why")
      ->check(number);
  command->add_option("--core", arguments->core, "core; default 0, or the first recorded one")
      ->check(number);
  command->add_option("--scheduler-of-core", arguments->number, "which scheduler of the core")
      ->capture_default_str()
      ->check(number);
  command
      ->add_option("--scheduler", arguments->request.scheduler,
                   fmt::format("one of {}", fmt::join(scheduler_names(), ", ")))
      ->capture_default_str();
  command->add_option("--html", arguments->html,
                      "write a page in which one steps through the cycles of several schedulers");
  command->add_option("--schedulers", arguments->schedulers, "of the page, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  add_simulation_options(*command, arguments->request);
  command->callback([command, arguments, &status] { status = explain_runs(*command, *arguments); });
}

}  // namespace paws::cli
