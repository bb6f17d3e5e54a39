// The netlists that Yosys makes of the RTL, in lockstep with the golden model under random hosts:
// Yosys has its own reader of SystemVerilog, and what it misreads shows nowhere else.
#include <gtest/gtest.h>

#include <iostream>
#include <stdexcept>

#include "tb/engine/engine_registry.h"
#include "tb/lockstep/lockstep.h"
#include "tb/random/drive.h"
#include "tb/random/failure.h"
#include "tb/random/subjects.h"

namespace paws {
namespace {

constexpr std::uint64_t kCycles = 40'000;

class NetlistLockstep : public testing::TestWithParam<Subject> {};

TEST_P(NetlistLockstep, AgreesInEveryCycle) {
  const Subject& subject = GetParam();
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run, "build/tb/netlist/netlist_lockstep_test");
  std::cout << reproduce << '\n';
  const auto netlist = [&subject] { return make_engine(subject.engine, subject.config); };
  const auto lockstep =
      make_lockstep(make_model(subject.config), netlist(), reproduce, {.outputs_only = true});
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

INSTANTIATE_TEST_SUITE_P(Netlists, NetlistLockstep, testing::ValuesIn(subjects(netlist_engines())),
                         [](const auto& subject) { return name_of(subject.param); });

}  // namespace
}  // namespace paws
