// SPDX-License-Identifier: MIT
// paws compare: workloads under several schedulers, one table.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "model/scheduler.h"
#include "sim/cli/check_report.h"
#include "sim/cli/commands.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output_file.h"
#include "sim/cli/progress.h"
#include "sim/cli/warnings.h"
#include "sim/run/compile.h"
#include "sim/run/result_fields.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

struct CompareArguments {
  SimulationRequest request;
  std::vector<std::string> workloads;
  std::vector<std::string> schedulers{"single:rr",    "single:gto",    "single:paws",
                                      "two-level:rr", "two-level:gto", "two-level:paws"};
  std::string json;
  std::string csv;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

/// Before a message about one simulation.
std::string context(const std::string& workload, const std::string& scheduler) {
  return fmt::format("{} under {}: ", workload, scheduler);
}

std::string round_robin_of_level(const std::string& scheduler) {
  return scheduler.substr(0, scheduler.find(':')) + ":rr";
}

/// The same workload under RR of the same level; nullptr when it is not among the results.
const SimulationResult* round_robin_of(const std::vector<SimulationResult>& results,
                                       const SimulationResult& result) {
  const std::string rr = round_robin_of_level(result.scheduler);
  for (const SimulationResult& other : results) {
    if (other.workload == result.workload && other.scheduler == rr) return &other;
  }
  return nullptr;
}

std::optional<double> speed_relative_to_rr(const std::vector<SimulationResult>& results,
                                           const SimulationResult& result) {
  const SimulationResult* rr = round_robin_of(results, result);
  if (rr == nullptr || result.statistics.cycles == 0) return std::nullopt;
  return static_cast<double>(rr->statistics.cycles) / static_cast<double>(result.statistics.cycles);
}

/// The table, a row as soon as everything in it is known: its own result and that of RR, which its
/// speed is relative to, and all rows above. Not thread-safe.
class GrowingTable {
 public:
  /// `names` are the workloads' names, `requests` what was asked for, in the order of the rows.
  GrowingTable(const std::vector<std::string>& names,
               const std::vector<SimulationRequest>& requests)
      : requests_(requests), done_(requests.size()) {
    for (const std::string& name : names) width_ = std::max(width_, name.size());
  }

  /// Result `index` of `results` is known. `before_printing` is called before anything is printed.
  void add(const std::vector<SimulationResult>& results, std::size_t index,
           const std::function<void()>& before_printing) {
    done_[index] = true;
    while (printed_ < done_.size() && done_[printed_] && rr_is_known(printed_)) {
      before_printing();
      print(results);
    }
  }

 private:
  [[nodiscard]] bool rr_is_known(std::size_t row) const {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const bool rr = requests_[i].scheduler == round_robin_of_level(requests_[row].scheduler);
      if (rr && requests_[i].workload == requests_[row].workload && !done_[i]) return false;
    }
    return true;
  }

  void print(const std::vector<SimulationResult>& results) {
    if (printed_ == 0) {
      fmt::print("{:<{}}  {:<15} {:>12} {:>9} {:>7} {:>7}  {}\n", "workload", width_, "scheduler",
                 "cycles", "IPC", "idle %", "vs RR", "results");
    } else if (requests_[printed_].workload != requests_[printed_ - 1].workload) {
      fmt::print("\n");
    }
    const SimulationResult& result = results[printed_];
    const std::optional<double> speed = speed_relative_to_rr(results, result);
    fmt::print("{:<{}}  {:<15} {:>12} {:>9.2f} {:>7.1f} {:>7}  {}\n", result.workload, width_,
               result.scheduler, result.statistics.cycles, result.statistics.ipc(),
               100 * result.statistics.cores.idle_fraction(),
               speed ? fmt::format("{:.3f}", *speed) : "-",
               !result.verified ? "not checked" : (*result.verified ? "PASS" : "FAIL"));
    std::fflush(stdout);
    ++printed_;
  }

  const std::vector<SimulationRequest>& requests_;
  std::vector<bool> done_;
  std::size_t width_ = 8;
  std::size_t printed_ = 0;
};

/// Runs every workload under every scheduler, `jobs` at a time; each simulation is independent of
/// the others, so their number changes no result. Prints the table as it becomes known; results are
/// in the order of the requests.
std::vector<SimulationResult> simulate_all(const CompareArguments& arguments,
                                           const std::vector<std::string>& names) {
  std::vector<SimulationRequest> requests;
  for (const std::string& workload : arguments.workloads) {
    for (const std::string& scheduler : arguments.schedulers) {
      requests.push_back(arguments.request);
      requests.back().workload = workload;
      requests.back().scheduler = scheduler;
    }
  }
  std::vector<SimulationResult> results(requests.size());
  std::vector<std::exception_ptr> errors(requests.size());
  std::vector<sanitize::Report> found_before_failure(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].found_before_failure = &found_before_failure[i];
  }
  ProgressLine progress;
  GrowingTable table(names, requests);
  std::mutex progress_mutex;
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  for (SimulationRequest& request : requests) {
    request.warn = [&](const std::string& warning) {
      const std::lock_guard lock(progress_mutex);
      progress.clear();
      warn(warning);
    };
  }
  auto work = [&] {
    for (std::size_t i = next++; i < requests.size() && !stop; i = next++) {
      {
        const std::lock_guard lock(progress_mutex);
        progress.show(fmt::format("{}/{} done; {} under {}", done.load(), requests.size(),
                                  requests[i].workload, requests[i].scheduler));
      }
      try {
        SimulationResult result = simulate(requests[i]);
        const std::lock_guard lock(progress_mutex);
        results[i] = std::move(result);
        ++done;
        table.add(results, i, [&] { progress.clear(); });
      } catch (const Interrupted& how_far) {
        errors[i] = std::make_exception_ptr(Interrupted(
            fmt::format("{} under {}: {}; {} of {} simulations done", requests[i].workload,
                        requests[i].scheduler, how_far.what(), done.load(), requests.size())));
        stop = true;
      } catch (...) {
        errors[i] = std::current_exception();
        stop = true;
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < arguments.jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  progress.clear();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!errors[i]) continue;
    print_findings(found_before_failure[i], context(requests[i].workload, requests[i].scheduler));
    std::rethrow_exception(errors[i]);
  }
  return results;
}

/// One line per result, after one of names.
std::string to_csv(const std::vector<SimulationResult>& results) {
  std::string text;
  for (const SimulationResult& result : results) {
    auto columns = to_columns(result);
    const std::optional<double> speed = speed_relative_to_rr(results, result);
    columns.emplace_back("speed_vs_rr", speed ? nlohmann::json(*speed).dump() : "");
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (const auto& [name, value] : columns) {
      names.push_back(name);
      values.push_back(value);
    }
    if (text.empty()) text = fmt::format("{}\n", fmt::join(names, ","));
    text += fmt::format("{}\n", fmt::join(values, ","));
  }
  return text;
}

int compare(CompareArguments& arguments) {
  if (!arguments.json.empty()) check_writable(arguments.json);
  if (!arguments.csv.empty()) check_writable(arguments.csv);
  // Everything that can be wrong with the names is said before the first simulation.
  const GpuConfig config = gpu_of(arguments.request);
  for (const std::string& scheduler : arguments.schedulers) scheduler_config(config, scheduler);
  std::vector<std::string> names;
  for (const std::string& workload : arguments.workloads) {
    names.push_back(find_workload(workload, workload_folder()).stem());
  }
  note_interrupts();
  arguments.request.options.interrupted = interrupted;
  const std::vector<SimulationResult> results = simulate_all(arguments, names);
  bool right = true;
  for (const SimulationResult& result : results) {
    right &= result.verified.value_or(true);
    const std::string which = context(result.workload, result.scheduler);
    for (const std::string& message : result.messages) {
      fmt::print(stderr, "paws: {}{}\n", which, message);
    }
    if (!result.check) continue;
    right &= result.check->clean();
    print_findings(*result.check, which);
  }
  if (!arguments.json.empty()) {
    nlohmann::json list = nlohmann::json::array();
    for (const SimulationResult& result : results) {
      nlohmann::json entry = to_json(result);
      const std::optional<double> speed = speed_relative_to_rr(results, result);
      entry["speed_vs_rr"] = speed ? nlohmann::json(*speed) : nlohmann::json(nullptr);
      list.push_back(std::move(entry));
    }
    write_file(arguments.json, list.dump(2) + "\n");
  }
  if (!arguments.csv.empty()) write_file(arguments.csv, to_csv(results));
  return right ? 0 : 1;
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("compare", "Run workloads under several schedulers and print a table");
  auto arguments = std::make_shared<CompareArguments>();
  command
      ->add_option("workloads", arguments->workloads,
                   "names of workloads (paws list) or paths of launch descriptions")
      ->required();
  command->add_option("--schedulers", arguments->schedulers, "schedulers, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  add_simulation_options(*command, arguments->request);
  command->add_option("--jobs", arguments->jobs, "simulations at a time")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--json", arguments->json, "write the results to this file");
  command->add_option("--csv", arguments->csv,
                      "write every statistic of every run to this file, a line per run");
  command->callback([arguments, &status] { status = compare(*arguments); });
}

}  // namespace paws::cli
