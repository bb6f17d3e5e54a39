// SPDX-License-Identifier: MIT
// Golden model and RTL of the sub-warp packer in lockstep, under a random host: every engine.
#include "engine/lockstep/subwarp_packer_lockstep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "tb/random/drive.h"
#include "tb/random/subwarp_packer_host.h"

namespace paws {
namespace {

/// Per engine of up to seven rows, more with more: over a million cycles in all.
constexpr std::uint64_t kCycles = 20'000;

std::vector<BuiltSubwarpPacker> all_engines() {
  std::vector<BuiltSubwarpPacker> all;
  for (const auto engines : {standard_subwarp_packers(), matrix_subwarp_packers()}) {
    all.insert(all.end(), engines.begin(), engines.end());
  }
  return all;
}

std::string name_of(const BuiltSubwarpPacker& engine) {
  const SubwarpPackerConfig& config = engine.config;
  return std::to_string(config.lanes) + "_" + std::to_string(config.rows) + "_" +
         std::to_string(config.modes) + (engine.checked ? "_checked" : "");
}

class SubwarpPackerLockstep : public testing::TestWithParam<BuiltSubwarpPacker> {};

TEST_P(SubwarpPackerLockstep, AgreesInEveryCycle) {
  const BuiltSubwarpPacker& engine = GetParam();
  // Long large warps take more cycles to show every number of sub-warps.
  const std::uint64_t cycles = kCycles * std::max(1U, engine.config.rows / 4);
  const RunLength run = run_length(cycles);
  const std::string reproduce = reproduce_text(run);
  std::cout << reproduce << '\n';
  const auto lockstep =
      make_subwarp_packer_lockstep(engine.config, make_subwarp_packer(engine.config),
                                   std::unique_ptr<SubwarpPacker>(engine.create()), reproduce);
  SubwarpPackerHost host(engine.config, derive_seed(run.seed, name_of(engine), 0));
  try {
    for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
      const SubwarpPackerInputs inputs = host.inputs();
      if (host.asks_again()) {
        SubwarpPackerInputs other = inputs;
        other.take = !inputs.take;
        other.load_valid = false;
        lockstep->decide(other);
      }
      host.see(inputs, lockstep->decide(inputs));
      lockstep->commit();
    }
  } catch (const std::runtime_error& difference) {
    FAIL() << difference.what();
  }
  if (run.cycles < cycles) return;  // too short a run need not meet everything
  for (const std::string& situation : host.missing()) {
    ADD_FAILURE() << "the stimulus never met: " << situation;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, SubwarpPackerLockstep, testing::ValuesIn(all_engines()),
                         [](const auto& engine) { return name_of(engine.param); });

TEST(SubwarpPackerRtl, IsEmptyAfterAReset) {
  for (const BuiltSubwarpPacker& engine : all_engines()) {
    const std::unique_ptr<SubwarpPacker> rtl(engine.create());
    SubwarpPackerInputs inputs;
    inputs.load_valid = true;
    for (unsigned row = 0; row < engine.config.rows; ++row) inputs.load_mask[row] = 1;
    inputs.take = false;
    EXPECT_TRUE(rtl->decide(inputs).busy) << name_of(engine);
    rtl->commit();
    rtl->reset();
    EXPECT_EQ(rtl->decide({}), SubwarpPackerOutputs{}) << name_of(engine);
    rtl->commit();
  }
}

TEST(SubwarpPackerLockstepMessage, ShowsBothSides) {
  const SubwarpPackerConfig config;
  /// Gives no thread.
  class Wrong final : public SubwarpPacker {
   public:
    void reset() override {}
    SubwarpPackerOutputs decide(const SubwarpPackerInputs& inputs) override {
      SubwarpPackerOutputs outputs;
      outputs.valid = inputs.load_valid;
      return outputs;
    }
    void commit() override {}
  };
  const auto lockstep = make_subwarp_packer_lockstep(config, make_subwarp_packer(config),
                                                     std::make_unique<Wrong>(), "this test");
  SubwarpPackerInputs inputs;
  lockstep->decide(inputs);
  lockstep->commit();
  inputs.load_valid = true;
  inputs.load_mode = PackMode::rows;
  inputs.load_mask[2] = 5;
  try {
    lockstep->decide(inputs);
    FAIL() << "no mismatch";
  } catch (const LockstepMismatch& mismatch) {
    const std::string message = mismatch.what();
    EXPECT_EQ(message.find("lockstep: outputs differ in clocked cycle 1\n"
                           "sub-warp packer of 8 rows of 32 lanes, modes packed, rows, once\n"
                           "inputs\n  load, rows\n"),
              0U)
        << message;
    EXPECT_NE(message.find("outputs of the golden model\n  valid, last\n  lanes 101000"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("outputs of the RTL\n  valid\n  lanes 000000"), std::string::npos)
        << message;
    EXPECT_NE(message.find("reproduce with: this test"), std::string::npos) << message;
  }
}

/// The message of a checked packer after these cycles.
std::string violation_of(const SubwarpPackerConfig& config,
                         const std::vector<SubwarpPackerInputs>& cycles) {
  for (const BuiltSubwarpPacker& engine : all_engines()) {
    if (!engine.checked || engine.config != config) continue;
    const std::unique_ptr<SubwarpPacker> rtl(engine.create());
    try {
      for (const SubwarpPackerInputs& inputs : cycles) {
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

SubwarpPackerInputs load_of(LaneBits row, PackMode mode = PackMode::packed, bool take = true) {
  SubwarpPackerInputs inputs;
  inputs.load_valid = true;
  inputs.load_mode = mode;
  inputs.load_mask[0] = inputs.load_mask[1] = row;
  inputs.take = take;
  return inputs;
}

TEST(SubwarpPackerContract, NoticesEveryBrokenPromise) {
  const SubwarpPackerConfig config;
  EXPECT_EQ(violation_of(config, {load_of(3), {}, load_of(3, PackMode::once), load_of(1)}),
            "no violation");
  const auto expect = [](const std::string& message, const std::string& promise) {
    EXPECT_NE(message.find("." + promise + ":"), std::string::npos) << message;
  };
  expect(violation_of(config, {load_of(3), load_of(3)}), "load_waits");
  expect(violation_of(config, {load_of(3, PackMode::once, false), load_of(3)}), "load_waits");
  expect(violation_of(config, {load_of(0)}), "load_mask_is_not_empty");
  SubwarpPackerConfig packed = config;
  packed.modes = 1;
  expect(violation_of(packed, {load_of(1, PackMode::rows)}), "load_mode_is_built");
}

TEST(SubwarpPackerRtl, SaysWhatHasRtl) {
  SubwarpPackerConfig config;
  config.rows = 12;
  try {
    make_rtl_subwarp_packer(config);
    FAIL() << "made";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_EQ(
        message.find("a sub-warp packer of 12 rows of 32 lanes, modes packed, rows, once has no "
                     "RTL (1 row of 32 lanes, modes packed, rows, once; "),
        0U)
        << message;
  }
}

}  // namespace
}  // namespace paws
