// SPDX-License-Identifier: MIT
// The netlists that Yosys makes of the RTL, in lockstep with the golden model under random hosts:
// Yosys has its own reader of SystemVerilog, and what it misreads shows nowhere else.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "engine/engine_registry.h"
#include "engine/lockstep/lockstep.h"
#include "engine/on_demand.h"
#include "tb/random/drive.h"
#include "tb/random/failure.h"
#include "tb/random/subjects.h"

namespace paws {
namespace {

constexpr std::uint64_t kCycles = 40'000;

std::filesystem::path file_of(const BuiltEngine& engine) {
  return std::filesystem::path(NETLISTS) / (std::string(engine.label) + ".v");
}

class NetlistLockstep : public testing::TestWithParam<Subject> {};

TEST_P(NetlistLockstep, AgreesInEveryCycle) {
  const Subject& subject = GetParam();
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run, "build/tb/netlist/netlist_lockstep_test");
  std::cout << reproduce << '\n';
  const auto netlist = [&subject](Instrument instrument) {
    return make_engine(
        instrument == Instrument::none
            ? subject.engine
            : build_on_demand(subject.engine.parameters, instrument, file_of(subject.engine)),
        subject.config);
  };
  const auto lockstep = make_lockstep(make_model(subject.config), netlist(Instrument::none),
                                      reproduce, {.outputs_only = true});
  try {
    drive_all_scenarios(*lockstep, run, name_of(subject), nullptr);
  } catch (const std::runtime_error& difference) {
    FAIL() << difference.what() << '\n'
           << keep_failure({.config = subject.config,
                            .engine = subject.engine.parameters,
                            .length = run,
                            .netlist = netlist,
                            .replay = reproduce},
                           difference.what());
  }
}

TEST_P(NetlistLockstep, HasItsFileForWaves) {
  EXPECT_TRUE(std::filesystem::exists(file_of(GetParam().engine))) << file_of(GetParam().engine);
}

INSTANTIATE_TEST_SUITE_P(Netlists, NetlistLockstep, testing::ValuesIn(subjects(netlist_engines())),
                         [](const auto& subject) { return name_of(subject.param); });

}  // namespace
}  // namespace paws
