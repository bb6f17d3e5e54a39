// SPDX-License-Identifier: MIT
// paws compare: workloads under several schedulers, one table.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>

#include "model/scheduler.h"
#include "sim/cli/check_report.h"
#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/comparison.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output_file.h"
#include "sim/cli/profile_option.h"
#include "sim/cli/report_option.h"
#include "sim/cli/say.h"
#include "sim/cli/traces.h"
#include "sim/cli/warnings.h"
#include "sim/run/compile.h"
#include "sim/run/engine.h"
#include "sim/run/progress.h"
#include "sim/run/subject.h"
#include "sim/run/workload_sets.h"
#include "sim/stats/estimate.h"
#include "sim/support/error.h"
#include "sim/support/list.h"

namespace paws::cli {
namespace {

constexpr unsigned kMostSeeds = 65535;  // of noise.seed

struct CompareArguments {
  SimulationRequest request;
  std::vector<std::string> workloads;
  std::vector<std::string> schedulers{"single:rr",    "single:gto",    "single:paws",
                                      "two-level:rr", "two-level:gto", "two-level:paws"};
  std::string json;
  std::string csv;
  ProfileArguments profile;
  unsigned seeds = 0;  ///< perturbations; 0: none is asked for
  bool dry_run = false;
  bool list = false;   ///< show the workloads of the set and run nothing
  std::string report;  ///< file
  TraceArguments traces;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

/// Before a message about one simulation.
std::string context(const std::string& workload, const std::string& scheduler) {
  return fmt::format("{} under {}: ", workload, scheduler);
}

/// What all simulations have in common.
void print_provenance(const CompareArguments& arguments) {
  const Provenance made_by = provenance_of(arguments.request, "", arguments.request.load.seed);
  say("paws {}, commit {}", made_by.version, made_by.commit);
  for (const auto& [name, value] : made_by.fields()) {
    if (name == "version" || name == "commit" || name == "scheduler") continue;
    if (!value.empty()) say(", {} {}", name, value);
  }
  if (arguments.seeds != 0) {
    say(", means of noise.seed 1 to {}, 95 % intervals (=: contains 1)", arguments.seeds);
  }
  say("\n\n");
}

/// The table, a row as soon as everything in it is known: its own results and those of RR, which
/// its speed is relative to, and all rows above. Not thread-safe.
class GrowingTable {
 public:
  /// `names` are the workloads' names, `requests` what was asked for, in the order of the rows, a
  /// request for each seed.
  GrowingTable(const CompareArguments& arguments, const std::vector<std::string>& names,
               const std::vector<SimulationRequest>& requests)
      : arguments_(arguments),
        runs_(std::max(1U, arguments.seeds)),
        requests_(requests),
        done_(requests.size()) {
    for (const std::string& name : names) width_ = std::max(width_, name.size());
  }

  /// Outcome `index` is known. `before_printing` is called before anything is printed.
  void add(const std::vector<Outcome>& outcomes, std::size_t index,
           const std::function<void()>& before_printing) {
    done_[index] = true;
    while (first_ < done_.size() && is_known(first_)) {
      before_printing();
      print(outcomes);
    }
  }

 private:
  /// The row of the request `first` and those behind it that differ in the seed.
  [[nodiscard]] bool is_known(std::size_t first) const {
    const std::string& own = requests_[first].scheduler;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const std::string& other = requests_[i].scheduler;
      const bool needed = other == own || other == round_robin_of_level(own);
      if (needed && requests_[i].workload == requests_[first].workload && !done_[i]) return false;
    }
    return true;
  }

  void print(const std::vector<Outcome>& outcomes) {
    if (first_ == 0) {
      print_provenance(arguments_);
      say("{:<{}}  {:<15} {:>12}", "workload", width_, "scheduler", "cycles");
      if (arguments_.seeds != 0) say(" {:>8}", "+-");
      say(" {:>9} {:>7} {:>7}", "IPC", "idle %", "vs RR");
      if (arguments_.seeds != 0) say("  {:<13}", "interval");
      say("  results\n");
    } else if (requests_[first_].workload != requests_[first_ - 1].workload) {
      say("\n");
    }
    const std::span runs = std::span(outcomes).subspan(first_, runs_);
    const auto failed = std::find_if(runs.begin(), runs.end(),
                                     [](const Outcome& run) { return run.failure.has_value(); });
    say("{:<{}}  {:<15} ", runs[0].result.workload, width_, runs[0].result.scheduler);
    if (failed != runs.end()) {
      say("{:>12}", "-");
      if (arguments_.seeds != 0) say(" {:>8}", "-");
      say(" {:>9} {:>7} {:>7}", "-", "-", "-");
      if (arguments_.seeds != 0) say("  {:<13}", "-");
      say("  failed: {}\n", failed->failure->cause);
    } else {
      print_numbers(outcomes, runs);
    }
    flush_stdout();
    first_ += runs_;
  }

  void print_numbers(const std::vector<Outcome>& outcomes, std::span<const Outcome> runs) const {
    std::vector<double> cycles;
    std::vector<double> speeds;
    double ipc = 0;
    double idle = 0;
    bool checked = true;
    bool right = true;
    for (const Outcome& run : runs) {
      const GpuStatistics& statistics = run.result.statistics;
      cycles.push_back(static_cast<double>(statistics.cycles));
      if (const auto speed = speed_relative_to_rr(outcomes, run)) speeds.push_back(*speed);
      ipc += statistics.ipc() / runs_;
      idle += statistics.cores.idle_fraction() / runs_;
      checked = checked && run.result.verified.has_value();
      right = right && run.result.verified.value_or(true);
    }
    const bool compared = speeds.size() == runs.size();
    const bool several = arguments_.seeds != 0;
    if (several) {
      const Estimate mean = mean_of(cycles);
      say("{:>12.0f} {:>8.0f}", mean.mean, mean.high - mean.mean);
    } else {
      say("{:>12.0f}", cycles[0]);
    }
    say(" {:>9.2f} {:>7.1f}", ipc, 100 * idle);
    if (several && compared) {
      const Estimate speed = mean_ratio_of(speeds);
      say(" {:>7.3f}  {:.3f}-{:.3f} {}", speed.mean, speed.low, speed.high,
          speed.contains(1) ? '=' : ' ');
    } else {
      say(" {:>7}", compared ? fmt::format("{:.3f}", speeds[0]) : "-");
      if (several) say("  {:<13}", "-");
    }
    say("  {}\n", !right ? "FAIL" : (checked ? "PASS" : "not checked"));
  }

  const CompareArguments& arguments_;
  const std::size_t runs_;  // of a row
  const std::vector<SimulationRequest>& requests_;
  std::vector<bool> done_;
  std::size_t width_ = 8;
  std::size_t first_ = 0;  // request of the next row
};

/// Every workload under every scheduler with every perturbation.
std::vector<SimulationRequest> requests_of(const CompareArguments& arguments) {
  std::vector<SimulationRequest> requests;
  for (const std::string& workload : arguments.workloads) {
    for (const std::string& scheduler : arguments.schedulers) {
      for (unsigned seed = std::min(1U, arguments.seeds); seed <= arguments.seeds; ++seed) {
        requests.push_back(arguments.request);
        requests.back().workload = workload;
        requests.back().scheduler = scheduler;
        if (seed != 0) requests.back().settings.push_back(fmt::format("noise.seed={}", seed));
      }
    }
  }
  return requests;
}

/// Throws Interrupted.
Outcome simulate_one(SimulationRequest request, const std::string& name) {
  Outcome outcome;
  request.found_before_failure = &outcome.found_before_failure;
  try {
    outcome.noise_seed = gpu_of(request).noise.seed;
    outcome.result = simulate(request);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception&) {
    outcome.failure = failure_of(std::current_exception());
    outcome.result.workload = name;
    outcome.result.gpu = gpu_of(request).name;
    outcome.result.scheduler = request.scheduler;
    outcome.result.engine = request.engine;
    outcome.result.blocks = request.blocks;
    outcome.result.throttle = request.throttle;
    outcome.result.seed = request.load.seed;
    outcome.result.made_by = provenance_of(request, name, outcome.result.seed);
  }
  return outcome;
}

/// Runs the requests, `jobs` at a time; each simulation is independent of the others, so their
/// number changes no result, and one that fails costs its own row alone. Prints the table as it
/// becomes known; outcomes are in the order of the requests. Throws Interrupted.
std::vector<Outcome> simulate_all(std::vector<SimulationRequest> requests,
                                  const std::vector<std::string>& names,
                                  const CompareArguments& arguments) {
  const std::size_t per_workload = requests.size() / names.size();
  std::vector<Outcome> outcomes(requests.size());
  std::map<std::size_t, Interrupted> interrupts;  // of which request
  ProgressLine progress;
  GrowingTable table(arguments, names, requests);
  std::mutex mutex;  // of progress, table, outcomes and interrupts
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  for (SimulationRequest& request : requests) {
    request.warn = [&](const std::string& warning) {
      const std::lock_guard lock(mutex);
      progress.clear();
      warn(warning);
    };
  }
  auto work = [&] {
    for (std::size_t i = next++; i < requests.size() && !stop; i = next++) {
      const SimulationRequest& request = requests[i];
      {
        const std::lock_guard lock(mutex);
        progress.show(fmt::format("{}/{} done; {} under {}", done.load(), requests.size(),
                                  request.workload, request.scheduler));
      }
      std::optional<Outcome> outcome;
      try {
        outcome = simulate_one(request, names[i / per_workload]);
      } catch (const Interrupted& how_far) {
        const std::lock_guard lock(mutex);
        interrupts.try_emplace(
            i, fmt::format("{} under {}: {}; {} of {} simulations done", request.workload,
                           request.scheduler, how_far.what(), done.load(), requests.size()));
        stop = true;
        return;
      }
      const std::lock_guard lock(mutex);
      outcomes[i] = *std::move(outcome);
      ++done;
      table.add(outcomes, i, [&] { progress.clear(); });
    }
  };
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 1; i < std::min<std::size_t>(arguments.jobs, requests.size()); ++i) {
      threads.emplace_back(work);
    }
  } catch (const std::system_error&) {  // The system gives no more: fewer do the same, later.
  }
  work();
  for (std::thread& thread : threads) thread.join();
  progress.clear();
  if (!interrupts.empty()) throw Interrupted(interrupts.begin()->second);
  return outcomes;
}

/// To stderr, once for all schedulers under which the workload fails from the same cause, at the
/// first of them.
void tell_failure(const std::vector<Outcome>& outcomes, const Outcome& outcome) {
  std::vector<std::string> schedulers;
  for (const Outcome& other : outcomes) {
    if (other.result.workload != outcome.result.workload || !other.failure ||
        other.failure->cause != outcome.failure->cause) {
      continue;
    }
    if (schedulers.empty() && &other != &outcome) return;
    if (schedulers.empty() || schedulers.back() != other.result.scheduler) {
      schedulers.push_back(other.result.scheduler);
    }
  }
  say(stderr, "paws: {}{}\n", context(outcome.result.workload, listed(schedulers)),
      outcome.failure->cause);
}

/// What is wrong with each outcome, to stderr. Returns the exit status.
int tell_what_is_wrong(const std::vector<Outcome>& outcomes) {
  int status = 0;
  for (const Outcome& outcome : outcomes) {
    const SimulationResult& result = outcome.result;
    const std::string run =
        outcome.noise_seed == 0
            ? result.scheduler
            : fmt::format("{} with noise.seed={}", result.scheduler, outcome.noise_seed);
    const std::string which = context(result.workload, run);
    print_findings(outcome.found_before_failure, which);
    if (outcome.failure) {
      tell_failure(outcomes, outcome);
      status = std::max(status, outcome.failure->status);
      continue;
    }
    for (const std::string& message : result.messages) {
      say(stderr, "paws: {}{}\n", which, message);
    }
    bool right = result.verified.value_or(true);
    if (result.check) {
      right &= result.check->clean();
      print_findings(*result.check, which);
    }
    if (!right) status = std::max(status, 1);
  }
  return status;
}

/// Of the simulations that have not failed.
void give_profiles(const CompareArguments& arguments, const std::vector<Outcome>& outcomes) {
  std::vector<profile::ProfiledRun> runs;
  for (const Outcome& outcome : outcomes) {
    const SimulationResult& result = outcome.result;
    if (result.profile) runs.push_back({result.workload, result.scheduler, *result.profile});
  }
  if (runs.empty()) return;
  const bool one = arguments.workloads.size() == 1;
  Provenance made_by = provenance_of(arguments.request, one ? runs.front().workload : "",
                                     arguments.request.load.seed);
  made_by.scheduler = fmt::format("{}", fmt::join(arguments.schedulers, " "));
  give_profile(arguments.profile, runs, made_by);
}

/// Of the simulations that have not failed.
void give_page(const CompareArguments& arguments, const std::vector<Outcome>& outcomes,
               const GpuConfig& config) {
  if (arguments.report.empty()) return;
  std::vector<report::ReportedRun> runs;
  Provenance made_by;
  for (const Outcome& outcome : outcomes) {
    if (outcome.failure) continue;
    runs.push_back(reported(outcome.result));
    const std::optional<double> speed = speed_relative_to_rr(outcomes, outcome);
    runs.back().result["speed_vs_rr"] = speed ? nlohmann::json(*speed) : nlohmann::json(nullptr);
    made_by = outcome.result.made_by;
  }
  if (runs.empty()) return;
  made_by.scheduler = fmt::format("{}", fmt::join(arguments.schedulers, " "));
  give_report(arguments.report, runs, config, made_by);
}

/// A word of --set that is no setting names a set: takes it from the settings. Throws InputError,
/// also for a second one, whose GPU may be another.
std::optional<WorkloadSet> take_set(std::vector<std::string>& settings) {
  const auto is_name = [](const std::string& word) { return word.find('=') == std::string::npos; };
  const auto found = std::find_if(settings.begin(), settings.end(), is_name);
  if (found == settings.end()) return std::nullopt;
  WorkloadSet set = workload_set(*found);
  settings.erase(found);
  const auto second = std::find_if(settings.begin(), settings.end(), is_name);
  if (second != settings.end()) {
    throw InputError(fmt::format("--set {} --set {}: one set at a time", set.name, *second));
  }
  return set;
}

/// Adds what the set gives to what is asked for.
void expand_set(const CLI::App& command, const WorkloadSet& set, CompareArguments& arguments) {
  for (const SetMember& member : set.members) arguments.workloads.push_back(member.workload);
  if (!given(command, {"--gpu"})) arguments.request.gpu = set.gpu;
  if (!given(command, {"--engine"})) arguments.request.engine = set.engine;
}

void list_set(const WorkloadSet& set) {
  say("{}: {} (--gpu {} --engine {})\n", set.name, set.description, set.gpu, set.engine);
  std::size_t width = 0;
  for (const SetMember& member : set.members) width = std::max(width, member.workload.size());
  for (const SetMember& member : set.members) {
    say("  {:<{}}  {}; bounded by {}\n", member.workload, width,
        named_workload(member.workload, {}).description, member.bound);
  }
}

/// `all` stands for every scheduler that the engine has.
void expand_all(CompareArguments& arguments) {
  std::vector<std::string>& schedulers = arguments.schedulers;
  if (std::find(schedulers.begin(), schedulers.end(), "all") == schedulers.end()) return;
  schedulers = arguments.request.engine == "model" ? scheduler_names() : rtl_scheduler_names();
}

/// Throws InputError for a scheduler among the workloads, the second of `--schedulers A B`.
void check_words(const CompareArguments& arguments) {
  for (const std::string& word : arguments.workloads) {
    if ((!word.starts_with("single:") && !word.starts_with("two-level:")) ||
        std::filesystem::exists(word)) {
      continue;
    }
    throw InputError(
        fmt::format("{} is a scheduler, not a workload: --schedulers takes one word, schedulers "
                    "with commas between them (--schedulers {},{})",
                    word, fmt::join(arguments.schedulers, ","), word));
  }
}

/// Throws InputError for what gives perturbations other than those of --seeds a meaning.
void check_seeds(const CLI::App& command, const CompareArguments& arguments) {
  if (arguments.seeds == 0) return;
  refuse(command, {"--profile", "--report", "--timeline"}, "with --seeds: it is of one run");
  for (const std::string& setting : arguments.request.settings) {
    if (setting.starts_with("noise.seed=")) {
      throw InputError(fmt::format("--set {}: --seeds sets noise.seed", setting));
    }
  }
}

/// Throws InputError for what is wrong with a workload, which simulations would say one by one.
void read_workloads(const CompareArguments& arguments, const GpuConfig& config) {
  for (const std::string& workload : arguments.workloads) {
    SimulationRequest request = arguments.request;
    request.workload = workload;
    subject_of(request, config);
  }
}

int compare(const CLI::App& command, CompareArguments& arguments) {
  const std::optional<WorkloadSet> set = take_set(arguments.request.settings);
  if (arguments.list) {
    if (!set) refuse(command, {"--list"}, "without --set NAME");
    list_set(*set);
    return 0;
  }
  if (set) expand_set(command, *set, arguments);
  if (arguments.workloads.empty()) throw InputError("compare: no workload and no --set NAME");
  check_words(arguments);
  check_seeds(command, arguments);
  expand_all(arguments);
  if (!arguments.json.empty()) check_writable(arguments.json);
  if (!arguments.csv.empty()) check_writable(arguments.csv);
  // Everything that can be wrong with the names is said before the first simulation.
  const GpuConfig config = gpu_of(arguments.request);
  for (const std::string& scheduler : arguments.schedulers) {
    engine_factory(arguments.request.engine, scheduler_config(config, scheduler), "");
  }
  check_machine_options(command, config, arguments.schedulers);
  check_profile_option(arguments.profile, config);
  check_report_option(arguments.report, config);
  check_trace_options(command);
  if (arguments.workloads.size() > 1) {
    refuse(command, {"--report", "--timeline"}, "with several workloads: its file is of one");
  }
  arguments.request.profile = arguments.profile.asked || !arguments.report.empty();
  arguments.request.warps = !arguments.report.empty();
  std::vector<std::string> names;
  for (const std::string& workload : arguments.workloads) {
    names.push_back(short_name_of_subject(workload));
  }
  if (arguments.dry_run) {
    read_workloads(arguments, config);
    return 0;
  }
  note_interrupts();
  arguments.request.options.interrupted = interrupted;
  std::vector<SimulationRequest> requests = requests_of(arguments);
  Recordings timelines(recording_of(arguments.traces, arguments.request), requests);
  const std::vector<Outcome> outcomes = simulate_all(std::move(requests), names, arguments);
  std::uint64_t longest = 0;
  for (const Outcome& outcome : outcomes) {
    longest = std::max(longest, outcome.result.statistics.cycles);
  }
  const int status = tell_what_is_wrong(outcomes);
  write_all({[&] {
               if (!arguments.json.empty()) write_json(arguments.json, to_json(outcomes));
             },
             [&] {
               if (!arguments.csv.empty()) write_table(arguments.csv, to_csv(outcomes));
             },
             [&] { give_profiles(arguments, outcomes); },
             [&] { give_page(arguments, outcomes, config); },
             [&] {
               if (longest > 0) {
                 timelines.finish(longest);
               } else {
                 timelines.fail("");  // Every simulation has failed.
               }
             }});
  return status;
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("compare", "Run workloads under several schedulers and print a table");
  auto arguments = std::make_shared<CompareArguments>();
  command->add_option("workloads", arguments->workloads,
                      "names of workloads (paws list) or paths of launch descriptions");
  command
      ->add_option("--schedulers", arguments->schedulers,
                   "schedulers, separated by commas; all: every one that the engine has")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  add_simulation_options(*command, arguments->request);
  command->get_option("--set")->description(
      "change a key of the GPU configuration, key=value, of bytes also 16K or 2M; or the name of a "
      "set of workloads to run (workloads/sets.toml); may be repeated");
  command->add_flag(
      "--list", arguments->list,
      "list the workloads of the set, what they are and what bounds them; run nothing");
  command->add_option("--jobs", arguments->jobs, "simulations at a time")
      ->capture_default_str()
      ->check(whole_number(1, std::numeric_limits<unsigned>::max()));
  command
      ->add_option("--seeds", arguments->seeds,
                   "perturbed runs of each, noise.seed 1 to N; the table has means with 95 % "
                   "intervals, of speeds from runs with equal perturbations")
      ->check(whole_number(2, kMostSeeds));
  command->add_flag("--dry-run", arguments->dry_run,
                    "check workloads, schedulers and settings, and simulate nothing");
  command->add_option("--json", arguments->json, "write the results to this file");
  command->add_option("--csv", arguments->csv,
                      "write every statistic of every run to this file, a line per run");
  add_profile_option(*command, arguments->profile);
  add_report_option(*command, arguments->report);
  add_timeline_options(*command, arguments->traces);
  command->callback([command, arguments, &status] { status = compare(*command, *arguments); });
}

}  // namespace paws::cli
