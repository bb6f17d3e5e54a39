// SPDX-License-Identifier: MIT
// Golden model and RTL of the branch masks in lockstep, under a random host: every engine.
#include "engine/lockstep/branch_masks_lockstep.h"

#include <gtest/gtest.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "tb/random/branch_masks_host.h"
#include "tb/random/drive.h"

namespace paws {
namespace {

/// Per engine: over half a million cycles in all.
constexpr std::uint64_t kCycles = 15'000;

std::vector<BuiltBranchMasks> all_engines() {
  std::vector<BuiltBranchMasks> all;
  for (const auto engines : {standard_branch_masks(), matrix_branch_masks()}) {
    all.insert(all.end(), engines.begin(), engines.end());
  }
  return all;
}

std::string name_of(const BuiltBranchMasks& engine) {
  const BranchMasksConfig& config = engine.config;
  return std::to_string(config.lanes) + "_" + std::to_string(config.rows) + "_" +
         std::to_string(config.buffers) + (engine.checked ? "_checked" : "");
}

class BranchMasksLockstep : public testing::TestWithParam<BuiltBranchMasks> {};

TEST_P(BranchMasksLockstep, AgreesInEveryCycle) {
  const BuiltBranchMasks& engine = GetParam();
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run);
  std::cout << reproduce << '\n';
  const auto lockstep =
      make_branch_masks_lockstep(engine.config, make_branch_masks(engine.config),
                                 std::unique_ptr<BranchMasks>(engine.create()), reproduce);
  BranchMasksHost host(engine.config, derive_seed(run.seed, name_of(engine), 0));
  try {
    for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
      const BranchMasksInputs inputs = host.inputs();
      host.see(inputs, lockstep->decide(inputs));
      lockstep->commit();
    }
  } catch (const std::runtime_error& difference) {
    FAIL() << difference.what();
  }
  if (run.cycles < kCycles) return;  // too short a run need not meet everything
  for (const std::string& situation : host.missing()) {
    ADD_FAILURE() << "the stimulus never met: " << situation;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, BranchMasksLockstep, testing::ValuesIn(all_engines()),
                         [](const auto& engine) { return name_of(engine.param); });

/// A sub-warp of lane 0 alone.
BranchMasksInputs subwarp_of(unsigned row, bool taken, bool last = false) {
  BranchMasksInputs inputs;
  inputs.valid = true;
  inputs.mask = 1;
  inputs.row[0] = static_cast<std::uint8_t>(row);
  inputs.taken = taken ? 1 : 0;
  inputs.last = last;
  return inputs;
}

TEST(BranchMasksRtl, KeepsNothingOverAReset) {
  for (const BuiltBranchMasks& engine : all_engines()) {
    if (engine.config.rows < 2) continue;
    const std::unique_ptr<BranchMasks> rtl(engine.create());
    rtl->decide(subwarp_of(0, true));
    rtl->commit();
    rtl->reset();
    BranchMasksInputs last = subwarp_of(1, false, true);
    last.active[1] = 1;
    const BranchMasksOutputs outputs = rtl->decide(last);
    rtl->commit();
    EXPECT_EQ(outputs.taken, LargeWarpMask{}) << name_of(engine);
    EXPECT_EQ(outputs.fall, last.active) << name_of(engine);
    EXPECT_FALSE(outputs.diverged) << name_of(engine);
  }
}

TEST(BranchMasksLockstepMessage, ShowsBothSides) {
  const BranchMasksConfig config;
  /// Never diverges.
  class Wrong final : public BranchMasks {
   public:
    void reset() override {}
    BranchMasksOutputs decide(const BranchMasksInputs& /*inputs*/) override { return {}; }
    void commit() override {}
  };
  const auto lockstep = make_branch_masks_lockstep(config, make_branch_masks(config),
                                                   std::make_unique<Wrong>(), "this test");
  lockstep->decide(subwarp_of(0, true));
  lockstep->commit();
  BranchMasksInputs last = subwarp_of(1, false, true);
  last.active[0] = last.active[1] = 1;
  try {
    lockstep->decide(last);
    FAIL() << "no mismatch";
  } catch (const LockstepMismatch& mismatch) {
    const std::string message = mismatch.what();
    EXPECT_EQ(message.find("lockstep: outputs differ in clocked cycle 1\n"
                           "branch masks of 8 rows of 32 lanes, 2 buffers\n"
                           "inputs\n  lanes 1000"),
              0U)
        << message;
    EXPECT_NE(message.find("outputs of the golden model\n  diverged\n"), std::string::npos)
        << message;
    EXPECT_NE(message.find("outputs of the RTL\n  not diverged\n"), std::string::npos) << message;
  }
}

/// The message of checked branch masks after these cycles.
std::string violation_of(const std::vector<BranchMasksInputs>& cycles,
                         const BranchMasksConfig& config = {}) {
  for (const BuiltBranchMasks& engine : all_engines()) {
    if (!engine.checked || engine.config != config) continue;
    const std::unique_ptr<BranchMasks> rtl(engine.create());
    try {
      for (const BranchMasksInputs& inputs : cycles) {
        rtl->decide(inputs);
        rtl->commit();
      }
    } catch (const ContractViolation& violation) {
      return violation.what();
    }
    return "no violation";
  }
  return "no engine";
}

TEST(BranchMasksContract, NoticesEveryBrokenPromise) {
  const auto expect = [](const std::string& message, const std::string& promise) {
    EXPECT_NE(message.find("." + promise + ":"), std::string::npos) << message;
  };
  BranchMasksInputs last = subwarp_of(1, false, true);
  last.active[0] = last.active[1] = 1;
  EXPECT_EQ(violation_of({subwarp_of(0, true), last, subwarp_of(0, true), last}), "no violation");
  expect(violation_of({subwarp_of(0, true), subwarp_of(0, true)}), "thread_comes_once");
  expect(violation_of({last}), "active_threads_came");
  BranchMasksInputs none;
  none.last = true;
  expect(violation_of({none}), "last_is_of_a_subwarp");
  BranchMasksInputs empty = subwarp_of(0, false);
  empty.mask = 0;
  expect(violation_of({empty}), "subwarp_has_a_thread");
  expect(violation_of({subwarp_of(5, false)}, {.lanes = 3, .rows = 5}), "row_exists");
}

TEST(BranchMasksRtl, SaysWhatHasRtl) {
  try {
    make_rtl_branch_masks({.lanes = 16});
    FAIL() << "made";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("branch masks of 8 rows of 16 lanes, 2 buffers have no RTL (1 row of 32 "
                           "lanes, 2 buffers; "),
              0U)
        << message;
  }
}

}  // namespace
}  // namespace paws
