// SPDX-License-Identifier: MIT
// Random lockstep of one scheduler of any size, in particular of one that is not in the matrix:
//
//   lockstep_run SCHEDULER WARPS READY PHASE_BITS [arrival] [oldest] [shift|tree] [picker=KEYS]
//                [precision=BITS] [policies=MASK] [length=BITS] [limit=ISSUES] [held]
//                [gates=WARPS] [coverage=FILE] [netlist=FILE]
//
// These are PICKER, PRECISION, POLICIES, LENGTH, LIMIT, HELD and GATES of tb/engine/matrix.cmake;
// what the matrix has too is run exactly as random_lockstep_test runs it with the same PAWS_SEED
// and PAWS_CYCLES. SCHEDULER is "two-level:paws" and the like; READY is ignored at the single
// level. PAWS_SEED and PAWS_CYCLES as in the tests. With coverage=FILE the RTL is built to count
// what runs, without contract assertions, and the counts are written in Verilator's format. With
// netlist=FILE that Verilog of the scheduler, with all of its cells, stands in the RTL's place.
// Exit status 0: no difference, 1: mismatch or broken contract, 2: bad usage or an engine that
// cannot be built.
#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/engine/on_demand.h"
#include "tb/engine/rtl_engine.h"
#include "tb/lockstep/lockstep.h"
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
                            run.engine.held_length);
    std::cout << "no difference in " << cycles << " cycles\n";
  } catch (const std::runtime_error& difference) {
    std::cout << difference.what() << '\n' << keep_failure(run, difference.what());
    return 1;
  }
  return 0;
}

int run_lockstep(const std::vector<std::string>& words) {
  if (words.size() < 4) {
    throw std::invalid_argument(
        "usage: lockstep_run SCHEDULER WARPS READY PHASE_BITS [arrival] [oldest] [shift|tree] "
        "[picker=KEYS] [precision=BITS] [policies=MASK] [length=BITS] [limit=ISSUES] "
        "[held] [gates=WARPS] [coverage=FILE] [netlist=FILE]");
  }
  SchedulerConfig config;
  if (const auto problem = set_scheduler_name(config, words[0])) {
    throw std::invalid_argument(*problem);
  }
  config.warps = number(words[1]);
  if (config.level == Level::two_level) config.ready = number(words[2]);
  config.phase_bits = number(words[3]);
  Sorter sorter = Sorter::ranks;
  unsigned picker = kDefaultPicker;
  unsigned policies = all_policies(config.level);
  unsigned length_bits = kLengthBits;
  bool held_length = false;
  unsigned clock_gates = 0;
  std::string coverage_file;
  std::string netlist;
  for (std::size_t i = 4; i < words.size(); ++i) {
    if (words[i] == "arrival") {
      config.tie_by_arrival = true;
    } else if (words[i] == "oldest") {
      config.wake_oldest = true;
    } else if (words[i] == "held") {
      held_length = true;
    } else if (words[i] == "tree") {
      sorter = Sorter::selection_tree;
    } else if (words[i] == "shift") {
      sorter = Sorter::shift_register;
    } else if (words[i].starts_with("picker=")) {
      picker = number(words[i].substr(words[i].find('=') + 1));
    } else if (words[i].starts_with("precision=")) {
      config.key_precision = number(words[i].substr(words[i].find('=') + 1));
    } else if (words[i].starts_with("policies=")) {
      policies = number(words[i].substr(words[i].find('=') + 1));
    } else if (words[i].starts_with("limit=")) {
      config.age_limit = number(words[i].substr(words[i].find('=') + 1));
    } else if (words[i].starts_with("gates=")) {
      clock_gates = number(words[i].substr(words[i].find('=') + 1));
    } else if (words[i].starts_with("length=")) {
      length_bits = number(words[i].substr(words[i].find('=') + 1));
    } else if (words[i].starts_with("coverage=")) {
      coverage_file = words[i].substr(words[i].find('=') + 1);
    } else if (words[i].starts_with("netlist=")) {
      netlist = std::filesystem::absolute(words[i].substr(words[i].find('=') + 1)).string();
    } else {
      throw std::invalid_argument("unknown option: " + words[i]);
    }
  }
  const bool covers = !coverage_file.empty();
  EngineParameters engine = engine_parameters(config, sorter, picker, /*checked=*/!covers);
  engine.policies = policies;
  // One engine serves all policies, whether they have keys or not.
  engine.key_precision = std::min(config.key_precision, config.phase_bits);
  engine.tie_by_arrival = config.level == Level::two_level && config.tie_by_arrival;
  engine.length_bits = length_bits;
  engine.held_length = held_length;
  engine.clock_gates = clock_gates;
  engine.age_limit = config.age_limit;  // an RTL with a limit that single-level RR does not heed
  const RunLength length = run_length(kCycles);
  const FailedRun run{config, engine, length};
  if (!netlist.empty()) return run_netlist(run, netlist);
  auto rtl = make_rtl(config, engine, covers ? Instrument::coverage : Instrument::none);
  const auto* recorder = dynamic_cast<const CoverageRecorder*>(rtl.get());
  const auto lockstep = make_lockstep(make_model(config), std::move(rtl), replay_command(run));
  std::uint64_t cycles = 0;
  try {
    // Seeds depend on the name: with the test's name it is the test's run.
    cycles = drive_all_scenarios(*lockstep, length, name_of(engine, config.policy), nullptr,
                                 engine.held_length);
  } catch (const std::runtime_error& difference) {
    std::cout << difference.what() << '\n' << keep_failure(run, difference.what());
    return 1;
  }
  if (recorder != nullptr) recorder->write_coverage(coverage_file);
  std::cout << "no difference in " << cycles << " cycles\n";
  return 0;
}

}  // namespace
}  // namespace paws

int main(int argc, char** argv) {
  try {
    return paws::run_lockstep({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "lockstep_run: " << error.what() << '\n';
    return 2;
  }
}
