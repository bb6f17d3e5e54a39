// SPDX-License-Identifier: MIT
// paws decisions: a decision trace as text.

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "engine/engine_parameters.h"
#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/say.h"
#include "sim/support/error.h"
#include "sim/trace/decision_trace.h"
#include "sim/trace/listing.h"
#include "sim/trace/timeline.h"

namespace paws::cli {
namespace {

struct DecisionsArguments {
  std::string file;
  std::optional<std::uint32_t> core;
  bool ports = false;
  trace::ListingOptions options;
};

void print(const std::string& line) {
  say("{}\n", line);
  if (std::ferror(stdout) != 0) check_all_is_said();  // A listing may be long.
}

void print_header(const trace::DecisionReader& reader) {
  const trace::RunInfo& run = reader.run();
  say("workload            {} (seed {})\n", run.workload, run.seed);
  say("gpu                 {}{}{}\n", run.gpu, run.settings.empty() ? "" : ", ",
      fmt::join(run.settings, ", "));
  say("scheduler           {}, {} warps, ready {}, {}-bit phases, {} per core\n",
      scheduler_name(run.scheduler), run.scheduler.warps, run.scheduler.ready,
      run.scheduler.phase_bits, run.schedulers);
  say("engine              {}\n", run.engine);
  for (const auto& [name, value] : run.made_by) {
    if (!value.empty()) say("made by: {:<11}{}\n", name, value);
  }
  say("recorded cores      {}\n", fmt::join(reader.cores(), ", "));
  if (reader.error()) say("the run ended early: {}\n", *reader.error());
}

template <class Lines>
void list(const trace::DecisionReader& reader, std::uint32_t core,
          const trace::ListingOptions& options, Lines& lines) {
  trace::Decoder decoder = reader.open(core);
  while (!lines.done() && decoder.next(lines)) {
  }
  if (!lines.done()) trace::check_window({options.from, options.to}, decoder.cycles());
}

int decisions(const CLI::App& command, const DecisionsArguments& arguments) {
  if (arguments.ports) refuse(command, {"--verbose"}, "with --ports, which lists every cycle");
  const trace::DecisionReader reader(arguments.file);
  const trace::RunInfo& run = reader.run();
  if (arguments.options.from > arguments.options.to) throw InputError("--from is behind --to");
  if (arguments.options.scheduler && *arguments.options.scheduler >= run.schedulers) {
    throw InputError(fmt::format("--scheduler {}: a core has {} schedulers",
                                 *arguments.options.scheduler, run.schedulers));
  }
  const std::uint32_t core = arguments.core.value_or(reader.cores().front());
  if (arguments.ports) {
    const unsigned code =
        has_rtl(run.scheduler) ? policy_code(run.scheduler.level, run.scheduler.policy) : 0;
    trace::PortListing lines(run, arguments.options, code, print);
    list(reader, core, arguments.options, lines);
    return 0;
  }
  print_header(reader);
  say("\n{:>9} {:>2} {:<16} {}\n", "cycle", "s", "decision", "reason | instruction | moves");
  trace::Listing lines(run, arguments.options, print);
  list(reader, core, arguments.options, lines);
  return 0;
}

}  // namespace

void add_decisions(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("decisions", "List a decision trace");
  auto arguments = std::make_shared<DecisionsArguments>();
  command->add_option("file", arguments->file, "decision trace (paws run --decisions)")->required();
  command->add_option("--core", arguments->core, "recorded core; default the first")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()));
  command->add_option("--scheduler", arguments->options.scheduler, "one scheduler of the core")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()));
  command->add_option("--from", arguments->options.from, "first cycle")->check(whole_number(0));
  command->add_option("--to", arguments->options.to, "last cycle")->check(whole_number(0));
  command->add_flag("--verbose", arguments->options.verbose,
                    "inputs and queues of every cycle, also of those that are not enabled");
  command->add_flag("--ports", arguments->ports,
                    "the ports of every cycle as numbers (docs/guide/traces.md)");
  command->callback([command, arguments, &status] { status = decisions(*command, *arguments); });
}

}  // namespace paws::cli
