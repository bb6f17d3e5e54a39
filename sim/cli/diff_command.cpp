// SPDX-License-Identifier: MIT
// paws diff: where two recorded runs part.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/say.h"
#include "sim/support/error.h"
#include "sim/trace/diff.h"

namespace paws::cli {
namespace {

struct DiffArguments {
  std::string a, b;
  std::optional<std::uint32_t> core;
};

/// What was run differently, in one line for each.
void print_runs(const trace::RunInfo& a, const trace::RunInfo& b) {
  auto row = [](const char* what, const std::string& left, const std::string& right) {
    if (left != right) say("{:<10} {} | {}\n", what, left, right);
  };
  row("workload", a.workload, b.workload);
  row("gpu", a.gpu, b.gpu);
  row("settings", fmt::format("{}", fmt::join(a.settings, " ")),
      fmt::format("{}", fmt::join(b.settings, " ")));
  row("scheduler", scheduler_name(a.scheduler), scheduler_name(b.scheduler));
  row("ready", fmt::format("{}", a.scheduler.ready), fmt::format("{}", b.scheduler.ready));
  row("engine", a.engine, b.engine);
  row("seed", fmt::format("{}", a.seed), fmt::format("{}", b.seed));
}

/// Prints what is to say about `core`; whether the runs are equal there.
bool diff_core(const trace::DecisionReader& a, const trace::DecisionReader& b, std::uint32_t core) {
  const trace::DiffResult result = trace::diff(a, b, core);
  if (!result.parting) {
    say("core {}: no difference in {} cycles\n", core, result.a_cycles);
    return true;
  }
  say("{}", *result.parting);
  say("core {}: {} | {} cycles, {} | {} issues; {} of {} decisions differ ({:.1f} %)\n", core,
      result.a_cycles, result.b_cycles, result.a_issues, result.b_issues, result.different,
      result.compared,
      result.compared == 0
          ? 0.0
          : 100 * static_cast<double>(result.different) / static_cast<double>(result.compared));
  return false;
}

int diff(const DiffArguments& arguments) {
  const trace::DecisionReader a(arguments.a);
  const trace::DecisionReader b(arguments.b);
  std::vector<std::uint32_t> cores;
  if (arguments.core) {
    cores.push_back(*arguments.core);
  } else {
    std::set_intersection(a.cores().begin(), a.cores().end(), b.cores().begin(), b.cores().end(),
                          std::back_inserter(cores));
  }
  if (cores.empty()) throw InputError("the two traces have no core in common");
  print_runs(a.run(), b.run());
  bool equal = true;
  for (const std::uint32_t core : cores) equal &= diff_core(a, b, core);
  return equal ? 0 : 1;
}

}  // namespace

void add_diff(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("diff", "Show where two decision traces first part, and why");
  auto arguments = std::make_shared<DiffArguments>();
  command->add_option("a", arguments->a, "decision trace")->required();
  command->add_option("b", arguments->b, "decision trace")->required();
  command->add_option("--core", arguments->core, "one core; default all that both have")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()));
  command->callback([arguments, &status] { status = diff(*arguments); });
}

}  // namespace paws::cli
