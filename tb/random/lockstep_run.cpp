// SPDX-License-Identifier: MIT
// Random lockstep of one scheduler of any size, in particular of one that is not in the matrix:
//
//   lockstep_run SCHEDULER WARPS READY PHASE_BITS [PARAMETER...] [coverage=FILE] [netlist=FILE]
//
// PARAMETER is a word of engine/parameters.def, with its number: arrival, tree, limit=64,
// policies=2. What engine/matrix.cmake has too is run exactly as random_lockstep_test runs it with
// the same PAWS_SEED and PAWS_CYCLES. SCHEDULER is "two-level:paws" and the like; READY is ignored
// at the single level. PAWS_SEED and PAWS_CYCLES as in the tests. With coverage=FILE the RTL is
// built to count what runs, without contract assertions, and the counts are written in Verilator's
// format. With netlist=FILE that Verilog of the scheduler, with all of its cells, stands in the
// RTL's place. Exit status 0: no difference, 1: mismatch or broken contract, 2: bad usage or an
// engine that cannot be built.
#include <charconv>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine_fields.h"
#include "engine/lockstep/lockstep.h"
#include "engine/on_demand.h"
#include "engine/rtl_engine.h"
#include "tb/random/drive.h"
#include "tb/random/failure.h"
#include "tb/random/subjects.h"

namespace paws {
namespace {

constexpr std::uint64_t kCycles = 100'000;

unsigned number(const std::string& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("not a number: " + text);
  }
  return value;
}

/// A netlist has no queues to compare and no contract assertions.
int run_netlist(FailedRun run, const std::string& netlist) {
  run.netlist = [engine = run.engine, config = run.config, netlist](Instrument instrument) {
    return make_engine(build_on_demand(engine, instrument, netlist), config);
  };
  run.replay = replay_command(run) + " netlist=" + netlist;
  const auto lockstep = make_lockstep(make_model(run.config), run.netlist(Instrument::none),
                                      run.replay, {.outputs_only = true});
  try {
    const std::uint64_t cycles =
        drive_all_scenarios(*lockstep, run.length, name_of(run.engine, run.config.policy), nullptr,
                            host_options(run.engine));
    std::cout << "no difference in " << cycles << " cycles\n";
  } catch (const std::runtime_error& difference) {
    std::cout << difference.what() << '\n' << keep_failure(run, difference.what());
    return 1;
  }
  return 0;
}

/// What the words of the command line ask for.
struct Arguments {
  SchedulerConfig config;
  EngineParameters engine;    ///< what is no number of a configuration
  std::string coverage_file;  ///< empty: no coverage
  std::string netlist;        ///< absolute path, empty: the RTL
};

/// The value that `word` gives the field, if it is of this field.
std::optional<unsigned> value_in(const std::string& word, const EngineField& field) {
  if (is_switch(field)) {
    for (const unsigned value : {1U, 0U, 2U}) {
      if (text_of(field, value) == word) return value;
    }
    return std::nullopt;
  }
  const std::string start = field.word + '=';
  return word.starts_with(start) ? std::optional(number(word.substr(start.size()))) : std::nullopt;
}

/// Takes an option; false: there is none of this name.
bool take(Arguments& arguments, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  if (equals != std::string::npos && name == "coverage") {
    arguments.coverage_file = word.substr(equals + 1);
    return true;
  }
  if (equals != std::string::npos && name == "netlist") {
    arguments.netlist = std::filesystem::absolute(word.substr(equals + 1)).string();
    return true;
  }
  for (const EngineField& field : engine_fields()) {
    if (field.rtl.empty() || is_positional(field)) continue;
    const std::optional<unsigned> value = value_in(word, field);
    if (!value) continue;
    if (const SchedulerField* configured = scheduler_field(field)) {
      set_value(arguments.config, *configured, *value);
    } else {
      set_value(arguments.engine, field, *value);
    }
    return true;
  }
  return false;
}

/// " [precision=N] [arrival]" and so on, of every parameter that an option sets.
std::string options() {
  std::string text;
  for (const EngineField& field : engine_fields()) {
    if (field.rtl.empty() || is_positional(field)) continue;
    const bool sorter = is_switch(field) && field.word.empty();
    const std::string word = sorter ? text_of(field, 0) + '|' + text_of(field, 1) : field.word;
    text.append(" [").append(word).append(is_switch(field) ? "]" : "=N]");
  }
  return text;
}

/// Throws std::invalid_argument.
Arguments arguments_of(const std::vector<std::string>& words) {
  if (words.size() < 4) {
    throw std::invalid_argument("usage: lockstep_run SCHEDULER WARPS READY PHASE_BITS" + options() +
                                " [coverage=FILE] [netlist=FILE]");
  }
  Arguments arguments;
  SchedulerConfig& config = arguments.config;
  if (const auto problem = set_scheduler_name(config, words[0])) {
    throw std::invalid_argument(*problem);
  }
  config.warps = number(words[1]);
  if (config.level == Level::two_level) config.ready = number(words[2]);
  config.phase_bits = number(words[3]);
  arguments.engine.policies = policies_with(config);
  for (std::size_t i = 4; i < words.size(); ++i) {
    if (!take(arguments, words[i])) throw std::invalid_argument("unknown option: " + words[i]);
  }
  return arguments;
}

int run_lockstep(const Arguments& arguments) {
  const SchedulerConfig& config = arguments.config;
  const bool covers = !arguments.coverage_file.empty();
  EngineParameters engine = arguments.engine;
  engine.checked = !covers;
  // One engine serves all policies, whether they have keys and a limit or not.
  configure(engine, config, Unheeded::taken);
  const RunLength length = run_length(kCycles);
  const FailedRun run{config, engine, length};
  if (!arguments.netlist.empty()) return run_netlist(run, arguments.netlist);
  auto rtl = make_rtl(config, engine, covers ? Instrument::coverage : Instrument::none);
  const auto* recorder = dynamic_cast<const CoverageRecorder*>(rtl.get());
  const auto lockstep = make_lockstep(make_model(config), std::move(rtl), replay_command(run));
  std::uint64_t cycles = 0;
  try {
    // Seeds depend on the name: with the test's name it is the test's run.
    cycles = drive_all_scenarios(*lockstep, length, name_of(engine, config.policy), nullptr,
                                 host_options(engine));
  } catch (const std::runtime_error& difference) {
    std::cout << difference.what() << '\n' << keep_failure(run, difference.what());
    return 1;
  }
  if (recorder != nullptr) recorder->write_coverage(arguments.coverage_file);
  std::cout << "no difference in " << cycles << " cycles\n";
  return 0;
}

}  // namespace
}  // namespace paws

int main(int argc, char** argv) {
  try {
    return paws::run_lockstep(paws::arguments_of({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::cerr << "lockstep_run: " << error.what() << '\n';
    return 2;
  }
}
